"""Contents of memory at any moment of a trace that kept its history: the values of a chosen window, for display.

A moment is `row * warps + warp`, with the warps of a block, or what the caller numbers the pairs of a row and a warp with: what every pair
before it wrote has happened, so that the warps of a row can arrive one after the other. Where lanes of several warps write to one place in
one row, each of them is shown what the last one left. Writes are ordered so that any moment is found by bisection; elements become numbers
by the type that their allocation names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.rounding import bfloat16_value
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Allocation, Held, Trace, Written

_SCALARS = {
    "bool": "?", "signed char": "i1", "short": "i2", "int": "i4", "long long": "i8", "unsigned char": "u1", "unsigned short": "u2",
    "unsigned int": "u4", "unsigned long long": "u8", "half": "f2", "float": "f4", "double": "f8", "void": "u1",
}  # fmt: skip
_VECTORS = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8", "ulong": "u8", "longlong": "i8",
    "ulonglong": "u8", "half": "f2", "float": "f4", "double": "f8",
}  # fmt: skip
_VECTOR = re.compile(r"([a-z]+)[1-4]")
_BFLOAT16 = re.compile(r"__nv_bfloat162?")


@dataclass(frozen=True, slots=True)
class Scalars:
    """An array seen as scalars one after another: a float4 is four, a struct as many unsigned words as it has room for.

    `bits` are a scalar's bits as an unsigned integer, `dtype` what they mean; `brain`: they are bfloat16, shown as float32.
    """

    bits: np.dtype[Any]
    dtype: np.dtype[Any]
    brain: bool = False

    @property
    def bytes(self) -> int:
        return self.bits.itemsize

    def values(self, bits: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The numbers that these bits stand for."""
        if self.brain:
            return np.asarray(bfloat16_value(bits), np.float32)
        return bits != 0 if self.dtype == np.bool_ else bits.view(self.dtype)


def scalars_of(array: Allocation) -> Scalars:
    """How an array is shown. Pointers are 64-bit numbers; structs have words of four bytes (two, one where those do not fit)."""
    size = max(array.element_bytes, 1)
    vector = _VECTOR.fullmatch(array.element)
    code = _SCALARS.get(array.element) or (_VECTORS.get(vector[1]) if vector is not None else None)
    if _BFLOAT16.fullmatch(array.element) and size % 2 == 0:
        return Scalars(np.dtype(np.uint16), np.dtype(np.float32), brain=True)
    if array.element.endswith("*"):
        code = "u8"
    if code is None or size % np.dtype(code).itemsize:
        code = next(word for word in ("u4", "u2", "u1") if size % int(word[1]) == 0)
    dtype = np.dtype(code)
    return Scalars(np.dtype(f"u{dtype.itemsize}"), dtype)


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
        order = by_piece_and_moment(piece, moment)
        piece = piece[order]
        begins = np.append(True, piece[1:] != piece[:-1])[: len(piece)]
        self._pieces: Ints = piece[begins]
        self._key: Ints = (np.cumsum(begins) - 1) * self._span + moment[order]
        self._held: npt.NDArray[Any] = held[order]

    def before(self, pieces: Ints, moment: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any], Ints]:
        """Return for each piece whether it was written before the moment, what it then held, and the moment of that write (-1 where
        none).
        """
        if not len(self._pieces):
            return np.zeros(pieces.shape, np.bool_), np.zeros(pieces.shape, self._bits), np.full(pieces.shape, -1, np.int64)
        slot = self._slots(pieces)
        first = slot * self._span
        last = np.searchsorted(self._key, first + min(max(moment, 0), self._span - 1)) - 1
        when = self._key[last] - first
        found = (self._pieces[slot] == pieces) & (last >= 0) & (when >= 0)
        return found, self._held[last], np.where(found, when, -1)

    def spans(self) -> tuple[Ints, Ints, Ints]:
        """Return each piece that is ever written, ascending, with the moments of the first and of the last write to it."""
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
        held = np.lib.stride_tricks.sliding_window_view(written.bytes, self.piece)[place] if len(place) else np.zeros(0, np.uint8)
        return address // self.piece, moment, held.view(self._bits).reshape(-1)


def by_piece_and_moment(piece: Ints, moment: Ints) -> npt.NDArray[np.intp]:
    """The order by piece and then moment. Numbers of 16 bits, as pieces of shared memory are, are sorted by counting them."""
    small = piece - (int(piece.min()) if len(piece) else 0)
    if int(small.max(initial=0)) >= 1 << 16:
        return np.lexsort((moment, piece))
    if (moment[1:] >= moment[:-1]).all():
        return np.argsort(small.astype(np.uint16), kind="stable")
    order = np.argsort(moment, kind="stable")
    return order[np.argsort(small.astype(np.uint16)[order], kind="stable")]


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


UNDEFINED, INITIAL, WRITTEN = range(3)
"""Not every byte is written; as before the launch; written."""
_MOST_BLOCKS = 8
"""Blocks whose shared memory is remembered."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Window of memory: some elements at a moment, as arrays of the shape asked for."""

    values: npt.NDArray[Any]
    """Of the element's type (bfloat16 as float32); zero where UNDEFINED."""
    state: npt.NDArray[np.uint8]
    """UNDEFINED, INITIAL or WRITTEN. Shared memory begins UNDEFINED in each block."""
    writer: Ints
    """The moment of the last write to any of the element's bytes; -1: none."""


