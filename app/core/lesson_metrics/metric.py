"""Lesson metric: a count of one source, for one setting, as it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

from app.core.base.question import Answer, Question
from app.core.gpu_view.subject import Subject
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.simt.host.result import ProgramRun


class Source(StrEnum):
    """Source of a lesson metric: where the number comes from."""

    LAUNCH = "launch"
    """A CUDA kernel is executed by the interpreter."""
    CACHES = "caches"
    """A CPU kernel's accesses are led through a model of the caches."""
    TEAM = "team"
    """A CPU kernel is executed by threads that take turns."""
    RECORDED = "recorded"
    """It was measured on the machine of the recordings that come with the program."""
    PUBLISHED = "published"
    """It stands in a published report."""
    SETTING = "setting"
    """It follows from the variant, its sizes and parameters alone."""
    PROGRAM = "program"
    """A whole program of the lesson's own is run from `main` to its end."""


Option = str | int | float
Value = float | frozenset[int]
"""A number, or a set of lanes."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A count of a source. `options` narrow it down: a line, a level, a lane, by the names that the count knows.

    `setting` is None where a text of its own is executed, a kernel or a whole program, which `kernel` names.
    """

    source: Source
    count: str
    setting: Case | None
    options: tuple[tuple[str, Option], ...] = ()
    kernel: str = ""

    @property
    def of(self) -> Case:
        """The setting, of a lesson metric that is not about a text of its own."""
        assert self.setting is not None
        return self.setting

    def text(self, name: str, default: str = "") -> str:
        """Return an option that is a text."""
        return str(dict(self.options).get(name, default))

    def number(self, name: str, default: float = 0) -> float:
        """Return an option that is a number."""
        value = dict(self.options).get(name, default)
        return default if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class MetricQuestion(Question):
    """Asks for several lesson metrics at once: those of one launch need one execution."""

    compiles: ClassVar[bool] = True
    metrics: tuple[Metric, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SubjectQuestion(Question):
    """Asks for counts of the launch of a text, whatever the lesson metrics call it."""

    subject: Subject
    metrics: tuple[Metric, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RunQuestion(Question):
    """Asks for counts of a run of the program `text`, whatever the lesson metrics call it."""

    run: ProgramRun
    text: str
    metrics: tuple[Metric, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MetricAnswers(Answer):
    """Values in the order of the lesson metrics, each a value or why it could not be found."""

    values: tuple[Value | Message, ...]

    def by(self, metrics: tuple[Metric, ...]) -> Mapping[Metric, Value | Message]:
        """The values by lesson metric."""
        return dict(zip(metrics, self.values, strict=True))
