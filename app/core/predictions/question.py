"""Prediction as the window asks for it: counters, predicted beside measured.

It is answered in the tracing process, because it executes blocks and compiles.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.base.question import Answer, Question
from app.core.predictions.counters import Measured
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.spec import Launch, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.case import Case

MODEL = message(
    "This is a model: it issues the machine code, where that is known, on a multiprocessor of published and measured latencies and rates."
    " It knows no time of this kernel."
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Counter, predicted beside measured.

    `compiled` is None where it equals `written`; `reason` None: they agree, or nothing was measured.
    """

    id: str
    title: Message
    written: float | None
    compiled: float | None
    measured: float | None
    reason: Message | None = None
    explained: bool = True

    @property
    def predicted(self) -> float | None:
        """The best prediction."""
        return self.written if self.compiled is None else self.compiled


def tidy(value: float) -> int | float:
    """A count as it is written: whole where it is, or as good as."""
    return round(value) if value >= 100 or value == round(value) else value


@dataclass(frozen=True, slots=True, eq=False)
class PredictionQuestion(Question):
    """Asks for the prediction of a point on a device. `imported` are counters that the user brought; None: the recorded ones."""

    point: Case
    profile: Profile
    imported: Measured | None = None


@dataclass(frozen=True, slots=True)
class Beside(Answer):
    """Predicted beside measured. `rows` is empty where no counter was measured."""

    rows: tuple[Compared, ...]
    source: Message | None
    """Where the measured counters are from."""
    time: Message
    """The model's time in words, or why there is none."""


def launches_of(variant: Variant, problem: Problem, parameters: Parameters) -> Mapping[str, Launch]:
    """A variant's kernels by their names, in the order in which they are launched."""
    assert variant.launch is not None
    last = variant.launch(problem, parameters)
    before = {} if last.before is None else {last.before.entry: last.before.launch}
    return {**before, variant.entry: last}
