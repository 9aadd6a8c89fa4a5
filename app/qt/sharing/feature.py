"""Saving, opening, copying and pasting what is shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.core.source_files import read_source
from app.core.state.read import read_state
from app.core.state.written import SUFFIX, paste_of, text_of
from app.core.trouble.log import LOG, without_texts
from app.core.whole_file import write_whole
from app.qt.commands import Command
from app.qt.feature import Feature, Host
from app.qt.late import Late
from kernels.messages import Message, message

if TYPE_CHECKING:
    from app.qt.sharing.recent_panel import RecentPanel

KINDS = f"Tilescope (*{SUFFIX})"


class Sharing(Feature):
    """Opening a state executes at most the interpreter: measuring and running on a GPU wait to be asked for."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._recent: Late[RecentPanel] | None = None

    def commands(self) -> tuple[Command, ...]:
        return (
            Command(message("Open a state…"), ("Ctrl+Shift+I",), self._ask_and_open),
            Command(message("Save this state…"), ("Ctrl+Shift+S",), self._ask_and_save),
            Command(message("Copy this state as text"), ("Ctrl+Shift+C",), self.copy),
            Command(message("Paste a state"), ("Ctrl+Shift+V",), self.paste),
            Command(message("Recent states…"), ("Ctrl+R",), self._toggle_recent),
        )

    def build(self, over: QWidget) -> None:
        self._recent = Late(partial(self._made_recent, over))

    def save(self, path: Path) -> Message | None:
        """Write what is shown to a file; returns why it could not be."""
        reason = write_whole(path, text_of(self._host.workbench.states.now()))
        self._host.workbench.tell(reason or message("Written: {path}", path=str(path)))
        return reason

    def open(self, path: Path) -> Message | None:
        """Show what a file says; returns why it says nothing, and then shows nothing."""
        text = read_source(path)
        return self._show(text, str(path))

    def copy(self) -> None:
        """Put what is shown into the clipboard, as one word to paste into a message."""
        QApplication.clipboard().setText(paste_of(self._host.workbench.states.now()))
        self._host.workbench.tell(message("This state is in the clipboard. Pasted here, it shows the same again."))

    def paste(self) -> Message | None:
        """Show the state in the clipboard; returns why there is none."""
        return self._show(QApplication.clipboard().text(), "")

    def _show(self, text: str | Message, name: str) -> Message | None:
        workbench = self._host.workbench
        found = text if isinstance(text, Message) else read_state(text)
        if isinstance(found, Message):
            said = message("{place}: {reason}", place=name, reason=found) if name and found is not text else found
            LOG.info("state refused: %s", without_texts(found))
            workbench.tell(said)
            return said
        workbench.states.show(found)
        workbench.tell(message("The state is shown. Nothing was measured, and nothing ran on a GPU."))
        return None

    def _ask_and_open(self) -> None:
        title = self._host.look().text(message("Open a state"))
        name, _ = QFileDialog.getOpenFileName(self._host.window, title, "", KINDS)
        if name:
            self.open(Path(name))

    def _ask_and_save(self) -> None:
        title = self._host.look().text(message("Save this state"))
        name, _ = QFileDialog.getSaveFileName(self._host.window, title, f"tilescope{SUFFIX}", KINDS)
        if name:
            path = Path(name)
            self.save(path if path.suffix else path.with_suffix(SUFFIX))

    def _toggle_recent(self) -> None:
        if self._recent is not None:
            self._recent().toggle()

    def _made_recent(self, over: QWidget) -> RecentPanel:
        from app.qt.sharing.recent_panel import RecentPanel

        states = self._host.workbench.states
        return RecentPanel(self._host.look(), over, states.recent.states, states.show)
