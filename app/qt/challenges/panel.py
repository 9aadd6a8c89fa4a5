"""The panel of the challenges: their list, or the one that is tried."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.core.challenges.library import challenges
from app.core.challenges.sentences import state_of
from app.core.workbench.attempt_runner import Practice, Trying
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.challenges.try_page import HIDE, PanelActions, TryPage
from app.qt.lessons.wide_button import WideButton
from app.qt.widgets.labels import label
from app.qt.widgets.side_panel import MARGIN, SidePage, SidePanel, hide_button, list_head
from kernels.base.messages import message


class ListPage(SidePage):
    """List of the challenges, one button each, in teaching order."""

    def __init__(self, look: Look, practice: Practice, actions: PanelActions, left: Challenge | None) -> None:
        """`left` is the challenge from which one comes back."""
        super().__init__()
        self._left = left
        self.arrange(list_head(look, message("Challenges"), hide_button(look, HIDE, actions.hide)))
        self._look = look
        self._rows = [(each, self._row(each, actions)) for each in challenges()]
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(MARGIN, 10, MARGIN, 14)
        rows.setSpacing(6)
        told = label(look, message("Kernels and programs with a defect. Edit them until what they do meets the targets."), "body", rank=2)
        told.setWordWrap(True)
        rows.addWidget(told)
        for _, row in self._rows:
            rows.addWidget(row)
        rows.addStretch(1)
        self.area.setWidget(content)
        bind(self, practice.progress.records, lambda _records: self._show(practice))

    def _row(self, challenge: Challenge, actions: PanelActions) -> WideButton:
        text = challenge.text(self._look.translator.language)
        row = WideButton(self._look, text.title)
        row.setToolTip(f"<p>{escape(text.summary)}</p>")  # so that long lines wrap, and its marks are no markup
        row.clicked.connect(lambda: actions.open(challenge))
        return row

    def take_focus(self) -> None:
        """Give the focus to the challenge that was left, else to the first."""
        chosen = next((row for challenge, row in self._rows if challenge is self._left), None)
        if chosen is None:
            super().take_focus()
        else:
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, practice: Practice) -> None:
        for challenge, row in self._rows:
            record = practice.progress.of(challenge.id)
            row.show_mark("✓" if record.solved else "", self._look.text(state_of(record)), chosen=False)


class ChallengesPanel(SidePanel):
    """Panel of the challenges. What it shows is in the practice: built anew for another look it shows the same challenge."""

    def __init__(self, look: Look, practice: Practice, actions: PanelActions, window_width: int) -> None:
        super().__init__(look, window_width)
        self._look = look
        self._practice = practice
        self._actions = actions
        self._challenge: Challenge | None = None
        bind(self, practice.trying, self._show)

    def _show(self, trying: Trying | None) -> None:
        challenge = None if trying is None else trying.challenge
        if self.count() and challenge is self._challenge:
            return
        before, self._challenge = self._challenge, challenge
        held, shown = self.has_focus, (self._look, self._practice)
        self.put(ListPage(*shown, self._actions, before) if trying is None else TryPage(*shown, trying, self._actions))
        if held and trying is None:
            self.take_focus()

    @property
    def has_focus(self) -> bool:
        """Whether keys go to the panel."""
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    @property
    def naming(self) -> bool:
        """Whether the student's name is being typed."""
        page = self.currentWidget()
        return isinstance(page, TryPage) and page.naming
