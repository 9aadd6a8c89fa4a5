"""Questions to a trace, each a pure function: the rows of a line, block, warp or barrier interval; the addresses of a warp instruction.

Rows are numbered in the order executed. A step of the animation is one row, so that a range of steps is a range of rows.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.simt.trace.trace import WARP, Trace

Rows = npt.NDArray[np.intp]
"""Row numbers, ascending."""
Addresses = npt.NDArray[np.int64]


def rows_of_line(trace: Trace, line: int, file: str = "") -> Rows:
    """The accesses of one source line."""
    sites = [number for number, site in enumerate(trace.sites) if site.location.line == line and site.location.file == file]
    return np.flatnonzero(np.isin(trace.rows.site, sites))


def rows_of_block(trace: Trace, block: int) -> Rows:
    """The accesses of one block, by its place in `trace.blocks`."""
    return np.flatnonzero(trace.rows.block == block)


def rows_of_warp(trace: Trace, block: int, warp: int) -> Rows:
    """The accesses in which at least one lane of the warp takes part."""
    active = np.any(trace.masks[:, warp * WARP : (warp + 1) * WARP], axis=1)
    return np.flatnonzero((trace.rows.block == block) & active.take(trace.rows.mask))


def rows_of_interval(trace: Trace, block: int, epoch: int) -> Rows:
    """The accesses of a block that no block barrier separates: those after its barrier number `epoch` (0: before the first)."""
    return np.flatnonzero((trace.rows.block == block) & (trace.rows.epoch == epoch))


def intervals(trace: Trace, block: int) -> tuple[int, ...]:
    """The barrier intervals of a block in which memory is accessed."""
    return tuple(int(epoch) for epoch in np.unique(trace.rows.epoch[trace.rows.block == block]))


def addresses(trace: Trace, row: int) -> Addresses:
    """The first byte that each lane of a row touches; -1 where a lane takes no part."""
    reached = trace.bases[trace.rows.base[row]] + trace.rows.offset[row]
    return np.where(trace.masks[trace.rows.mask[row]], reached, -1)


def warp_addresses(trace: Trace, row: int, warp: int) -> Addresses:
    """The same for the 32 lanes of one warp: the addresses of one warp instruction."""
    return addresses(trace, row)[warp * WARP : (warp + 1) * WARP]
