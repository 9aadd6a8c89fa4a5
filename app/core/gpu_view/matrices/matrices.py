"""The matrices of a launch at a moment, as a value: what of each is in use, touched, and under way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

import numpy as np

from app.core.base.picture_parts import Tick
from app.core.frames.matrix import OUTPUT, Arrangement, Box, Layers, MatrixFrame, MatrixPicture, Meter, Values
from app.core.gpu_view.arrays import ShownArray, box_of, boxes_of
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.matrices.elements import CellRoles
from app.core.gpu_view.matrices.tiles import Tiles, Traffic, traffic
from app.core.gpu_view.matrices.wrong_values import wrong_elements
from app.core.gpu_view.selection import NO_HIGHLIGHT, Highlight
from app.core.gpu_view.unseen_writes import old_elements, old_values, tag_words
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import UNDEFINED
from kernels.simt.trace.trace import Site, Trace

MOST_TICKS = 16
_NEAR = 5
_MOST_TAKEN = 8
"""Loads before a step that are looked at for what is used together with it."""
_MOST_KEPT = 24
_MOST_LIT = 256
_MOST_GAPS = 64
"""Lines between tiles, in each direction, up to which they are drawn."""
_ROUTES = {
    ("load", Space.GLOBAL): message("global → register"),
    ("store", Space.GLOBAL): message("register → global"),
    ("atomic", Space.GLOBAL): message("register → global, one lane after the other"),
    ("load", Space.SHARED): message("shared → register"),
    ("store", Space.SHARED): message("register → shared"),
}  # fmt: skip
_COPIED = message("global → shared")
_NONE: Ints = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class ArrayCells:
    """Cells of an array of a launch at a moment. `now` are the elements that the step touches."""

    matrices: Matrices
    array: ShownArray
    frame: Frame
    now: Ints

    def layers(self, window: Box, factor: int) -> Layers:
        return self.matrices.roles(self.array, window, factor).layers(self.frame, self.now)

    def values(self, window: Box) -> Values:
        """The values in a window at the moment; NaN where nothing is written, and in an array of vectors or structs."""
        if not self.matrices.scalar(self.array):
            return np.full((window.rows, window.columns), np.nan, np.float32)
        rows, columns = np.indices((window.rows, window.columns))
        elements = (rows + window.row) * self.array.columns + columns + window.column
        contents = self.matrices.index.record.contents
        seen = contents.window(self.array.allocation, elements, self.frame.moment, self.frame.band.block)
        values = np.where(seen.state == UNDEFINED, np.nan, seen.values).astype(np.float32)
        for each in old_values(self.matrices.index, self.frame):
            if each.allocation == self.array.allocation:
                values[elements == each.element] = each.number
        return values


class Matrices:
    """Frames of the matrices of one index."""

    def __init__(self, index: LaunchIndex) -> None:
        self.index = index
        self.tiles = Tiles(index)
        turned = any(role.prepared for role in index.roles.values())
        self.arrangement = Arrangement(tuple((array.name, array.shape) for array in self.tiles.arrays), turned, row_ticks=turned)
        self.roles = lru_cache(maxsize=_MOST_KEPT)(partial(CellRoles, self.tiles))
        """(array, window, factor): the roles in a window of an array."""
        self._asynchronous = _copying(index.trace)
        self._ticks: dict[tuple[int, str, range], list[tuple[int, Box]]] = {}
        self._meters: dict[int, Meter | None] = {}
        self._lanes: tuple[tuple[int, int], dict[int, tuple[int, ...]]] | None = None
        self._shown: tuple[tuple[int, int], tuple[MatrixFrame, ...]] | None = None

    @property
    def arrays(self) -> tuple[ShownArray, ...]:
        return self.tiles.arrays

    def scalar(self, array: ShownArray) -> bool:
        """Whether an element is one number, which can be shown as a value."""
        return self.index.record.contents.scalars(array.allocation) == self._elements(array)

    def _elements(self, array: ShownArray) -> int:
        allocation = self.index.trace.allocations[array.allocation]
        return allocation.bytes // allocation.element_bytes

    def at(self, frame: Frame, chosen: Highlight = NO_HIGHLIGHT) -> MatrixPicture:
        """Return what there is to be drawn of a frame while something is selected."""
        matrices = self._frames(frame, chosen)
        stores = frame.site.space is Space.GLOBAL and frame.site.operation != "load"
        to_shared = self._copies(frame) or (frame.site.space is Space.SHARED and frame.site.operation == "store")
        route = _COPIED if self._copies(frame) else _ROUTES.get((frame.site.operation, frame.site.space))
        target, arrangement = None, self.arrangement
        if not to_shared and self._leads_to_output and any(m.boxes or m.held for m in matrices if m.name != OUTPUT):
            target = next(iter(self._written_next(frame)), None) if arrangement.mirrored else self._target(frame, frame.warp)
        added, meter = self._added(frame), self._meter(frame.band.block)
        return MatrixPicture(arrangement, matrices, frame.fraction, target, not stores, added, meter, route, to_shared)

    def _frames(self, frame: Frame, chosen: Highlight) -> tuple[MatrixFrame, ...]:
        """All arrays; while nothing is selected worked out once until a step's data have travelled, and once after."""
        if chosen:
            return tuple(self._array(frame, array, chosen) for array in self.arrays)
        key = frame.step, frame.moment
        if self._shown is None or self._shown[0] != key:
            self._shown = key, tuple(self._array(frame, array, chosen) for array in self.arrays)
        return self._shown[1]

    @property
    def _leads_to_output(self) -> bool:
        """Whether it is known what the values of A are for."""
        return self.arrangement.crossed or self.arrangement.mirrored

    def _meter(self, block: int) -> Meter | None:
        """How often a block that multiplies reads from global memory, beside what its multiplications take."""
        if block not in self._meters:
            counts = traffic(self.tiles, block) if self.arrangement.crossed else None
            self._meters[block] = None if counts is None else self._meter_of(counts, several=block in self.index.record.outputs)
        return self._meters[block]

    def _meter_of(self, counts: Traffic, *, several: bool) -> Meter:
        output = next(role.word for role in self.index.roles.values() if role.letter == OUTPUT)
        bars = (
            (message("without tiles {count}", count=counts.needed), counts.needed),
            (message("this kernel {count}", count=counts.read), counts.read),
        )
        one, all_of_block = message("Global reads for this tile of {matrix}"), message("Global reads for the {matrix} tiles of this block")
        return Meter(Message((all_of_block if several else one).template, (("matrix", output),)), bars, counts.words)

    def _lit(self, chosen: Highlight, frame: Frame, array: ShownArray) -> tuple[Box, ...]:
        """What of an array belongs to a selection: the elements that it names, and those whose values its lanes move."""
        if not chosen:
            return ()
        elements = np.array(sorted(chosen.elements.get(array.allocation, ())), np.int64)
        if chosen.lanes.any() and frame.site.space is Space.SHARED:
            elements = np.concatenate((elements, self._moved(frame.step, array, chosen.lanes)))
        return boxes_of(elements, array.columns)[:_MOST_LIT]

    def touched(self, step: int, array: ShownArray) -> Ints:
        """The elements that the lanes of a step touch, or whose values they move out of or into shared memory; lane after lane."""
        lanes, site = self.index.lanes(step), self.index.site(step)
        reached = lanes.allocation == array.allocation
        if reached.any():
            return self._spanned(lanes.element[reached], site, array.allocation)
        return self._moved(step, array, lanes.active) if site.space is Space.SHARED else _NONE

    def lanes_of(self, step: int, array: ShownArray, element: int) -> tuple[int, ...]:
        """The lanes that touch an element in a step, or move its value out of or into shared memory."""
        key = step, array.allocation
        if self._lanes is None or self._lanes[0] != key:
            found: dict[int, list[int]] = {}
            lanes, site = self.index.lanes(step), self.index.site(step)
            for lane in np.flatnonzero(lanes.active).tolist():
                only = np.arange(len(lanes.active)) == lane
                reached = only & (lanes.allocation == array.allocation)
                if reached.any():
                    touched = self._spanned(lanes.element[reached], site, array.allocation)
                else:
                    touched = self._moved(step, array, only) if site.space is Space.SHARED else _NONE
                for each in touched.tolist():
                    found.setdefault(each, []).append(lane)
            self._lanes = key, {each: tuple(of) for each, of in found.items()}
        return self._lanes[1].get(element, ())

    def _moved(self, step: int, array: ShownArray, lanes: Bools) -> Ints:
        """The elements of an array whose values some lanes move out of or into shared memory."""
        sources = enumerate(self.tiles.origins.source)
        parts = [self._origins_of(step, shared, lanes) for shared, source in sources if source == array.allocation]
        found = np.concatenate([_NONE, *parts])
        known: Ints = found[found != NOWHERE]
        return known

    def _origins_of(self, step: int, shared: int, chosen: Bools) -> Ints:
        """For those lanes of a step that reach a shared array, where the values that they move came from: elements of the global array."""
        lanes, site = self.index.lanes(step), self.index.site(step)
        reached = chosen & (lanes.allocation == shared)
        if not reached.any():
            return _NONE
        row, _ = self.index.place(step)
        elements = self._spanned(lanes.element[reached], site, shared)
        return self.tiles.origins.of(shared, elements, self.index.band(step).block, row if site.operation == "load" else row + 1)

    def _spanned(self, element: Ints, site: Site, allocation: int) -> Ints:
        span = self.index.span(site, allocation)
        return element if span == 1 else (element[:, None] + np.arange(span)).ravel()

    def _array(self, frame: Frame, array: ShownArray, chosen: Highlight) -> MatrixFrame:
        block, tile = frame.band.block, frame.tile
        now = self.touched(frame.step, array)
        own = ahead = None
        if array.name == OUTPUT and self._leads_to_output:
            own = self._target(frame, None)
        elif frame.tiles > 1 or self.arrangement.mirrored:
            own, loaded = self.tiles.box(array, block, tile), self.tiles.loaded(array, block, tile)
            ahead = loaded if loaded != own else None
        return MatrixFrame(
            array.name, array.title, array.shape, ArrayCells(self, array, frame, now), own, ahead,
            focus=own if own is not None else self._focus(frame, array, now),
            boxes=boxes_of(now, array.columns),
            held=() if len(now) else boxes_of(self._held(frame, array), array.columns),
            lit=self._lit(chosen, frame, array),
            wrong=boxes_of(self._crossed_out(frame, array), array.columns)[:_MOST_LIT],
            old=self._old(frame, array),
            ticks=self._edges(frame, array),
            gaps=_gaps(array.shape, own),
            extent=None if array.matrix else message("1 element") if array.size == 1 else message("{count} elements", count=array.size),
        )  # fmt: skip

    def _crossed_out(self, frame: Frame, array: ShownArray) -> Ints:
        """The elements that hold a wrong value, but for those of which an old one is drawn."""
        if not self.index.record.wrong:
            return _NONE
        return np.setdiff1d(wrong_elements(self.index, frame, array.allocation), old_elements(self.index, frame, array.allocation))

    def _old(self, frame: Frame, array: ShownArray) -> tuple[tuple[Box, Message], ...]:
        found = {each.element: tag_words(each) for each in old_values(self.index, frame) if each.allocation == array.allocation}
        return tuple((Box(*divmod(element, array.columns), 1, 1), words) for element, words in sorted(found.items()))[:_MOST_LIT]

    def _held(self, frame: Frame, array: ShownArray) -> Ints:
        """What the warp's loads just before took that goes into what the present step moves, or goes with it; nothing for a copy."""
        if self._copies(frame) or (frame.site.space is Space.SHARED and frame.site.operation == "store"):
            return _NONE
        return np.concatenate([_NONE, *(self.touched(step, array) for step in self._taken_before(frame))])

    def _taken_before(self, frame: Frame) -> Iterator[int]:
        """The loads whose values go into what the frame's step moves, or go with it, the last one first: of those that come without
        anything between before it, in one pass through the text, where sites are numbered as they are met. An address is no such value;
        where it is not known where values go, those of one expression are."""
        sites, after, flows = self.index.trace.rows.site, frame.row, self.index.record.flows
        for distance in range(1, _MOST_TAKEN + 1):
            step = self._neighbour(frame, -distance)
            if step is None:
                return
            site, row = self.index.site(step), self.index.place(step)[0]
            if site.operation != "load" or sites[row] >= sites[after]:
                return
            if flows.operands is None and not 0 <= frame.line - site.location.line <= 1:
                return
            if flows.together(site.location, frame.site.location):
                yield step
            after = row

    def _focus(self, frame: Frame, array: ShownArray, now: Ints) -> Box | None:
        """Around what the warp touches now, has touched a moment ago, or will touch in a moment."""
        for step in (self._neighbour(frame, way) for distance in range(1, _NEAR) for way in (-distance, distance)):
            if len(now):
                break
            now = self.touched(step, array) if step is not None else now
        return box_of(now, array.columns)

    def _written_next(self, frame: Frame) -> tuple[Box, ...]:
        """What of C the step writes, or the warp's next one, which stores what this one reads."""
        array = self._output
        own = self.touched(frame.step, array)
        after = self._neighbour(frame, 1)
        if not len(own) and after is not None:
            own = self.touched(after, array)
        around = box_of(own, array.columns)
        return () if around is None else (around,)

    def _neighbour(self, frame: Frame, way: int) -> int | None:
        """The step before (-1) or after (1), where it is of the same warp and interval."""
        step = frame.step + way
        if not frame.band.start <= step < frame.band.stop or self.index.place(step)[1] != frame.warp:
            return None
        return step

    def _copies(self, frame: Frame) -> bool:
        """Whether the step is a half of a copy from global to shared memory: an asynchronous one, or the warp reads, and stores in its
        next step."""
        site, sources = frame.site, self.tiles.origins.source
        if site in self._asynchronous:
            return True
        if site.space is Space.SHARED and site.operation == "store" and site.allocation != NOWHERE:
            before = self._neighbour(frame, -1)
            return before is not None and self._reads(before, sources[site.allocation])
        after = self._neighbour(frame, 1)
        if after is None or not self._reads(frame.step, site.allocation):
            return False
        coming = self.index.site(after)
        return coming.space is Space.SHARED and coming.operation == "store" and sources[coming.allocation] == site.allocation

    def _reads(self, step: int, allocation: int) -> bool:
        site = self.index.site(step)
        return allocation != NOWHERE and site.space is Space.GLOBAL and site.operation == "load" and site.allocation == allocation

    def _target(self, frame: Frame, warp: int | None) -> Box | None:
        place = self.index.output(frame.step)
        return self.tiles.target(self._output, frame.band.block, warp, None if place is None else place.tile)

    @property
    def _output(self) -> ShownArray:
        return next(array for array in self.arrays if array.name == OUTPUT)

    def _added(self, frame: Frame) -> tuple[int, int]:
        """A tile step is added when nothing computes with it any more. To which of several tiles of C must be known."""
        numbers = self._numbers(frame)
        if not self.arrangement.crossed or frame.tiles < 2 or numbers is None:
            return 0, 0
        added = frame.tile + 1
        while added > numbers.start and frame.moment < self.tiles.computed(frame.band.block, added - 1):
            added -= 1  # tensor cores may be behind by several
        return added - numbers.start, len(numbers)

    def _numbers(self, frame: Frame) -> range | None:
        """The tile steps that are for the tile of C that the frame's step is for; None where that is one of several, and not known."""
        place = self.index.output(frame.step)
        if place is not None:
            return range(place.tile.first, place.tile.stop)
        return None if frame.band.block in self.index.record.outputs else range(frame.tiles)

    def _edges(self, frame: Frame, array: ShownArray) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
        """The tile steps along the edge on which they follow each other."""
        if not self.arrangement.crossed or frame.tiles < 2 or array.name not in ("A", "B"):
            return (), ()
        every_one = self._numbers(frame) or range(frame.tiles)
        first = every_one.start
        key = frame.band.block, array.name, every_one
        if key not in self._ticks:
            numbers = every_one[:: -(-len(every_one) // MOST_TICKS)]
            boxes = self.tiles.boxes(array, frame.band.block, numbers)
            self._ticks[key] = [(number, box) for number, box in zip(numbers, boxes, strict=True) if box is not None]
        present = self.tiles.box(array, frame.band.block, frame.tile)
        every = [(number, box) for number, box in self._ticks[key] if number != frame.tile]
        shown = sorted([*every, (frame.tile, present)] if present is not None else every)
        rows = tuple(Tick(f"t = {number - first}", box.row, box.row + box.rows, number == frame.tile) for number, box in shown)
        columns = tuple(Tick(f"t = {number - first}", box.column, box.column + box.columns, number == frame.tile) for number, box in shown)
        return ((), columns) if array.name == "A" and not self.arrangement.turned else (rows, ())


def _gaps(shape: tuple[int, int], tile: Box | None) -> tuple[Sequence[int], Sequence[int]]:
    """Where one tile ends and another begins, where these can still be told apart."""
    if tile is None:
        return (), ()
    rows, columns = (range(step, size, step) for size, step in zip(shape, tile[2:], strict=True))
    return (rows, columns) if max(len(rows), len(columns)) <= _MOST_GAPS else ((), ())


def _copying(trace: Trace) -> frozenset[Site]:
    """The places where asynchronous copies read global memory or store into shared memory."""
    issued = trace.rows.issued
    if issued is None:
        return frozenset()
    stores = np.flatnonzero(issued >= 0)
    found = (trace.sites[number] for number in np.unique(trace.rows.site[stores]))
    functions = {site.function for site in found if site.space is Space.SHARED and site.function}
    return frozenset(site for site in trace.sites if site.function in functions)
