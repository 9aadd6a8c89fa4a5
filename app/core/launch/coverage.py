"""How far the blocks that were executed speak for the whole grid: what each of them stands for, and the words for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from app.core.launch.order import Order
from kernels.analysis.cases import Ints
from kernels.messages import Message, message
from kernels.simt.launch import Dim3
from kernels.simt.trace import Trace

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Coverage:
    """`traced` of the `blocks` of a grid; `weights` says of how many blocks each traced one is the pattern."""

    traced: int
    blocks: int
    weights: tuple[float, ...]

    @property
    def complete(self) -> bool:
        return self.traced == self.blocks

    @property
    def words(self) -> Message | None:
        """What was executed, where that is not all."""
        if self.complete:
            return None
        return message(
            "{traced} of {blocks} blocks traced. × counts each for all blocks of its kind.", traced=self.traced, blocks=self.blocks
        )


def coverage(trace: Trace) -> Coverage:
    """What the traced blocks stand for. Blocks at the right and at the lower edge stand for their edge, others for the inside."""
    return coverage_of(trace.grid, trace.blocks)


def coverage_of(grid: Dim3, traced: tuple[Dim3, ...]) -> Coverage:
    """The same of some blocks of a grid."""
    blocks = prod(grid)
    if len(traced) == blocks:
        return Coverage(blocks, blocks, (1.0,) * blocks)
    found = np.ones(len(traced))
    for axis in range(3):
        found *= _along(grid, traced, axis)
    return Coverage(len(traced), blocks, tuple((found * (blocks / found.sum())).tolist()))


def first_steps(trace: Trace, order: Order, starts: Sequence[int]) -> Ints | None:
    """The first step of each traced block, and the end of the last one; None where they do not follow each other as `Trace.blocks` does.

    `starts` are the steps at which a block begins."""
    blocks = trace.rows.block[order.row[list(starts)]]
    if (blocks[1:] <= blocks[:-1]).any():
        return None
    return np.append(np.asarray(starts, np.int64), order.steps)[np.searchsorted(blocks, np.arange(len(trace.blocks) + 1))]


def of_launch(covered: Coverage, before: Ints | None, whole: int) -> float:
    """What is counted in the traced blocks (`whole`) is in the whole launch. `before` are the counts before the steps of `first_steps`."""
    if before is None:
        return float(whole) * covered.blocks / covered.traced
    return float((np.diff(before.astype(np.float64)) * covered.weights).sum())


def _along(grid: Dim3, blocks: tuple[Dim3, ...], axis: int) -> Weights:
    """How many places along one axis each traced block stands for."""
    places = [block[axis] for block in blocks]
    last = grid[axis] - 1
    if last in places and len(set(places)) > 1:
        others = len(set(places) - {last})
        return np.array([1.0 if place == last else last / others for place in places])
    return np.full(len(places), grid[axis] / len(set(places)))
