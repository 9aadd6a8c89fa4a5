"""Home and End in a wrapped line: first to the edge of the row that is seen, pressed again to that of the whole line."""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor

_Key, _Move, _Mode = QKeySequence.StandardKey, QTextCursor.MoveOperation, QTextCursor.MoveMode
_KEYS = {
    _Key.MoveToStartOfLine: (_Move.StartOfLine, _Move.StartOfBlock, _Mode.MoveAnchor),
    _Key.SelectStartOfLine: (_Move.StartOfLine, _Move.StartOfBlock, _Mode.KeepAnchor),
    _Key.MoveToEndOfLine: (_Move.EndOfLine, _Move.EndOfBlock, _Mode.MoveAnchor),
    _Key.SelectEndOfLine: (_Move.EndOfLine, _Move.EndOfBlock, _Mode.KeepAnchor),
}


def at_edge(cursor: QTextCursor, event: QKeyEvent) -> QTextCursor | None:
    """The cursor where a key leads it; None where it is another key."""
    found = next((moves for key, moves in _KEYS.items() if event.matches(key)), None)
    if found is None:
        return None
    row, line, mode = found
    before = cursor.position()
    cursor.movePosition(row, mode)
    if cursor.position() == before:
        cursor.movePosition(line, mode)
    return cursor
