"""Where the stage stood, found again in the trace of an edited text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.core.launch.index import LaunchIndex
from app.core.playground.lines import moved_line


def same_place(before: LaunchIndex, step: int, after: LaunchIndex) -> int | None:
    """The step at which the same warp of the same block executes the same line for the same time; None where there is none."""
    row, warp = before.place(step)
    block = before.trace.blocks[int(before.trace.rows.block[row])]
    line = moved_line(before.subject.text, after.subject.text, before.site(step).location.line)
    if line is None or before.site(step).location.file:
        return None
    turns = _turns(before, before.site(step).location.line, warp, block)
    found = _turns(after, line, warp, block)
    return int(found[min(int(np.searchsorted(turns, step)), len(found) - 1)]) if len(found) else None


def _turns(index: LaunchIndex, line: int, warp: int, block: tuple[int, int, int]) -> npt.NDArray[np.intp]:
    """The steps of a warp of a block on a line."""
    steps, order = index.steps_of_line(line), index.record.order
    if block not in index.trace.blocks:
        return steps[:0]
    number = index.trace.blocks.index(block)
    mine = (order.warp[steps] == warp) & (index.trace.rows.block[order.row[steps]] == number)
    return np.asarray(steps[mine])
