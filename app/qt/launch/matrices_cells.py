"""The cells of the arrays: what changes seldom is kept, the few that are different now are put over it."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage, QPainter

from app.core.frames_groups import Box
from app.core.frames_roles import Roles
from app.core.launch.arrays import ShownArray
from app.core.launch.cell_roles import CellRoles, Layers
from app.core.launch.frame import Frame
from app.core.launch.matrices import ArrayFrame, Matrices
from app.qt.stage.cell_layers import CellLayers
from app.qt.stage.cells import DIGITS_FROM, GAPS_FROM, TILE_GAPS_FROM, paint_tile_gaps, tone_colours, tones
from app.qt.stage.geometry import MatrixPlace
from app.qt.theme import Theme
from kernels.simt.contents import UNDEFINED

Where = tuple[ShownArray, Box, int]
_MOST_KEPT = 12
_MOST_GAPS = 64
"""Lines between tiles, in each direction, up to which they are drawn."""


class ArrayCells:
    """Draws windows of the arrays of one launch. The picture depends on what is asked for alone."""

    def __init__(self, matrices: Matrices, theme: Theme) -> None:
        self._matrices, self._theme = matrices, theme
        self._whole: dict[Where, _Cells] = {}
        self._parts: dict[Where, _Cells] = {}
        self._large = CellLayers(theme)

    def paint(self, painter: QPainter, shown: ArrayFrame, frame: Frame, window: Box, place: MatrixPlace) -> None:
        """Draw the elements in a window, whose upper left corner is that of the place."""
        array = shown.array
        cells = self._cells((array, window, place.factor))
        layers = cells.roles.layers(frame, shown.now)
        if place.cell >= GAPS_FROM:
            self._large.paint_tones(painter, array.name, cells.tones(layers), self._values(array, frame, window, place.cell), place)
            return
        painter.drawImage(place.origin, cells.image(layers, place.cell, painter.device().devicePixelRatio()))
        if place.cell >= TILE_GAPS_FROM and shown.tile is not None and place.shape == array.shape:
            rows, columns = (range(step, size, step) for size, step in zip(array.shape, shown.tile[2:], strict=True))
            if max(len(rows), len(columns)) <= _MOST_GAPS:
                paint_tile_gaps(painter, rows, columns, place, self._theme)

    def _cells(self, where: Where) -> _Cells:
        """Those of whole arrays are kept, of windows the latest."""
        kept = self._whole if where[1][2:] == where[0].shape else self._parts
        if where not in kept:
            if len(kept) >= _MOST_KEPT:
                del kept[next(iter(kept))]
            kept[where] = _Cells(CellRoles(self._matrices.tiles, *where), tone_colours(where[0].name, self._theme))
        return kept[where]

    def _values(self, array: ShownArray, frame: Frame, window: Box, cell: float) -> npt.NDArray[np.float32]:
        """The values in a window at a moment, NaN where there is none or no room for digits."""
        if cell < DIGITS_FROM or not self._matrices.scalar(array):
            return np.full((window.rows, window.columns), np.nan, np.float32)
        rows, columns = np.indices((window.rows, window.columns))
        elements = (rows + window.row) * array.columns + columns + window.column
        seen = self._matrices.index.record.contents.window(array.allocation, elements, frame.moment, frame.band.block)
        return np.where(seen.state == UNDEFINED, np.nan, seen.values).astype(np.float32)


class _Cells:
    """One window: its ground as tones and as pixels, made anew when it changes."""

    def __init__(self, roles: CellRoles, colours: list[int]) -> None:
        self.roles = roles
        self._colours = np.array(colours, np.uint32)
        self._ground: tuple[Hashable, Roles] | None = None
        self._pixels: tuple[Hashable, npt.NDArray[np.uint32]] | None = None
        self._drawn = np.zeros((0, 0), np.uint32)

    def tones(self, layers: Layers) -> Roles:
        """The tone of every cell."""
        grid = self._quiet(layers).copy()
        for cells, role in layers.changes:
            grid.reshape(-1)[cells] = role
        return grid

    def image(self, layers: Layers, cell: float, ratio: float) -> QImage:
        """The cells as device pixels, so that nothing is scaled when it is drawn. It sees memory that the next call changes."""
        side = round(cell * ratio)
        key = layers.key, side
        if self._pixels is None or self._pixels[0] != key:
            self._pixels = key, np.repeat(np.repeat(self._colours[self._quiet(layers)], side, axis=0), side, axis=1)
        if self._drawn.shape != self._pixels[1].shape:
            self._drawn = np.empty_like(self._pixels[1])
        np.copyto(self._drawn, self._pixels[1])
        rows, columns = self.roles.shape
        by_cell = self._drawn.reshape(rows, side, columns, side).swapaxes(1, 2)
        for cells, role in layers.changes:
            by_cell[cells // columns, cells % columns] = self._colours[role]
        image = QImage(self._drawn.data, columns * side, rows * side, 4 * columns * side, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        return image

    def _quiet(self, layers: Layers) -> Roles:
        if self._ground is None or self._ground[0] != layers.key:
            self._ground = layers.key, tones(layers.ground)
        return self._ground[1]
