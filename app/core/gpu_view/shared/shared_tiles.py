"""Tiles in shared memory: what one barrier interval filled an array with, where each word comes from, and the layout that this shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache, partial

import numpy as np
import numpy.typing as npt

from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.phases import BarrierInterval
from app.core.gpu_view.shared.address_bits import Found, Pitch, layout_of
from app.core.gpu_view.shared.engine_tiles import EngineTile, box_at, operand_event, operand_tile, operands_of
from app.core.gpu_view.shared.executed import is_matrix_move
from app.core.gpu_view.shared.shared_memory import Array, SharedMemory
from app.core.gpu_view.tensor_core_steps import operand_kind
from kernels.analysis.banks import BANKS, WORD_BYTES
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Allocation, Site

LINE = BANKS * WORD_BYTES
"""Bytes of all banks side by side."""
WIDEST = 16
"""Bytes that stay together at most."""
_OPERAND_BYTES = {"tf32": 4, "s8": 1, "u8": 1}
"""By the type in a product, where it has not two bytes."""


@dataclass(frozen=True, eq=False)
class SharedTile:
    """Tile that an array in shared memory was filled with. `word`, ascending, are the words whose origin is known: `row` and `column` in
    the tile, from 0."""

    array: Array
    source: str
    """The matrix that it comes from."""
    corner: tuple[int, int]
    """Row and column there of the tile's first element."""
    size: int
    """Bytes of an element."""
    word: Ints
    row: Ints
    column: Ints
    layout: Found | None
    read: int
    """Bytes that a lane reads of it at once."""
    packed: int
    """Its elements in one of the source's own type."""

    def name_at(self, row: int, column: int) -> str:
        """What a place of the tile holds, as the text would write it."""
        return f"{self.source}[{self.corner[0] + row}][{(self.corner[1] + column) // self.packed}]"

    @property
    def base(self) -> int:
        """Address of its first byte."""
        return int(self.word[0]) * WORD_BYTES

    @property
    def padded(self) -> bool:
        """Whether there is room between its lines."""
        return isinstance(self.layout, Pitch) and self.layout.pitch > self.layout.length

    @cached_property
    def unit(self) -> int:
        """Bytes that stay together: below the lowest bit that is exchanged; without a swizzle what a lane reads, as far as lines allow."""
        if self.layout is None or self.layout.sources:
            return max(min([WIDEST, *(1 << target for target in self.layout.sources)]), WORD_BYTES) if self.layout else WORD_BYTES
        lengths = (self.layout.pitch, self.layout.length) if isinstance(self.layout, Pitch) else ()
        return max(min([self.read, *(length & -length for length in lengths)]), WORD_BYTES)

    @cached_property
    def dense(self) -> Ints:
        """For each word its byte offset in the tile without a swizzle, and without padding."""
        assert self.layout is not None
        return self.layout.dense(self.row, self.column)

    @cached_property
    def line(self) -> tuple[Ints, Ints]:
        """For each word the line of the tile it lies in, a row or a column, and its place in that line."""
        turned = self.layout is not None and self.layout.turned
        return (self.column, self.row) if turned else (self.row, self.column)

    def places(self, words: Ints) -> Ints:
        """Where in `word` some words are; -1 for those that are not."""
        at = np.minimum(np.searchsorted(self.word, words), len(self.word) - 1)
        return np.where(self.word[at] == words, at, -1)

    def places_one(self, word: int) -> int | None:
        """Where in `word` one word is; None where it is not."""
        at = int(self.places(np.array([word]))[0])
        return at if at >= 0 else None


