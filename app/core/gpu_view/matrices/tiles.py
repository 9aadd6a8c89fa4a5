"""Tiles of a block: what it uses of the arrays in global memory, tile step by tile step, and how often it reads what it needs.

Both are found from what the block reads and from where shared values came; traffic stands beside what it would be if nothing were kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from app.core.frames.matrix import Box
from app.core.gpu_view.arrays import ShownArray, arrays_of, box_of, places_of
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.matrices.access_steps import NOTHING, AccessSteps, condense, distinct, reached, reaching, rows_between, touches
from app.core.gpu_view.matrices.origins import Origins
from app.core.gpu_view.output_tiles import OutputTile
from app.core.gpu_view.phases import BarrierInterval, StepPhase
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP


@dataclass(frozen=True, slots=True)
class Span:
    """Steps of one block, from `start` to `stop` (exclusive). Steps of other blocks of its cluster may lie between them."""

    start: int
    stop: int
    block: int


class Tiles:
    """Answers for one index, remembered for the latest places."""

    def __init__(self, index: LaunchIndex) -> None:
        self.index = index
        self.arrays = arrays_of(index)
        self.origins = Origins(index)
        self._spans: dict[tuple[int, int | None], Span] = {}
        stops = (*(each.start for each in index.record.tiles[1:]), index.steps)
        for each, stop in zip(index.record.tiles, stops, strict=True):  # those of a cluster's blocks lie between each other
            for key in ((each.block, each.number), (each.block, None)):
                begun = self._spans.get(key)
                self._spans[key] = Span(each.start if begun is None else begun.start, stop, each.block)
        sites, numbers = index.trace.sites, range(len(index.trace.allocations))
        self._reads = {a: np.array([s.operation != "store" and s.allocation in (a, NOWHERE) and s.space is not Space.SHARED for s in sites])
                       for a in numbers}  # fmt: skip
        self._writes = {a: np.array([s.operation != "load" and s.allocation in (a, NOWHERE) and s.space is not Space.SHARED for s in sites])
                        for a in numbers}  # fmt: skip
        self._uses = {a: np.array([s.operation == "load" and s.space is Space.SHARED and s.allocation in (a, NOWHERE) for s in sites])
                      for a in numbers}  # fmt: skip
        self.reads = lru_cache(maxsize=64)(self._find_reads)
        self.read_by = lru_cache(maxsize=16)(self._find_read_by)
        """(array, block): the elements that a block reads from global memory, ascending."""
        self.uses = lru_cache(maxsize=64)(self._find_uses)
        self.writes = lru_cache(maxsize=8)(self._find_writes)
        self.box = lru_cache(maxsize=512)(self._find_box)
        self.computed = lru_cache(maxsize=256)(self._find_computed)
        self.target = lru_cache(maxsize=256)(self._find_target)

    def several(self, block: int) -> bool:
        """Whether a block has more than one tile step."""
        return self.index.tiles(block) > 1

    def tile_span(self, block: int, tile: int) -> Span:
        """The steps of a tile step of a block."""
        return self._spans[block, tile]

    def block_span(self, block: int) -> Span:
        """The steps of a block."""
        return self._spans[block, None]

    def progress(self, array: ShownArray, band: BarrierInterval) -> AccessSteps:
        """Return when a barrier interval touches the elements of an array: takes them from shared memory, or else reads them itself."""
        span = Span(band.start, band.stop, band.block)
        used = self.uses(array, span)
        return used if len(used.element) else self.reads(array, span)

    def tile(self, array: ShownArray, block: int, tile: int) -> AccessSteps:
        """What a tile step works on: what it takes from shared memory, or else reads."""
        span = self.tile_span(block, tile)
        used = self.uses(array, span)
        return used if len(used.element) else self.reads(array, span)

    def boxes(self, array: ShownArray, block: int, numbers: Sequence[int]) -> list[Box | None]:
        """Return what some tile steps work on, that are as far from each other.

        It takes long to find: where four lie evenly, the others are taken to lie between them.
        """
        count = len(numbers)
        known = {place: self.box(array, block, numbers[place]) for place in (0, 1, count // 2, count - 1) if place < count}
        even = _evenly(known[0], known.get(1), count)
        if any(even[place] != box for place, box in known.items()):
            return [self.box(array, block, number) for number in numbers]
        return even

    def _find_box(self, array: ShownArray, block: int, tile: int) -> Box | None:
        return box_of(self.tile(array, block, tile).element, array.columns)

    def _rows(self, span: Span) -> Ints:
        """The access rows of the steps of a block, ascending."""
        rows = rows_between(self.index, span.start, span.stop)
        own: Ints = rows[self.index.trace.rows.block[rows] == span.block]
        return own

    def _find_reads(self, array: ShownArray, span: Span) -> AccessSteps:
        rows = self._rows(span)
        rows = rows[self._reads[array.allocation][self.index.trace.rows.site[rows]]]
        return condense(*touches(self.index, rows, array.allocation, span.start, span.stop), array.columns)

    def _find_read_by(self, array: ShownArray, block: int) -> Ints:
        table = self.index.trace.rows
        rows = np.flatnonzero(self._reads[array.allocation][table.site] & (table.block == block))
        return distinct(reached(self.index, rows, array.allocation), array.columns)

    def _find_uses(self, array: ShownArray, span: Span) -> AccessSteps:
        parts = []
        between = self._rows(span)
        for shared, source in enumerate(self.origins.source):
            if source != array.allocation:
                continue
            rows = between[self._uses[shared][self.index.trace.rows.site[between]]]
            for own in self._by_contents(shared, span.block, rows):
                element, first, last = touches(self.index, own, shared, span.start, span.stop)
                origin = self.origins.of(shared, element, span.block, int(own[0]))
                known = origin != NOWHERE
                parts.append((origin[known], first[known], last[known]))
        if not parts:
            return NOTHING
        element, first, last = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return condense(element, first, last, array.columns)

    def _by_contents(self, shared: int, block: int, rows: Ints) -> list[Ints]:
        """Rows in groups between which nothing is stored to the array."""
        moments = np.searchsorted(self.origins.stores(shared, block), rows)
        return [part for part in np.split(rows, np.flatnonzero(np.diff(moments)) + 1) if len(part)]

    def _find_writes(self, array: ShownArray) -> AccessSteps:
        element, first, last = self.index.record.contents.written(array.allocation)
        return AccessSteps(element, first.astype(np.int32), last.astype(np.int32))

    def loaded(self, array: ShownArray, block: int, tile: int) -> Box | None:
        """The rectangle around what a tile step reads from global memory, be it for a later one."""
        return box_of(self.reads(array, self.tile_span(block, tile)).element, array.columns)

    def _find_computed(self, block: int, tile: int) -> int:
        """The step after the last one of a tile step that computes with it, or the one before which tensor cores were waited for."""
        multiplied = self.index.record.multiplied.get(block)
        if multiplied:
            return multiplied[tile].complete
        span, record = self.tile_span(block, tile), self.index.record
        phases = record.phases[self.index.trace.rows.site[record.order.row[span.start : span.stop]]]
        computing = np.flatnonzero(phases == StepPhase.COMPUTE)
        return span.start + int(computing[-1]) + 1 if len(computing) else span.stop

    def _find_target(self, array: ShownArray, block: int, warp: int | None, tile: OutputTile | None = None) -> Box | None:
        written = self.written_by(array, block, warp)
        return box_of(written if tile is None else written[tile.held(*places_of(written, array.columns))], array.columns)

    def written_by(self, array: ShownArray, block: int, warp: int | None = None) -> Ints:
        """The elements that a block (or one warp of it) writes, some several times."""
        table, trace = self.index.trace.rows, self.index.trace
        lanes = slice(None) if warp is None else slice(warp * WARP, (warp + 1) * WARP)
        rows = np.flatnonzero(self._writes[array.allocation][table.site] & (table.block == block))
        address = trace.bases[table.base[rows], lanes] + table.offset[rows][:, None]
        own = trace.allocations[array.allocation]
        inside = trace.masks[table.mask[rows], lanes] & (address >= own.address) & (address < own.address + own.bytes)
        spans = np.broadcast_to(self.index.spans(rows, array.allocation)[:, None], inside.shape)[inside]
        element = (address[inside] - own.address) // own.element_bytes
        return np.concatenate([element[spans > part] + part for part in range(int(spans.max(initial=1)))])

    def reading_sites(self, array: ShownArray) -> Bools:
        """Tell for each site whether it can read the array."""
        return self._reads[array.allocation]


def _evenly(first: Box | None, second: Box | None, count: int) -> list[Box | None]:
    """Rectangles as far from each other as the first two; none where these are not there."""
    if first is None or second is None:
        return [None] * count
    down, right = second.row - first.row, second.column - first.column
    return [first._replace(row=first.row + down * place, column=first.column + right * place) for place in range(count)]


@dataclass(frozen=True, slots=True)
class Traffic:
    """Elements of A and B for one block's part of C: `needed` by its multiplications, `read` from global memory, `distinct` ones read."""

    needed: int
    read: int
    distinct: int

    @property
    def words(self) -> Message:
        """What tiles, or their absence, make of it."""
        uses, reads = _number(self.needed / max(self.distinct, 1)), _number(self.read / max(self.distinct, 1))
        if self.read >= self.needed:
            return message("Nothing is kept: this block reads each value {reads} times.", reads=reads)
        fewer = _number(self.needed / max(self.read, 1))
        if self.read == self.distinct:
            return message("{fewer}× fewer: each value is read once and used {uses} times.", fewer=fewer, uses=uses)
        return message("{fewer}× fewer: each value is read {reads} times and used {uses} times.", fewer=fewer, reads=reads, uses=uses)


