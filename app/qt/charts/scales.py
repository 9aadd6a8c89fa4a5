"""The axes of a chart: from values to positions and back, and which values get a tick. Knows nothing of pixels' drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kernels.base.values import dataclass

MARGIN = 0.06
"""Free room at both ends of an axis, as a share of its length."""
_FOOT = 1 / 6
"""Room for marks below the smallest value of a logarithmic axis, as a share of what the values take: in the lowest chart no marker
lies on a mark."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of one axis. `low` and `high` are the outermost values shown; on a logarithmic axis both are above 0."""

    low: float
    high: float
    log: bool

    def position(self, value: float) -> float:
        """Where a value lies."""
        return position(value, self.log)

    @property
    def span(self) -> tuple[float, float]:
        """The first and last position, with a margin so that markers and bands are drawn whole."""
        first, last = self.position(self.low), self.position(self.high)
        room = (last - first) * MARGIN
        return first - room, last + room

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        first, last = self.span
        return (self.position(value) - first) / (last - first)


def position(value: float, log: bool) -> float:
    """Where a value lies on an axis, whatever its ends are: its logarithm on a logarithmic one."""
    return math.log10(value) if log else value


def value_scale(values: Sequence[float], log: bool, *, foot: bool = False) -> Scale:
    """The vertical axis for these values: from 0 when linear, opened to at least a factor of 4 when logarithmic. `foot`: with room for
    marks below them."""
    positive = [value for value in values if value > 0]
    low, high = (min(positive), max(positive)) if positive else (1.0, 100.0)
    if not log:
        return Scale(0.0, high, log=False)
    if foot:
        low /= max(2.0, (high / low) ** _FOOT)
    opened = max(1.0, math.sqrt(4 * low / high))
    return Scale(low / opened, high * opened, log=True)


def size_scale(values: Sequence[int], log: bool) -> Scale:
    """The horizontal axis for these sizes or tiles."""
    low, high = (min(values), max(values)) if values else (1, 2)
    if low == high:
        return Scale(low / 2, high * 2, log) if log else Scale(0.0, 2.0 * high, log)
    return Scale(low, high, log)


def value_ticks(scale: Scale, most: int) -> list[float]:
    """Return about `most` round values within the axis, at most: 1, 2, 5 times powers of ten, thinned to powers of ten where it is long."""
    first, last = scale.span
    if not scale.log:
        step = _round_step((last - first) / max(most, 1))
        return [i * step for i in range(math.ceil(first / step), math.floor(last / step) + 1)]
    decades = range(math.floor(first) - 1, math.ceil(last) + 1)
    for digits in ((1, 2, 5), (1, 3), (1,)):
        ticks = [digit * 10.0**decade for decade in decades for digit in digits if first <= math.log10(digit * 10.0**decade) <= last]
        if len(ticks) <= most:
            return ticks
    return ticks[:: math.ceil(len(ticks) / most)]


def size_ticks(scale: Scale, values: Sequence[int], length: float, room: float) -> list[int]:
    """The values that can be written under an axis of `length` pixels, each needing `room` pixels; powers of two first, then the others."""
    first, last = scale.span
    pixels, kept = length / (last - first), dict[int, float]()
    for value in sorted(set(values), key=lambda value: (value & (value - 1) != 0, -value)):
        at = (scale.position(value) - first) * pixels
        if all(abs(at - other) >= room for other in kept.values()):
            kept[value] = at
    return sorted(kept)


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least * (1 - 1e-9))
