"""Layout of a source in which the rows that a line is wrapped into hang below its own indent: they keep the loop that they are in."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextDocument, QTextLayout
from PySide6.QtWidgets import QPlainTextDocumentLayout

DEEPER = 2
"""Characters that a row hangs deeper than its line begins."""
MOST = 0.65
"""The share of the width that an indent may take: code that is deeper in hangs there."""


class HangingLayout(QPlainTextDocumentLayout):
    """Lays blocks out as Qt does, and those of several rows again with their indent; a layout that has it stays."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._wrapped_anew = False

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The place that a block takes, laid out if it was not; Qt asks it of each block that it lays out or paints."""
        box = super().blockBoundingRect(block)
        layout = block.layout() if block.isValid() and block.isVisible() else None
        if layout is None or layout.lineCount() < 2 or layout.lineAt(1).x() > layout.lineAt(0).x():
            return box
        indent = self._indent(block, layout.lineAt(0).width())
        if indent == 0:
            return box
        before = layout.lineCount()
        self._hang(layout, indent)
        if layout.lineCount() != before:
            block.setLineCount(layout.lineCount())
            self.documentSizeChanged.emit(self.documentSize())
        return super().blockBoundingRect(block)

    def _indent(self, block: QTextBlock, width: float) -> float:
        text = block.text()
        character = QFontMetricsF(self.document().defaultFont()).horizontalAdvance("0")
        return min((len(text) - len(text.lstrip()) + DEEPER) * character, MOST * width)

    def _hang(self, layout: QTextLayout, indent: float) -> None:
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
