"""The table of counters, painted, because its numbers change with every step of a playing stage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.qt.base.look import Look
from app.qt.widgets.stops import bring_to_sight
from app.qt.widgets.terms import term_tip, with_terms
from kernels.base.messages import Message
from kernels.base.values import dataclass

ROW = 20
_PADDING, _GAP = 5, 4
_TITLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_HEADING = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_BY_TAB = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason
_COLUMN_SHARE = (0.33, 0.19, 0.23, 0.25)


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
    said: Message | None = None
    """What the title was made of: the tooltip tells the terms in it."""


class CounterTable(QWidget):
    """Three columns of numbers with a heading. A long title takes several lines. What rests is not painted again.

    With the focus it tells what a row means; Up and Down go to another.
    """

    def __init__(self, look: Look, headings: tuple[Message, Message, Message]) -> None:
        super().__init__()
        self._look = look
        self._said = headings
        self._headings = tuple(look.text(heading) for heading in headings)
        self._rows: tuple[TableRow, ...] = ()
        self._row = look.px(ROW)
        self._told = 0
        """Number of the row that the focus is at."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._small = QFontMetrics(look.theme.font("small"))
        self._lines = lru_cache(maxsize=256)(self._height_of)
        self._head = lru_cache(maxsize=8)(self._head_height)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return self._rows

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(max(self.width(), 200)))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._head(width) + sum(self.heights(width))

    def heights(self, width: int) -> list[int]:
        """The heights of the rows where the table is so wide."""
        return [max(self._row, self._lines(row.title, self._title_width(row, width)) + _PADDING) for row in self._rows]

    def show_rows(self, rows: tuple[TableRow, ...]) -> None:
        """Show these; of rows that say other numbers only these are painted."""
        before, self._rows = self._rows, rows
        if [(row.title, row.whole) for row in before] != [(row.title, row.whole) for row in rows]:
            if [row.title for row in before] != [row.title for row in rows]:
                self.updateGeometry()
            self.update()
        elif before != rows:
            left, right = self._column(1).left(), self._column(2).right()
            for earlier, (row, top, height) in zip(before, self._places(), strict=True):
                if row != earlier:
                    self.update(QRect(left, top, right - left + 1, height))

    def describe(self) -> None:
        """Tell screen readers the numbers, once they rest."""
        lines = (f"{row.title}: {row.this_step}, {row.so_far}, {row.whole}" for row in self._rows)
        self.setAccessibleDescription("; ".join(lines))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(event.pos()), self)
            return True
        return super().event(event)

    def _tip(self, at: QPoint) -> str:
        """Return the tooltip at a point: of a heading its terms; of a row its whole title, its hint and its terms."""
        if at.y() < self._head(self.width()):
            heading = next((number for number in range(1, 4) if self._column(number).contains(at.x(), 1)), None)
            return "" if heading is None else term_tip(self._look, self._said[heading - 1])
        row = next((row for row, top, height in self._places() if top <= at.y() < top + height), None)
        return "" if row is None else self._meaning(row)

    def _meaning(self, row: TableRow) -> str:
        plain = "\n".join(filter(None, (row.title, row.hint)))
        return plain if row.said is None else with_terms(plain, term_tip(self._look, row.said))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()
        if event.reason() in _BY_TAB:
            QTimer.singleShot(0, self, self._tell)  # once it is scrolled into sight

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and QToolTip.isVisible():
            QToolTip.hideText()
            return
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or not self._rows:
            super().keyPressEvent(event)
            return
        self._told = min(max(self._told_row + step, 0), len(self._rows) - 1)
        self.update()
        self._tell()

    def _tell(self) -> None:
        """Bring the row that the focus is at to sight, and say what it means."""
        if self._rows and self.hasFocus():
            place = self._told_place()
            bring_to_sight(self, place)
            QToolTip.showText(self.mapToGlobal(place.bottomLeft()), self._meaning(self._rows[self._told_row]), self)

    @property
    def _told_row(self) -> int:
        return min(self._told, len(self._rows) - 1)

    def _told_place(self) -> QRect:
        _, top, height = list(self._places())[self._told_row]
        return QRect(0, top, self.width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._look.theme
        columns = [number for number in range(4) if self._touches(number, event.rect())]
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        head = self._head(self.width())
        for number in columns:
            if number and event.rect().top() < head:
                area = self._column(number)
                area.setHeight(head - _PADDING)
                painter.drawText(area, _HEADING, self._headings[number - 1])
        for row, top, height in self._places():
            if not event.region().intersects(QRect(0, top, self.width(), height)):
                continue
            texts = (row.title, row.this_step, row.so_far, row.whole)
            for number in columns:
                painter.setFont(theme.font("label" if number == 1 else "small"))
                painter.setPen(theme.t1 if number else theme.t2)
                area = self._column(number).translated(0, top)
                if number:
                    painter.drawText(area, _NUMBER, texts[number])
                else:
                    painter.drawText(QRect(0, top + _PADDING // 2, self._title_width(row, self.width()), height), _TITLE, row.title)
        if self._rows and self.hasFocus():
            told = self._told_place()
            for top in (told.top(), told.bottom() - 1):
                painter.fillRect(0, top, self.width(), 2, theme.ink)  # a ring would go through letters

    def _places(self) -> Iterator[tuple[TableRow, int, int]]:
        """Yield each row with its top and its height."""
        top = self._head(self.width())
        for row, height in zip(self._rows, self.heights(self.width()), strict=True):
            yield row, top, height
            top += height

    def _title_width(self, row: TableRow, width: int) -> int:
        """How wide a title may be. Where there is only one number it reaches up to that."""
        if not row.this_step and not row.so_far:
            return width - self._small.horizontalAdvance(row.whole) - _GAP
        return round(width * _COLUMN_SHARE[0]) - _GAP

    def _height_of(self, title: str, width: int) -> int:
        """The height of a title in lines of a width."""
        return self._small.boundingRect(QRect(0, 0, max(width, 1), 1 << 16), int(_TITLE), title).height()

    def _head_height(self, width: int) -> int:
        metrics, rooms = (
            QFontMetrics(self._look.theme.font("caption")),
            [QRect(0, 0, round(width * share), 1 << 16) for share in _COLUMN_SHARE[1:]],
        )
        lines = [metrics.boundingRect(room, int(_HEADING), said).height() for room, said in zip(rooms, self._headings, strict=True)]
        return max(self._row, max(lines) + _PADDING)

    def _column(self, number: int) -> QRect:
        left = round(self.width() * sum(_COLUMN_SHARE[:number]))
        right = round(self.width() * sum(_COLUMN_SHARE[: number + 1]))
        return QRect(left, 0, right - left, self._row)

    def _touches(self, number: int, area: QRect) -> bool:
        """Whether any row of a column lies in an area."""
        column = self._column(number)
        return column.left() <= area.right() and area.left() <= column.right()
