"""The elements of each matrix kept as an image, of which only what has changed is drawn anew."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage, QPainter

from app.core.frames import MatrixFrame
from app.core.frames_roles import Roles
from app.qt.stage.cells import GAPS_FROM, CellPainter, paint_small_cells, tones
from app.qt.stage.geometry import MatrixPlace
from app.qt.theme import Theme
from app.qt.vector import is_vector

_NOT_DRAWN = 255


class CellLayers:
    """Draws the cells of matrices. The picture depends on what is asked for alone, the time it takes on what was drawn before."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._layers: dict[str, _Layer] = {}

    def paint(self, painter: QPainter, matrix: MatrixFrame, place: MatrixPlace) -> None:
        """Draw all elements of a matrix at its place."""
        if place.cell < GAPS_FROM:
            paint_small_cells(painter, matrix, place, self._theme)
            return
        self.paint_tones(painter, matrix.name, tones(matrix.roles), matrix.values, place)

    def paint_tones(self, painter: QPainter, name: str, shown: Roles, values: npt.NDArray[np.float32], place: MatrixPlace) -> None:
        """The same of tones and values, for cells with room for gaps."""
        if is_vector(painter):
            self._paint_each(painter, name, shown, values, place)
            return
        size = (shown.shape, place.cell, painter.device().devicePixelRatio())
        layer = self._layers.get(name)
        if layer is None or layer.size != size:
            layer = self._layers[name] = _Layer(name, *size, self._theme)
        layer.update(shown, values)
        painter.drawImage(place.origin, layer.image)

    def _paint_each(self, painter: QPainter, name: str, shown: Roles, values: npt.NDArray[np.float32], place: MatrixPlace) -> None:
        """Where lines stay lines: cell by cell."""
        cells = CellPainter(name, place.cell, 1 / painter.device().devicePixelRatio(), self._theme)
        painter.save()
        painter.translate(place.origin)
        for row, column in np.ndindex(*shown.shape):
            cells.paint(painter, row, column, int(shown[row, column]), float(values[row, column]))
        painter.restore()


class _Layer:
    """The image of one matrix, and what it shows."""

    def __init__(self, name: str, shape: tuple[int, int], cell: float, ratio: float, theme: Theme) -> None:
        self.size = (shape, cell, ratio)
        self.image = QImage(math.ceil(shape[1] * cell * ratio), math.ceil(shape[0] * cell * ratio), QImage.Format.Format_RGB32)
        self.image.setDevicePixelRatio(ratio)
        self.image.fill(theme.bg2)
        self._tones = np.full(shape, _NOT_DRAWN, np.uint8)
        self._values = np.zeros(shape, np.float32)
        self._painter = CellPainter(name, cell, 1 / ratio, theme)

    def update(self, shown: Roles, values: npt.NDArray[np.float32]) -> None:
        same = (self._values == values) | (np.isnan(self._values) & np.isnan(values))
        changed = np.argwhere((shown != self._tones) | ~same)
        if not len(changed):
            return
        painter = QPainter(self.image)
        for row, column in changed.tolist():
            self._painter.paint(painter, row, column, int(shown[row, column]), float(values[row, column]))
        painter.end()
        self._tones, self._values = shown.copy(), values.copy()
