"""Origins of values in shared memory: the element in global memory whose value a lane read and then stored there.

A lane's stores to an array take up, in order, the values that it read before from the matrix whose values the array holds. That is only
believed where the stored value is the one read; where it is not, the lane may have stored what it read in another order. Of an asynchronous
copy the trace tells what it has read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.matrices.access_steps import reaching
from kernels.analysis.columns import Ints
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Allocation

_MOST_ROWS = 512
"""Stores that are looked back at for the last one to each element."""
_MOST_CHOICES = 32
"""Values that a lane has read among which that is looked for which it stored."""
_TOLERANCE = 1e-2
"""Values that were rounded to a shorter type on their way are still the ones read."""


class Origins:
    """Answers for one index. `source` gives for each shared array the global one whose values it holds, NOWHERE where that is not known."""

    def __init__(self, index: LaunchIndex) -> None:
        self._index = index
        trace, letters = index.trace, index.record.letters
        self._written = {site.allocation for site in trace.sites if site.space is Space.GLOBAL and site.operation != "load"}
        own = {letters[number]: number for number in index.roles if number not in self._written}
        self.source = tuple(
            own.get(letters[number], NOWHERE) if each.space is Space.SHARED and letters[number] else NOWHERE
            for number, each in enumerate(trace.allocations)
        )
        self._copy = np.full(len(trace.rows.site), NOWHERE) if trace.rows.issued is None else trace.rows.issued
        """Of the store of an asynchronous copy the row that reads for it, if any of its lanes reads; NOWHERE for other rows."""
        self._warps = np.any(trace.masks.reshape(len(trace.masks), trace.masks.shape[1] // WARP, WARP), axis=2)
        self._rows = lru_cache(maxsize=256)(self._find_rows)
        self._maps = lru_cache(maxsize=32)(self._find_map)

    def of(self, shared: int, elements: Ints, block: int, row: int) -> Ints:
        """Return for elements of a shared array, as they are when access row `row` is executed, the elements of `source` that they came
        from.

        NOWHERE stands for those that came from nowhere known.
        """
        if self.source[shared] == NOWHERE:
            return np.full(elements.shape, NOWHERE)
        found = self._maps(shared, block, int(np.searchsorted(self.stores(shared, block), row)))
        inside = (elements >= 0) & (elements < len(found))
        return np.where(inside, found[np.where(inside, elements, 0)], NOWHERE)

    def stores(self, shared: int, block: int) -> Ints:
        """The rows of a block that store to a shared array."""
        return self._rows(shared, block).stores

    def _find_rows(self, shared: int, block: int) -> _Rows:
        trace = self._index.trace
        stores = np.array([s.space is Space.SHARED and s.operation == "store" and s.allocation == shared for s in trace.sites])
        own = trace.rows.block == block
        reading, storing = self._reading(self.source[shared], block), np.flatnonzero(own & stores[trace.rows.site])
        warps, moments = self._warps[trace.rows.mask[storing]], np.searchsorted(reading, storing)
        others = (warps[1:] != warps[:-1]).any(axis=1) | (np.diff(self._copy[storing]) != 0)
        return _Rows(reading, storing, np.flatnonzero((np.diff(moments) != 0) | others) + 1)

    def _reading(self, source: int, block: int) -> Ints:
        """The rows of a block that read a global array."""
        trace, read = self._index.trace, (source, NOWHERE)
        loads = np.array([s.space is Space.GLOBAL and s.operation == "load" and s.allocation in read for s in trace.sites])
        return reaching(self._index, np.flatnonzero((trace.rows.block == block) & loads[trace.rows.site]), source)

    def _find_map(self, shared: int, block: int, count: int) -> Ints:
        """The origins of all elements of an array after the first `count` stores to it."""
        allocation, known = self._index.trace.allocations[shared], self._rows(shared, block)
        found = np.full(allocation.bytes // allocation.element_bytes, NOWHERE)
        unknown = np.ones(len(found), np.bool_)
        stop = count
        while stop > max(0, count - _MOST_ROWS) and unknown.any():
            place = int(np.searchsorted(known.breaks, stop))
            begin = max(int(known.breaks[place - 1]) if place else 0, count - _MOST_ROWS)
            batch = known.stores[begin:stop]
            element, origin = (self._stored if self._copy[batch[0]] == NOWHERE else self._copied)(shared, block, batch)
            fresh = unknown[element]
            found[element[fresh]] = origin[fresh]
            unknown[element] = False
            stop = begin
        return found

    def _stored(self, shared: int, block: int, batch: Ints) -> tuple[Ints, Ints]:
        """What a batch of stores (or its first ones) stores, one row after the other: elements of the array, and of the source."""
        trace, table = self._index.trace, self._index.trace.rows
        source = trace.allocations[self.source[shared]]
        reads, writes = self._taken(shared, block, int(batch[-1]))
        sizes = self._index.spans(reads, self.source[shared])[:, None]
        ends = np.cumsum(trace.masks[table.mask[reads]] * sizes, axis=0)
        begins = (trace.bases[table.base[reads]] + table.offset[reads][:, None] - source.address) // source.element_bytes
        stored = np.cumsum(trace.masks[table.mask[writes]] * self._index.spans(writes, shared)[:, None], axis=0)
        row, lane, part, element = self._places(shared, batch)
        before = stored[np.searchsorted(writes, batch)] - trace.masks[table.mask[batch]] * self._index.spans(batch, shared)[:, None]
        wanted = before[row, lane] + part
        which = sum(((end[lane] <= wanted).astype(np.int64) for end in ends), np.zeros(len(lane), np.int64))
        known = which < len(reads)
        origin = np.full(len(lane), NOWHERE)
        chosen = which[known], lane[known]
        origin[known] = begins[chosen] + wanted[known] - ends[chosen] + sizes[chosen[0], 0]
        choices = [np.where(trace.masks[table.mask[read], lane], begin[lane] + part, NOWHERE)
                   for read, begin, size in zip(reads, begins, sizes[:, 0], strict=True) for part in range(size)]  # fmt: skip
        return self._believed(shared, block, batch, element, origin, choices if len(choices) <= _MOST_CHOICES else ())

    def _copied(self, shared: int, block: int, batch: Ints) -> tuple[Ints, Ints]:
        """What the stores of asynchronous copies store, as `_stored` tells it. Lanes that copy zeros read nothing."""
        trace, table = self._index.trace, self._index.trace.rows
        source = trace.allocations[self.source[shared]]
        row, lane, part, element = self._places(shared, batch)
        reads = self._copy[batch][row]
        has_read = np.isin(reads, self._rows(shared, block).reads) & trace.masks[table.mask[reads], lane]
        begin = (trace.bases[table.base[reads], lane] + table.offset[reads] - source.address) // source.element_bytes
        return self._believed(shared, block, batch, element, np.where(has_read, begin + part, NOWHERE), ())

    def _places(self, shared: int, batch: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """What some stores reach: for each of their elements the place in the batch, the lane, the part of its value, and the element."""
        trace, table, array = self._index.trace, self._index.trace.rows, self._index.trace.allocations[shared]
        spans = self._index.spans(batch, shared)[:, None]
        first = (trace.bases[table.base[batch]] + table.offset[batch][:, None] - array.address) // array.element_bytes
        inside = trace.masks[table.mask[batch]] & (first >= 0)
        part = np.arange(spans.max())
        row, lane, part = np.nonzero(inside[:, :, None] & (part < np.minimum(spans, _count(array) - first)[:, :, None]))
        return row, lane, part, first[row, lane] + part

    def _taken(self, shared: int, block: int, row: int) -> tuple[Ints, Ints]:
        """The reads whose values a store takes up, and the stores up to it that took up some of them: of the warps of the store."""
        trace, known = self._index.trace, self._rows(shared, block)
        warps = self._warps[trace.rows.mask[row]]

        def own(rows: Ints) -> Ints:
            near = rows[max(0, len(rows) - _MOST_ROWS) :]
            return near[np.flatnonzero((self._warps[trace.rows.mask[near]] & warps).any(axis=1))]

        reads = own(known.reads[: np.searchsorted(known.reads, row)])
        writes = own(known.stores[: np.searchsorted(known.stores, row, "right")])
        after = int(np.searchsorted(writes, reads[-1])) if len(reads) else 0
        return (reads[reads > writes[after - 1]] if after else reads), writes[after:]

    def _believed(
        self, shared: int, block: int, batch: Ints, element: Ints, origin: Ints, choices: Sequence[Ints]
    ) -> tuple[Ints, Ints]:  # fmt: skip
        """Return the origins that can be believed: those whose value is there when all of the batch is stored, or else exactly that of a
        choice.
        """
        record, trace, source = self._index.record, self._index.trace, self.source[shared]
        if any(record.contents.scalars(each) != _count(trace.allocations[each]) for each in (shared, source)):
            return element, origin
        after = int(record.order.rank[batch].max()) + 1
        stored = record.contents.window(shared, element, after, block).values
        read = record.contents.window(source, origin, 0).values
        with np.errstate(invalid="ignore"):
            same = np.abs(stored.astype(np.float64) - read) <= _TOLERANCE * np.abs(read.astype(np.float64))
        found = np.where(same, origin, NOWHERE)
        for choice in choices:
            if not (found == NOWHERE).any():
                break
            same = (choice != NOWHERE) & (record.contents.window(source, choice, 0).values == stored)
            found = np.where((found == NOWHERE) & same, choice, found)
        return element, found


class _Rows(NamedTuple):
    """The rows of a block that read a source, and those that store to a shared array. `breaks` are the places in `stores` at which a batch
    begins that takes up the values of other reads, or is of other warps."""

    reads: Ints
    stores: Ints
    breaks: Ints


def _count(array: Allocation) -> int:
    return array.bytes // array.element_bytes
