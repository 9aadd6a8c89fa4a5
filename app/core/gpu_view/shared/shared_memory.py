"""The shared memory of a block, word by word: which array lies where, what is padding, what was written when, and where it came from."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

import numpy as np

from app.core.base.picture_parts import MatrixRole
from app.core.base.timeline import Unit
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.matrices.origins import Origins
from app.core.gpu_view.shared.wavefronts import Access, serve
from kernels.analysis.banks import BANKS, WORD_BYTES, operation_of, takes_wavefronts
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.counts import BARRIER, OPERAND
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.base.windows import RANK_SHIFT
from kernels.simt.trace.contents import UNDEFINED, scalars_of

ACCESSES = ("shared_load", "shared_store", "shared_atomic", "shared_load_of_tile", "shared_store_of_tile", f"shared_{OPERAND}")
COPIES = ("shared_load_copied", "shared_store_copied", "shared_atomic_copied")
STORES = ("shared_store", "shared_atomic", "shared_store_of_tile", f"shared_{BARRIER}", *COPIES[1:])


@dataclass(frozen=True, slots=True)
class Array:
    """An array in shared memory, from word `first` on. `letter` is its matrix's name, "" where that is not known."""

    allocation: int
    name: str
    shape: tuple[int, ...]
    letter: str
    first: int
    words: int


