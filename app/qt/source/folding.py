"""Folding of long comments in a source: each to its first line, with how many lines it has."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from app.core.base.observable import Field

LEAST = 4
"""Lines of a comment that is worth folding."""


def long_comments(text: str, cuda: bool) -> tuple[range, ...]:
    """The comments of at least LEAST lines that hold nothing else, as their lines counted from 1; of Python, docstrings too."""
    found, first = [], 0
    lines = text.split("\n")
    for number, comment in enumerate((*_cuda_comments(lines), False) if cuda else (*_python_comments(lines), False), start=1):
        if comment and not first:
            first = number
        elif not comment and first:
            if number - first >= LEAST:
                found.append(range(first, number))
            first = 0
    return tuple(found)


def _cuda_comments(lines: list[str]) -> Iterator[bool]:
    """Of each line, whether it is comment alone."""
    within = False
    for line in lines:
        text = line.strip()
        opened = within or text.startswith("/*")
        within = opened and "*/" not in text
        yield text.startswith("//") or (opened and (within or text.endswith("*/")))


def _python_comments(lines: list[str]) -> Iterator[bool]:
    quoted = documents = False
    for line in lines:
        text, turns = line.strip(), line.count('"""') % 2 == 1
        if turns and not quoted:
            documents = text.startswith('"""')
        yield (text.startswith("#") and not quoted) or (documents and (quoted or turns))
        quoted ^= turns


class Folding:
    """Folding of a view's comments. Which are folded is kept in `folded`, by their text: found again in another look, and when the text
    comes back."""

    def __init__(self, view: QPlainTextEdit, folded: Field[frozenset[str]]) -> None:
        self._view = view
        self._folded = folded
        self._lines: list[str] = []
        self._comments: tuple[range, ...] = ()

    def follow(self, text: str, cuda: bool) -> None:
        """Find the comments of the text that the view shows now."""
        self._lines, self._comments = text.split("\n"), long_comments(text, cuda)
        self.apply()

    def comment_at(self, line: int) -> range | None:
        """The comment that begins in a line."""
        return next((each for each in self._comments if each.start == line), None)

    def is_folded(self, comment: range) -> bool:
        return self._said(comment) in self._folded.value

    def toggle(self, comment: range) -> None:
        """Fold a comment, or open it."""
        self._folded.value ^= {self._said(comment)}

    def toggle_all(self) -> None:
        """Fold all comments, or open them where all are folded."""
        said = {self._said(each) for each in self._comments}
        self._folded.value = self._folded.value - said if said <= self._folded.value else self._folded.value | said

    def reveal(self, line: int) -> None:
        """Open the comment that hides a line."""
        for comment in self._comments:
            if line in comment[1:] and self.is_folded(comment):
                self.toggle(comment)

    def apply(self) -> None:
        """Hide what is folded; a cursor in there goes to the line that stays."""
        hidden = {line for each in self._comments if self.is_folded(each) for line in each[1:]}
        document, changed = self._view.document(), False
        block = document.begin()
        while block.isValid():
            visible = block.blockNumber() + 1 not in hidden
            if block.isVisible() is not visible:
                changed = True
                block.setVisible(visible)
                layout = block.layout()
                block.setLineCount(0 if not visible else max(1, layout.lineCount() if layout is not None else 1))
            block = block.next()
        if changed:
            self._leave_hidden(hidden)
            whole = document.documentLayout()
            assert isinstance(whole, QPlainTextDocumentLayout)
            whole.requestUpdate()
            whole.documentSizeChanged.emit(whole.documentSize())

    def _leave_hidden(self, hidden: set[int]) -> None:
        cursor = self._view.textCursor()
        comment = next((each for each in self._comments if cursor.blockNumber() + 1 in each[1:]), None)
        if comment is not None and cursor.blockNumber() + 1 in hidden:
            self._view.setTextCursor(QTextCursor(self._view.document().findBlockByNumber(comment.start - 1)))

    def _said(self, comment: range) -> str:
        return "\n".join(self._lines[comment.start - 1 : comment.stop - 1])
