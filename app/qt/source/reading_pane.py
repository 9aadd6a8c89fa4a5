"""Lines in the font of code, to be read: differences, machine instructions, what a program wrote."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.core.session.draft_changes import DiffLine
from app.qt.base.look import Look
from kernels.base.messages import Message


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
