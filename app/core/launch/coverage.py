"""How far the blocks that were executed speak for the whole grid: what each of them stands for, and the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from app.core.launch.order import Order
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
    blocks = prod(trace.grid)
    if len(trace.blocks) == blocks:
        return Coverage(blocks, blocks, (1.0,) * blocks)
    found = np.ones(len(trace.blocks))
    for axis in range(3):
        found *= _along(trace.grid, trace.blocks, axis)
    return Coverage(len(trace.blocks), blocks, tuple((found * (blocks / found.sum())).tolist()))


def of_launch(covered: Coverage, trace: Trace, order: Order, running: npt.NDArray[np.generic]) -> float:
    """What a sum over the steps (one entry for the sum before each step, and one for all) is in the whole launch."""
    first = np.searchsorted(trace.rows.block[order.row], np.arange(covered.traced + 1)) if _ascending(trace, order) else None
    if first is None:
        return float(running[-1]) * covered.blocks / covered.traced
    return float((np.diff(running[first].astype(np.float64)) * covered.weights).sum())


def _ascending(trace: Trace, order: Order) -> bool:
    """Whether the steps show one block after the other, in the order of `Trace.blocks`."""
    block = trace.rows.block[order.row]
    return bool((block[1:] >= block[:-1]).all())


def _along(grid: Dim3, blocks: tuple[Dim3, ...], axis: int) -> Weights:
    """How many places along one axis each traced block stands for."""
    places = [block[axis] for block in blocks]
    last = grid[axis] - 1
    if last in places and len(set(places)) > 1:
        others = len(set(places) - {last})
        return np.array([1.0 if place == last else last / others for place in places])
    return np.full(len(places), grid[axis] / len(set(places)))
