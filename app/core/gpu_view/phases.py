"""Steps of a launch in the order in which the stage shows them, and their phases: filling tiles, computing from them, storing results.

Phases are found from the accesses alone. A block's warps advance independently between two barriers. The stage shows one such order: in
each barrier interval one warp after the other runs up to the barrier. Rows that were executed warp by warp, and those of warps that wait
for one another at barriers in shared memory or of a cluster, keep the order of their execution.

Tile steps of a block, the barrier intervals that compute with one filling of its tiles, are found from the bytes alone: where an interval
computes with what a store left in shared memory, and nothing was computed with it before, a tile step may begin. So it does not matter
whether a tile is filled in an interval of its own, while the one before is computed with, or several ahead, nor whether the last interval
still fills anything. Where tensor cores read shared memory themselves, tile steps are found from that: `tensor_core_steps.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from itertools import pairwise, repeat
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.gpu_view.tensor_core_steps import Multiplied
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import Site, Trace

PERIOD = 1 << 30
"""More bytes than a block's shared memory has."""
_WORD = 4
_NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class StepOrder:
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


def order_of(trace: Trace, active: Bools) -> StepOrder:
    """The order of a trace; `active` is rows x warps: whether the warp takes part in the row."""
    row, warp = np.nonzero(active)
    alone = prod(trace.cluster) == 1 and not any(each.kind is Happening.BARRIER_WAITED for each in trace.events)
    if trace.mode == "block" and alone:
        chosen = np.lexsort((row, warp, trace.rows.epoch[row], trace.rows.block[row]))
        row, warp = row[chosen], warp[chosen]
    rank = np.full(active.shape, -1, np.int32)
    rank[row, warp] = np.arange(len(row))
    return StepOrder(row.astype(np.int32), warp.astype(np.int16), rank)


def starts(order: StepOrder, *columns: npt.NDArray[np.integer[Any]]) -> tuple[int, ...]:
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
class BarrierInterval:
    """Band of the timeline: the steps from `start` to `stop` (exclusive), a barrier interval of a block.

    `phases` are those that occur, in the order they begin; `block` is an index into `Trace.blocks`.
    """

    start: int
    stop: int
    block: int
    epoch: int
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


@dataclass(frozen=True, slots=True)
class TileStep:
    """Tile step of a block, `number` counted from 0: the steps from `start` to where the next one starts. Where blocks of a cluster take
    turns, there are several for one number."""

    start: int
    block: int
    number: int


def bands(trace: Trace, order: StepOrder, phases: Ints) -> tuple[BarrierInterval, ...]:
    """The barrier intervals in order."""
    begins = np.array((*starts(order, trace.rows.block, trace.rows.epoch), order.steps))
    first = order.row[begins[:-1]]
    blocks, epochs = trace.rows.block[first], trace.rows.epoch[first]
    phase_of_step = phases[trace.rows.site[order.row]] if order.steps else np.zeros(0, np.int64)
    spans = list(pairwise(begins.tolist()))
    present = (tuple(StepPhase(value) for value in dict.fromkeys(phase_of_step[slice(*span)].tolist())) for span in spans)
    columns = blocks.tolist(), epochs.tolist(), present
    return tuple(BarrierInterval(*span, *each) for span, *each in zip(spans, *columns, strict=True))


def tile_steps(
    trace: Trace, order: StepOrder, phases: Ints, found: Sequence[BarrierInterval], multiplied: Mapping[int, Sequence[Multiplied]],
    *, tiled: bool = True,
) -> tuple[TileStep, ...]:  # fmt: skip
    """The tile steps in order: those that tensor cores have `multiplied`, by block, else those that barrier intervals show. Where it is not
    `tiled`, each block is one."""
    tiles = _tiles(trace, order, phases, found) if tiled else np.zeros(len(found), np.int64)
    steps = list[TileStep]()
    for band, tile in zip(found, tiles.tolist(), strict=True):
        parts = [(band.start, tile)]
        if band.block in multiplied:
            begins = [each.start for each in multiplied[band.block][1:]]
            parts = [(each, bisect_right(begins, each)) for each in (band.start, *begins) if band.start <= each < band.stop]
        for start, number in parts:
            if not steps or (steps[-1].block, steps[-1].number) != (band.block, number):
                steps.append(TileStep(start, band.block, number))
    return tuple(steps)


