"""The words of shared memory as one image, put together from images of single cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.core.gpu_view.shared.banks import LETTERS, BanksPicture, Cell, cells, columns, shown_rows
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.qt.base.theme import Theme
from app.qt.base.vector import draw_part
from app.qt.gpu_view.shared_geometry import Geometry
from kernels.analysis.banks import BANKS
from kernels.analysis.cases import Ints

_LABELS_FROM = (18.0, 13.0)
"""Width and height of a cell that has room for the column of its value."""
_LABELS = 1000
Pixels = npt.NDArray[np.uint32]


class _Shown(NamedTuple):
    """Key of a kept image: all that it depends on."""

    memory: SharedMemory
    content: tuple[int, int, int]
    rows: tuple[int, ...]
    size: tuple[float, float, float]


class SharedCells:
    """Draws the words. What it draws depends on what is asked for alone, the time it takes on what was drawn before."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._shown: _Shown | None = None
        self._size = (0.0, 0.0, 0.0)
        self._cells: dict[int, Pixels] = {}
        self._pixels: Pixels = np.zeros((0, 0), np.uint32)

    def paint(self, painter: QPainter, picture: BanksPicture, place: Geometry) -> None:
        """Draw the rows that are shown."""
        shown = _Shown(picture.memory, picture.content, shown_rows(picture), (place.column, place.row, place.ratio))
        if shown != self._shown:
            self._render(shown)
            self._shown = shown
        height, width = self._pixels.shape
        image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        begin = 0.0
        for part, top, tall in place.tops:
            if not part.folded:
                area = QRectF(place.left, top, width / place.ratio, tall)
                draw_part(painter, area, image, QRectF(0, begin, width, tall * place.ratio))
                begin += tall * place.ratio

    def _render(self, shown: _Shown) -> None:
        if shown.size != self._size:
            self._size = shown.size
            self._cells.clear()
        column, row, _ = shown.size
        keys, writers = cells(shown.memory, shown.rows, shown.content)
        if column >= _LABELS_FROM[0] and row >= _LABELS_FROM[1]:
            labels = columns(shown.memory, shown.rows, writers, shown.content[0]) + 1
            keys = keys * _LABELS + np.where(labels < _LABELS, labels, 0)
        else:
            keys = keys * _LABELS
        keys, place = np.unique(keys, return_inverse=True)
        images = np.stack([self._cell(key) for key in keys.tolist()]) if len(keys) else np.zeros((1, 1, 1), np.uint32)
        self._pixels = _joined(images, place.reshape(-1, BANKS))

    def _cell(self, key: int) -> Pixels:
        if key not in self._cells:
            column, row, ratio = self._size
            kind, label = divmod(key, _LABELS)
            image = QImage(max(1, round(column * ratio)), max(1, round(row * ratio)), QImage.Format.Format_RGB32)
            image.setDevicePixelRatio(ratio)
            painter = QPainter(image)
            _paint_cell(painter, QRectF(0, 0, column, row), kind, str(label - 1) if label else "", 1 / ratio, self._theme)
            painter.end()
            view = np.frombuffer(image.constBits(), np.uint32)
            self._cells[key] = view.reshape(image.height(), -1)[:, : image.width()].copy()
        return self._cells[key]


def _joined(images: Pixels, place: Ints) -> Pixels:
    """The image of a grid of cells, each of them one of the images."""
    rows, columns = place.shape
    _, height, width = images.shape
    return np.ascontiguousarray(images[place].transpose(0, 2, 1, 3)).reshape(rows * height, columns * width)


def _paint_cell(painter: QPainter, area: QRectF, kind: int, label: str, pixel: float, theme: Theme) -> None:
    painter.fillRect(area, theme.bg2)
    gap = pixel if area.height() >= 4 * pixel else 0.0
    inner = area.adjusted(0, 0, -pixel, -gap)
    if kind == Cell.OUTSIDE:
        return
    painter.fillRect(inner, cell_colour(kind, theme))
    if kind == Cell.UNUSED:
        _hatch(painter, inner, theme)
    elif kind == Cell.EMPTY:
        side = min(2.0, inner.height())
        painter.fillRect(QRectF(round(inner.center().x() - side / 2), round(inner.center().y() - side / 2), side, side), theme.line2)
    elif label:
        font = theme.font("caption")
        font.setPixelSize(max(9, min(11, round(area.height() * 0.6))))
        painter.setFont(font)
        painter.setPen(theme.t2)
        painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, label)


def _hatch(painter: QPainter, area: QRectF, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(area)
    painter.setPen(QPen(theme.line2, 1))
    step = 5.0
    for number in range(-1, int((area.width() + area.height()) / step) + 1):
        x = area.left() + number * step
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x + area.height(), area.top()))


def cell_colour(kind: int, theme: Theme) -> QColor:
    """The colour that fills a cell."""
    if kind < Cell.FRESH:
        return theme.cell if kind == Cell.EMPTY else theme.bg2
    letter, stale = divmod(kind - Cell.FRESH, 2)
    if LETTERS[letter]:
        _, middle, tint = theme.matrix(LETTERS[letter])
    else:
        middle, tint = theme.line2, theme.bg3
    return mixed(tint, theme.bg2, 0.55) if stale else mixed(tint, middle, 0.3)


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """A colour between two; `share` of the other."""
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in parts))
