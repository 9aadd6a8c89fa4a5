"""Caption in the free corner of the matrices: which unit of work this is, what it computes, and how often its values are used."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.core.frames.matrix import Meter
from app.core.frames.story import Story, Term
from app.qt.base.look import Look

_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_BETWEEN_TERMS = 7
_BAR = 16.0
_WIDEST = 300.0
_LARGE_FROM = 210.0
"""Width of a caption from which its title is as large as those of the views."""


def paint_caption(painter: QPainter, story: Story, meter: Meter | None, area: QRectF, look: Look) -> float:
    """Paint as much as there is room for from the top of `area`: title, equation, meter with its sentence; returns where it ends."""
    theme, large = look.theme, area.width() >= _LARGE_FROM
    y = _paint_text(painter, look.text(story.title), area, area.top(), theme.font("view_caption" if large else "section"), theme.t1)
    y = paint_equation(painter, story.equation, area, y + 2, theme.font("sentence" if large else "label"), look)
    if meter is None:
        return y
    return _paint_meter(painter, meter, QRectF(area.left(), y + 12, area.width(), area.bottom() - y - 12), look)


def _text_height(text: str, font: QFont, width: float) -> float:
    """The height of a text wrapped to a width."""
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 400), _WRAPPED, text).height()


def _paint_text(painter: QPainter, text: str, area: QRectF, top: float, font: QFont, colour: QColor) -> float:
    """Text wrapped to the width of `area`; returns its lower edge."""
    height = _text_height(text, font, area.width())
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
