"""Words of shared memory: all as one image, put together from images of single cells, and those that the lanes of a step touch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from app.core.gpu_view.selection import Highlight
from app.core.gpu_view.shared.banks import LETTERS, BanksPicture, Cell, Serving, Word, cells, columns, shown_rows
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.qt.base.theme import Theme
from app.qt.base.vector import draw_part
from app.qt.gpu_view.drawing import Pictures
from app.qt.gpu_view.shared_geometry import Geometry
from app.qt.gpu_view.shared_lanes import digits, token_area, token_colours
from kernels.analysis.banks import BANKS
from kernels.analysis.columns import Ints

_LABELS_FROM = (18.0, 13.0)
"""Width and height of a cell that has room for the column of its value."""
_LABELS = 1000
Pixels = npt.NDArray[np.uint32]
_NUMBERS_FROM = 11.0
_SMALLEST = 7
"""Pixels."""
_MOST_MARKED = 256
"""Elements of a selection that are outlined."""


def paint_words(painter: QPainter, picture: BanksPicture, place: Geometry, pictures: Pictures, theme: Theme) -> None:
    """A number in each word: of the lane that touches it, or of how many do."""
    shown = [(area.topLeft(), word) for word in picture.words if (area := place.word(word.word)) is not None]
    size, places = QSizeF(place.column, place.row), [(at, ("word", word.serving, _text(word))) for at, word in shown]
    pictures.draw_each(painter, places, size, place.ratio, lambda one, number: _paint_word(one, shown[number][1], size, theme))


def paint_highlight(painter: QPainter, picture: BanksPicture, highlight: Highlight, place: Geometry, theme: Theme) -> None:
    """Outlines around the lanes, the banks and the elements of the selection."""
    if not highlight:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.ink, 2))
    for lane in highlight.lanes.nonzero()[0].tolist():
        painter.drawRoundedRect(token_area(place, lane, lane).adjusted(-1, -1, 1, 1), place.token / 2 + 1, place.token / 2 + 1)
    elements = [(allocation, element) for allocation, found in highlight.elements.items() for element in sorted(found)[:_MOST_MARKED]]
    shared = {array.allocation for array in picture.memory.arrays}
    words = {picture.memory.word_of(*each) for each in elements if each[0] in shared}
    for area in filter(None, map(place.word, sorted(words))):
        painter.drawRect(area.adjusted(0.5, 0.5, -1, -1))
    painter.setPen(QPen(theme.ink, 1.5))
    for bank in sorted(highlight.banks):
        grid = place.grid
        painter.drawRect(QRectF(place.left + bank * place.column, place.bank_line, place.column - 1, grid.bottom() - place.bank_line))


def paint_queue(painter: QPainter, picture: BanksPicture, place: Geometry, texts: tuple[str, str, str, str], theme: Theme) -> None:
    """Paint brackets beside the only contested bank around what was served, is served and waits. `texts` say so, the last one at length."""
    bank = next(iter(picture.contested))
    right = bank < BANKS // 2
    x = place.left + (bank + 1) * place.column + 3 if right else place.left + bank * place.column - 4
    kinds = ((Serving.SERVED, texts[0], theme.t2), (Serving.NOW, texts[1], theme.now_text), (Serving.BLOCKED, texts[2], theme.bad))
    for serving, text, colour in kinds:
        areas = [area for word in picture.words if word.serving is serving and (area := place.word(word.word)) is not None]
        if not areas:
            continue
        top, bottom = areas[0].top() + 1, areas[-1].bottom() - 2
        painter.setPen(QPen(colour, 1.5))
        turn = -3 if right else 3
        if serving is not Serving.NOW:
            painter.drawPolyline([QPointF(x + turn, top), QPointF(x, top), QPointF(x, bottom), QPointF(x + turn, bottom)])
        said = texts[3] if serving is Serving.BLOCKED and len(areas) > 3 else text
        _paint_note(painter, said, QPointF(x + (6 if right else -6), (top + bottom) / 2), theme, right=right)


def _paint_note(painter: QPainter, text: str, at: QPointF, theme: Theme, *, right: bool) -> None:
    """A text on a ground of its own: it stands on the words."""
    painter.setFont(theme.font("label"))
    bounds = painter.boundingRect(QRectF(0, 0, 260, 200), Qt.TextFlag.TextWordWrap, text)
    area = QRectF(
        at.x() if right else at.x() - bounds.width() - 10, at.y() - bounds.height() / 2 - 2, bounds.width() + 10, bounds.height() + 4
    )
    pen = painter.pen()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.bg2)
    painter.drawRoundedRect(area, 4, 4)
    painter.setPen(pen)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)


def _text(word: Word) -> str:
    return str(word.lanes[0]) if len(word.lanes) == 1 else f"×{len(word.lanes)}"


def _paint_word(painter: QPainter, word: Word, size: QSizeF, theme: Theme) -> None:
    fill, outline, ink = token_colours(word.serving, theme)
    area = QRectF(0, 0, size.width() - 1, size.height() - (1 if size.height() >= 4 else 0))
    painter.fillRect(area, outline)
    inner = area.adjusted(1, 1, -1, -1)
    if inner.height() > 0:
        painter.fillRect(inner, fill)
    if size.height() >= _NUMBERS_FROM and size.width() >= _NUMBERS_FROM + 2:
        painter.setFont(_fitting_font(_text(word), size, theme))
        painter.setPen(ink)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, _text(word))


def _fitting_font(text: str, size: QSizeF, theme: Theme) -> QFont:
    """Return a font as large as the cell allows: how many lanes share a word is wider than the number of one."""
    font = digits(theme, size.height())
    while font.pixelSize() > _SMALLEST and QFontMetricsF(font).horizontalAdvance(text) > size.width() - 2:
        font.setPixelSize(font.pixelSize() - 1)
    return font


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
    painter.fillRect(inner, _cell_colour(kind, theme))
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


def _cell_colour(kind: int, theme: Theme) -> QColor:
    """The colour that fills a cell."""
    if kind < Cell.FRESH:
        return theme.cell if kind == Cell.EMPTY else theme.bg2
    letter, stale = divmod(kind - Cell.FRESH, 2)
    if LETTERS[letter]:
        _, middle, tint = theme.matrix(LETTERS[letter])
    else:
        middle, tint = theme.line2, theme.bg3
    return _mixed(tint, theme.bg2, 0.55) if stale else _mixed(tint, middle, 0.3)


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    """A colour between two; `share` of the other."""
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in parts))
