"""What memory holds at any moment of a trace that kept its history: the values of a chosen window, for display.

A moment is `row * warps + warp`, with the warps of a block, or what the caller numbers the pairs of a row and a warp with: what every pair
before it wrote has happened, so that the warps of a row can arrive one after the other. Where lanes of several warps write to one place in
one row, each of them is shown what the last one left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.elements import scalars_of
from kernels.simt.trace import WARP, Held, Trace
from kernels.simt.types import Space
from kernels.simt.writes import Ints, Writes, writing_rows

UNDEFINED, INITIAL, WRITTEN = range(3)
"""Not every byte is written; as before the launch; written."""
_MOST_BLOCKS = 8
"""Blocks whose shared memory is remembered."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Some elements at a moment; arrays of the shape asked for."""

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
        """Some scalars of an array, by their places in memory order; those that do not exist are UNDEFINED.

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
        """Of one block; arrays at one address share their bytes, and so their history."""
        if block not in self._shared:
            if len(self._shared) >= _MOST_BLOCKS:
                del self._shared[next(iter(self._shared))]
            numbers = [number for number, array in enumerate(self._trace.allocations) if array.space is Space.SHARED]
            arrays = [self._trace.allocations[number] for number in numbers]
            size = min(self._scalars[number].bytes for number in numbers)
            self._shared[block] = Writes(self._trace, self._moments, self._rows[True][self._blocks == block], arrays, size)
        return self._shared[block]
