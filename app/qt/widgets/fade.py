"""A foot of a scrolled text that fades, so that no half line looks like the last one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollArea, QWidget


class Fade(QWidget):
    """Over the lower edge of a scroll area, while there is more below: from nothing to the ground of the text."""

    def __init__(self, area: QScrollArea, ground: QColor, height: int) -> None:
        super().__init__(area)
        self._area, self.ground = area, ground
        self.setFixedHeight(height)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self._follow)
        bar.rangeChanged.connect(self._follow)
        area.viewport().installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        edge, bar = self._area.viewport().geometry(), self._area.verticalScrollBar()
        self.setGeometry(edge.left(), edge.bottom() + 1 - self.height(), edge.width(), self.height())
        self.setVisible(bar.value() < bar.maximum())
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        clear = QColor(self.ground)
        clear.setAlpha(0)
        gradient = QLinearGradient(0, 0, 0, self.height())
        gradient.setColorAt(0, clear)
        gradient.setColorAt(0.75, self.ground)
        painter = QPainter(self)
        painter.fillRect(self.rect(), gradient)
        painter.end()
