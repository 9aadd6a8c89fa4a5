"""The free corner: which tile step this is, what it computes, and how much less is read because of tiles. What has no room is left out."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.core.launch.traffic import Traffic
from app.core.stage_model import LaunchPicture
from app.qt.look import Look
from app.qt.stage.story_text import paint_equation, paint_text, text_height
from kernels.messages import Message, message

_BAR = 16.0
_WIDEST = 300.0


def paint_caption(painter: QPainter, picture: LaunchPicture, traffic: Traffic | None, area: QRectF, look: Look) -> None:
    """From the top of `area`, as much as it has room for: title, equation, meter with its sentence."""
    theme, story = look.theme, picture.story
    large = area.width() >= 210
    y = paint_text(painter, look.text(story.title), area, area.top(), theme.font("view_caption" if large else "section"), theme.t1)
    y = paint_equation(painter, story.equation, area, y + 2, theme.font("sentence" if large else "label"), look)
    if traffic is not None:
        _meter(painter, traffic, area, y + 12, look)


def _meter(painter: QPainter, traffic: Traffic, area: QRectF, top: float, look: Look) -> None:
    theme = look.theme
    label = look.text(message("Global reads for this tile of C"))
    words = look.text(traffic.words)
    small, strong = theme.font("small"), theme.font("section")
    heights = text_height(label, small, area.width()), 2 * (_BAR + 4) + 4, text_height(words, strong, area.width())
    y = top
    if y + heights[2] > area.bottom():
        return
    if y + sum(heights) <= area.bottom():
        y = paint_text(painter, label, area, y, small, theme.t2) + 3
        y = _bars(painter, traffic, area, y, look) + 2
    paint_text(painter, words, area, y, strong, theme.t1)


def _bars(painter: QPainter, traffic: Traffic, area: QRectF, top: float, look: Look) -> float:
    """Two bars to the same scale: each multiplication reads for itself, and what this kernel reads."""
    theme, full, y = look.theme, min(area.width(), _WIDEST), top
    rows: tuple[tuple[Message, int, QColor, QColor], ...] = (
        (message("without tiles {count}", count=traffic.needed), traffic.needed, theme.bg3, theme.t1),
        (message("this kernel {count}", count=traffic.read), traffic.read, theme.ink, theme.ink_text),
    )
    font = theme.font("label")
    painter.setFont(font)
    for text, count, fill, ink in rows:
        bar = QRectF(area.left(), y, max(full * count / max(traffic.needed, traffic.read, 1), 3.0), _BAR)
        painter.fillRect(bar, fill)
        words = look.text(text)
        fits = QFontMetricsF(font).horizontalAdvance(words) + 12 <= bar.width()
        painter.setPen(ink if fits else theme.t1)
        left = bar.left() + 6 if fits else bar.right() + 6
        painter.drawText(QRectF(left, y, area.right() - left, _BAR), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        y += _BAR + 4
    return y