def _tiles(trace: Trace, order: StepOrder, phases: Ints, found: Sequence[BarrierInterval]) -> Ints:
    """The tile step of each barrier interval."""
    blocks = np.array([band.block for band in found], np.int64)
    begins = np.array((*(band.start for band in found), order.steps))
    rows = max(len(trace.rows.site), 1)
    interval, row = np.divmod(np.unique(np.repeat(np.arange(len(blocks)), np.diff(begins)) * rows + order.row), rows)
    intervals = np.split(row, np.searchsorted(interval, np.arange(1, len(blocks))))
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    steps = _TileSteps(trace, shared & (phases == StepPhase.LOAD), shared & (phases == StepPhase.COMPUTE))
    tiles = np.zeros(len(blocks), np.int64)
    for block in np.unique(blocks).tolist():
        own = np.flatnonzero(blocks == block)
        tiles[own] = steps.of_block([intervals[number] for number in own])
    return tiles


def _on_its_line(trace: Trace, site: Site, operation: str) -> bool:
    """Whether global memory is loaded from, or stored to, on the line of a site."""
    place = site.location.file, site.location.line
    return any(
        other.space is Space.GLOBAL and other.operation == operation and (other.location.file, other.location.line) == place
        for other in trace.sites
    )


class _TileSteps:
    """Tile steps of the blocks of a trace. `fills` are the sites that store tiles, `computes` those that read them to compute."""

    def __init__(self, trace: Trace, fills: Bools, computes: Bools) -> None:
        self._trace = trace
        self._fills, self._computes = fills, computes
        self._writes = np.array([each.space is Space.SHARED and each.operation != "load" for each in trace.sites], np.bool_)
        self._size = np.array([each.bytes for each in trace.sites], np.int64)
        self._words = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0) // _WORD + 1
        self._known: dict[bytes, tuple[Ints, Ints]] = {}
        self._words_read: dict[bytes, Ints] = {}
        self._of_alike: dict[bytes, list[int]] = {}
        rows, none = trace.rows, np.zeros(len(trace.rows.site), np.bool_)
        reads = np.array([each.space is Space.GLOBAL and each.operation == "load" for each in trace.sites], np.bool_)
        self._copied = none if rows.issued is None else rows.issued >= 0
        issuing = none if rows.issued is None else rows.site[np.clip(rows.issued, 0, None)]
        self._arrived = self._copied & reads[issuing] if rows.issued is not None else none
        """Asynchronous copies that read: those that do not fill with zeros."""
        engines = np.array([each.engine for each in trace.sites], np.bool_)
        engines[np.unique(issuing[self._copied])] = True
        self._loaded = (reads & ~engines)[rows.site] if len(reads) else none
        """What is read from global memory by the threads themselves, into registers."""
        shared = np.array([each.space is Space.SHARED for each in trace.sites], np.bool_)[rows.site] if len(reads) else none
        places = (column * shared for column in (rows.mask, rows.base, rows.offset % PERIOD))
        self._columns = np.stack((rows.site, *places, self._copied, self._arrived)).astype(np.int64)
        """All that is asked of a row: of blocks that are alike in it one is looked at."""

    def of_block(self, intervals: Sequence[Ints]) -> list[int]:
        """The tile step of each barrier interval of a block, from 0. An interval is given by its access rows, ascending."""
        alike = self._columns[:, np.concatenate(intervals)].tobytes() + np.array([len(rows) for rows in intervals]).tobytes()
        if alike not in self._of_alike:
            self._of_alike[alike] = self._found(intervals)
        return self._of_alike[alike]

    def _found(self, intervals: Sequence[Ints]) -> list[int]:
        held = _Held(np.full(self._words, _NOBODY))
        found: list[int] = []
        for number, rows in enumerate(intervals):
            read: set[int] = set()
            fills = self._filling(held, rows)
            for part in self._parts(rows):
                self._store(held, number, rows[part], fills[part])
                read |= held.read(self._read(rows[part][self._computes[self._trace.rows.site[rows[part]]]]))
            begins, computes = held.compute(read)
            tile = held.tile + begins
            if computes:  # what has come since the last one that computes has been for this
                found += repeat(tile, number + 1 - len(found))
            held.tile = tile
        return [*found, *repeat(held.tile, len(intervals) - len(found))]

    def _parts(self, rows: Ints) -> list[slice]:
        """An interval in parts, in each of which all stores come before all that is computed with: more than one where it first computes,
        or where a barrier is missing."""
        site = self._trace.rows.site[rows]
        kinds = np.flatnonzero(self._writes[site] | self._computes[site])
        stores = self._writes[site[kinds]]
        cuts = kinds[1:][stores[1:] & ~stores[:-1]].tolist()
        return [slice(*each) for each in pairwise((0, *cuts, len(rows)))]

    def _filling(self, held: _Held, rows: Ints) -> Bools:
        """Which rows of an interval fill tiles. Threads' own stores fill only where they have read something since the last that did: what
        they have added up is no tile."""
        site, copied = self._trace.rows.site[rows], self._copied[rows]
        fills = self._fills[site] & self._writes[site]
        stored, loaded = rows[fills & ~copied], rows[self._loaded[rows]]
        if len(stored):
            fills &= copied | held.pending | bool(len(loaded) and loaded[0] < stored[-1])
            held.pending = bool(len(loaded) and loaded[-1] > stored[-1])
        else:
            held.pending |= bool(len(loaded))
        return fills & (~copied | self._arrived[rows])

    def _store(self, held: _Held, number: int, rows: Ints, fills: Bools) -> None:
        """Note what a part of an interval stores."""
        writes = self._writes[self._trace.rows.site[rows]]
        held.store(self._reached(rows[writes & ~fills])[0])
        held.store(*self._reached(rows[fills]), number)

    def _read(self, rows: Ints) -> Ints:
        """The words of shared memory that some rows read, each once."""
        key = self._columns[:4, rows].tobytes()
        if key not in self._words_read:
            self._words_read[key] = np.unique(self._spread(*self._columns[:4, rows])[0])
        return self._words_read[key]

    def _reached(self, rows: Ints) -> tuple[Ints, Ints]:
        """The words of shared memory that some rows reach, each with the number of the row among them."""
        columns = self._columns[:4, rows]
        key = columns.tobytes()
        if key not in self._known:
            self._known[key] = self._spread(*columns)
        return self._known[key]

    def _spread(self, site: Ints, mask: Ints, base: Ints, offset: Ints) -> tuple[Ints, Ints]:
        row, lane = np.nonzero(self._trace.masks[mask])
        first = self._trace.bases[base[row], lane] + offset[row]
        size = self._size[site[row]]
        parts = [(first // _WORD + part, row, first // _WORD + part <= (first + size - 1) // _WORD)
                 for part in range(int(size.max(initial=1)) // _WORD + 1)]  # fmt: skip
        word, row, inside = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        inside &= (word >= 0) & (word < self._words)  # else of another block, or past the end
        return word[inside], row[inside]


@dataclass(slots=True)
class _Held:
    """What a block's shared memory holds, as numbers of the stores that filled it, and which of them were computed with."""

    filler: Ints
    """For each word the number of the store that filled it last."""
    born: list[int] = field(default_factory=list)
    """The interval of each store."""
    seen: set[int] = field(default_factory=set)
    of_tile: set[int] = field(default_factory=set)
    """Those that the present tile step computes with."""
    tile: int = 0
    pending: bool = False
    """Whether threads have read global memory since they stored."""

    def store(self, words: Ints, numbers: Ints | None = None, interval: int = 0) -> None:
        """Note a store to some words; without numbers, of something that is no tile."""
        if numbers is None:
            self.filler[words] = _NOBODY
        elif len(numbers):
            self.filler[words] = len(self.born) + numbers
            self.born += [interval] * (int(numbers.max()) + 1)

    def read(self, words: Ints) -> set[int]:
        """The stores that filled some words last."""
        return set(np.unique(self.filler[words]).tolist()) - {_NOBODY}

    def compute(self, read: set[int]) -> tuple[bool, bool]:
        """Tell of what an interval reads whether it begins a tile step, and whether it computes at all: what is new is filled later than
        all of the tile step, or nothing else is read: as where several tiles were filled at once."""
        fresh = read - self.seen
        later = bool(fresh) and max(self.born[each] for each in fresh) > max((self.born[each] for each in self.of_tile), default=-1)
        begins = bool(self.of_tile and fresh) and (later or not read & self.of_tile)
        self.seen |= read
        self.of_tile = read if begins else self.of_tile | fresh
        return begins, bool(read)
