"""Time axis of a chart of runs, and a run in few numbers: where the time of each thread or rank went."""

from __future__ import annotations

import math

from kernels.base.messages import Message
from kernels.base.values import dataclass

CLOSEST = 1e-5
"""The least part of the whole that can be shown alone."""


@dataclass(frozen=True, slots=True)
class Span:
    """Part of a time from 0 to `whole` (milliseconds) that is in sight: from `low` to `high`."""

    whole: float
    low: float
    high: float

    @staticmethod
    def all_of(whole: float) -> Span:
        """Everything in sight."""
        return Span(whole, 0.0, whole)

    @property
    def zoomed_in(self) -> bool:
        """Whether only a part of the whole is shown."""
        return self.high - self.low < self.whole

    def of(self, whole: float) -> Span:
        """Return the same part of another whole, as far as that goes on so long."""
        return self._within(whole, self.low, self.high - self.low) if self.zoomed_in else Span.all_of(whole)

    def zoomed(self, factor: float, at: float) -> Span:
        """`factor` times as much detail, with the moment `at` staying where it is."""
        length = min(max((self.high - self.low) / factor, self.whole * CLOSEST), self.whole)
        share = (at - self.low) / max(self.high - self.low, 1e-12)
        return self._within(self.whole, at - share * length, length)

    def moved(self, by: float) -> Span:
        """Return a part of the same length, so many milliseconds later."""
        return self._within(self.whole, self.low + by, self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """Return about `most` round moments in sight, at most."""
        least = (self.high - self.low) / max(most, 1)
        if least <= 0:
            return [0.0]
        decade = 10.0 ** math.floor(math.log10(least))
        step = next(digit * decade for digit in (1, 2, 5, 10) if digit * decade >= least * (1 - 1e-9))
        return [number * step for number in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]

    @staticmethod
    def _within(whole: float, low: float, length: float) -> Span:
        length = min(length, whole)
        low = min(max(low, 0.0), whole - length)
        return Span(whole, low, low + length)


@dataclass(frozen=True, slots=True)
class Figure:
    """Number that a run comes to, and what it is."""

    value: Message
    caption: Message


@dataclass(frozen=True, slots=True)
class Part:
    """Activity and its share of the run in each row of the chart. The parts of a row add up to at most 1."""

    title: Message
    of_rows: tuple[float, ...]


def parts_of(times_ms: list[float], elapsed_ms: float) -> tuple[float, ...]:
    """Times as parts of the run's."""
    return tuple(time / elapsed_ms if elapsed_ms > 0 else 0.0 for time in times_ms)
