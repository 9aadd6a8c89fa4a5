"""The table of counters: painted, because its numbers change with every step of a playing stage."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.qt.look import Look
from kernels.messages import Message

ROW = 20
_TITLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_COLUMN_SHARE = (0.40, 0.18, 0.22, 0.20)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A title and three numbers as they are written; `hint` explains the last.

    The tooltip says the whole title and the hint. Where the first two numbers are "" the title has their room.
    """

    title: str
    this_step: str
    so_far: str
    whole: str
    hint: str = ""


class CounterTable(QWidget):
    """Three columns of numbers with a heading. What rests is not painted again."""

    def __init__(self, look: Look, headings: tuple[Message, Message, Message]) -> None:
        super().__init__()
        self._look = look
        self._headings = tuple(look.text(heading) for heading in headings)
        self._rows: tuple[TableRow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return self._rows

    def sizeHint(self) -> QSize:
        return QSize(200, ROW * (len(self._rows) + 1))

    def show_rows(self, rows: tuple[TableRow, ...]) -> None:
        """Show these; only the columns that changed are painted."""
        before, self._rows = self._rows, rows
        if [(row.title, row.whole) for row in before] != [(row.title, row.whole) for row in rows]:
            if len(before) != len(rows):
                self.updateGeometry()
            self.update()
        elif before != rows:
            left, right = self._column(1), self._column(2)
            self.update(QRect(left.left(), ROW, right.right() - left.left() + 1, self.height() - ROW))

    def describe(self) -> None:
        """Tell screen readers the numbers, once they rest."""
        lines = (f"{row.title}: {row.this_step}, {row.so_far}, {row.whole}" for row in self._rows)
        self.setAccessibleDescription("; ".join(lines))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = event.pos().y() // ROW - 1
            row = self._rows[place] if 0 <= place < len(self._rows) else None
            QToolTip.showText(event.globalPos(), "" if row is None else "\n".join(filter(None, (row.title, row.hint))), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._look.theme
        columns = [number for number in range(4) if self._touches(number, event.rect())]
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        for number in columns:
            if number:
                self._paint_text(painter, number, 0, self._headings[number - 1])
        for place, row in enumerate(self._rows, start=1):
            texts = (row.title, row.this_step, row.so_far, row.whole)
            for number in columns:
                painter.setFont(theme.font("small" if number == 0 else "label" if number == 1 else "small"))
                painter.setPen(theme.t2 if number == 0 else theme.t1)
                self._paint_text(painter, number, place, texts[number], beside=row.whole if not row.this_step and not row.so_far else None)

    def _paint_text(self, painter: QPainter, number: int, place: int, text: str, *, beside: str | None = None) -> None:
        """`beside`: the only number of the row, up to which its title may reach."""
        area = self._column(number).translated(QPoint(0, place * ROW))
        if beside is not None and number == 0:
            area.setRight(self.width() - painter.fontMetrics().horizontalAdvance(beside) - 8)
        elided = text if number else painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, _NUMBER if number else _TITLE, elided)

    def _column(self, number: int) -> QRect:
        left = round(self.width() * sum(_COLUMN_SHARE[:number]))
        right = round(self.width() * sum(_COLUMN_SHARE[: number + 1]))
        return QRect(left, 0, right - left, ROW)

    def _touches(self, number: int, area: QRect) -> bool:
        """Whether any row of a column lies in an area."""
        column = self._column(number)
        return column.left() <= area.right() and area.left() <= column.right()
