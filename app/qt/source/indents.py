"""Indent that the rows of a wrapped line hang by."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

DEEPER = 2
"""Characters that a row hangs deeper than its line begins: it keeps the loop that it is in."""
LEAST = 20
"""Characters that a row has room for: code that is deeper in begins, and hangs, where that leaves so many, or most of a row."""


def _indent_of(text: str) -> int:
    return len(text) - len(text.lstrip())


def _most(row: float) -> float:
    return max(row - LEAST, row / 8)


class Indents:
    """Lays out the lines of a view: in a narrow one all indents are smaller in one measure, so that what is nested is seen so."""

    def __init__(self, view: QPlainTextEdit) -> None:
        self._view = view
        self._deepest = 0

    def read(self, text: str) -> None:
        """Take the deepest indent of a text as that which must have room."""
        self._deepest = max((_indent_of(line) for line in text.splitlines() if line.strip()), default=0)

    def lay_out(self, block: QTextBlock, last: int) -> bool:
        """Lay lines out from `block` to the last, with their rows hung; whether that gave any of them other rows."""
        character, changed = QFontMetricsF(self._view.font()).horizontalAdvance("0"), False
        share = self._share_kept(character)
        while block.isValid() and block.blockNumber() <= last:
            self._view.blockBoundingRect(block)  # lays out what was not yet in sight
            changed |= hang(block, character, share)
            block = block.next()
        return changed

    def _share_kept(self, character: float) -> float:
        """All of it while the text is edited: the cursor would be out of sight before the smaller indents."""
        if not self._view.isReadOnly() or not self._deepest:
            return 1.0
        row = (self._view.viewport().width() - 2 * self._view.document().documentMargin()) / character
        return min(1.0, _most(row - DEEPER) / self._deepest)


def hang(block: QTextBlock, character: float, share: float) -> bool:
    """Lay a block out again with `share` of its indent, and so that all rows but the first hang; whether it has other rows than before.
    `character` is the width of one.

    Qt lays blocks out at the left edge, each time that it lays them out; a block that was laid out here already stays as it is.
    """
    layout = block.layout() if block.isVisible() else None
    before = 0 if layout is None else layout.lineCount()
    if layout is None or not before or (before == 1 and share == 1.0):
        return False
    first = layout.lineAt(0)
    if first.x() < block.document().documentMargin() or (before > 1 and layout.lineAt(1).x() > first.x()):
        return False
    indent = _indent_of(block.text())
    begins, most = indent * share, _most(first.width() / character)
    if before == 1 and begins == indent:
        return False
    if before > 1:
        begins = min(begins, most)
    _lay_out(layout, min(begins + DEEPER, most) * character, (indent - begins) * character)
    block.setLineCount(layout.lineCount())
    return layout.lineCount() != before


def _lay_out(layout: QTextLayout, hung_by: float, beyond: float) -> None:
    """`beyond` is how much of the indent lies left of what is seen: a word that has room in a row is not broken for the sake of spaces."""
    first = layout.lineAt(0)
    left, width, height = first.x(), first.width(), 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        hung = hung_by if height else -beyond
        line.setLeadingIncluded(True)
        line.setLineWidth(width - hung)
        line.setPosition(QPointF(left + hung, height))
        height += line.height()
    layout.endLayout()
