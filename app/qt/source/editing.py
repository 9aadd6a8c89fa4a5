"""Editing: joins the text on the screen and the draft, and shows diagnostics, underlined in the text and listed below it.

Keys reach the draft when they rest; what changes the draft reaches the screen.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSizePolicy, QTextEdit

from app.core.session.draft import Draft
from app.core.session.draft_changes import Remark
from app.core.session.draft_editor import DraftEditor
from app.qt.base.look import Look
from app.qt.source.view import SourceView
from kernels.base.messages import message
from kernels.simt.frontend.diagnostics import Diagnostic, Severity

REST_MS = 300
"""How long the keys must rest before the text is looked at."""


class Editing(QObject):
    """Edits the draft of one draft editor in one view."""

    def __init__(self, view: SourceView, draft_editor: DraftEditor) -> None:
        super().__init__(view)
        self._view = view
        self._draft_editor = draft_editor
        self._known: str | None = None
        """The text that view and draft last agreed on; None while no draft is edited."""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.flush)
        view.textChanged.connect(self._typed)

    def show(self, draft: Draft) -> None:
        """Edit a draft, or show what has become of it."""
        if self._known is None:
            self._known = draft.text
            self._view.show_source(draft.text, cuda=True)
            self._view.let_edit(editable=True)
        elif draft.text != self._known:
            self._known = draft.text
            self._rest.stop()
            if draft.text != self._view.text:
                self._view.replace_text(draft.text)

    def leave(self) -> None:
        """Read again. What was typed last still reaches the draft, which is no longer shown but there."""
        known, self._known = self._known, None
        if known is not None:
            self._rest.stop()
            self._view.let_edit(editable=False)
            if self._view.text != known:
                self._draft_editor.change_text(self._view.text)

    def flush(self) -> None:
        """Let what was typed reach the draft now."""
        self._rest.stop()
        text = self._view.text
        if self._known is not None and text != self._known:
            self._known = text
            self._view.colour_now()
            self._draft_editor.change_text(text)

    def _typed(self) -> None:
        if self._known is not None and self._view.text != self._known:
            self._rest.start()


MOST_ROWS, TALLEST, PADDING = 4, 132, 28
AROUND = 14
"""Pixels of a row beside its text: with fewer Qt takes the last line of several for one that has no room."""


class DiagnosticsList(QListWidget):
    """List of remarks, one row each; a press, or Return, goes there. It is as high as it needs, up to four rows."""

    wrong = Signal(bool)
    """Whether there is something in it that keeps the text from running."""

    def __init__(self, look: Look, go: Callable[[int, int], object]) -> None:
        super().__init__()
        self._look = look
        self._go = go
        self._most = look.px(TALLEST)
        self.setFont(look.theme.font("small"))
        self.setAccessibleName(look.text(message("What is wrong with the text")))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(True)
        self.setStyleSheet("QListWidget::item { padding-left: 8px; }")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.itemClicked.connect(self._chosen)
        self.itemActivated.connect(self._chosen)
        self.show_remarks(())

    def show_remarks(self, remarks: tuple[Remark, ...]) -> None:
        """List them; nothing takes no room."""
        self.clear()
        for remark in remarks:
            text = self._look.text(remark.sentence)
            item = QListWidgetItem(f"{'✕' if remark.severe else '⚠'} {remark.place} {text}".replace("  ", " "))
            item.setToolTip(text)
            item.setForeground(self._look.theme.bad if remark.severe else self._look.theme.t1)
            item.setData(Qt.ItemDataRole.UserRole, (remark.line, remark.column))
            self.addItem(item)
        self._fit()
        self.setVisible(bool(remarks))
        self.wrong.emit(any(each.severe for each in remarks))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def leave_room(self, height: int) -> None:
        """Take at most this much of the height: the text is to be seen too."""
        self._most = height
        self._fit()

    def _fit(self) -> None:
        """Make each row as high as its text, and the list as high as the first rows."""
        width, needed = self.viewport().width() - PADDING, 0
        for number in range(self.count()):
            item = self.item(number)
            text = self.fontMetrics().boundingRect(0, 0, max(width, 80), 1000, Qt.TextFlag.TextWordWrap, item.text())
            item.setSizeHint(QSize(0, text.height() + AROUND))
            needed += text.height() + AROUND if number < MOST_ROWS else 0
        self.setFixedHeight(min(needed, self._look.px(TALLEST), self._most) + 4)

    def _chosen(self, item: QListWidgetItem) -> None:
        line, column = item.data(Qt.ItemDataRole.UserRole)
        if line:
            self._go(line, column)


def underlines(
    document: QTextDocument, diagnostics: tuple[Diagnostic, ...], error: QColor, warning: QColor
) -> list[QTextEdit.ExtraSelection]:
    """A wave below the word at which each remark on the shown text stands; errors in another colour than warnings."""
    found = []
    for each in diagnostics:
        block = document.findBlockByNumber(each.line - 1)
        if each.file or not block.isValid():
            continue
        wave = QTextEdit.ExtraSelection()
        severe = each.severity is Severity.ERROR
        wave.format.setUnderlineStyle(
            QTextCharFormat.UnderlineStyle.WaveUnderline if severe else QTextCharFormat.UnderlineStyle.DashUnderline
        )
        wave.format.setUnderlineColor(error if severe else warning)
        wave.cursor = _word(block.position(), block.text(), each.column, document)
        found.append(wave)
    return found


def _word(start: int, line: str, column: int, document: QTextDocument) -> QTextCursor:
    """The word, or else the sign, that begins in a column (from 1); the last sign where the line ends before it."""
    first = min(max(column - 1, 0), max(len(line) - 1, 0))
    last = first
    while last < len(line) and (line[last].isalnum() or line[last] == "_"):
        last += 1
    cursor = QTextCursor(document)
    cursor.setPosition(start + first)
    cursor.setPosition(start + max(last, min(first + 1, len(line))), QTextCursor.MoveMode.KeepAnchor)
    return cursor
