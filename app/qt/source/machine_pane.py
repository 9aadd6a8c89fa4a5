"""The machine instructions that the compiler made of a line of the source."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.stage.compiled import Answer, Compiled, machine_head, machine_rows
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.source.reading_pane import ReadingPane
from app.qt.widgets.labels import label
from kernels.base.messages import message

ROWS_HEIGHT = 112


class MachinePane(QWidget):
    """Follows a line of the executed text."""

    def __init__(self, look: Look, compiled: Compiled) -> None:
        super().__init__()
        self._look = look
        self._compiled = compiled
        self._line: int | None = None
        self.head = label(look, "", "small", rank=2)
        self.head.setWordWrap(True)
        self.rows = ReadingPane(look, message("Machine instructions of the line"))
        self.rows.setFixedHeight(look.px(ROWS_HEIGHT))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 6, 4, 4)
        column.setSpacing(4)
        column.addWidget(self.head)
        column.addWidget(self.rows)
        self.hide()
        bind(self, compiled.answer, lambda _answer: self._refresh())

    def show_line(self, line: int | None) -> None:
        """Show the instructions of a line, counted in the executed text."""
        if line != self._line:
            self._line = line
            self._refresh()

    def turn(self, *, on: bool) -> None:
        """Show the pane, or put it away."""
        self.setVisible(on)
        self._refresh()

    def _refresh(self) -> None:
        if self.isHidden():
            return
        answer: Answer | None = self._compiled.answer.value
        self.head.setText(self._look.text(machine_head(answer, self._line)))
        rows = machine_rows(answer, self._line)
        self.rows.setVisible(bool(rows))
        self.rows.setPlainText("\n".join(rows))
