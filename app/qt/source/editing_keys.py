"""Keys of a text that is edited, or gone through: Tab, Return, and Home and End in wrapped lines."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor

INDENT = "    "
_Key, _Move, _Mode = QKeySequence.StandardKey, QTextCursor.MoveOperation, QTextCursor.MoveMode
_KEYS = {
    _Key.MoveToStartOfLine: (_Move.StartOfLine, _Move.StartOfBlock, _Mode.MoveAnchor),
    _Key.SelectStartOfLine: (_Move.StartOfLine, _Move.StartOfBlock, _Mode.KeepAnchor),
    _Key.MoveToEndOfLine: (_Move.EndOfLine, _Move.EndOfBlock, _Mode.MoveAnchor),
    _Key.SelectEndOfLine: (_Move.EndOfLine, _Move.EndOfBlock, _Mode.KeepAnchor),
}


def at_edge(cursor: QTextCursor, event: QKeyEvent) -> QTextCursor | None:
    """The cursor where Home or End leads it: first the edge of the row that is seen, pressed again that of the whole line; None for another
    key. Of an indented line the first edge is where its text begins."""
    found = next((moves for key, moves in _KEYS.items() if event.matches(key)), None)
    if found is None:
        return None
    row, line, mode = found
    before = cursor.position()
    cursor.movePosition(row, mode)
    if cursor.position() == before:
        cursor.movePosition(line, mode)
    block = cursor.block()
    text = block.position() + len(block.text()) - len(block.text().lstrip())
    if row is _Move.StartOfLine and cursor.position() == block.position() and before != text:
        cursor.setPosition(text, mode)
    return cursor


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


def new_line(cursor: QTextCursor) -> None:
    """Go on in a line below that begins as deep as this one."""
    before = cursor.block().text()[: cursor.positionInBlock()]
    cursor.insertText("\n" + before[: len(before) - len(before.lstrip())])
