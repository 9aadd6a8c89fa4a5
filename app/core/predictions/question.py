"""A launch's prediction as the window asks for it: answered in the tracing process, because it executes blocks and compiles."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.predictions.compared import Compared
from app.core.predictions.counters import Measured
from kernels.analysis.devices import Profile
from kernels.measure.results import Point
from kernels.messages import Message


@dataclass(frozen=True, slots=True, eq=False)
class PredictionQuestion:
    """Asks for the prediction of a point on a device. `imported` are counters that the user brought; None: the recorded ones."""

    point: Point
    profile: Profile
    imported: Measured | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """Predicted beside measured. `rows` is empty where no counter was measured."""

    rows: tuple[Compared, ...]
    source: Message | None
    """Where the measured counters are from."""
    time: Message
    """The model's time in words, or why there is none."""