def traffic(tiles: Tiles, block: int) -> Traffic | None:
    """The counts of a block that multiplies matrices; None where it writes nothing of C."""
    arrays = {array.name: array for array in tiles.arrays}
    part = box_of(tiles.written_by(arrays["C"], block), arrays["C"].columns)
    if part is None:
        return None
    read, different = (sum(counts) for counts in zip(*(_reads_of(tiles, arrays[name], block) for name in ("A", "B")), strict=True))
    results = len(distinct(tiles.written_by(arrays["C"], block), arrays["C"].columns))
    a, b, c = (arrays[name] for name in ("A", "B", "C"))
    role = tiles.index.roles.get(a.allocation)
    if role is not None and role.prepared and not _reads_of(tiles, b, block)[0]:  # A and B lie there, values of 16 bits two in an element
        depth = b.rows if b.columns == c.columns else b.columns
        return Traffic(2 * results * depth, round(read * depth / a.columns), round(different * depth / a.columns))
    depth = a.columns if a.columns in b.shape else a.rows  # A may lie there transposed
    return Traffic(2 * results * depth, read, different)


def _reads_of(tiles: Tiles, array: ShownArray, block: int) -> tuple[int, int]:
    """How many elements of an array a block reads, and how many different ones."""
    rows = tiles.index.trace.rows
    loads = np.flatnonzero((rows.block == block) & tiles.reading_sites(array)[rows.site])
    own = reaching(tiles.index, loads, array.allocation)
    lanes = tiles.index.trace.masks.sum(axis=1)[rows.mask[own]]
    return int((lanes * tiles.index.spans(own, array.allocation)).sum()), len(tiles.read_by(array, block))


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
