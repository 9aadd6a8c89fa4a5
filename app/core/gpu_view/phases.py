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

from app.core.gpu_view.tile_steps import TileSteps
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
    """The barrier intervals in order, without tile steps where it is not `tiled`."""
    begins = np.array((*starts(order, trace.rows.block, trace.rows.epoch), order.steps))
    first = order.row[begins[:-1]]
    blocks, epochs = trace.rows.block[first], trace.rows.epoch[first]
    tiles = _tiles(trace, order, phases, begins, blocks) if tiled else np.zeros(len(first), np.int64)
    phase_of_step = phases[trace.rows.site[order.row]] if order.steps else np.zeros(0, np.int64)
    spans = list(pairwise(begins.tolist()))
    present = (tuple(StepPhase(value) for value in dict.fromkeys(phase_of_step[slice(*span)].tolist())) for span in spans)
    columns = blocks.tolist(), epochs.tolist(), tiles.tolist(), present
    return tuple(Band(*span, *each) for span, *each in zip(spans, *columns, strict=True))


def _tiles(trace: Trace, order: Order, phases: Ints, begins: Ints, blocks: npt.NDArray[np.int32]) -> Ints:
    """The tile steps of the barrier intervals that begin at some steps, the last of which is the end."""
    rows = max(len(trace.rows.site), 1)
    interval, row = np.divmod(np.unique(np.repeat(np.arange(len(blocks)), np.diff(begins)) * rows + order.row), rows)
    intervals = np.split(row, np.searchsorted(interval, np.arange(1, len(blocks))))
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    steps = TileSteps(trace, shared & (phases == StepPhase.LOAD), shared & (phases == StepPhase.COMPUTE))
    tiles = np.zeros(len(blocks), np.int64)
    for block in np.unique(blocks).tolist():
        own = np.flatnonzero(blocks == block)
        tiles[own] = steps.of_block([intervals[number] for number in own])
    return tiles


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
