"""Who wrote which bytes of memory, and when: the writes of a trace with a history, ordered so that any moment is found by bisection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.trace import WARP, Allocation, Trace, Written
from kernels.simt.types import Space

Ints = npt.NDArray[np.int64]
_LANES_AT_ONCE = 1 << 20
"""Bounds the memory that spreading rows out to lanes takes."""


class Writes:
    """The writes of some rows to some arrays that do not overlap, or begin at one address.

    Memory is counted in pieces: as many bytes as divide every write, every scalar in `scalar_bytes`, and the arrays' addresses.
    """

    def __init__(
        self, trace: Trace, moments: npt.NDArray[np.integer[Any]], chosen: Ints, arrays: Sequence[Allocation], scalar_bytes: int
    ) -> None:
        """`moments` are rows x warps; `chosen` are places in `trace.written`, ascending."""
        assert trace.written is not None
        sites = np.unique(trace.rows.site[trace.written.row[chosen]]).tolist()
        self.piece = gcd(scalar_bytes, *(trace.sites[site].bytes for site in sites), *(array.address for array in arrays))
        self._bits = np.dtype(f"u{self.piece}")
        self._moments = moments
        self._span = int(moments.max(initial=-1)) + 2
        parts = list(self._parts(trace, trace.written, chosen, arrays))
        piece, moment, held = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.lexsort((moment, piece))
        piece = piece[order]
        begins = np.append(True, piece[1:] != piece[:-1])[: len(piece)]
        self._pieces: Ints = piece[begins]
        self._key: Ints = (np.cumsum(begins) - 1) * self._span + moment[order]
        self._held: npt.NDArray[Any] = held[order]

    def before(self, pieces: Ints, moment: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any], Ints]:
        """Of each piece: whether it was written before the moment, what it then held, and the moment of that write (-1 where none)."""
        if not len(self._pieces):
            return np.zeros(pieces.shape, np.bool_), np.zeros(pieces.shape, self._bits), np.full(pieces.shape, -1, np.int64)
        slot = self._slots(pieces)
        first = slot * self._span
        last = np.searchsorted(self._key, first + min(max(moment, 0), self._span - 1)) - 1
        when = self._key[last] - first
        found = (self._pieces[slot] == pieces) & (last >= 0) & (when >= 0)
        return found, self._held[last], np.where(found, when, -1)

    def spans(self) -> tuple[Ints, Ints, Ints]:
        """Each piece that is ever written, ascending, with the moments of the first and of the last write to it."""
        count = len(self._pieces)
        if len(self._key) == count:  # each is written once
            first = last = self._key - np.arange(count) * self._span
        else:
            begins = np.searchsorted(self._key, np.arange(count + 1) * self._span)
            base = np.arange(count) * self._span
            first, last = self._key[begins[:-1]] - base, self._key[begins[1:] - 1] - base
        return self._pieces, first, last

    def _slots(self, pieces: Ints) -> Ints:
        """Where the pieces stand among those written; anywhere for one that never is."""
        first, count = int(self._pieces[0]), len(self._pieces)
        if int(self._pieces[-1]) - first == count - 1:
            return np.clip(pieces - first, 0, count - 1)
        return np.minimum(np.searchsorted(self._pieces, pieces), count - 1)

    def _parts(self, trace: Trace, written: Written, chosen: Ints, arrays: Sequence[Allocation]) -> Iterator[tuple[Ints, Ints, Any]]:
        """Piece, moment and bytes of every write, in the order of their rows and lanes."""
        step = max(1, _LANES_AT_ONCE // trace.masks.shape[1])
        for start in range(0, max(len(chosen), 1), step):
            part = chosen[start : start + step]
            row = written.row[part]
            order, lane = np.nonzero(trace.masks[trace.rows.mask[row]])
            size = np.array([site.bytes for site in trace.sites], np.int64)[trace.rows.site[row]]
            place = written.start[part][order] + _rank(order, len(part)) * size[order]
            address = trace.bases[trace.rows.base[row][order], lane] + trace.rows.offset[row][order]
            went = _reached(trace, arrays, address, trace.rows.site[row][order])
            moment = self._moments[row[order], lane // WARP].astype(np.int64)
            yield self._pieced(written, address[went], moment[went], place[went], size[order][went])

    def _pieced(self, written: Written, address: Ints, moment: Ints, place: Ints, size: Ints) -> tuple[Ints, Ints, Any]:
        count = size // self.piece
        if (count != 1).any():
            address, moment, place = (np.repeat(column, count) for column in (address, moment, place))
            beyond = _rank(np.repeat(np.arange(len(count)), count), len(count)) * self.piece
            address, place = address + beyond, place + beyond
        held = written.bytes[place[:, None] + np.arange(self.piece)]
        return address // self.piece, moment, held.view(self._bits).reshape(-1)


def writing_rows(trace: Trace, *, shared: bool) -> Ints:
    """The places in `trace.written` of the rows that write to shared memory, or of those that do not."""
    assert trace.written is not None
    space = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    return np.flatnonzero(space[trace.rows.site[trace.written.row]] == shared)


def _rank(group: npt.NDArray[np.intp], groups: int) -> Ints:
    """The number of each within its group; `group` ascends."""
    count = np.bincount(group, minlength=groups)
    return np.arange(len(group)) - np.repeat(np.cumsum(count) - count, count)


def _reached(trace: Trace, arrays: Sequence[Allocation], address: Ints, site: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which accesses went well: whole and aligned inside one of the arrays, the very one that the site can reach."""
    ordered = sorted(arrays, key=lambda array: (array.address, array.bytes))
    starts = np.array([array.address for array in ordered], np.int64)
    ends = np.array([array.address + array.bytes for array in ordered], np.int64)
    only = np.array([trace.allocations[each.allocation].address if each.allocation >= 0 else -1 for each in trace.sites], np.int64)[site]
    size = np.array([each.bytes for each in trace.sites], np.int64)[site]
    place = np.searchsorted(starts, address, side="right") - 1
    reached: npt.NDArray[np.bool_] = (
        (place >= 0) & (address <= ends[place] - size) & (address % size == 0) & ((only < 0) | (only == starts[place]))
    )
    return reached
