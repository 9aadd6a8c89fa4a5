"""Margins of a source: at the left line numbers, the mark of the present line and the signs that fold comments; at the right what each line
costs, at its worst, and its share of all costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.core.base.picture_parts import Chip, LineCost
from kernels.base.messages import message

if TYPE_CHECKING:
    from app.qt.source.view import SourceView


SIGN = 8
"""Pixels of the sign that folds."""


class Margin(QWidget):
    """Stands in a margin of a view."""

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # only of such a widget Qt moves what is painted
        self._view = view

    def follow(self, seen: QRect, scrolled: int) -> None:
        """Move with the text, or be painted anew beside what is painted of it."""
        if scrolled:
            self.scroll(0, scrolled)
        else:
            self.update(QRect(0, seen.top(), self.width(), seen.height()))


class Gutter(Margin):
    """Stands at the left."""

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
        for number, top, height in self._view.visible_lines(event.rect()):
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


CHIP, AROUND = 44, 14
"""Pixels: of the widest column, and beside a number in a narrower one."""
HEAT = 5.0
NARROW = 480
_SEVERE = 8


class SourceMarks(Margin):
    """Stands at the right. A press on a mark asks for the step that costs most there."""

    worst_wanted = Signal(int)

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._found: Mapping[int, LineCost] = {}
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(view.look.text(message("Costs of the lines")))

    def show_margins(self, found: Mapping[int, LineCost]) -> None:
        """Show the costs by line."""
        self._found = found
        self.setVisible(bool(found))
        self.update()

    @property
    def lines(self) -> Iterable[int]:
        """The lines that have costs."""
        return self._found.keys()

    def width_needed(self) -> int:
        return round(self._columns * self._chip + HEAT + 4) if self._found else 0

    @property
    def most_width(self) -> int:
        """Width of the margin with both numbers."""
        return round(2 * self._view.look.px(CHIP) + HEAT + 4)

    @property
    def _chip(self) -> int:
        """Pixels of a column: as many as the longest number needs."""
        metrics = QFontMetrics(self._view.look.theme.font("label"))
        numbers = (chip.text for cost in self._found.values() for chip in cost.chips if chip is not None)
        longest = max(map(metrics.horizontalAdvance, numbers), default=0)
        return min(longest + self._view.look.px(AROUND), self._view.look.px(CHIP))

    @property
    def _columns(self) -> int:
        """Number of columns: one for each kind of cost. In a narrow view two kinds share one, if no line has both."""
        both = any(all(cost.chips) and len(cost.chips) > 1 for cost in self._found.values())
        kinds = max((len(cost.chips) for cost in self._found.values()), default=1)
        return kinds if both or self._view.width() >= self._view.look.px(NARROW) else 1

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._view.look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.bg1)
        painter.setFont(theme.font("small"))
        columns, width = self._columns, self._chip
        for number, top, height in self._view.visible_lines(event.rect()):
            row = QRectF(0, top, self.width(), height)
            if not row.intersects(QRectF(event.rect())):
                continue
            if number == self._view.line:
                painter.fillRect(row, theme.now_bg)
            cost = self._found.get(number)
            if cost is not None:
                self._paint_cost(painter, cost, row, columns, width)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cost = self._cost_at(event.position())
        if cost is None:
            return
        under = int(event.position().x() / self.width() * self._columns) if self._columns > 1 else 0
        chip = cost.chips[min(under, len(cost.chips) - 1)] or next((chip for chip in cost.chips if chip is not None), None)
        if chip is not None:
            self.worst_wanted.emit(chip.step)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cost = self._cost_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if cost is None else self._view.look.text(cost.words), self)
            return True
        return super().event(event)

    def _cost_at(self, point: QPointF) -> LineCost | None:
        lines = (number for number, top, height in self._view.visible_lines() if top <= point.y() < top + height)
        return self._found.get(next(lines, 0))

    def _paint_cost(self, painter: QPainter, cost: LineCost, row: QRectF, columns: int, width: int) -> None:
        heat = QColor(self._view.look.theme.ink)
        heat.setAlphaF(0.08 + 0.92 * cost.heat)
        painter.fillRect(QRectF(0, row.top() + 2, HEAT - 1, row.height() - 4), heat)
        for kind, chip in enumerate(cost.chips):
            if chip is not None:
                left = HEAT + 2 + min(kind, columns - 1) * width
                self._paint_chip(painter, chip, QRectF(left, row.top() + 1, width - 4, row.height() - 2))

    def _paint_chip(self, painter: QPainter, chip: Chip, area: QRectF) -> None:
        """Quiet where it could not be better, outlined where it costs more, filled and bold from eight times on."""
        theme, times = self._view.look.theme, chip.times
        painter.setFont(theme.font("label" if times >= _SEVERE else "small"))
        painter.setPen(Qt.PenStyle.NoPen if times <= 1 else QPen(theme.bad, 1))
        painter.setBrush(theme.bad_bg if times >= _SEVERE else theme.bg3 if times <= 1 else theme.bg1)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(theme.bad if times > 1 else theme.t2)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, chip.text)
