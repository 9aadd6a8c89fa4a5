"""The free corner: which unit of work this is, what it computes, and how often its values are used."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.core.frames import Reuse
from app.core.stage_model import Picture
from app.qt.look import Look
from app.qt.stage.story_text import paint_equation, paint_text
from kernels.messages import message

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
