"""Editing: joins the text on the screen and the draft, and shows diagnostics, underlined in the text and listed below it.

Keys reach the draft when they rest; what changes the draft reaches the screen. Who leaves a text is asked first what is to become of
changes that no file has.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSizePolicy, QTextEdit, QToolButton

from app.core.session.draft import Draft
from app.core.session.draft_changes import Remark
from app.core.session.draft_editor import DraftEditor
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.source.header import offer_bar
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


SAVE, CLOSE, STAY = message("Save"), message("Close without saving"), message("Go on editing")


class Leaving(QObject):
    """An attempt at a challenge is kept anyway, and the text of a lesson stays with it: neither is asked about."""

    def __init__(self, look: Look, workbench: Workbench, view: SourceView, flush: Callable[[], object], save: Callable[[], object]) -> None:
        super().__init__(view)
        self._look = look
        self._draft_editor = workbench.session.draft_editor
        self._practice = workbench.practice
        self._lesson = workbench.lesson_controller.player.playing
        self._view = view
        self._flush = flush
        self._write = save
        self.offer, self._said = offer_bar(look, {SAVE: self._save, CLOSE: self._close, STAY: self.stay})
        bind(self, self._draft_editor.draft, self._follow)
        bind(self, self._draft_editor.on_stage, lambda _shown: self._follow(self._draft_editor.shown))

    def leave(self) -> None:
        """Close the text, or ask."""
        self._flush()
        draft = self._draft_editor.shown
        if draft is None or not draft.changed or self._practice.trying.value is not None:
            self._close()
            return
        self._said.setText(self._look.text(message("Changes are not saved.")))
        self.offer.show()
        self.offer.findChildren(QToolButton)[-1].setFocus(Qt.FocusReason.OtherFocusReason)

    def escape(self) -> bool:
        """What Escape does in a text that is edited: a copy is closed; of a lesson's text and a file of one's own, which is in no list
        once it is closed, only the focus leaves. True where it did something."""
        if not self._view.editable or not self._view.hasFocus():
            return False
        draft = self._draft_editor.shown
        if self._lesson.value is None and (draft is None or draft.path is None):
            self.leave()
        else:
            self._view.window().focusNextPrevChild(True)  # noqa: FBT003 the view itself keeps the focus of a text that Tab indents
        return True

    def stay(self) -> bool:
        """Go on editing; False where nothing was asked."""
        if self.offer.isHidden():
            return False
        self.offer.hide()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _close(self) -> None:
        self.offer.hide()
        if self._practice.trying.value is not None:
            self._practice.close()
        else:
            self._draft_editor.close()

    def _save(self) -> None:
        self._write()
        draft = self._draft_editor.shown
        if draft is not None and not draft.changed:
            self._close()

    def _follow(self, draft: Draft | None) -> None:
        """There is nothing to ask where another text is shown, or this one has no changes."""
        if draft is None or not draft.changed:
            self.offer.hide()
