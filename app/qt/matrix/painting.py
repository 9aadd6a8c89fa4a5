"""Painter of the whole picture of a CPU kernel's matrices, with the caption in its free corner.

The caption is wrapped text and an equation: which unit of work this is, what it computes, and how often its values are used.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.core.cpu_view.equation import Term
from app.core.cpu_view.frame import Reuse
from app.core.stage.model import Picture
from app.qt.base.look import Look
from app.qt.matrix.cells import CellLayers
from app.qt.matrix.geometry import Layout
from app.qt.matrix.loops import loops_height, paint_loops
from app.qt.matrix.marks import (
    loop_ticks,
    paint_access,
    paint_added,
    paint_column_ticks,
    paint_guides,
    paint_name,
    paint_row_ticks,
    paint_tiles,
)
from kernels.base.messages import message

_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_BETWEEN_TERMS = 7


def text_height(text: str, font: QFont, width: float) -> float:
    """The height of a text wrapped to a width."""
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 400), _WRAPPED, text).height()


def paint_text(painter: QPainter, text: str, area: QRectF, top: float, font: QFont, colour: QColor) -> float:
    """Text wrapped to the width of `area`; returns its lower edge."""
    height = text_height(text, font, area.width())
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(area.left(), top, area.width(), height + 2), _WRAPPED, text)
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


_BAR = 18.0


def paint_caption(painter: QPainter, picture: Picture, area: QRectF, look: Look) -> float:
    """Draw the caption from the top of `area`; returns where it ends."""
    theme, story = look.theme, picture.story
    y = paint_text(painter, look.text(story.title), area, area.top(), theme.font("view_caption"), theme.t1) + 2
    y = paint_equation(painter, story.equation, area, y, theme.font("sentence"), look) + 14
    if story.reuse is not None and area.bottom() - y > 3 * _BAR + 48:
        label = message("Input values in this tile step") if picture.index.tiled else message("Input values for this part of C")
        y = paint_text(painter, look.text(label), area, y, theme.font("small"), theme.t2) + 4
        y = _paint_meter(painter, picture.frame.reuse, area, y, look) + 4
        y = paint_text(painter, look.text(story.reuse), area, y, theme.font("section"), theme.t1)
    return y


def _paint_meter(painter: QPainter, reuse: Reuse, area: QRectF, top: float, look: Look) -> float:
    """Two bars to the same scale: the values that the multiplications take, and the different ones among them."""
    theme, y = look.theme, top
    full = min(area.width(), 300.0)
    rows = (
        (message("taken by its multiplications {count}", count=reuse.operands), reuse.operands, theme.bg3, theme.t1),
        (message("different ones {count}", count=reuse.distinct), reuse.distinct, theme.ink, theme.t1),
    )
    for label, count, fill, colour in rows:
        bar = QRectF(area.left(), y, max(full * count / reuse.operands, 3.0), _BAR)
        painter.fillRect(bar, fill)
        _paint_bar_label(painter, look.text(label), bar, full, colour if fill is theme.bg3 else theme.ink_text, look)
        y += _BAR + 4
    return y


def _paint_bar_label(painter: QPainter, text: str, bar: QRectF, full: float, inside: QColor, look: Look) -> None:
    """Inside the bar where it fits, else beside it."""
    font = look.theme.font("label")
    width = QFontMetricsF(font).horizontalAdvance(text)
    fits = width + 12 <= bar.width()
    painter.setFont(font)
    painter.setPen(inside if fits else look.theme.t1)
    left = bar.left() + 6 if fits else bar.right() + 6
    painter.drawText(QRectF(left, bar.top(), full + width, bar.height()), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def paint_picture(painter: QPainter, picture: Picture, layout: Layout, layers: CellLayers, look: Look) -> None:
    """Draw the matrices with their marks, the caption and the loops."""
    frame, theme = picture.frame, look.theme
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    for matrix in frame.matrices:
        place = layout.matrices[matrix.name]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        layers.paint(painter, matrix, place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        crossed = len(frame.matrices) == 3
        if matrix.name != "C" or not crossed:
            paint_row_ticks(painter, loop_ticks(matrix.ticks[0], matrix.shape[0]), place, theme.matrix(matrix.name)[0], theme)
        if matrix.name != "B":
            paint_column_ticks(painter, loop_ticks(matrix.ticks[1], matrix.shape[1]), place, theme.matrix(matrix.name)[0], theme)
    tiles = {matrix.name: matrix.tile for matrix in frame.matrices if matrix.tile is not None}
    paint_guides(painter, tiles, layout, theme)
    paint_tiles(painter, tiles, layout, theme)
    paint_access(painter, frame, layout, theme)
    paint_added(painter, tiles.get("C"), frame.added, layout.matrices["C"], look)
    for matrix in frame.matrices:
        paint_name(painter, matrix.name, theme.matrix(matrix.name)[0], layout.matrices[matrix.name], look)
    bottom = paint_caption(painter, picture, layout.corner, look)
    _paint_loops(painter, picture, layout, bottom, look)


def _paint_loops(painter: QPainter, picture: Picture, layout: Layout, caption_bottom: float, look: Look) -> None:
    """Paint the loops in their own place if the layout has one, else below the caption if they fit there."""
    calls, loops, corner = picture.frame.calls, picture.frame.loops, layout.corner
    if calls:
        loops = (*calls, *(loop for loop in loops if loop.current is not None))
    if layout.loops is not None:
        fits = loops_height(loops) <= layout.loops.height()
        paint_loops(painter, loops if fits else picture.frame.loops, layout.loops, look)
    elif corner.bottom() - caption_bottom - 20 >= loops_height(loops):
        height = loops_height(loops)
        paint_loops(painter, loops, QRectF(corner.left(), corner.bottom() - height, min(corner.width() - 8, 300.0), height), look)
