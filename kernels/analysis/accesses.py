"""Who touches which piece of memory: the access rows of a region spread out, and the pieces over which threads may race.

A piece is as many bytes as the smallest access to the region moves, so accesses of 1 to 16 bytes overlap where they share a piece.
Misaligned accesses, which are findings of their own, count from the piece in which they begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import LANES_AT_ONCE
from kernels.base.values import dataclass
from kernels.simt.base.types import Space, ThreadScope
from kernels.simt.trace.trace import Trace

OPERATIONS = ("load", "store", "atomic")
LOAD, STORE, ATOMIC = range(3)
FLAG = 3
"""A volatile store to a flag: it may meet atomics, but no other store of another value."""
FAR = 1 << 60
MOST_PIECES = 1 << 22
"""Pieces that are looked up by their place in the region; of a larger one those that are touched are numbered."""


@dataclass(frozen=True, slots=True)
class Region:
    """A range of memory that is written to: an array in global memory, or the shared memory of a block."""

    space: Space
    address: int
    bytes: int
    piece: int
    """Bytes of a piece."""

    @property
    def pieces(self) -> int:
        return -(-self.bytes // self.piece)


@dataclass(frozen=True, slots=True, eq=False)
class Accesses:
    """Accesses to pieces of memory: one piece touched by one lane of one row, as columns of equal length in ascending order of `row`."""

    piece: Ints
    """Counted from the region's start."""
    row: Ints
    """Index into the trace's rows."""
    lane: Ints

    def only(self, chosen: Bools) -> Accesses:
        return Accesses(self.piece[chosen], self.row[chosen], self.lane[chosen])


def operation_of_rows(trace: Trace) -> Ints:
    """LOAD, STORE or ATOMIC for each row."""
    return np.array([OPERATIONS.index(site.operation) for site in trace.sites], np.int64)[trace.rows.site]


def narrow_rows(trace: Trace) -> Bools:
    """Whether each row is an atomic that excludes threads of its own block only."""
    return np.array([site.scope is ThreadScope.BLOCK for site in trace.sites], np.bool_)[trace.rows.site]


def regions(trace: Trace) -> Iterator[tuple[Region, Ints]]:
    """The memory over which threads can race, each part with the rows that may reach it. What is never written is left out, and what
    tensor cores read by descriptors: no thread does, and waits order the reads."""
    operation = operation_of_rows(trace)
    end = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0)
    places = [(Space.SHARED, -1, 0, end)] + [
        (Space.GLOBAL, number, each.address, each.bytes) for number, each in enumerate(trace.allocations) if each.space is Space.GLOBAL
    ]
    for space, number, address, size in places:
        reaching = [site.space is space and (number < 0 or site.allocation in (number, -1)) and not site.operand for site in trace.sites]
        rows = np.flatnonzero(np.array(reaching, np.bool_)[trace.rows.site])
        if len(rows) and (operation[rows] != LOAD).any():
            piece = min(trace.sites[site].bytes for site in np.unique(trace.rows.site[rows]).tolist())
            yield _touched(trace, Region(space, address, size, piece), rows), rows


def _touched(trace: Trace, region: Region, rows: Ints) -> Region:
    """The part of a region that the rows can touch, which is small where few blocks of a large grid are traced."""
    base, offset = trace.rows.base[rows], trace.rows.offset[rows]
    least, most = trace.bases.min(axis=1)[base], trace.bases.max(axis=1)[base]
    if max(-int(least.min()), int(most.max()), int(np.abs(offset).max())) > FAR:  # inactive lanes hold anything: sums might wrap
        return region
    first, last = least + offset, most + offset
    begin = max(int(first.min()) - region.address, 0) // region.piece
    end = min(int(last.max()) + max(site.bytes for site in trace.sites) - region.address, region.bytes)
    return replace(region, address=region.address + begin * region.piece, bytes=max(end - begin * region.piece, 0))


class Spread:
    """The accesses of rows to a region, in parts that fit into memory; iterated several times, a single part is made only once."""

    def __init__(self, trace: Trace, region: Region, rows: Ints) -> None:
        self._trace, self._region, self._rows = trace, region, rows
        self._step = max(1, LANES_AT_ONCE // trace.masks.shape[1])
        self._single = _spread(trace, region, rows) if len(rows) <= self._step else None

    def __iter__(self) -> Iterator[Accesses]:
        if self._single is not None:
            yield self._single
            return
        for start in range(0, len(self._rows), self._step):
            yield _spread(self._trace, self._region, self._rows[start : start + self._step])


def contested(trace: Trace, region: Region, parts: Iterable[Accesses]) -> Accesses | None:
    """The accesses (iterated several times) to pieces that two threads touch and one writes, or one by an atomic and one not; None where
    there are none.

    Each piece is stamped with one of its threads; a thread that then finds another's stamp shares the piece.
    """
    lanes, operation = trace.masks.shape[1], operation_of_rows(trace)
    pieces = _Pieces(region, parts)
    stamp = np.full(pieces.count, -1, np.int32)
    by = np.zeros((len(OPERATIONS), pieces.count), np.bool_)
    narrow, excluding_few = np.zeros(pieces.count, np.bool_), narrow_rows(trace)
    for part in parts:
        place = pieces.places(part)
        stamp[place] = trace.rows.block[part.row] * lanes + part.lane
        by[operation[part.row], place] = True
        narrow[place[excluding_few[part.row]]] = True
    written = by[STORE] | (by[LOAD] & by[ATOMIC]) | narrow
    if not written.any():
        return None
    several = np.zeros(pieces.count, np.bool_)
    for part in parts:
        place = pieces.places(part)
        several[place[stamp[place] != trace.rows.block[part.row] * lanes + part.lane]] = True
    several &= written
    if not several.any():
        return None
    found = [part.only(several[pieces.places(part)]) for part in parts]
    return Accesses(*(np.concatenate([getattr(part, name) for part in found]) for name in ("piece", "row", "lane")))


class _Pieces:
    """Numbers for the pieces of a region, or for those that are touched where the region is large."""

    def __init__(self, region: Region, parts: Iterable[Accesses]) -> None:
        large = region.pieces > MOST_PIECES
        self._touched = np.unique(np.concatenate([np.zeros(0, np.int64), *(np.unique(part.piece) for part in parts)])) if large else None
        self.count = region.pieces if self._touched is None else len(self._touched)

    def places(self, part: Accesses) -> Ints:
        """The numbers of the pieces that the accesses touch."""
        return part.piece if self._touched is None else np.searchsorted(self._touched, part.piece)


def _spread(trace: Trace, region: Region, rows: Ints) -> Accesses:
    """The accesses of the rows, those outside the region left out."""
    order, lane = np.nonzero(trace.masks[trace.rows.mask[rows]])
    row = rows[order]
    size = np.array([site.bytes for site in trace.sites], np.int64)[trace.rows.site[row]] // region.piece
    piece = (trace.bases[trace.rows.base[row], lane] + trace.rows.offset[row] - region.address) // region.piece
    if size.max(initial=1) > 1:
        row, lane, piece = np.repeat(row, size), np.repeat(lane, size), np.repeat(piece, size)
        piece += np.arange(len(piece)) - np.repeat(np.cumsum(size) - size, size)
    inside = (piece >= 0) & (piece < region.pieces)
    return Accesses(piece, row, lane) if inside.all() else Accesses(piece, row, lane).only(inside)
