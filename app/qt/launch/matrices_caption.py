"""The free corner: which tile step this is, what it computes, and how much less is read because of tiles. What has no room is left out."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.core.launch.traffic import Traffic
from app.core.narration import Term
from app.core.stage_model import LaunchPicture
from app.qt.look import Look
from kernels.messages import Message, message

_BAR = 16.0
_WIDEST = 300.0
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def paint_caption(painter: QPainter, picture: LaunchPicture, traffic: Traffic | None, area: QRectF, look: Look) -> None:
    """From the top of `area`, as much as it has room for: title, equation, meter with its sentence."""
    theme, story = look.theme, picture.story
    large = area.width() >= 210
    y = _text(painter, look.text(story.title), area, area.top(), theme.font("view_caption" if large else "section"), theme.t1)
    y = _equation(painter, story.equation, area, y + 2, theme.font("sentence" if large else "label"), look)
    if traffic is not None:
        _meter(painter, traffic, area, y + 12, look)


def _meter(painter: QPainter, traffic: Traffic, area: QRectF, top: float, look: Look) -> None:
    theme = look.theme
    label = look.text(message("Global reads for this tile of C"))
    words = look.text(traffic.words)
    small, strong = theme.font("small"), theme.font("section")
    heights = _height(label, small, area), 2 * (_BAR + 4) + 4, _height(words, strong, area)
    y = top
    if y + heights[2] > area.bottom():
        return
    if y + sum(heights) <= area.bottom():
        y = _text(painter, label, area, y, small, theme.t2) + 3
        y = _bars(painter, traffic, area, y, look) + 2
    _text(painter, words, area, y, strong, theme.t1)


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


def _equation(painter: QPainter, terms: tuple[Term, ...], area: QRectF, top: float, font: QFont, look: Look) -> float:
    """The pieces in the colours of their matrices; a piece that does not fit begins another line."""
    if not terms:
        return top
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    x, y = area.left(), top + metrics.ascent()
    for term in terms:
        text = look.text(term.text)
        width = metrics.horizontalAdvance(text)
        if x > area.left() and x + width > area.right():
            x, y = area.left(), y + metrics.height()
        painter.setPen(look.theme.matrix(term.matrix)[0] if term.matrix else look.theme.t2)
        painter.drawText(QPointF(x, y), text)
        x += width + 7
    return y + metrics.descent()


def _height(text: str, font: QFont, area: QRectF) -> float:
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, area.width(), 400), _WRAPPED, text).height()


def _text(painter: QPainter, text: str, area: QRectF, top: float, font: QFont, colour: QColor) -> float:
    """Text wrapped to the width of `area`; returns its lower edge."""
    height = _height(text, font, area)
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(QRectF(area.left(), top, area.width(), height + 2), _WRAPPED, text)
    return top + height
