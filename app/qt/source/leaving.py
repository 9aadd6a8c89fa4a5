"""Leaving the text that is edited: at once, or after it was asked what is to become of changes that no file has."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QToolButton

from app.core.session.draft import Draft
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.source.header import offer_bar
from app.qt.source.view import SourceView
from kernels.base.messages import message

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
            self._view.window().focusNextPrevChild(True)  # noqa: FBT003 Qt takes no keyword here
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
