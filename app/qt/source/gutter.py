"""The left margin of a source: line numbers, the mark of the present line, and the signs that fold comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.qt.source.view import SourceView

SIGN = 8
"""Pixels of the sign that folds."""


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
        """Fold the comment that begins in the pressed line, or ask for the step that executes it, also while the text is edited."""
        for number, top, height in self._view.visible_lines():
            if top <= event.position().y() < top + height:
                comment = self._view.folding.comment_at(number)
                if comment is not None:
                    self._view.folding.toggle(comment)
                else:
                    self._view.line_pressed.emit(number)
                return

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._view.look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.bg1)
        painter.setFont(self._view.font())
        for number, top, height in self._view.visible_lines():
            row = QRectF(0, top, self.width(), height)
            if row.intersects(QRectF(event.rect())):
                self._paint_number(painter, row, number, theme.t3)

    def _paint_number(self, painter: QPainter, row: QRectF, number: int, colour: QColor) -> None:
        theme = self._view.look.theme
        if number == self._view.line:
            painter.fillRect(row, theme.now_bg)
            painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), theme.now)
            painter.setPen(theme.now_text)
            painter.drawText(row.adjusted(6, 0, 0, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, "▸")
            colour = theme.now_text
        painter.setPen(colour)
        comment = self._view.folding.comment_at(number)
        if comment is not None:
            self._paint_sign(painter, row, folded=self._view.folding.is_folded(comment))
        room = row.adjusted(0, 0, -self._view.look.px(10), 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

    def _paint_sign(self, painter: QPainter, row: QRectF, *, folded: bool) -> None:
        """A plus in a box where more is to be seen, else a minus."""
        side, middle = self._view.look.px(SIGN), row.center().y()
        box = QRectF(row.left() + 2.5, round(middle - side / 2) + 0.5, side, side)
        painter.drawRect(box)
        painter.drawLine(QPointF(box.left() + 2, box.center().y()), QPointF(box.right() - 2, box.center().y()))
        if folded:
            painter.drawLine(QPointF(box.center().x(), box.top() + 2), QPointF(box.center().x(), box.bottom() - 2))
