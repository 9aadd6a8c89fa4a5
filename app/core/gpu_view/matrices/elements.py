"""Elements of an array at a moment: value, writer, number of requests that have read it, in numbers and in words.

For drawing, what each cell of a window is to a moment: a grid that changes seldom, and short lists of what is different in it now.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import Table
from app.core.frames.matrix import Box, Layers, Role, Roles
from app.core.gpu_view.arrays import ShownArray, places_of, text_of, window_of
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.matrices.access_steps import AccessSteps
from app.core.gpu_view.matrices.tiles import Tiles
from app.core.gpu_view.packed_values import packed_text
from app.core.gpu_view.phases import BarrierInterval
from app.core.gpu_view.threads import thread_place
from app.core.gpu_view.unseen_writes import old_values, tag_words
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import UNDEFINED, WRITTEN
from kernels.simt.trace.trace import WARP, Held


@dataclass(frozen=True, slots=True)
class Writer:
    """A thread (x, y, z) of a block (x, y, z)."""

    thread: Dim3
    block: Dim3


def value_of(index: LaunchIndex, allocation: int, element: int, frame: Frame) -> tuple[str | Message, int, int]:
    """The value of an element as text ("" where there is none), its state, and the step that wrote it (-1: none). Of a vector or a struct
    all parts, and where 16 bits each are values both."""
    seen = window_of(index, allocation, element, frame.moment, frame.band.block)
    if (seen.state == UNDEFINED).any():
        return "", UNDEFINED, int(seen.writer.max())
    return packed_text(index, allocation, seen) or text_of(seen), int(seen.state.max()), int(seen.writer.max())


def writer_of(index: LaunchIndex, allocation: int, element: int, step: int) -> Writer | None:
    """The thread that wrote an element in a step: where several lanes did, the last of them."""
    lanes, site = index.lanes(step), index.site(step)
    span = index.span(site, allocation)
    own = np.flatnonzero((lanes.allocation == allocation) & (lanes.element <= element) & (element < lanes.element + span))
    if not len(own):
        return None
    thread = index.place(step)[1] * WARP + int(own[-1])
    return Writer(thread_place(index.trace.block, thread), index.trace.blocks[index.band(step).block])


def requests_before(index: LaunchIndex, allocation: int, element: int, moment: int) -> int:
    """How many warp instructions of the steps before a moment have read an element."""
    trace, rows = index.trace, index.trace.rows
    array = trace.allocations[allocation]
    first = array.address + element * array.element_bytes
    count = 0
    for number, site in enumerate(trace.sites):
        if site.operation == "store" or site.allocation not in (NOWHERE, allocation):
            continue
        own = np.flatnonzero(rows.site == number)
        for base in np.unique(rows.base[own]).tolist():
            lanes = np.sort(np.unique(trace.bases[base]))
            of_base = own[rows.base[own] == base]
            wanted = first + array.element_bytes - 1 - rows.offset[of_base]
            near = lanes[np.maximum(np.searchsorted(lanes, wanted, side="right") - 1, 0)]
            reached = of_base[(near <= wanted) & (near > wanted - array.element_bytes - site.bytes + 1)]
            count += _requests(index, reached, first, array.element_bytes, site.bytes, moment)
    return count


def _requests(index: LaunchIndex, reached: Ints, first: int, size: int, moved: int, moment: int) -> int:
    trace, rows = index.trace, index.trace.rows
    address = trace.bases[rows.base[reached]] + rows.offset[reached][:, None]
    hit = trace.masks[rows.mask[reached]] & (address < first + size) & (address + moved > first)
    warps = hit.reshape(len(reached), hit.shape[1] // WARP, WARP).any(axis=2)
    ranks = index.record.order.rank[reached]
    return int((warps & (ranks >= 0) & (ranks < moment)).sum())


def element_text(index: LaunchIndex, array: ShownArray, element: int, frame: Frame) -> Message:
    """What a tooltip says of an element."""
    name = array.element_name(element)
    value, state, step = value_of(index, array.allocation, element, frame)
    count = requests_before(index, array.allocation, element, frame.step + 1)
    if state == UNDEFINED:
        return message("{element}: not yet written. Requests that have read it: {count}", element=name, count=count)
    writer = writer_of(index, array.allocation, element, step) if state == WRITTEN and step >= 0 else None
    if writer is None:
        return message(
            "{element} = {value}, as before the launch. Requests that have read it: {count}", element=name, value=value, count=count
        )
    return message(
        "{element} = {value}, written by thread ({x}, {y}) of block ({i}, {j}) in step {step}. Requests that have read it: {count}",
        element=name, value=value, x=writer.thread[0], y=writer.thread[1], i=writer.block[0], j=writer.block[1], step=step + 1, count=count,
    )  # fmt: skip


def element_fact(index: LaunchIndex, array: ShownArray, element: int, frame: Frame) -> Message:
    """What a header has room for: an element's name and value, and that this is the one before the launch where a result is awaited."""
    name, (value, state, _) = array.element_name(element), value_of(index, array.allocation, element, frame)
    if state == UNDEFINED:
        return message("{element}: not yet written", element=name)
    writes = (site for site in index.trace.sites if site.operation != "load" and site.space is Space.GLOBAL)
    if state != WRITTEN and any(site.allocation in (NOWHERE, array.allocation) for site in writes):
        return message("{element} = {value}, as before the launch", element=name, value=value)
    return message("{element} = {value}", element=name, value=value)


