"""Painter of matrices at a step: cells, lenses, marks, the access, and in the free corner the caption. What has no room is left out."""

from __future__ import annotations

import re

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from app.core.frames.matrix import OUTPUT, Box, MatrixFrame, MatrixPicture, Meter
from app.core.frames.step_description import StepDescription, Term
from app.qt.base.look import Look
from app.qt.base.vector import is_vector
from app.qt.matrix.access import AccessPainter
from app.qt.matrix.cells import MatrixCells
from app.qt.matrix.geometry import Layout, Lens, MatrixBox, lenses
from app.qt.matrix.marks import (
    paint_added,
    paint_ahead,
    paint_column_ticks,
    paint_guides,
    paint_lit,
    paint_name,
    paint_old,
    paint_row_ticks,
    paint_tiles,
    paint_wrong,
    tag_of,
    wrong_rects,
)

_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_PAIR = re.compile(r"(?<=\d)(, | × )(?=\d)")
_BETWEEN_TERMS = 7
_BAR = 16.0
_WIDEST = 300.0
_LARGE_FROM = 210.0
"""Width of a caption from which its title is as large as those of the views."""


class MatrixPainter:
    """Draws pictures of matrices; what it remembers only saves time."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._cells = MatrixCells(look.theme)
        self._backdrop: tuple[object, QPixmap, float] | None = None

    def paint(self, painter: QPainter, shown: MatrixPicture, description: StepDescription, layout: Layout) -> float:
        """Draw the matrices with their marks, the access of the step, and the caption; returns where the caption ends."""
        theme, places = self._look.theme, layout.matrices
        close = lenses(layout, shown.matrices)
        end = self._paint_backdrop(painter, shown, description, layout)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        for matrix in shown.matrices:
            self._paint_cells(painter, matrix, Box(0, 0, *matrix.shape), places[matrix.name], layout.ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tiles = {matrix.name: matrix.tile for matrix in shown.matrices if matrix.tile is not None}
        paint_guides(painter, tiles, layout, shown.arrangement, theme)
        paint_tiles(painter, tiles, layout, theme)
        for matrix in shown.matrices:
            paint_ahead(painter, matrix, places[matrix.name], theme)
            if matrix.name in close:
                self._paint_lens(painter, matrix, layout, close[matrix.name])
        AccessPainter(layout, close, self._look).paint(painter, shown)
        for matrix in shown.matrices:
            paint_lit(painter, matrix, places[matrix.name], close.get(matrix.name), theme)
            paint_wrong(painter, wrong_rects(matrix, places[matrix.name], close.get(matrix.name)), theme)
            self._paint_old(painter, matrix, layout, close.get(matrix.name))
        for matrix in shown.matrices:
            until = layout.room_of_name(matrix.name)
            colour, place = theme.matrix(matrix.name)[0], places[matrix.name]
            added = shown.added if matrix.name == OUTPUT else (0, 0)
            behind = tag_of(added, self._look, 0.0)[1].width() if added[1] > 1 else 0.0
            named = paint_name(painter, matrix.title, colour, place, self._look, matrix.extent, until, behind)
            paint_added(painter, matrix.tile, added, place, (named, min(until, layout.size.width())), self._look)
        return end

    def _paint_backdrop(self, painter: QPainter, shown: MatrixPicture, description: StepDescription, layout: Layout) -> float:
        """Caption and ticks, which stay for a tile step; returns where the caption ends."""
        if is_vector(painter):
            return self._paint_below(painter, shown, description, layout)
        key = layout, description.title, description.equation, shown.meter, [matrix.ticks for matrix in shown.matrices]
        if self._backdrop is None or self._backdrop[0] != key:
            pixmap = QPixmap((layout.size * layout.ratio).toSize())
            pixmap.setDevicePixelRatio(layout.ratio)
            pixmap.fill(self._look.theme.bg2)
            below = QPainter(pixmap)
            end = self._paint_below(below, shown, description, layout)
            below.end()
            self._backdrop = key, pixmap, end
        painter.drawPixmap(QPointF(0, 0), self._backdrop[1])
        return self._backdrop[2]

    def _paint_below(self, painter: QPainter, shown: MatrixPicture, description: StepDescription, layout: Layout) -> float:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._look.theme
        for matrix in shown.matrices:
            place, colour = layout.matrices[matrix.name], theme.matrix(matrix.name)[0]
            paint_row_ticks(painter, matrix.ticks[0], place, colour, theme)
            paint_column_ticks(painter, matrix.ticks[1], place, colour, theme)
        return paint_caption(painter, description, shown.meter, layout.corner, self._look)

    def _paint_cells(self, painter: QPainter, matrix: MatrixFrame, window: Box, place: MatrixBox, ratio: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._cells.paint(painter, matrix, window, place, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_lens(self, painter: QPainter, matrix: MatrixFrame, layout: Layout, lens: Lens) -> None:
        """The window large, and two hairlines from what it shows to it."""
        theme, area, small = self._look.theme, lens.place.area, layout.matrices[matrix.name].rect(lens.window)
        painter.setPen(QPen(theme.line2, 1))
        right, below = area.left() > small.left(), area.top() > small.top()
        near = area.left() if right else area.right()
        own = small.right() if right else small.left()
        pairs = ((small.top(), area.top()), (small.bottom(), area.bottom()))
        painter.drawLines([QLineF(own, a, near, b) for a, b in (pairs if below else reversed(pairs))])
        painter.fillRect(area.adjusted(-3, -3, 3, 3), theme.bg2)
        self._paint_cells(painter, matrix, lens.window, lens.place, layout.ratio)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area.adjusted(-2, -2, 1, 1))
        if matrix.tile is not None and not (tile := lens.rect(matrix.tile)).isEmpty():
            painter.setPen(QPen(theme.matrix(matrix.name)[0], 2))
            painter.drawRect(tile.adjusted(-1, -1, 0, 0))

    def _paint_old(self, painter: QPainter, matrix: MatrixFrame, layout: Layout, lens: Lens | None) -> None:
        """Paint which old values are read, in the lens where there is one."""
        place = layout.matrices[matrix.name] if lens is None else lens
        rects = [rect for box, _ in matrix.old if not (rect := place.rect(box)).isEmpty()]
        words = self._look.text(matrix.old[0][1]) if matrix.old else ""
        paint_old(painter, rects, words, QRectF(QPointF(0, 0), layout.size), self._look.theme)


def paint_caption(painter: QPainter, description: StepDescription, meter: Meter | None, area: QRectF, look: Look) -> float:
    """Paint as much as there is room for from the top of `area`: title, equation, meter with its sentence; returns where it ends."""
    theme, large = look.theme, area.width() >= _LARGE_FROM
    title, font, y = look.text(description.title), theme.font("view_caption" if large else "section"), area.top()
    if _text_height(title, font, area.width()) <= area.height():
        y = _paint_text(painter, title, area, y, font, theme.t1)
    y = paint_equation(painter, description.equation, area, y + 2, theme.font("sentence" if large else "label"), look)
    if meter is None:
        return y
    return _paint_meter(painter, meter, QRectF(area.left(), y + 12, area.width(), area.bottom() - y - 12), look)


def _text_height(text: str, font: QFont, width: float) -> float:
    """The height of a text wrapped to a width."""
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 400), _WRAPPED, _together(text)).height()


def _together(text: str) -> str:
    """No line ends within a pair of numbers."""
    return _PAIR.sub(lambda found: found[0].replace(" ", "\u00a0"), text)


def _paint_text(painter: QPainter, text: str, area: QRectF, top: float, font: QFont, colour: QColor) -> float:
    """Text wrapped to the width of `area`; returns its lower edge."""
    height = _text_height(text, font, area.width())
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(area.left(), top, area.width(), height + 2), _WRAPPED, _together(text))
    return top + height


def paint_equation(painter: QPainter, terms: tuple[Term, ...], area: QRectF, top: float, font: QFont, look: Look) -> float:
    """The terms in the colours of their matrices; one that does not fit begins another line. Returns the lower edge.

    Where the area has no room for all lines none is drawn, and what comes next begins at `top`.
    """
    metrics = QFontMetricsF(font)
    x, y, placed = area.left(), top + metrics.ascent(), []
    for term in terms:
        text = look.text(term.text)
        width = metrics.horizontalAdvance(text)
        if x > area.left() and x + width > area.right():
            x, y = area.left(), y + metrics.height()
        placed.append((QPointF(x, y), text, look.theme.matrix(term.matrix)[0] if term.matrix else look.theme.t2))
        x += width + _BETWEEN_TERMS
    if not placed or y + metrics.descent() > area.bottom():
        return top
    painter.setFont(font)
    for place, text, colour in placed:
        painter.setPen(colour)
        painter.drawText(place, text)
    return y + metrics.descent()


def _paint_meter(painter: QPainter, meter: Meter, area: QRectF, look: Look) -> float:
    """Label, bars and words where there is room for all, else the words where these have room; returns the lower edge."""
    theme = look.theme
    label, words = look.text(meter.label), look.text(meter.words)
    small, strong = theme.font("small"), theme.font("section")
    heights = _text_height(label, small, area.width()), 2 * (_BAR + 4) + 4, _text_height(words, strong, area.width())
    y = area.top()
    if y + heights[2] > area.bottom():
        return y
    if y + sum(heights) <= area.bottom() and all(_place(*bar, area.width()) is not None for bar in _bars(meter, area.width(), look)):
        y = _paint_text(painter, label, area, y, small, theme.t2) + 3
        y = _paint_bars(painter, meter, area, y, look) + 2
    return _paint_text(painter, words, area, y, strong, theme.t1)


def _bars(meter: Meter, width: float, look: Look) -> list[tuple[float, float]]:
    """How long each bar is, both to the same scale, and its words."""
    metrics, full, most = QFontMetricsF(look.theme.font("label")), min(width, _WIDEST), max(count for _, count in meter.bars)
    return [(max(full * count / max(most, 1), 3.0), metrics.horizontalAdvance(look.text(text))) for text, count in meter.bars]


def _place(bar: float, words: float, width: float) -> float | None:
    """Where the words of a bar begin: inside where they fit, else beside it; None where there is no room for them."""
    if words + 4 <= bar:
        return min(6.0, (bar - words) / 2)
    return bar + 6 if bar + 6 + words <= width else None


def _paint_bars(painter: QPainter, meter: Meter, area: QRectF, top: float, look: Look) -> float:
    """Each bar with its words; returns the lower edge."""
    theme, y = look.theme, top
    painter.setFont(theme.font("label"))
    looks = zip(meter.bars, _bars(meter, area.width(), look), (theme.bg3, theme.ink), (theme.t1, theme.ink_text), strict=True)
    for (text, _), (bar, words), fill, ink in looks:
        painter.fillRect(QRectF(area.left(), y, bar, _BAR), fill)
        begin = _place(bar, words, area.width()) or 0.0
        painter.setPen(ink if begin < bar else theme.t1)
        place = QRectF(area.left() + begin, y, words + 1, _BAR)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, look.text(text))
        y += _BAR + 4
    return y
