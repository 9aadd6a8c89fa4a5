"""What dims the sheet but for a circle around the pointer, and what blackens it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.qt.presenter.type import HEIGHT

_RADIUS = 190.0
_DIM = QColor(10, 13, 18, 190)


class Spotlight(QWidget):
    """Lies over the sheet, and lets the pointer through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._at = QPointF()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def point(self, at: QPointF) -> None:
        """Light this point."""
        self._at = at
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        radius = _RADIUS * self.height() / HEIGHT
        dark = QPainterPath()
        dark.setFillRule(Qt.FillRule.OddEvenFill)
        dark.addRect(QRectF(self.rect()))
        dark.addEllipse(self._at, radius, radius)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(dark, _DIM)
        painter.end()


class Curtain(QWidget):
    """Black."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), Qt.GlobalColor.black)
        painter.end()
