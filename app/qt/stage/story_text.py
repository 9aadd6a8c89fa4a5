"""Pieces of a story as a caption on the stage has them: wrapped text, and the equation."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.core.equation import Term
from app.qt.look import Look

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