def lanes_table(index: LaunchIndex, arrays: tuple[ShownArray, ...], frame: Frame) -> Table:
    """The lanes of the step: thread, element and value of each that takes part."""
    named = {array.allocation: array for array in arrays}
    rows: list[tuple[Message | str, ...]] = []
    old = {each.lane: each for each in old_values(index, frame)}
    for lane in np.flatnonzero(frame.lanes.active).tolist():
        allocation, element = int(frame.lanes.allocation[lane]), int(frame.lanes.element[lane])
        thread = str(frame.first_thread + lane)
        if allocation == NOWHERE:
            rows.append((str(lane), thread, message("outside of every array"), ""))
            continue
        name = named[allocation].element_name(element) if allocation in named else _name(index, allocation, element)
        read = old.get(frame.first_thread + lane)
        rows.append((str(lane), thread, name, value_of(index, allocation, element, frame)[0] if read is None else tag_words(read)))
    return Table((message("Lane"), message("Thread"), message("Element"), message("Value")), tuple(rows))


def _name(index: LaunchIndex, allocation: int, element: int) -> str:
    """An element of an array that is not in global memory, with one index for each of its dimensions."""
    array = index.trace.allocations[allocation]
    shape = array.shape if array.shape and int(np.prod(array.shape)) > element else (array.bytes,)
    return array.name + "".join(f"[{place}]" for place in np.unravel_index(element, shape))


