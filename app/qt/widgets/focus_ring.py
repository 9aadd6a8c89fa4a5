"""The ring round what has the focus, where no style sheet draws it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.qt.theme import Theme

WIDTH = 2


def paint_ring(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    """Draw the ring inside the widget's edge if it has the focus."""
    if widget.hasFocus():
        painter.setPen(QPen(theme.ink, WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(widget.rect().adjusted(WIDTH // 2, WIDTH // 2, -WIDTH // 2, -WIDTH // 2))
