"""A challenge, an attempt at it and what checking found, as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from app.core.base.question import Answer, Question
from app.core.lesson_metrics.expression import Expression
from app.core.lesson_metrics.metric import Metric, Value
from app.core.lessons.numbers import calculated, numbers_of
from app.core.lessons.prose import LessonText
from app.core.session.draft import Draft, LaunchSettings
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.frontend.diagnostics import Severity
from kernels.simt.host.result import NotRun
from kernels.simt.trace.launch_spec import NotTraced


@dataclass(frozen=True, slots=True)
class Target:
    """Target that the trace must meet: `values` are its numbers by name, `holds` is not 0 where it is met."""

    name: str
    values: Mapping[str, Metric | Expression]
    holds: Expression


@dataclass(frozen=True, slots=True)
class ProgramCases:
    """Arguments of main that a whole program is judged with: the first ones, whose run the targets are about, and `others` by name.

    `allowed` are kinds of findings that a right program has, too.
    """

    arguments: str
    others: Mapping[str, str]
    allowed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Challenge:
    """A text with a defect and its launch. The outputs must be those that `reference` leaves, an own text of the same arguments.

    Where `program` says with what it is run the text is a whole program, and so is the reference: what it prints and its exit status
    are compared.

    `cases` are further launches with which the text must do right, by name: other arguments, grids and blocks.
    """

    id: str
    topic: str
    given: Draft
    reference: Draft
    outputs: tuple[str, ...]
    targets: tuple[Target, ...]
    texts: Mapping[str, LessonText]
    cases: Mapping[str, LaunchSettings] = field(default_factory=dict)
    free_launch: bool = False
    """Whether grid and block are the student's to change."""
    program: ProgramCases | None = None

    def text(self, language: str) -> LessonText:
        """Return the texts in a language, or in the first one that the challenge has where it lacks that."""
        return self.texts.get(language) or next(iter(self.texts.values()))

    @property
    def hints(self) -> tuple[str, ...]:
        """The names of the hints in order."""
        return tuple(name for name in next(iter(self.texts.values())).steps if name.startswith("hint"))


@dataclass(frozen=True, slots=True)
class Attempt:
    """Attempt at a challenge: the student's text and launch, and how many hints were shown."""

    challenge: str
    text: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    hints: int = 0
    """How many were looked at."""

    @staticmethod
    def of(challenge: Challenge, draft: Draft, hints: int = 0) -> Attempt:
        """The attempt that a draft is."""
        return Attempt(challenge.id, draft.text, draft.settings.grid, draft.settings.block, hints)

    def draft(self, challenge: Challenge, case: LaunchSettings | None = None) -> Draft:
        """The launch that is checked: the challenge's arguments, and its grid and block unless these are free."""
        settings = case or challenge.given.settings
        if challenge.free_launch and case is None:
            settings = replace(settings, grid=self.grid, block=self.block)
        return replace(challenge.given, text=self.text, settings=settings)


@dataclass(frozen=True, slots=True)
class Met:
    """Target as checked: its numbers, and whether it is met."""

    target: str
    numbers: Mapping[str, Value | Message]
    holds: bool


@dataclass(frozen=True, slots=True)
class Verdict(Answer):
    """Result of checking an attempt.

    `trouble` says why nothing could be executed, `faults` what is wrong in it, by case ("" is the first one).
    """

    targets: tuple[Met, ...] = ()
    faults: tuple[tuple[str, Message], ...] = ()
    trouble: Message | None = None

    @property
    def solved(self) -> bool:
        return self.trouble is None and not self.faults and all(met.holds for met in self.targets)


@dataclass(frozen=True, slots=True, eq=False)
class CheckQuestion(Question):
    """Asks what becomes of an attempt."""

    challenge: Challenge
    attempt: Attempt


def met(target: Target, find: Callable[[Metric], Value | Message]) -> Met:
    """Find whether a target is met, with the numbers that say so."""
    numbers = numbers_of(target.values, find)
    value = calculated(target.holds, numbers)
    return Met(target.name, numbers, isinstance(value, float) and value != 0)


def trouble(outcome: NotTraced | NotRun) -> Message:
    """Say why nothing was executed, with the place of the first error in the text where it is one."""
    first = next((each for each in outcome.diagnostics if each.severity is Severity.ERROR and not each.file), None)
    if first is None:
        return outcome.reason
    return message("Line {line}, column {column}: {problem}", line=first.line, column=first.column, problem=first.message)