class Contents:
    """Memory over time. What is asked for first takes longer: its writes are put in order then.

    An array of vectors is seen as scalars: element e of a float4 array is scalars 4e to 4e + 3. A struct is seen as unsigned words.
    """

    def __init__(self, trace: Trace, moments: npt.NDArray[np.integer[Any]] | None = None) -> None:
        """`moments` (rows x warps, from 0) are those of the pairs of a row and a warp, None: in order of the rows, then of the warps.

        Raises ValueError where the trace kept no history (see `launch.Keep`).
        """
        if trace.written is None:
            raise ValueError("the trace kept no history of memory")
        self._trace = trace
        warps = trace.masks.shape[1] // WARP
        rows = len(trace.rows.site)
        self._moments = np.arange(rows * warps).reshape(rows, warps) if moments is None else moments
        self._scalars = tuple(scalars_of(array) for array in trace.allocations)
        self._rows = {shared: writing_rows(trace, shared=shared) for shared in (False, True)}
        self._blocks = trace.rows.block[trace.written.row[self._rows[True]]]
        self._global: dict[int, Writes] = {}
        self._shared: dict[int, Writes] = {}

    @property
    def end(self) -> int:
        """The moment at which everything has happened."""
        return int(self._moments.max(initial=-1)) + 1

    def prepare(self) -> None:
        """Put all writes to global memory and those of the first block to its shared memory in order now."""
        for number, array in enumerate(self._trace.allocations):
            if array.bytes and array.space in (Space.GLOBAL, Space.SHARED):
                self._writes(number, block=0)

    def scalars(self, allocation: int) -> int:
        """How many elements `window` knows of an array."""
        size: int = self._trace.allocations[allocation].bytes // self._scalars[allocation].bytes
        return size

    def window(self, allocation: int, elements: npt.NDArray[np.int64], moment: int, block: int = 0) -> Window:
        """Return some scalars of an array, by their places in memory order; those that do not exist are UNDEFINED.

        `block` is the place in `trace.blocks` of the block whose shared memory is meant.
        """
        scalars, place = self._scalars[allocation], elements.astype(np.int64, copy=False).reshape(-1)
        exists = (place >= 0) & (place < self.scalars(allocation))
        place = np.where(exists, place, 0)
        writes = self._writes(allocation, block)
        pieces = scalars.bytes // writes.piece
        first = (self._trace.allocations[allocation].address + place * scalars.bytes) // writes.piece
        found, held, when = writes.before(first[:, None] + np.arange(pieces), moment)
        begun = self._initial(allocation, place).view(held.dtype).reshape(held.shape)
        bits = np.where(found, held, begun).view(scalars.bits).reshape(-1)
        defined = self._trace.initial[allocation].held is not Held.UNDEFINED
        known = exists if defined else exists & found.all(axis=1)
        state = np.where(known, np.where(found.any(axis=1), WRITTEN, INITIAL), UNDEFINED).astype(np.uint8)
        values = scalars.values(np.where(known, bits, scalars.bits.type(0)))
        writer = np.where(exists, when.max(axis=1), -1)
        return Window(values.reshape(elements.shape), state.reshape(elements.shape), writer.reshape(elements.shape))

    def written(self, allocation: int) -> tuple[Ints, Ints, Ints]:
        """The elements of an array in global memory that are ever written, ascending, each with the moments of the first and of the last
        write to any of its bytes."""
        writes, array = self._writes(allocation, 0), self._trace.allocations[allocation]
        pieces, first, last = writes.spans()
        element = (pieces * writes.piece - array.address) // array.element_bytes
        if writes.piece == array.element_bytes or not len(element):
            return element, first, last
        begins = np.flatnonzero(np.append(True, np.diff(element) != 0))
        return element[begins], np.minimum.reduceat(first, begins), np.maximum.reduceat(last, begins)

    def _initial(self, allocation: int, place: Ints) -> npt.NDArray[Any]:
        """The bits that the scalars began with."""
        given, bits = self._trace.initial[allocation].bytes, self._scalars[allocation].bits
        if given is None or not self.scalars(allocation):
            return np.zeros(len(place), bits)
        return given[: self.scalars(allocation) * bits.itemsize].view(bits).take(place)

    def _writes(self, allocation: int, block: int) -> Writes:
        if self._trace.allocations[allocation].space is Space.SHARED:
            return self._shared_writes(block)
        if allocation not in self._global:
            array, size = self._trace.allocations[allocation], self._scalars[allocation].bytes
            self._global[allocation] = Writes(self._trace, self._moments, self._reaching(allocation), [array], size)
        return self._global[allocation]

    def _reaching(self, allocation: int) -> Ints:
        """The rows outside shared memory that can reach an array."""
        assert self._trace.written is not None
        able = np.array([site.allocation in (allocation, -1) for site in self._trace.sites], np.bool_)
        rows = self._rows[False]
        return rows[able[self._trace.rows.site[self._trace.written.row[rows]]]]

    def _shared_writes(self, block: int) -> Writes:
        """Return the writes to shared memory of one block; arrays at one address share their bytes, and so their history."""
        if block not in self._shared:
            if len(self._shared) >= _MOST_BLOCKS:
                del self._shared[next(iter(self._shared))]
            numbers = [number for number, array in enumerate(self._trace.allocations) if array.space is Space.SHARED]
            arrays = [self._trace.allocations[number] for number in numbers]
            size = min(self._scalars[number].bytes for number in numbers)
            self._shared[block] = Writes(self._trace, self._moments, self._rows[True][self._blocks == block], arrays, size)
        return self._shared[block]
