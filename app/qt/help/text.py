"""A page of the help on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from app.qt.look import Look
from kernels.messages import message


class HelpText(QTextBrowser):
    """Text to read, select and copy. It leads nowhere, and loads nothing."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFont(look.theme.font("reading"))
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(look.px(12))
        self.setAccessibleName(look.text(message("Page of the help")))

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """Nothing: a page is made of words."""
        return None

    def show_page(self, markup: str, words: Sequence[str]) -> None:
        """Show a page from its beginning, or from the first place where one of the words stands; they are marked."""
        self.setHtml(markup)
        marks = [selection for word in words for selection in self._places_of(word)]
        self.setExtraSelections(marks)
        if marks:
            first = min((mark.cursor for mark in marks), key=QTextCursor.selectionStart)
            beginning = QTextCursor(self.document())
            beginning.setPosition(first.selectionStart())
            self.setTextCursor(beginning)
            self.ensureCursorVisible()

    def _places_of(self, word: str) -> list[QTextEdit.ExtraSelection]:
        found, cursor = [], self.document().find(word, 0, QTextDocument.FindFlag(0))
        while not cursor.isNull():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format.setBackground(self._look.theme.now_bg)
            mark.format.setFontUnderline(True)
            found.append(mark)
            cursor = self.document().find(word, cursor, QTextDocument.FindFlag(0))
        return found
