"""Steps of a launch in the order in which the stage shows them, and their phases: filling tiles, computing from them, storing results.

Phases are found from the accesses alone. A block's warps advance independently between two barriers. The stage shows one such order: in
each barrier interval one warp after the other runs up to the barrier. Rows that were executed warp by warp, and those of warps that wait
for one another at barriers in shared memory or of a cluster, keep the order of their execution.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.analysis.cases import Bools, Ints
from kernels.simt.base.types import Space
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import Site, Trace


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
    alone = prod(trace.cluster) == 1 and not any(each.kind is Happening.BARRIER_WAITED for each in trace.events)
    if trace.mode == "block" and alone:
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


class StepPhase(IntEnum):
    """Phase of a step: what it is for, in the order of a tile step."""

    LOAD = 0
    COMPUTE = 1
    STORE = 2


@dataclass(frozen=True, slots=True)
class Band:
    """Band of the timeline: the steps from `start` to `stop` (exclusive), a barrier interval of a block.

    `phases` are those that occur, in the order they begin.

    `tile` counts the tile steps of the block from 0; `block` is an index into `Trace.blocks`.
    """

    start: int
    stop: int
    block: int
    epoch: int
    tile: int
    phases: tuple[StepPhase, ...]


def phase_of_site(trace: Trace, number: int, *, tiled: bool = True) -> StepPhase:
    """What the accesses of a site are for. Where it is not `tiled`, only what comes from global memory is loaded into shared memory."""
    site = trace.sites[number]
    if site.space is Space.GLOBAL:
        return StepPhase.LOAD if site.operation == "load" else StepPhase.STORE
    if site.space is Space.SHARED and site.operation == "store":
        loads = tiled or _on_its_line(trace, site, "load")
        return StepPhase.LOAD if loads and not site.tile else StepPhase.STORE  # what tensor cores store are sums
    return StepPhase.STORE if _on_its_line(trace, site, "store") else StepPhase.COMPUTE  # as in a transposition


def phases_of_sites(trace: Trace, *, tiled: bool = True) -> Ints:
    """The phase of each site."""
    return np.array([phase_of_site(trace, number, tiled=tiled) for number in range(len(trace.sites))], np.int64)


def bands(trace: Trace, order: Order, phases: Ints, *, tiled: bool = True) -> tuple[Band, ...]:
    """The barrier intervals in order, without tile steps where it is not `tiled`. A tile step begins where tiles are filled after they were
    computed with, unless all that was filled meanwhile are zeros: a pipeline that runs dry computes with nothing more."""
    begins = (*starts(order, trace.rows.block, trace.rows.epoch), order.steps)
    phase_of_step = phases[trace.rows.site[order.row]] if order.steps else np.zeros(0, np.int64)
    filling = (phase_of_step == StepPhase.LOAD) & ~_copied_zeros(trace)[order.row]
    found: list[Band] = []
    fresh = False
    for start, stop in pairwise(begins):
        row = order.row[start]
        block, epoch = int(trace.rows.block[row]), int(trace.rows.epoch[row])
        present = tuple(StepPhase(value) for value in dict.fromkeys(phase_of_step[start:stop].tolist()))
        before = found[-1] if found and found[-1].block == block else None
        fills = bool(filling[start:stop].any())
        next_tile = tiled and before is not None and StepPhase.LOAD in present and StepPhase.COMPUTE in before.phases and (fresh or fills)
        fresh = fills if before is None or next_tile else fresh or fills
        found.append(Band(start, stop, block, epoch, (before.tile if before is not None else 0) + next_tile, present))
    return tuple(found)


def _copied_zeros(trace: Trace) -> Bools:
    """Tell for each access row whether it is the store of an asynchronous copy of which no lane reads: they all fill with zeros.

    Where a lane does, the row with the number at which the copy was issued reads for it.
    """
    issued, site = trace.rows.issued, trace.rows.site
    if issued is None:
        return np.zeros(len(site), np.bool_)
    reads = np.array([each.space is Space.GLOBAL and each.operation == "load" for each in trace.sites])
    reading: Bools = reads[site[np.clip(issued, 0, len(site) - 1)]]
    return (issued >= 0) & ~reading


def tile_starts(found: tuple[Band, ...]) -> tuple[int, ...]:
    """The steps at which a tile step begins."""
    return tuple(band.start for number, band in enumerate(found) if not number or (band.block, band.tile) != _tile(found[number - 1]))


def _tile(band: Band) -> tuple[int, int]:
    return band.block, band.tile


def _on_its_line(trace: Trace, site: Site, operation: str) -> bool:
    """Whether global memory is loaded from, or stored to, on the line of a site."""
    place = site.location.file, site.location.line
    return any(
        other.space is Space.GLOBAL and other.operation == operation and (other.location.file, other.location.line) == place
        for other in trace.sites
    )
