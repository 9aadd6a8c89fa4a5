"""Lines that measured ones are seen against: what theory leads one to expect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.core.results.curves import Series
from app.core.results.quantities import WORKERS, Baseline, Quantity, Smallest, expected_growth
from app.core.session.session import SIZE_AXIS
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """Reference line of a chart, from left to right, with what it is called."""

    label: Message
    points: tuple[tuple[int, float], ...]


def reference_lines_of(
    operation: Operation, series: Sequence[Series], asked: Iterable[int], axis: str, quantity: Quantity, baseline: Baseline
) -> tuple[ReferenceLine, ...]:
    """Growth as the work grows; a speed-up by as many workers as there are more; an efficiency of 100 %. None where nothing is drawn."""
    if quantity is not Quantity.GROWTH and axis not in WORKERS:
        return ()
    drawn = {point.x for line in series for point in line.drawn}
    if not drawn:
        return ()
    xs = sorted(drawn | set(asked))
    if quantity is Quantity.GROWTH and axis == SIZE_AXIS:
        return tuple(_growth(operation, xs, first) for first in sorted({line.drawn[0].x for line in series if line.drawn}))
    if axis in WORKERS and quantity is Quantity.EFFICIENCY:
        return (ReferenceLine(message("ideal"), tuple((x, 100.0) for x in xs)),)
    if axis in WORKERS and quantity is Quantity.SPEED_UP and isinstance(baseline, Smallest):
        first = min(drawn)
        return (ReferenceLine(message("ideal"), tuple((x, x / first) for x in xs if x >= first)),)
    return ()


def _growth(operation: Operation, xs: Iterable[int], first: int) -> ReferenceLine:
    points = tuple((x, expected_growth(operation, x, first)) for x in xs if x >= first)
    if operation is Operation.MATMUL:
        return ReferenceLine(message("(n / {first})³", first=first), points)
    return ReferenceLine(message("(n / {first})²", first=first), points)
