"""The column of the table of points that says the same as the chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from app.core.curves import Provenance, Results, machines_of
from app.core.medians import Medians, timed_of
from app.core.quantities import Baseline, Quantity
from app.core.series import base_of, told
from kernels.measure.results import Result
from kernels.messages import Message


@dataclass(frozen=True)
class PointColumn:
    """What the chart shows, of measured results one by one: a table asks for those that are in sight."""

    quantity: Quantity
    baseline: Baseline
    known: Results
    """What times are compared with."""

    def value(self, result: Result) -> float | Message | None:
        """The result in the quantity, or why it has no value; None without a time. A time has a column of its own: its rate is told."""
        timed = timed_of(result, Provenance.MEASURED, machines_of([result]))
        if timed is None:
            return None
        base = base_of(self.shown, result, timed, self._medians, self.baseline)
        return base if isinstance(base, Message) else told(self.shown, timed.ms, base)

    @property
    def shown(self) -> Quantity:
        return Quantity.RATE if self.quantity is Quantity.TIME else self.quantity

    @cached_property
    def _medians(self) -> Medians:
        return Medians(self.known)
