"""The line numbers beside a source text, with the mark of the present line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.qt.panels.source_view import SourceView


class Gutter(QWidget):
    """Stands in the left margin of a view."""

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._view = view

    def width_needed(self) -> int:
        return self._view.fontMetrics().horizontalAdvance("0000") + self._view.look.px(18)

    def sizeHint(self) -> QSize:
        return QSize(self.width_needed(), 0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """To the step that executes the line, also while the text is edited."""
        for number, top, height in self._view.visible_lines():
            if top <= event.position().y() < top + height:
                self._view.line_pressed.emit(number)
                return

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._view.look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.bg1)
        painter.setFont(self._view.font())
        for number, top, height in self._view.visible_lines():
            self._paint_number(painter, QRectF(0, top, self.width(), height), number, theme.t3)

    def _paint_number(self, painter: QPainter, row: QRectF, number: int, colour: QColor) -> None:
        theme = self._view.look.theme
        if number == self._view.line:
            painter.fillRect(row, theme.now_bg)
            painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), theme.now)
            painter.setPen(theme.now_text)
            painter.drawText(row.adjusted(6, 0, 0, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, "▸")
            colour = theme.now_text
        painter.setPen(colour)
        room = row.adjusted(0, 0, -self._view.look.px(10), 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
