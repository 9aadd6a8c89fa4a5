"""Where values in shared memory came from: the element in global memory whose value a lane read and then stored there.

A lane's stores to an array take up, in order, the values that it read before from the matrix whose values the array holds. That is only
believed where the stored value is the one read.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.core.launch.index import NOWHERE, LaunchIndex
from kernels.analysis.cases import Ints
from kernels.simt.ir import Space
from kernels.simt.trace import WARP

_MOST_ROWS = 512
"""Stores that are looked back at for the last one to each element."""
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
        self._warps = np.any(trace.masks.reshape(len(trace.masks), trace.masks.shape[1] // WARP, WARP), axis=2)
        self._rows = lru_cache(maxsize=256)(self._find_rows)
        self._stored = lru_cache(maxsize=256)(self._find_stored)
        self._maps = lru_cache(maxsize=32)(self._find_map)

    def of(self, shared: int, elements: Ints, block: int, row: int) -> Ints:
        """For elements of a shared array, as they are when access row `row` is executed, those of `source` that they came from; NOWHERE
        where they came from nowhere known."""
        if self.source[shared] == NOWHERE:
            return np.full(elements.shape, NOWHERE)
        stores = self._rows(shared, block)[1]
        found = self._maps(shared, block, int(np.searchsorted(stores, row)))
        inside = (elements >= 0) & (elements < len(found))
        return np.where(inside, found[np.where(inside, elements, 0)], NOWHERE)

    def stores(self, shared: int, block: int) -> Ints:
        """The rows of a block that store to a shared array."""
        return self._rows(shared, block)[1]

    def _find_rows(self, shared: int, block: int) -> tuple[Ints, Ints]:
        """The rows of a block that read the source, and those that store to the array."""
        trace = self._index.trace
        loads = np.array([s.space is Space.GLOBAL and s.operation == "load" and s.allocation == self.source[shared] for s in trace.sites])
        stores = np.array([s.space is Space.SHARED and s.operation == "store" and s.allocation == shared for s in trace.sites])
        own = trace.rows.block == block
        return np.flatnonzero(own & loads[trace.rows.site]), np.flatnonzero(own & stores[trace.rows.site])

    def _find_map(self, shared: int, block: int, count: int) -> Ints:
        """The origins of all elements of an array after the first `count` stores to it."""
        allocation = self._index.trace.allocations[shared]
        found = np.full(allocation.bytes // allocation.element_bytes, NOWHERE)
        unknown = np.ones(len(found), np.bool_)
        stores = self._rows(shared, block)[1][:count]
        for row in stores[: -_MOST_ROWS - 1 : -1].tolist():
            element, origin = self._stored(shared, block, row)
            fresh = unknown[element]
            found[element[fresh]] = origin[fresh]
            unknown[element] = False
            if not unknown.any():
                break
        return found

    def _find_stored(self, shared: int, block: int, row: int) -> tuple[Ints, Ints]:
        """What one row stores: elements of the array, and of the source."""
        trace, (loads, stores) = self._index.trace, self._rows(shared, block)
        array, source = trace.allocations[shared], trace.allocations[self.source[shared]]
        active = trace.masks[trace.rows.mask[row]]
        same = self._batch(loads, stores, row)
        span = max(1, trace.sites[trace.rows.site[row]].bytes // array.element_bytes)
        before = trace.masks[trace.rows.mask[same[1]]].sum(axis=0) * span
        masks = trace.masks[trace.rows.mask[same[0]]]
        sizes = np.array([max(1, s.bytes // source.element_bytes) for s in trace.sites], np.int64)[trace.rows.site[same[0]]]
        ends = np.cumsum(masks * sizes[:, None], axis=0)
        first = (trace.bases[trace.rows.base[same[0]]] + trace.rows.offset[same[0]][:, None] - source.address) // source.element_bytes
        begin = (trace.bases[trace.rows.base[row]] + trace.rows.offset[row] - array.address) // array.element_bytes
        element, origin = [], []
        for part in range(span):
            wanted = before + part
            which = (ends <= wanted).sum(axis=0)
            known = active & (which < len(ends))
            chosen = np.where(known, which, 0), np.arange(len(active))
            value = np.full(len(active), NOWHERE)
            if len(ends):
                value = np.where(known, first[chosen] + wanted - (ends[chosen] - sizes[chosen[0]]), NOWHERE)
            element.append(begin[active] + part)
            origin.append(value[active])
        return self._believed(shared, block, row, np.concatenate(element), np.concatenate(origin))

    def _batch(self, loads: Ints, stores: Ints, row: int) -> tuple[Ints, Ints]:
        """The reads whose values a row stores, and the stores before it that took up some of them: of the warps of the row."""
        trace = self._index.trace
        warps = self._warps[trace.rows.mask[row]]

        def own(rows: Ints) -> Ints:
            near = rows[max(0, len(rows) - _MOST_ROWS) :]
            taking = np.any(self._warps[trace.rows.mask[near]] & warps, axis=1)
            return near[np.flatnonzero(taking)]

        reads, writes = own(loads[: np.searchsorted(loads, row)]), own(stores[: np.searchsorted(stores, row)])
        if not len(reads):
            return reads, writes[:0]
        writes_after = writes[writes > reads[-1]]
        before = writes[writes < reads[-1]]
        return (reads[reads > before[-1]] if len(before) else reads), writes_after

    def _believed(self, shared: int, block: int, row: int, element: Ints, origin: Ints) -> tuple[Ints, Ints]:
        """Only where the value is that of the origin."""
        record, source = self._index.record, self.source[shared]
        if any(record.contents.scalars(each) * _element_bytes(self._index, each) != _bytes(self._index, each) for each in (shared, source)):
            return element, origin
        after = int(record.order.rank[row].max()) + 1
        stored = record.contents.window(shared, element, after, block).values
        read = record.contents.window(source, origin, 0).values
        with np.errstate(invalid="ignore"):
            same = np.abs(stored.astype(np.float64) - read) <= _TOLERANCE * np.abs(read.astype(np.float64))
        return element, np.where(same, origin, NOWHERE)


def _bytes(index: LaunchIndex, allocation: int) -> int:
    return index.trace.allocations[allocation].bytes


def _element_bytes(index: LaunchIndex, allocation: int) -> int:
    return index.trace.allocations[allocation].element_bytes
