"""The free corner: which unit of work this is, what it computes, and how often its values are used."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.core.frames import Reuse
from app.core.stage_model import Picture
from app.qt.look import Look
from kernels.messages import message

_BAR = 18.0


def paint_caption(painter: QPainter, picture: Picture, area: QRectF, look: Look) -> float:
    """Draw the caption from the top of `area`; returns where it ends."""
    theme, story = look.theme, picture.story
    y = _paint_text(painter, look.text(story.title), area, area.top(), theme.font("view_caption"), theme.t1) + 2
    y = _paint_equation(painter, picture, area, y, look) + 14
    if story.reuse is not None and area.bottom() - y > 3 * _BAR + 48:
        label = message("Input values in this tile step") if picture.index.tiled else message("Input values for this part of C")
        y = _paint_text(painter, look.text(label), area, y, theme.font("small"), theme.t2) + 4
        y = _paint_meter(painter, picture.frame.reuse, area, y, look) + 4
        y = _paint_text(painter, look.text(story.reuse), area, y, theme.font("section"), theme.t1)
    return y


def _paint_equation(painter: QPainter, picture: Picture, area: QRectF, top: float, look: Look) -> float:
    """The pieces of the equation in the colours of their matrices; a piece that does not fit begins another line."""
    font = look.theme.font("sentence")
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    x, y = area.left(), top + metrics.ascent()
    for term in picture.story.equation:
        text = look.text(term.text)
        width = metrics.horizontalAdvance(text)
        if x > area.left() and x + width > area.right():
            x, y = area.left(), y + metrics.height()
        painter.setPen(look.theme.matrix(term.matrix)[0] if term.matrix else look.theme.t2)
        painter.drawText(QPointF(x, y), text)
        x += width + 7
    return y + metrics.descent()


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


def _paint_text(painter: QPainter, text: str, area: QRectF, top: float, font: QFont, colour: QColor) -> float:
    """Text wrapped to the width of `area`; returns its lower edge."""
    flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    room = QRectF(area.left(), top, area.width(), max(area.bottom() - top, 1.0) + 200)
    painter.setFont(font)
    painter.setPen(colour)
    drawn: QRectF = painter.boundingRect(room, flags, text)
    painter.drawText(room, flags, text)
    return drawn.bottom()
