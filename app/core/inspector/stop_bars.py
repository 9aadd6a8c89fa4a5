"""What the stops of a slider cost, as bars: one number for each stop that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.core.launch.cost_question import LaunchCost
from kernels.cachesim.count import Counts
from kernels.cachesim.geometry import fits_up_to
from kernels.messages import Message, message
from kernels.spec import Operation

_KIB = 1024


@dataclass(frozen=True, slots=True)
class StopBars:
    """`marks` are values of the slider, between its stops or on them, that have a name."""

    title: Message
    values: Mapping[int, float]
    marks: Mapping[str, float] = field(default_factory=dict)


def launch_bars(costs: Mapping[int, LaunchCost | None]) -> StopBars:
    """KiB that the sectors of a launch move."""
    known = {stop: cost.bytes_moved / _KIB for stop, cost in costs.items() if cost is not None}
    return StopBars(message("Global memory, as written, KiB"), {stop: round(kib) if kib >= 10 else kib for stop, kib in known.items()})


def miss_bars(counts: Mapping[int, Counts], level: int, operation: Operation) -> StopBars:
    """Misses of a level, as the cache model predicts them; the marks say up to where all matrices, or a tile of each, fit into a level."""
    if not counts:
        return StopBars(message("Misses, predicted"), {})
    levels = next(iter(counts.values())).hierarchy.levels
    place = min(level, len(levels) - 1)
    values: dict[int, float] = {stop: counted.levels[place].total.misses for stop, counted in counts.items()}
    return StopBars(
        message("{level} misses, predicted", level=levels[place].name), values, {each.name: fits_up_to(operation, each) for each in levels}
    )


def between(stops: Sequence[int], value: float) -> float | None:
    """Where a value stands among stops, counted from 0, by powers; None beyond them."""
    for place, (low, high) in enumerate(pairwise(stops)):
        if low <= value <= high:
            return place + math.log(value / low) / math.log(high / low)
    return None
