"""Indent that the rows of a wrapped line hang by."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextLayout

DEEPER = 2
"""Characters that a row hangs deeper than its line begins: it keeps the loop that it is in."""
LEAST = 20
"""Characters that a row has room for: code that is deeper in begins, and hangs, where that leaves so many."""


def hang(block: QTextBlock, metrics: QFontMetricsF) -> bool:
    """Lay a block of several rows out again so that all but the first hang; whether it has other rows than before.

    Qt lays blocks out at the left edge, each time that it lays them out; a block that hangs already, or is of one row, stays as it is.
    """
    layout = block.layout() if block.isVisible() else None
    if layout is None or layout.lineCount() < 2 or layout.lineAt(1).x() > layout.lineAt(0).x():
        return False
    text, before = block.text(), layout.lineCount()
    character = metrics.horizontalAdvance("0")
    indented = (len(text) - len(text.lstrip())) * character
    hung_by = max(0.0, min(indented + DEEPER * character, layout.lineAt(0).width() - LEAST * character))
    beyond = indented - max(0.0, hung_by - DEEPER * character)
    if not hung_by and not beyond:
        return False
    _lay_out(layout, hung_by, max(0.0, beyond))
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
