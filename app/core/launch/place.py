"""Where in a launch the timeline stands, told so that another trace of it, of other blocks or of another grid, can take up there."""

from __future__ import annotations

from bisect import bisect_right
from math import prod

import numpy as np

from app.core.launch.index import LaunchIndex
from app.core.timeline import Unit
from kernels.analysis.cases import Ints

_ROUNDING = 1e-9


def grid_progress(index: LaunchIndex, time: float) -> float:
    """The part of the whole grid that is done at a point of the timeline, 0 to 1, if the blocks run one after the other."""
    starts = index.record.bounds[Unit.BLOCK]
    if not starts or time >= index.steps:
        return 1.0
    place = max(bisect_right(starts, time) - 1, 0)
    stop = starts[place + 1] if place + 1 < len(starts) else index.steps
    return (int(index.once(_numbers)[place]) + (time - starts[place]) / (stop - starts[place])) / prod(index.trace.grid)


def time_at(index: LaunchIndex, progress: float) -> float:
    """The point of the timeline at which that part is done; of a block that was not traced, in the traced one before it."""
    starts, blocks = index.record.bounds[Unit.BLOCK], prod(index.trace.grid)
    if not starts or progress >= 1:
        return float(index.steps)
    block, part = divmod(progress * blocks + _ROUNDING, 1)
    numbers = index.once(_numbers)
    before = np.flatnonzero(numbers <= block)
    place = int(before[np.argmax(numbers[before])]) if len(before) else 0
    stop = starts[place + 1] if place + 1 < len(starts) else index.steps
    return starts[place] + part * (stop - starts[place])


def _numbers(index: LaunchIndex) -> Ints:
    """The numbers in the grid of the blocks that have steps, in the order of the timeline."""
    trace, order = index.trace, index.record.order
    numbers: Ints = np.array(trace.blocks, np.int64) @ (1, trace.grid[0], trace.grid[0] * trace.grid[1])
    return numbers[trace.rows.block[order.row[list(index.record.bounds[Unit.BLOCK])]]]
