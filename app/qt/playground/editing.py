"""Joins the text on the screen and the draft: keys reach the draft when they rest, and what changes the draft reaches the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.core.playground.desk import DraftDesk
from app.core.playground.draft import Draft
from app.qt.panels.source_view import SourceView

REST_MS = 300
"""How long the keys must rest before the text is looked at."""


class Editing(QObject):
    """Of one view and the draft of one desk."""

    def __init__(self, view: SourceView, desk: DraftDesk) -> None:
        super().__init__(view)
        self._view = view
        self._desk = desk
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
                self._desk.change_text(self._view.text)

    def flush(self) -> None:
        """Let what was typed reach the draft now."""
        self._rest.stop()
        text = self._view.text
        if self._known is not None and text != self._known:
            self._known = text
            self._view.colour_now()
            self._desk.change_text(text)

    def _typed(self) -> None:
        if self._known is not None and self._view.text != self._known:
            self._rest.start()
