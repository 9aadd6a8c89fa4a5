"""What each cell of a window of an array is to a moment: a grid that changes seldom, and short lists of what is different in it now."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.core.frames_groups import Box
from app.core.frames_roles import Role, Roles
from app.core.launch.arrays import ShownArray, places_of
from app.core.launch.events import Events
from app.core.launch.frame import Frame
from app.core.launch.phases import Band
from app.core.launch.tiles import Tiles
from kernels.analysis.cases import Ints
from kernels.simt.trace import Held

_SPARSE = 4
"""Where at least one element in so many is touched, a grid of all of them is made, which is faster than looking at one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """`ground` is the same as long as `key` is. Later `changes` lie over earlier ones; cells are counted row-major."""

    key: Hashable
    ground: Roles
    changes: tuple[tuple[Ints, Role], ...]

    def roles(self) -> Roles:
        """All in one grid."""
        grid = self.ground.copy()
        for cells, role in self.changes:
            grid.reshape(-1)[cells] = role
        return grid


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
            (self._tile(band.block, band.tile), Role.TILE),
            (first.before(frame.moment, start), Role.PARTIAL),
            (last.before(frame.moment, start), Role.DONE),
            (self._progress(band).before(frame.step), Role.TOUCHED),
            (self.cells(now), Role.WRITE if stores else Role.READ),
        )
        return Layers((band.block, self._array, self._window, self._factor), self._grounds(band.block, start), changes)

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
        grid.setflags(write=False)
        return grid

    def _find_tile(self, block: int, tile: int) -> Ints:
        if not self._tiles.several(block):
            return np.zeros(0, np.int64)
        return self._cells_of(self._tiles.tile(self._array, block, tile))

    def _cells_of(self, events: Events) -> Ints:
        return self.cells(events.within(self._window, self._array.columns).element)

    def _find_progress(self, band: Band) -> _Times:
        return self._in_order(self._tiles.progress(self._array, band), latest=False)

    def _writes(self) -> tuple[_Times, _Times]:
        if self._written is None:
            events = self._tiles.writes(self._array)
            self._written = self._in_order(events, latest=False), self._in_order(events, latest=True)
        return self._written

    def _in_order(self, events: Events, *, latest: bool) -> _Times:
        """Cells in the order in which the first of their elements is touched, or the last one is for the last time."""
        near = events.within(self._window, self._array.columns)
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
