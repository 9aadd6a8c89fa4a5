"""Challenges as a part of the window: the button, the command, the panel, and where an attempt is handed in.

The panel of the challenges: their list with what was made of each, or the one that is tried.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.core.challenges.library import challenges
from app.core.challenges.result import SUFFIX
from app.core.challenges.words import state_of
from app.core.program.attempt_runner import Practice, Trying
from app.core.session.session import Workspace
from app.qt.base.binding import bind
from app.qt.base.commands import Command
from app.qt.base.feature import Feature, Host
from app.qt.base.look import Look
from app.qt.challenges.try_page import HIDE, PanelActions, TryPage
from app.qt.lessons.wide_button import WideButton
from app.qt.widgets.labels import label
from app.qt.widgets.side_panel import MARGIN, SidePage, SidePanel, hide_button, list_head
from kernels.base.messages import Message, message


class ListPage(SidePage):
    """One button a challenge, in teaching order."""

    def __init__(self, look: Look, practice: Practice, actions: PanelActions) -> None:
        super().__init__()
        self.arrange(list_head(look, message("Challenges"), hide_button(look, HIDE, actions.hide)))
        self._look = look
        self._rows = [(each, self._row(each, actions)) for each in challenges()]
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(MARGIN, 10, MARGIN, 14)
        rows.setSpacing(6)
        told = label(look, message("Kernels with a defect. Edit them until their traces meet the targets."), "body", rank=2)
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

    def _show(self, practice: Practice) -> None:
        for challenge, row in self._rows:
            record = practice.progress.of(challenge.id)
            row.show_mark("✓" if record.solved else "", self._look.text(state_of(record)), chosen=False)


class ChallengesPanel(SidePanel):
    """What it shows is in the practice: built anew for another look it shows the same challenge."""

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
        self._challenge = challenge
        shown = self._look, self._practice
        self.put(ListPage(*shown, self._actions) if trying is None else TryPage(*shown, trying, self._actions))


NAME = "challenges/name"
"""Where the settings have what the student is called."""


class ChallengesFeature(Feature):
    """The panel opens with its button, and whenever a challenge is tried."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._practice = host.workbench.practice
        self._lists = Command(message("Challenges"), ("Ctrl+T",), self.toggle)
        self._challenge: Challenge | None = None
        self._unsubscribe = self._practice.trying.subscribe(self._tried)

    def commands(self) -> tuple[Command, ...]:
        return (self._lists,)

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("target", self._lists),)

    def side(self) -> QWidget | None:
        if self._host.side.value is not self:
            return None
        from app.qt.challenges.try_page import PanelActions

        actions = PanelActions(self.open, self.toggle, self._ask_and_hand_in, self._host.settings.text(NAME) or "")
        return ChallengesPanel(self._host.look(), self._practice, actions, self._host.window.width())

    def close(self) -> None:
        self._unsubscribe()

    def toggle(self) -> None:
        """Open the panel, or hide it; a challenge that is tried stays the open draft."""
        shown = self._host.side.value is self
        if not shown:
            self._practice.progress.load()
        self._host.put_side(None if shown else self)

    def open(self, challenge: Challenge) -> None:
        """Try a challenge, seen in the views that the stage chooses; a lesson that is played gives way."""
        self._host.workbench.lesson_controller.player.close()
        self._host.workbench.session.show_workspace(Workspace.STAGE)
        self._host.workbench.stage.alone.value = 0  # the view that a lesson was about
        self._practice.open(challenge)

    def hand_in(self, path: Path, name: str) -> Message | None:
        """Write the attempt to a file, and remember the name; returns why it could not be written."""
        self._host.settings.save_text(NAME, name.strip() or None)
        reason = self._practice.hand_in(path, name.strip())
        self._host.workbench.tell(reason or message("Written: {path}", path=str(path)))
        return reason

    def _ask_and_hand_in(self, name: str) -> None:
        trying = self._practice.trying.value
        if trying is None:
            return
        proposed = f"{trying.challenge.id}{SUFFIX}"
        title = self._host.look().text(message("Hand in"))
        chosen, _ = QFileDialog.getSaveFileName(self._host.window, title, proposed, f"Tilescope (*{SUFFIX})")
        if chosen:
            path = Path(chosen)
            self.hand_in(path if path.suffix else path.with_suffix(SUFFIX), name)

    def _tried(self, trying: Trying | None) -> None:
        challenge = None if trying is None else trying.challenge
        opened, self._challenge = challenge is not None and challenge is not self._challenge, challenge
        if opened:
            self._host.put_side(self)  # built anew, so that there is room for the text
