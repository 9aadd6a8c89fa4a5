"""The matrices of a launch at a moment, as a value: what of each is in use, touched, and under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.core.base.picture_parts import Tick
from app.core.cpu_view.tile_steps import Box
from app.core.gpu_view.arrays import ShownArray, box_of, boxes_of
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.tiles import Tiles, Traffic, traffic
from kernels.analysis.cases import Bools, Ints
from kernels.base.messages import Message, message
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Site

MOST_TICKS = 16
_NEAR = 5
OUTPUT = "C"
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
class ArrayFrame:
    """Array in a frame.

    `tile` is what the tile step works on, `ahead` what is read for a later one; `focus` is what to look at closely. `now` are the elements
    that the step touches, or whose values it takes from shared memory; `boxes` are rectangles of exactly these. `held` is what the warp's
    step before took.
    """

    array: ShownArray
    tile: Box | None
    ahead: Box | None
    focus: Box | None
    now: Ints
    boxes: tuple[Box, ...]
    held: tuple[Box, ...]
    ticks: tuple[tuple[Tick, ...], tuple[Tick, ...]]

    @property
    def name(self) -> str:
        return self.array.name

    @property
    def title(self) -> str:
        return self.array.title

    @property
    def shape(self) -> tuple[int, int]:
        return self.array.shape


@dataclass(frozen=True, slots=True, eq=False)
class MatricesFrame:
    """Arrays of a frame.

    `target` is the rectangle of C that the warp computes, where the step's data go there; `pending`: not yet written by this step. `route`
    says between which memories values move. `added` are the tile steps added to the tile of C, and how many there will be.
    """

    matrices: tuple[ArrayFrame, ...]
    target: Box | None
    pending: bool
    route: Message | None
    to_shared: bool
    added: tuple[int, int]
    traffic: Traffic | None

    def matrix(self, name: str) -> ArrayFrame:
        return next(matrix for matrix in self.matrices if matrix.name == name)


class Matrices:
    """Frames of the matrices of one index."""

    def __init__(self, index: LaunchIndex) -> None:
        self.index = index
        self.tiles = Tiles(index)
        names = {array.name for array in self.tiles.arrays}
        self.crossed = {"A", "B", "C"} <= names
        self.mirrored = {"A", "C"} <= names and not self.crossed
        self.turned = any(role.prepared for role in index.roles.values())
        """Whether the kernel reads A as it was turned before: its rows run along k."""
        self._ticks: dict[tuple[int, str], list[tuple[int, Box]]] = {}
        self._traffic: dict[int, Traffic | None] = {}

    @property
    def arrays(self) -> tuple[ShownArray, ...]:
        return self.tiles.arrays

    def scalar(self, array: ShownArray) -> bool:
        """Whether an element is one number, which can be shown as a value."""
        return self.index.record.contents.scalars(array.allocation) == self._elements(array)

    def _elements(self, array: ShownArray) -> int:
        allocation = self.index.trace.allocations[array.allocation]
        return allocation.bytes // allocation.element_bytes

    def at(self, frame: Frame) -> MatricesFrame:
        """Return what there is to be drawn of a frame."""
        matrices = tuple(self._array(frame, array) for array in self.arrays)
        stores = frame.site.space is Space.GLOBAL and frame.site.operation != "load"
        to_shared = self._copies(frame) or (frame.site.space is Space.SHARED and frame.site.operation == "store")
        route = _COPIED if self._copies(frame) else _ROUTES.get((frame.site.operation, frame.site.space))
        target = None
        if not to_shared and (self.crossed or self.mirrored) and any(m.boxes or m.held for m in matrices if m.name != OUTPUT):
            target = next(iter(self._written_next(frame)), None) if self.mirrored else self._target(frame, frame.warp)
        if frame.band.block not in self._traffic:
            self._traffic[frame.band.block] = traffic(self.tiles, frame.band.block) if self.crossed else None
        return MatricesFrame(matrices, target, not stores, route, to_shared, self._added(frame), self._traffic[frame.band.block])

    def lit(self, elements: Mapping[int, frozenset[int]], frame: Frame, lanes: Bools, array: ShownArray) -> Ints:
        """The elements of an array that belong to a selection: those that it names, and those whose values its lanes move."""
        named = np.array(sorted(elements.get(array.allocation, ())), np.int64)
        if not lanes.any() or frame.site.space is not Space.SHARED:
            return named
        return np.concatenate((named, self._moved(frame.step, array, lanes)))

    def touched(self, step: int, array: ShownArray) -> Ints:
        """The elements that the lanes of a step touch, or whose values they move out of or into shared memory; lane after lane."""
        lanes, site = self.index.lanes(step), self.index.site(step)
        reached = lanes.allocation == array.allocation
        if reached.any():
            return self._spanned(lanes.element[reached], site, array.allocation)
        return self._moved(step, array, lanes.active) if site.space is Space.SHARED else _NONE

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

    def _array(self, frame: Frame, array: ShownArray) -> ArrayFrame:
        block, tile = frame.band.block, frame.band.tile
        now = self.touched(frame.step, array)
        own = ahead = None
        if array.name == OUTPUT and (self.crossed or self.mirrored):
            own = self._target(frame, None)
        elif frame.tiles > 1 or self.mirrored:
            own, loaded = self.tiles.box(array, block, tile), self.tiles.loaded(array, block, tile)
            ahead = loaded if loaded != own else None
        held = () if len(now) else boxes_of(self._held(frame, array), array.columns)
        focus = own if own is not None else self._focus(frame, array, now)
        return ArrayFrame(array, own, ahead, focus, now, boxes_of(now, array.columns), held, self._edges(frame, array))

    def _held(self, frame: Frame, array: ShownArray) -> Ints:
        """What the warp's step before took for the same line, and what is used, or stored, together with what the present one moves."""
        step = self._neighbour(frame, -1)
        if step is None or self._copies(frame) or (frame.site.space is Space.SHARED and frame.site.operation == "store"):
            return _NONE
        before, sites = self.index.site(step), self.index.trace.rows.site
        in_turn = sites[self.index.place(step)[0]] < sites[frame.row] and 0 <= frame.line - before.location.line <= 1
        return self.touched(step, array) if in_turn and before.operation == "load" else _NONE

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
        """Whether the step is a half of a copy from global to shared memory: the warp reads, and stores in its next step."""
        site, sources = frame.site, self.tiles.origins.source
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
        return self.tiles.target(self._output, frame.band.block, warp)

    @property
    def _output(self) -> ShownArray:
        return next(array for array in self.arrays if array.name == OUTPUT)

    def _added(self, frame: Frame) -> tuple[int, int]:
        """A tile step is added when the last interval that computes with it is over."""
        if not self.crossed or frame.tiles < 2:
            return 0, 0
        return frame.tile + (frame.moment >= self.tiles.computed(frame.band.block, frame.tile)), frame.tiles

    def _edges(self, frame: Frame, array: ShownArray) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
        """The tile steps along the edge on which they follow each other."""
        if not self.crossed or frame.tiles < 2 or array.name not in ("A", "B"):
            return (), ()
        key = frame.band.block, array.name
        if key not in self._ticks:
            numbers = range(0, frame.tiles, -(-frame.tiles // MOST_TICKS))
            boxes = self.tiles.boxes(array, frame.band.block, numbers)
            self._ticks[key] = [(number, box) for number, box in zip(numbers, boxes, strict=True) if box is not None]
        present = self.tiles.box(array, frame.band.block, frame.tile)
        every = [(number, box) for number, box in self._ticks[key] if number != frame.tile]
        shown = sorted([*every, (frame.tile, present)] if present is not None else every)
        rows = tuple(Tick(f"t = {number}", box.row, box.row + box.rows, number == frame.tile) for number, box in shown)
        columns = tuple(Tick(f"t = {number}", box.column, box.column + box.columns, number == frame.tile) for number, box in shown)
        return ((), columns) if array.name == "A" and not self.turned else (rows, ())