_SPARSE = 4
"""Where at least one element in so many is touched, a grid of all of them is made, which is faster than looking at one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class _Times:
    """Cells in order of a step."""

    cell: Ints
    step: npt.NDArray[np.int32]

    def before(self, step: int, since: int = 0) -> Ints:
        first, stop = np.searchsorted(self.step, [since, step]) if since else (0, np.searchsorted(self.step, step))
        return self.cell[first:stop]


class CellRoles:
    """The roles in a window of an array, in which a cell stands for `factor` x `factor` elements: the most important one's."""

    def __init__(self, tiles: Tiles, array: ShownArray, window: Box, factor: int) -> None:
        self._tiles, self._array, self._window, self._factor = tiles, array, window, factor
        self._own = object()  # no other grounds are taken for these, and what remembers them keeps no record alive
        self.shape = -(-window.rows // factor), -(-window.columns // factor)
        held = tiles.index.trace.initial[array.allocation].held
        self._idle = Role.EMPTY if held is Held.UNDEFINED else Role.IDLE
        self._grounds = lru_cache(maxsize=2)(self._ground)
        self._tile = lru_cache(maxsize=8)(self._find_tile)
        self._progress = lru_cache(maxsize=8)(self._find_progress)
        self._written: tuple[_Times, _Times] | None = None

    def layers(self, frame: Frame, now: Ints) -> Layers:
        """The roles while `frame` is under way; `now` are the elements that its step touches."""
        band, start = frame.band, self._tiles.block_span(frame.band.block).start
        stores = frame.site.operation != "load" and bool((frame.lanes.allocation == self._array.allocation).any())
        first, last = self._writes()
        changes = (
            (self._tile(band.block, frame.tile), Role.TILE),
            (first.before(frame.moment, start), Role.PARTIAL),
            (last.before(frame.moment, start), Role.DONE),
            (self._progress(band).before(frame.step), Role.TOUCHED),
            (self.cells(now), Role.WRITE if stores else Role.READ),
        )
        return Layers((self._own, band.block), self._grounds(band.block, start), changes)

    def cells(self, element: Ints) -> Ints:
        """The cells of those elements that are in the window, as often as they have such elements."""
        row, column = places_of(element, self._array.columns)
        row, column = row - self._window.row, column - self._window.column
        inside = (row >= 0) & (row < self._window.rows) & (column >= 0) & (column < self._window.columns)
        found: Ints = row[inside] // self._factor * self.shape[1] + column[inside] // self._factor
        return found

    def _ground(self, block: int, start: int) -> Roles:
        """What a block finds: what is written already, and what it will read."""
        grid = np.full(self.shape, self._idle, np.uint8)
        flat = grid.reshape(-1)
        flat[self.cells(self._tiles.read_by(self._array, block))] = Role.BAND
        first, last = self._writes()
        flat[first.before(start)] = Role.PARTIAL
        flat[last.before(start)] = Role.DONE
        grid[self._absent()] = Role.ABSENT
        grid.setflags(write=False)
        return grid

    def _absent(self) -> Bools:
        """Where a cell stands for no element at all: after the end of an array that is wrapped."""
        rows, columns = (self._factor * place for place in np.ogrid[: self.shape[0], : self.shape[1]])
        first = (rows + self._window.row) * self._array.columns + columns + self._window.column
        beyond: Bools = first >= self._array.size
        return beyond

    def _find_tile(self, block: int, tile: int) -> Ints:
        if not self._tiles.several(block):
            return np.zeros(0, np.int64)
        return self._cells_of(self._tiles.tile(self._array, block, tile))

    def _cells_of(self, steps: AccessSteps) -> Ints:
        return self.cells(steps.within(self._window, self._array.columns).element)

    def _find_progress(self, band: BarrierInterval) -> _Times:
        return self._in_order(self._tiles.progress(self._array, band), latest=False)

    def _writes(self) -> tuple[_Times, _Times]:
        if self._written is None:
            steps = self._tiles.writes(self._array)
            self._written = self._in_order(steps, latest=False), self._in_order(steps, latest=True)
        return self._written

    def _in_order(self, steps: AccessSteps, *, latest: bool) -> _Times:
        """Cells in the order in which the first of their elements is touched, or the last one is for the last time."""
        near = steps.within(self._window, self._array.columns)
        step = near.last if latest else near.first
        cell, step = (self.cells(near.element), step) if self._factor == 1 else self._joined(near.element, step, latest=latest)
        order = np.argsort(step, kind="stable")
        return _Times(cell[order], step[order])

    def _joined(self, element: Ints, step: npt.NDArray[np.int32], *, latest: bool) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The cells of several elements each, ascending, with the least (or the greatest) step of theirs."""
        none, pick = (-1, np.maximum) if latest else (np.iinfo(np.int32).max, np.minimum)
        factor, window = self._factor, self._window
        if _SPARSE * len(element) >= window.rows * window.columns and window.columns == self._array.columns:
            own = np.full(window.rows * window.columns, none, np.int32)
            own[element - window.row * window.columns] = step
            lines = pick.reduceat(own.reshape(window.rows, window.columns), np.arange(0, window.rows, factor), axis=0)
            found = pick.reduceat(lines, np.arange(0, window.columns, factor), axis=1).ravel()
        else:
            found = np.full(self.shape[0] * self.shape[1], none, np.int32)
            pick.at(found, self.cells(element), step)
        cell = np.flatnonzero(found != none)
        return cell, found[cell]
