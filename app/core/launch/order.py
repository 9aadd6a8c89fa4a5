"""The steps of a launch: its warp instructions in the order in which the stage shows them.

A block's warps advance independently between two barriers. The stage shows one such order: in each barrier interval one warp after the
other runs up to the barrier. Rows that were executed warp by warp keep the order of their execution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.analysis.cases import Bools
from kernels.simt.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Step s is what warp `warp[s]` of its block executes of the access row `row[s]`."""

    row: npt.NDArray[np.int32]
    warp: npt.NDArray[np.int16]
    rank: npt.NDArray[np.int32]
    """The same the other way round, rows x warps: the step, -1 where the warp takes no part in the row."""

    @property
    def steps(self) -> int:
        return len(self.row)

    def step_of(self, row: int, warp: int) -> int | None:
        """The step in which the warp executes the row, or that in which the first warp does; None where the row has no active lane."""
        ranks = self.rank[row]
        if 0 <= warp < len(ranks) and ranks[warp] >= 0:
            return int(ranks[warp])
        active = ranks[ranks >= 0]
        return int(active.min()) if len(active) else None


def order_of(trace: Trace, active: Bools) -> Order:
    """The order of a trace; `active` is rows x warps: whether the warp takes part in the row."""
    row, warp = np.nonzero(active)
    if trace.mode == "block":
        chosen = np.lexsort((row, warp, trace.rows.epoch[row], trace.rows.block[row]))
        row, warp = row[chosen], warp[chosen]
    rank = np.full(active.shape, -1, np.int32)
    rank[row, warp] = np.arange(len(row))
    return Order(row.astype(np.int32), warp.astype(np.int16), rank)


def starts(order: Order, *columns: npt.NDArray[np.integer[Any]]) -> tuple[int, ...]:
    """The steps at which one of the columns (each of rows) has another value than at the step before; the first step is one."""
    if not order.steps:
        return ()
    new = np.zeros(order.steps, np.bool_)
    new[0] = True
    for column in columns:
        values = column[order.row]
        new[1:] |= values[1:] != values[:-1]
    return tuple(np.flatnonzero(new).tolist())
