"""Where in a launch the timeline stands, told so that another trace of it, of other blocks or of another grid, can take up there."""

from __future__ import annotations

from bisect import bisect_right
from math import prod

from app.core.launch.index import LaunchIndex
from app.core.timeline import Unit

_ROUNDING = 1e-9


def grid_progress(index: LaunchIndex, time: float) -> float:
    """The part of the whole grid that is done at a point of the timeline, 0 to 1, if the blocks run one after the other."""
    starts = index.record.bounds[Unit.BLOCK]
    if not starts or time >= index.steps:
        return 1.0
    place = max(bisect_right(starts, time) - 1, 0)
    stop = starts[place + 1] if place + 1 < len(starts) else index.steps
    return (_numbers(index)[place] + (time - starts[place]) / (stop - starts[place])) / prod(index.trace.grid)


def time_at(index: LaunchIndex, progress: float) -> float:
    """The point of the timeline at which that part is done; of a block that was not traced, in the traced one before it."""
    starts, blocks = index.record.bounds[Unit.BLOCK], prod(index.trace.grid)
    if not starts or progress >= 1:
        return float(index.steps)
    block, part = divmod(progress * blocks + _ROUNDING, 1)
    numbers = _numbers(index)
    before = [number for number in numbers if number <= block]
    place = numbers.index(max(before)) if before else 0
    stop = starts[place + 1] if place + 1 < len(starts) else index.steps
    return starts[place] + part * (stop - starts[place])


def _numbers(index: LaunchIndex) -> list[int]:
    """The numbers in the grid of the blocks that have steps, in the order of the timeline."""
    trace, order = index.trace, index.record.order
    blocks = (trace.blocks[trace.rows.block[order.row[start]]] for start in index.record.bounds[Unit.BLOCK])
    return [x + trace.grid[0] * (y + trace.grid[1] * z) for x, y, z in blocks]
