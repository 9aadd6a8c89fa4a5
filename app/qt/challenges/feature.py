"""Challenges as a part of the window: the button, the command, and where an attempt is handed in."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.base.i18n import Translator
from app.core.challenges.challenge import Challenge
from app.core.challenges.result import SUFFIX
from app.core.session.session import Workspace
from app.core.workbench.attempt_runner import Trying
from app.qt.base.commands import Command, Place
from app.qt.base.feature import Feature, Host
from kernels.base.messages import Message, message

if TYPE_CHECKING:
    from app.qt.challenges.panel import ChallengesPanel

NAME = "challenges/name"
"""Where the settings have what the student is called."""


class ChallengesFeature(Feature):
    """The panel opens with its button, and whenever a challenge is tried."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._practice = host.workbench.practice
        self._lists = Command(message("Challenges"), ("Ctrl+T",), self.toggle)
        self._checks = Command(message("Check the challenge, or stop the check"), ("Ctrl+Return", "Ctrl+Enter"), self._check)
        self._challenge: Challenge | None = None
        self._panel: ChallengesPanel | None = None
        self._unsubscribe = self._practice.trying.subscribe(self._tried)

    def commands(self) -> tuple[Command, ...]:
        return self._lists, self._checks

    def places(self) -> tuple[Place, ...]:
        from app.core.challenges.library import challenges

        return tuple(Place(message("challenge"), partial(_title_of, each), partial(self.open, each), also=each.id) for each in challenges())

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("target", self._lists),)

    def side(self) -> QWidget | None:
        if self._host.side.value is not self:
            return None
        from app.qt.challenges.panel import ChallengesPanel
        from app.qt.challenges.try_page import PanelActions

        actions = PanelActions(self.open, self.toggle, self._ask_and_hand_in, self._host.settings.text(NAME) or "")
        self._panel = ChallengesPanel(self._host.look(), self._practice, actions, self._host.window.width())
        return self._panel

    def leave(self) -> bool:
        """Hide the list; go back to it from a challenge whose page has the focus. Else what is tried stays beside the stage."""
        panel = self._panel if self._host.side.value is self else None
        if panel is None:
            return False
        if self._practice.trying.value is None:
            self.toggle()
        elif panel.naming:
            panel.take_focus()
        elif panel.has_focus:
            self._practice.close()
        else:
            return False
        return True

    def close(self) -> None:
        self._unsubscribe()

    def toggle(self) -> None:
        """Open the panel, or hide it; a challenge that is tried stays the open draft."""
        shown = self._host.side.value is self
        if not shown:
            self._practice.progress.load()
        self._host.put_side(None if shown else self)
        if not shown and self._panel is not None:
            self._panel.take_focus()

    def open(self, challenge: Challenge) -> None:
        """Try a challenge, seen in the views that the stage chooses; a lesson that is played and a comparison give way."""
        self._host.workbench.lesson_controller.player.close()
        self._host.workbench.comparison.leave()  # it would hide the text
        self._host.workbench.session.show_workspace(Workspace.STAGE)
        self._host.workbench.stage.alone.value = 0  # one that was alone may not show what the challenge is about
        self._practice.open(challenge)

    def _check(self) -> None:
        if self._practice.trying.value is None:
            self._host.workbench.tell(message("No challenge is open."))
        else:
            self._practice.check_or_stop()

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
        proposed = self._host.workbench.session.draft_editor.beside(f"{trying.challenge.id}{SUFFIX}")
        title = self._host.look().text(message("Hand in"))
        chosen, _ = QFileDialog.getSaveFileName(self._host.window, title, proposed, f"Tilescope (*{SUFFIX})")
        if chosen:
            path = Path(chosen)
            self._host.workbench.session.draft_editor.visit(path)
            self.hand_in(path if path.suffix else path.with_suffix(SUFFIX), name)

    def _tried(self, trying: Trying | None) -> None:
        challenge = None if trying is None else trying.challenge
        opened, self._challenge = challenge is not None and challenge is not self._challenge, challenge
        if opened:
            self._host.put_side(self)  # built anew, so that there is room for the text
            if self._panel is not None:
                self._panel.take_focus()  # the row that was pressed is not there any more


def _title_of(challenge: Challenge, translator: Translator) -> str:
    return challenge.text(translator.language).title
