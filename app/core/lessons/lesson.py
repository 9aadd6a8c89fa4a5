"""Lesson, its steps and questions, and the scene (the state of the program) that a step sets, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path

from app.core.base.timeline import Unit
from app.core.lesson_metrics.expression import Expression
from app.core.lesson_metrics.metric import Metric
from app.core.lessons.prose import LessonText, StepText
from app.core.programs.host_program import split_arguments
from app.core.session.draft import Draft
from app.core.state.snapshot import Snapshot
from kernels.analysis.program_races import look
from kernels.base.spec import Variant
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.simt.host.result import ProgramJob


@dataclass(frozen=True, slots=True)
class WholeProgram:
    """A text with `main` of a lesson's or a challenge's own, and the words after its name, as a shell takes them."""

    draft: Draft
    arguments: str = ""

    @property
    def job(self) -> ProgramJob:
        """What is asked of a run of it."""
        return ProgramJob(self.draft.text, self.draft.path, split_arguments(self.arguments), look=look)


@dataclass(frozen=True, slots=True)
class Scene:
    """A snapshot, and how the stage comes to the moment that is meant.

    `line` is a piece of text: the stage goes to the `occurrence`-th step (from 0 on) on a line that holds it. `play` sets it moving.
    """

    snapshot: Snapshot
    line: str = ""
    occurrence: int = 0
    play: bool = False
    unit: Unit = Unit.STEP
    beside: Case | None = None
    """What is pinned on the left to compare with."""
    before: bool = True
    """While a number or a choice is asked for, the stage stands before `line` is executed, and in place of a page of times or of a real
    run: it does not tell the answer."""
    view_before: int = 0
    """The number of the view that is alone before that step, where the scene's own view has nothing to show there; 0: the scene's."""
    kernel: str = ""
    """The lesson's own text that the stage shows; "": a variant."""
    program: WholeProgram | None = None
    """The program that is run. Its page is shown, at the event on `line`; or one of its launches, at the step on `line`."""
    launch: int = 0
    """The number of the launch that the stage shows, from 1 on; 0: the program's page."""


class QuestionKind(StrEnum):
    """Kind of a question: how it is answered."""

    NUMBER = "number"
    CHOICE = "choice"
    LANE = "lane"
    """By clicking a lane in the view of threads, or in any other."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Choice among the answers of a question. `name` is what the texts call it; "" for a number. It is right where `holds` is not 0; a
    number, where it is the answer."""

    name: str
    number: float | None = None
    holds: Expression | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Question of a step: what the student predicts.

    The right answer is found by executing: `answer` of a number, `lanes` names a set of lanes.
    """

    kind: QuestionKind
    answer: Expression | None = None
    choices: tuple[Choice, ...] = ()
    lanes: str = ""
    tolerance: float = 0.0
    """Of the answer, up to which a number is taken for right; 0.05 is 5 %."""


@dataclass(frozen=True, slots=True)
class Action:
    """Action that the student does before the lesson goes on. Exactly one of the fields is set."""

    parameter: str = ""
    value: int = 0
    variant: Variant | None = None
    at_end: bool = False
    """The animation is watched to its end."""
    play_race: bool = False
    """The schedule that breaks the first data race of what is shown is played beside one that works."""


@dataclass(frozen=True, slots=True)
class Step:
    """Step of a lesson: one idea. `values` are its numbers by name, `claims` what must hold of them for the step to be true."""

    name: str
    scene: Scene | None = None
    values: Mapping[str, Metric | Expression] = field(default_factory=dict)
    question: Question | None = None
    action: Action | None = None
    claims: tuple[Expression, ...] = ()
    line: int = 0
    """Where it begins in its file."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Lesson metrics that must be found for the numbers of the step."""
        return tuple(value for value in self.values.values() if isinstance(value, Metric))


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps in order, and their texts by language. `kernels` are texts of the lesson's own, by name, with their launches; `programs` are
    whole programs of its own.
    """

    id: str
    topic: str
    minutes: int
    steps: tuple[Step, ...]
    texts: Mapping[str, LessonText]
    kernels: Mapping[str, Draft] = field(default_factory=dict)
    programs: Mapping[str, WholeProgram] = field(default_factory=dict)
    folder: Path | None = None
    """Where its files are, of a lesson that did not come with the program."""

    def text(self, language: str) -> LessonText:
        """Return the texts in a language, or in the first one that the lesson has where it lacks that."""
        return self.texts.get(language) or next(iter(self.texts.values()))

    def step_text(self, number: int, language: str) -> StepText:
        """Return the text of one of its steps."""
        return self.text(language).steps[self.steps[number].name]
