"""The cells of the arrays: what changes seldom is kept, the few that are different now are put over it."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QPainter

from app.core.frames_groups import Box
from app.core.frames_roles import Roles
from app.core.launch.arrays import ShownArray
from app.core.launch.cell_roles import CellRoles
from app.core.launch.frame import Frame
from app.core.launch.matrices import ArrayFrame, Matrices
from app.qt.stage.cell_layers import CellLayers
from app.qt.stage.cells import DIGITS_FROM, GAPS_FROM, TILE_GAPS_FROM, paint_tile_gaps, tone_colours, tone_image, tones
from app.qt.stage.geometry import MatrixPlace
from app.qt.theme import Theme
from kernels.simt.contents import UNDEFINED

_MOST_GAPS = 64
"""Lines between tiles, in each direction, up to which they are drawn."""


class ArrayCells:
    """Draws windows of the arrays of one launch. The picture depends on what is asked for alone."""

    def __init__(self, matrices: Matrices, theme: Theme) -> None:
        self._matrices, self._theme = matrices, theme
        self._roles: dict[tuple[ShownArray, Box, int], CellRoles] = {}
        self._grounds: dict[tuple[ShownArray, Box, int], tuple[Hashable, Roles]] = {}
        self._colours = {array.name: tone_colours(array.name, theme) for array in matrices.arrays}
        self._large = CellLayers(theme)

    def paint(self, painter: QPainter, shown: ArrayFrame, frame: Frame, window: Box, place: MatrixPlace) -> None:
        """Draw the elements in a window, whose upper left corner is that of the place."""
        array = shown.array
        tone = self._tones(array, frame, shown, window, place.factor)
        if place.cell >= GAPS_FROM:
            self._large.paint_tones(painter, array.name, tone, self._values(array, frame, window, place.cell), place)
            return
        painter.drawImage(place.area, tone_image(tone, self._colours[array.name]))
        if place.cell >= TILE_GAPS_FROM and shown.tile is not None:
            rows, columns = (range(step, size, step) for size, step in zip(array.shape, shown.tile[2:], strict=True))
            if max(len(rows), len(columns)) <= _MOST_GAPS and place.shape == array.shape:
                paint_tile_gaps(painter, rows, columns, place, self._theme)

    def _tones(self, array: ShownArray, frame: Frame, shown: ArrayFrame, window: Box, factor: int) -> Roles:
        where = array, window, factor
        if where not in self._roles:
            if len(self._roles) > 4 * len(self._matrices.arrays):
                self._roles.clear()
                self._grounds.clear()
            self._roles[where] = CellRoles(self._matrices.tiles, *where)
        layers = self._roles[where].layers(frame, shown.now)
        if where not in self._grounds or self._grounds[where][0] != layers.key:
            self._grounds[where] = layers.key, tones(layers.ground)
        grid = self._grounds[where][1].copy()
        for cells, role in layers.changes:
            grid.reshape(-1)[cells] = role
        return grid

    def _values(self, array: ShownArray, frame: Frame, window: Box, cell: float) -> npt.NDArray[np.float32]:
        """The values in a window at a moment, NaN where there is none or no room for digits."""
        if cell < DIGITS_FROM or not self._matrices.scalar(array):
            return np.full((window.rows, window.columns), np.nan, np.float32)
        rows, columns = np.indices((window.rows, window.columns))
        elements = (rows + window.row) * array.columns + columns + window.column
        seen = self._matrices.index.record.contents.window(array.allocation, elements, frame.moment, frame.band.block)
        return np.where(seen.state == UNDEFINED, np.nan, seen.values).astype(np.float32)
