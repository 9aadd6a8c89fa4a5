"""Lines in the font of code, to be read: differences, what a program wrote, and the machine instructions that a line was compiled to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from app.core.session.draft_changes import DiffLine
from app.core.stage.compiled import Answer, Compiled, machine_head, machine_rows
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from kernels.base.messages import Message, message


class ReadingPane(QPlainTextEdit):
    """Lines in the font of code."""

    def __init__(self, look: Look, name: Message) -> None:
        super().__init__()
        self._look = look
        self.setReadOnly(True)
        self.setFont(look.theme.font("code"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(look.text(name))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)

    def show_difference(self, rows: tuple[DiffLine, ...]) -> None:
        """Signs and line numbers before the lines; those that are gone are struck out as well."""
        theme = self._look.theme
        self.setPlainText("\n".join(f"{row.sign or ' ':1} {row.line or '':>4}  {row.text}" for row in rows))
        shades = {"+": theme.now_bg, "-": theme.bg3}
        self.setExtraSelections([self._band(number, shades[row.sign], row.sign) for number, row in enumerate(rows) if row.sign in shades])

    def _band(self, number: int, colour: QColor, sign: str) -> QTextEdit.ExtraSelection:
        band = QTextEdit.ExtraSelection()
        form = QTextCharFormat()
        form.setBackground(colour)
        form.setFontStrikeOut(sign == "-")
        form.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003 Qt takes no keyword here
        cursor = QTextCursor(self.document().findBlockByNumber(number))
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        band.format, band.cursor = form, cursor
        return band


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