class SharedMemory:
    """Shared memory of a record: its arrays, and how steps access it. All answers are functions of the record."""

    def __init__(self, index: LaunchIndex) -> None:
        self.index = index
        self.used = index.record.touched
        """For each word whether the launch uses it."""
        found = [(number, each) for number, each in enumerate(index.trace.allocations) if each.space is Space.SHARED and each.bytes]
        self.rows = -(-len(self.used) // BANKS)
        """Rows of 32 words."""
        self.array = np.full(self.rows * BANKS, NOWHERE)
        """For each word the allocation that it belongs to, -1 for none."""
        arrays = []
        for number, each in found:
            first, end = each.address // WORD_BYTES, -(-(each.address + each.bytes) // WORD_BYTES)
            if (self.array[first:end] == NOWHERE).any():  # else another view of what is there already
                self.array[first:end][self.array[first:end] == NOWHERE] = number
                arrays.append(Array(number, each.name, each.shape, index.record.letters[number], first, end - first))
        self.arrays = tuple(sorted(arrays, key=lambda array: array.first))
        self._origins = Origins(index)
        self._serve = lru_cache(maxsize=128)(self._find_access)

    def array_of_row(self, row: int | None) -> Array | None:
        """The array that the first words of a row belong to."""
        owners = () if row is None else self.array[row * BANKS : (row + 1) * BANKS]
        owner = next((int(each) for each in owners if each != NOWHERE), NOWHERE)
        return next((array for array in self.arrays if array.allocation == owner), None)

    def access(self, step: int) -> Access | None:
        """How a step is served; None where it does not access the block's shared memory, or in a way that is not specified, or without
        wavefronts: a barrier there, a copy."""
        site = self.index.site(step)
        return self._serve(step) if site.space is Space.SHARED and takes_wavefronts(site) else None

    def placed(self, step: int) -> Access | None:
        """Where a step's words lie: as `access`, and of a copy the places alone."""
        site = self.index.site(step)
        return self._serve(step) if site.space is Space.SHARED and site.copied else self.access(step)

    def last_access(self, step: int, kinds: tuple[str, ...] = ACCESSES) -> int | None:
        """The last step before this one in which its block accessed shared memory; an operation of a barrier there is no such access."""
        before = self._before(step, kinds)
        return before if before >= 0 and self.index.band(before).block == self.index.band(step).block else None

    def written_until(self, moment: int) -> int:
        """The last step before a moment that wrote to shared memory, -1 for none: what it holds is a function of that."""
        return self._before(moment, STORES)

    def tile_start(self, step: int) -> int:
        """The step at which the tile step began that a step is in."""
        begun = self.index.record.bounds.get(Unit.TILE, (0,))
        return begun[max(0, bisect_right(begun, step) - 1)] if begun else 0

    def writers(self, words: Ints, moment: int, block: int) -> Ints:
        """The step that wrote each word last before a moment; -1 where nothing of it is written, or it is in no array."""
        found = np.full(len(words), NOWHERE)
        inside = (words >= 0) & (words < len(self.array))  # an access may reach beyond all arrays
        for array in self.arrays:
            own = inside & (self.array[np.where(inside, words, 0)] == array.allocation)
            if own.any():
                found[own] = self._writers(array.allocation, words[own], moment, block)
        return found

    def element(self, word: int) -> tuple[int, int] | None:
        """The allocation and its element in which a word begins."""
        if not 0 <= word < len(self.array) or self.array[word] == NOWHERE:
            return None
        allocation = int(self.array[word])
        each = self.index.trace.allocations[allocation]
        return allocation, max(0, word * WORD_BYTES - each.address) // max(1, each.element_bytes)

    def word_of(self, allocation: int, element: int) -> int:
        """The word in which an element begins."""
        each = self.index.trace.allocations[allocation]
        return (each.address + element * each.element_bytes) // WORD_BYTES

    def padding(self, array: Array) -> int:
        """How many columns at the end of every row of an array the launch never uses, while it uses some of all others."""
        each = self.index.trace.allocations[array.allocation]
        if len(array.shape) < 2 or each.element_bytes % WORD_BYTES or each.address % WORD_BYTES:
            return 0
        elements = self.used[array.first : array.first + array.words].reshape(-1, array.shape[-1], each.element_bytes // WORD_BYTES)
        columns: Bools = np.asarray(elements.any(axis=(0, 2)))
        count = int(np.argmax(columns[::-1])) if columns.any() else 0
        return count if columns[: len(columns) - count].all() else 0

    def sources(self, words: Ints, writers: Ints, block: int) -> tuple[Ints, Ints]:
        """Where the value came from that a step wrote to each word: the array in global memory and its element; -1 if not known."""
        allocation, element = np.full(len(words), NOWHERE), np.full(len(words), NOWHERE)
        rows = np.where(writers >= 0, self.index.record.order.row[writers], NOWHERE)
        for array in self.arrays:
            each = self.index.trace.allocations[array.allocation]
            places = (words * WORD_BYTES - each.address) // max(1, each.element_bytes)
            own = (self.array[words] == array.allocation) & (places >= 0)
            for row in np.unique(rows[own & (rows >= 0)]).tolist():
                chosen = own & (rows == row)
                element[chosen] = self._origins.of(array.allocation, places[chosen], block, row + 1)
            allocation[own & (element >= 0)] = self._origins.source[array.allocation]
        return allocation, element

    def origin_after(self, allocation: int, words: Ints, row: int, block: int) -> tuple[Ints, MatrixRole | None]:
        """The elements of a matrix (-1: not known) that words of an array hold the values of after an access row, and the matrix."""
        each = self.index.trace.allocations[allocation]
        places = (words * WORD_BYTES - each.address) // max(1, each.element_bytes)
        source = self._origins.source[allocation]
        return self._origins.of(allocation, places, block, row + 1), self.index.roles.get(source)

    def _writers(self, allocation: int, words: Ints, moment: int, block: int) -> Ints:
        """`writers` for words of one array. A word may be several scalars, or a part of one."""
        each = self.index.trace.allocations[allocation]
        size = scalars_of(each).bytes
        begin = np.maximum(words * WORD_BYTES, each.address) - each.address
        scalars = begin[:, None] // size + np.arange(max(1, WORD_BYTES // size))
        window = self.index.record.contents.window(allocation, scalars, moment, block)
        return np.where((window.state == UNDEFINED).all(axis=1), NOWHERE, window.writer.max(axis=1))

    def _before(self, step: int, kinds: tuple[str, ...]) -> int:
        """The last step before one that is of one of the kinds, -1 for none: the counts rise there."""
        sums = self.index.record.sums
        return max((int(np.searchsorted(sums[kind], sums[kind][step])) - 1 for kind in kinds if kind in sums), default=-1)

    def _find_access(self, step: int) -> Access | None:
        site, lanes = self.index.site(step), self.index.lanes(step)
        if (lanes.address[lanes.active] >> RANK_SHIFT).any():  # of another block of the cluster
            return None
        return serve(lanes.address // WORD_BYTES, lanes.active, site.bytes, operation_of(site))
