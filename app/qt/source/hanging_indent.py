"""Rows that a line of a source is wrapped into, hung below the line's own indent: they keep the loop that they are in."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextLayout

DEEPER = 2
"""Characters that a row hangs deeper than its line begins."""
LEAST = 20
"""Characters that a hung row has room for: code that is deeper in hangs where that leaves so many."""


def hang(block: QTextBlock, metrics: QFontMetricsF) -> bool:
    """Lay a block of several rows out again so that all but the first hang; whether it has other rows than before.

    Qt lays blocks out at the left edge, each time that it lays them out; a block that hangs already, or is of one row, stays as it is.
    """
    layout = block.layout() if block.isVisible() else None
    if layout is None or layout.lineCount() < 2 or layout.lineAt(1).x() > layout.lineAt(0).x():
        return False
    text, before = block.text(), layout.lineCount()
    character = metrics.horizontalAdvance("0")
    indent = min((len(text) - len(text.lstrip()) + DEEPER) * character, layout.lineAt(0).width() - LEAST * character)
    if indent <= 0:
        return False
    _lay_out(layout, indent)
    block.setLineCount(layout.lineCount())
    return layout.lineCount() != before


def _lay_out(layout: QTextLayout, indent: float) -> None:
    first = layout.lineAt(0)
    left, width, height = first.x(), first.width(), 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        hung = indent if height else 0.0
        line.setLeadingIncluded(True)
        line.setLineWidth(width - hung)
        line.setPosition(QPointF(left + hung, height))
        height += line.height()
    layout.endLayout()
