"""Indent of a text that is edited."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor

INDENT = "    "


def indent(cursor: QTextCursor) -> None:
    """Indent the lines that are selected, or go on by an indent: nothing is written over."""
    if not cursor.hasSelection():
        cursor.insertText(INDENT)
        return
    document, end = cursor.document(), cursor.selectionEnd() - 1
    line, last = document.findBlock(cursor.selectionStart()), document.findBlock(end).blockNumber()
    cursor.beginEditBlock()
    while line.isValid() and line.blockNumber() <= last:
        start = QTextCursor(line)
        start.insertText(INDENT)
        line = line.next()
    cursor.endEditBlock()