class SharedTiles:
    """The tiles of a launch; all answers are functions of its record."""

    def __init__(self, memory: SharedMemory) -> None:
        self.memory = memory
        self._find = lru_cache(maxsize=16)(self._tile)
        self._find_copied = lru_cache(maxsize=16)(self._copied)
        self._find_operands = lru_cache(maxsize=16)(self._operands)
        self._find_operand = lru_cache(maxsize=32)(partial(operand_tile, memory.used))
        self._engines: dict[tuple[object, ...], SharedTile] = {}

    def of_word(self, word: int, step: int, *, stored: bool) -> SharedTile | None:
        """The tile that a word belongs to which a step reads, or `stored`; None where it is not known where the word comes from."""
        index = self.memory.index
        block = index.band(step).block
        writer = step if stored else int(self.memory.writers(np.array([word]), step, block)[0])
        array = next((each for each in self.memory.arrays if each.first <= word < each.first + each.words), None)
        if writer < 0 or array is None:
            return None
        engine = self._of_engine(array, word, step, int(index.record.order.row[writer]))
        if engine is not None:
            return engine
        band = index.band(writer)
        copied = (tile for tile in self._find_copied(array, band) if tile.places_one(word) is not None)
        found = self._find(array, band) or next(copied, None)
        if found is not None and found.layout is not None:
            return found
        return next((tile for tile in self._find_operands(array, block) if tile.places_one(word) is not None), found)

    def _of_engine(self, array: Array, word: int, step: int, written: int) -> SharedTile | None:
        """The operand that wgmma reads in a step, or the box that a tensor copy has put in a row; one that is known already where it is
        the same."""
        index, event = self.memory.index, operand_event(self.memory.index, step)
        if event is not None:
            found: EngineTile | None = self._find_operand(event.value, event.other, event.numbers)
        else:
            found = box_at(index, word, written, self.memory.used)
        return None if found is None else self._made_of(array, found)

    def _operands(self, array: Array, block: int) -> tuple[SharedTile, ...]:
        """The operands that wgmma reads in a block."""
        made = (self._made_of(array, each) for each in operands_of(self.memory.index, block, self.memory.used))
        return tuple(each for each in made if each is not None)

    def _made_of(self, array: Array, found: EngineTile) -> SharedTile | None:
        if not len(found.word):
            return None
        index = self.memory.index
        key = found.name, found.corner, found.size, found.word.tobytes()
        if key not in self._engines:
            places = found.word, found.row, found.column
            self._engines[key] = _made(index, array, found.name, found.corner, found.size, *places)
        return self._engines[key]

    def _tile(self, array: Array, band: BarrierInterval) -> SharedTile | None:
        """What an interval leaves in an array."""
        memory = self.memory
        words = np.arange(array.first, array.first + array.words)
        writers = memory.writers(words, band.stop, band.block)
        words = words[writers >= band.start]
        last = int(memory.index.record.order.row[band.start : band.stop].max())
        origin, matrix = memory.origin_after(array.allocation, words, last, band.block)
        if matrix is None or not (origin >= 0).any():
            return None
        known = origin >= 0
        row, column = np.divmod(origin[known], matrix.columns)
        corner = int(row.min()), int(column.min())
        size = memory.index.trace.allocations[array.allocation].element_bytes
        return _made(memory.index, array, matrix.name, corner, size, words[known], row - corner[0], column - corner[1])

    def _copied(self, array: Array, band: BarrierInterval) -> tuple[SharedTile, ...]:
        """The same from the addresses that asynchronous copies read: a tile for each group of rows that follow one another there."""
        index, tiles = self.memory.index, list[SharedTile]()
        size = _read_size(index, array)
        for matrix, target, source in copied_words(index, array, band):
            offset = source - int(source.min())
            pitch = _pitch(offset)
            row, byte = np.divmod(offset, pitch)
            top, left = divmod(int(source.min()) - matrix.address, pitch)
            lines = np.unique(row)
            group = np.cumsum(np.append(0, np.diff(lines) > 1))[np.searchsorted(lines, row)]
            for number in np.unique(group).tolist():
                own, corner = group == number, (top + int(row[group == number].min()), left // size)
                own_row = row[own] - row[own].min()
                tiles.append(_made(index, array, matrix.name, corner, size, target[own], own_row, byte[own] // size))
        return tuple(tiles)


def copied_words(index: LaunchIndex, array: Array, band: BarrierInterval) -> Iterator[tuple[Allocation, Ints, Ints]]:
    """For each array that asynchronous copies of an interval read: the words that they fill, ascending, and the addresses they read."""
    rows, issued = index.trace.rows, index.trace.rows.issued
    found = [np.zeros((2, 0), np.int64)]
    if issued is not None:
        executed = np.unique(index.record.order.row[band.start : band.stop])
        copies = (row for row in executed[issued[executed] >= 0].tolist() if index.trace.sites[rows.site[row]].space is Space.SHARED)
        found += [_copy(index, row, _reading(index, issued, row)) for row in copies]
    target, source = np.concatenate(found, axis=1)
    own = (target >= array.first) & (target < array.first + array.words)
    target, first = np.unique(target[own][::-1], return_index=True)
    source = source[own][::-1][first]
    for each in index.trace.allocations:
        of_it = (source >= each.address) & (source < each.address + each.bytes) & (each.space is Space.GLOBAL)
        if of_it.any():
            yield each, target[of_it], source[of_it]


def _reading(index: LaunchIndex, issued: npt.NDArray[np.int32], row: int) -> int:
    """The row that reads for the store of a copy: that with which it was issued. A copy in bulk reads piece by piece before; which piece a
    tensor copy puts where is not told by its rows: NOWHERE."""
    begin, function = int(issued[row]), index.trace.sites[index.trace.rows.site[row]].function
    if not function.startswith("cp.async.bulk"):
        return begin
    if function != "cp.async.bulk.shared":
        return NOWHERE
    pieces = np.flatnonzero(issued == begin)
    return max(begin - len(pieces) + int(np.searchsorted(pieces, row)), 0)


def _copy(index: LaunchIndex, row: int, begin: int) -> Ints:
    """The words that one copy fills, and the addresses that it reads, both of all lanes that read; row `begin` reads for it."""
    trace, rows = index.trace, index.trace.rows
    read = trace.sites[rows.site[max(begin, 0)]]
    same = read.bytes == trace.sites[rows.site[row]].bytes
    if begin < 0 or not same or read.space is not Space.GLOBAL or read.operation != "load":
        return np.zeros((2, 0), np.int64)
    lanes = np.flatnonzero(trace.masks[rows.mask[row]] & trace.masks[rows.mask[begin]])
    words = np.arange(max(read.bytes // WORD_BYTES, 1))
    address, source = (trace.bases[rows.base[each], lanes] + rows.offset[each] for each in (row, begin))
    return np.stack([(address[:, None] // WORD_BYTES + words).reshape(-1), (source[:, None] + words * WORD_BYTES).reshape(-1)])


def _pitch(offset: Ints) -> int:
    """How far the rows lie apart that some addresses, from 0, are of: the distance between pieces without a hole that occurs most."""
    places = np.unique(offset)
    begins = places[np.append(True, np.diff(places) > WORD_BYTES)]
    apart, count = np.unique(np.diff(begins), return_counts=True)
    return int(apart[np.argmax(count)]) if len(apart) else int(places[-1]) + WORD_BYTES


def _made(
    index: LaunchIndex, array: Array, source: str, corner: tuple[int, int], size: int, word: Ints, row: Ints, column: Ints
) -> SharedTile:
    layout = layout_of(row, column, (word - word[0]) * WORD_BYTES, size)
    read = max((site.bytes for site in index.trace.sites if _reads(site) and site.allocation in (array.allocation, NOWHERE)), default=0)
    own = next((each.element_bytes for each in index.trace.allocations if each.name == source and each.space is Space.GLOBAL), size)
    return SharedTile(array, source, corner, size, word, row, column, layout, read, max(own // size, 1))


def _read_size(index: LaunchIndex, array: Array) -> int:
    """Bytes of an element as it is read: by ldmatrix, what products take its pieces for, two where nobody says; else the array's."""
    matrices = any(_reads(site) and is_matrix_move(site) and site.allocation in (array.allocation, NOWHERE) for site in index.trace.sites)
    return _OPERAND_BYTES.get(operand_kind(index.trace), 2) if matrices else index.trace.allocations[array.allocation].element_bytes


def exchanges(index: LaunchIndex) -> bool:
    """Whether bits of addresses are exchanged in a tile of shared memory that the launch reads."""
    tiles = SharedTiles(SharedMemory(index))
    sites = index.trace.rows.site[index.record.order.row]
    for number, site in enumerate(index.trace.sites):
        found = np.flatnonzero(sites == number)[:1].tolist() if _reads(site) else ()
        for step in found:
            lanes = index.lanes(step)
            tile = tiles.of_word(int(lanes.address[lanes.active][0]) // WORD_BYTES, step, stored=False)
            if tile is not None and tile.layout is not None and tile.layout.sources:
                return True
    return False


def _reads(site: Site) -> bool:
    return site.space is Space.SHARED and site.operation == "load" and not site.tile
