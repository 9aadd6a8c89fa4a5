"""Differences between two launches below their pictures: a row of cells, each one number of both sides and its change."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.core.compare.differences import Difference
from app.core.compare.sentences import Report
from app.qt.base.look import Look
from app.qt.widgets.labels import ElidedLabel, label, rule

WIDTH, HEIGHT = 128, 56
_GAP = 12


class DifferenceCell(QWidget):
    """Cell of one difference: its title, both numbers and their change, "65 536 → 2 048", "32 times fewer"."""

    def __init__(self, look: Look, row: Difference, parent: QWidget) -> None:
        super().__init__(parent)
        self.row = row
        self.wanted = look.px(WIDTH)
        """The width at which nothing is cut."""
        written = look.text(row.written)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, _GAP, 3)
        column.setSpacing(0)
        for text, role, rank in (
            (look.text(row.title), "small", 3),
            (written, "section", 2 if row.same else 1),
            (look.text(row.brief), "small", 3 if row.same else 2),
        ):
            line = ElidedLabel(text)
            line.setFont(look.theme.font(role))
            line.setProperty("rank", str(rank))
            column.addWidget(line)
            self.wanted = max(self.wanted, line.sizeHint().width() + _GAP)
        self.setAccessibleName(f"{look.text(row.title)}: {written}. {look.text(row.sentence)}")


_EDGE, _CAPTION, _WORDS = 16, 18, 340
_BEFORE_WORDS, _LEAST_NUMBERS = 16, 3
_WORDS_GAP = 8
"""Of height, around and between the words."""


class DifferenceStrip(QWidget):
    """Row of as many differences as there is room for, that of the headline and the largest before others; all of them are in the tooltip
    and for screen readers."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._cells: list[DifferenceCell] = []
        self._reasons: list[str] = []
        self._main: Difference | None = None
        self.setProperty("surface", "panel")
        self.setProperty("rule", "top")
        self.conditions = ElidedLabel(parent=self)
        """What the numbers are of, and where the times come from."""
        self.conditions.setFont(look.theme.font("small"))
        self.conditions.setProperty("rank", "2")
        self._line = rule(vertical=True)
        self._line.setParent(self)
        self._words = QWidget(self)
        self.headline, self.reasons = label(look, "", "section"), label(look, "", "small", 2)
        for each in (self.headline, self.reasons):
            each.setWordWrap(True)
        _stack(self._words, self.headline, self.reasons)

    @property
    def shown(self) -> tuple[Difference, ...]:
        """The numbers that there is room for, in their order."""
        return tuple(cell.row for cell in self._cells if not cell.isHidden())

    def show_report(self, report: Report) -> None:
        """Say what differs."""
        for cell in self._cells:
            cell.hide()
            cell.deleteLater()
        self._cells = [DifferenceCell(self._look, row, self) for row in report.rows]
        self._main = report.main
        self.conditions.setText(self._look.paragraph([self._look.text(each) for each in report.conditions]))
        self.headline.setText(self._look.text(report.headline))
        self._reasons = [self._look.text(each) for each in report.reasons]
        said = "\n".join(filter(None, (self.conditions.text(), *(cell.accessibleName() for cell in self._cells), *self._reasons)))
        self.setToolTip(said)
        self.setAccessibleName(self.headline.text())
        self.setAccessibleDescription(said)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def set_rows(self, rows: int) -> None:
        """Show one or two rows of numbers."""
        self.setFixedHeight(rows * self._look.px(HEIGHT) + self._look.px(_CAPTION) + 8)
        self._arrange()

    def _arrange(self) -> None:
        px, row = self._look.px, self._look.px(HEIGHT)
        top = 4 + (px(_CAPTION) if self._cells else 0)
        height, words = self.height() - top - 4, min(px(_WORDS), round(self.width() * 0.36))
        alone = not self._cells or self.headline.heightForWidth(words) + _WORDS_GAP > height
        wide = max((cell.wanted for cell in self._cells), default=1)
        self.reasons.setText(self._look.paragraph(self._reasons[: None if height // row > 1 else 1]))
        words = self.width() - 2 * _EDGE if alone else self._wide_enough(words, wide, height)
        self.conditions.setVisible(bool(self._cells))
        self.conditions.setGeometry(_EDGE, 4, self.width() - 2 * _EDGE, px(_CAPTION))
        left, right = _EDGE, self.width() - _EDGE - words
        self._line.setVisible(not alone)
        self._line.setGeometry(right - 10, top + 6, 2, height - 12)
        self._words.setGeometry(right, top, words, height)
        columns, rows = max((right - _BEFORE_WORDS - left) // wide, 1), max(height // row, 1)
        self.reasons.setVisible(bool(self.reasons.text()) and self._fits(words, height))
        chosen = () if alone else self._chosen(columns * rows)
        for cell in self._cells:
            cell.setVisible(cell in chosen)
        for number, cell in enumerate(chosen):
            cell.setGeometry(left + number % columns * wide, top + number // columns * row, wide, row)

    def _fits(self, words: int, height: int) -> bool:
        return self.headline.heightForWidth(words) + self.reasons.heightForWidth(words) + _WORDS_GAP <= height

    def _wide_enough(self, words: int, wide: int, height: int) -> int:
        """So wide that the reason is said: it takes what the numbers leave, and the room of one of them where several stay."""
        columns, left = divmod(self.width() - 2 * _EDGE - _BEFORE_WORDS - words, wide)
        wider = (words, *((words + left,) if columns > 0 else ()), *((words + left + wide,) if columns > _LEAST_NUMBERS else ()))
        return next((each for each in wider if self._fits(each, height)), words)

    def _chosen(self, room: int) -> list[DifferenceCell]:
        ranked = sorted(self._cells, key=lambda cell: (cell.row == self._main, cell.row.weight), reverse=True)[:room]
        return [cell for cell in self._cells if cell in ranked]


def _stack(owner: QWidget, *labels: QLabel) -> None:
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 3, 0, 3)
    column.setSpacing(2)
    for each in labels:
        column.addWidget(each)
    column.addStretch(1)
