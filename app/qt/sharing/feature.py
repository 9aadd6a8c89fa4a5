"""State commands of the window: saving, opening, copying and pasting what is shown, and the list of recent states.

After an end without closing, a line below the command bar offers to go on where the program was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QListWidget, QListWidgetItem, QWidget

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.text_files import read_source
from app.core.base.observable import Field
from app.core.base.value_labels import moment_text
from app.core.state.last_session import Ended
from app.core.state.snapshot import Snapshot, title_of
from app.core.state.written import SUFFIX, paste_of, text_of
from app.core.workbench.shown_states import show_state
from app.qt.base.binding import bind, set_shown
from app.qt.base.commands import Command
from app.qt.base.feature import Feature, Host
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.source.header import offer_bar
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay, middle
from kernels.base.messages import Message, message

_SIZE = (560, 460)
TITLE = message("Recent states")


class RecentPanel(Overlay):
    """Return or a click shows a state; Escape leaves everything as it is."""

    def __init__(self, look: Look, over: QWidget, states: Field[tuple[Snapshot, ...]], show: Callable[[Snapshot], object]) -> None:
        super().__init__(look, over, partial(middle, look, _SIZE))
        self._states: tuple[Snapshot, ...] = ()
        self._show = show
        self._empty = label(look, message("Nothing yet: what is looked at for five seconds comes here."), "body", rank=2)
        self._empty.setWordWrap(True)
        self._list = QListWidget()
        self._list.setFont(look.theme.font("section"))
        self._list.setAccessibleName(look.text(TITLE))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.itemActivated.connect(self._chosen)
        self._list.itemClicked.connect(self._chosen)
        self.column.addWidget(self._empty)
        self.column.addWidget(self._list, 1)
        bind(self, states, self._fill)

    def toggle(self) -> None:
        """Show it, or close it."""
        if not self.isHidden():
            self.leave()
            return
        self.open(TITLE, self._list if self._states else self)
        self._list.setCurrentRow(0)

    def _fill(self, states: tuple[Snapshot, ...]) -> None:
        self._states = states
        self._list.clear()
        for state in states:
            item = QListWidgetItem("   ".join(part for part in (moment_text(state.seen), self.look.text(title_of(state))) if part))
            file = state.draft.path if state.draft is not None and state.edited else None
            item.setToolTip(f"{item.text()}\n{file or state.stage.variant.id}")
            self._list.addItem(item)
        self._empty.setVisible(not states)
        self._list.setVisible(bool(states))

    def _chosen(self, item: QListWidgetItem) -> None:
        state = self._states[self._list.row(item)]
        self.leave()
        self._show(state)


EMPTY = message("The clipboard is empty: copy a state first.")
KINDS = f"Tilescope (*{SUFFIX})"


class Sharing(Feature):
    """Feature of states that are saved and passed on. Opening one executes at most the interpreter: measuring and running on a GPU wait to
    be asked for."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._draft_editor = host.workbench.session.draft_editor
        self._recent: Lazy[RecentPanel] | None = None

    def commands(self) -> tuple[Command, ...]:
        return (
            Command(message("Open a state…"), ("Ctrl+Shift+I",), self._ask_and_open),
            Command(message("Save this state…"), ("Ctrl+Shift+D",), self._ask_and_save),
            Command(message("Copy this state as text"), ("Ctrl+Shift+C",), self.copy, "link share 链接 分享"),
            Command(message("Paste a state"), ("Ctrl+Shift+V",), self.paste),
            Command(message("Recent states…"), ("Ctrl+R",), self._toggle_recent),
        )

    def build(self, over: QWidget) -> None:
        self._recent = Lazy(partial(self._made_recent, over))

    def save(self, path: Path) -> Message | None:
        """Write what is shown to a file; returns why it could not be."""
        workbench, shown = self._host.workbench, self._host.workbench.states.now()
        reason, written = write_whole(path, text_of(shown)), message("Written: {path}", path=str(path))
        if shown.beside is None and workbench.comparison.pair.value is not None:
            written = message("Written, without what it is compared with: {path}", path=str(path))
        workbench.tell(reason or written)
        return reason

    def open(self, path: Path) -> Message | None:
        """Show what a file says; returns why it says nothing, and then shows nothing."""
        return show_state(self._host.workbench, read_source(path), str(path))

    def copy(self) -> None:
        """Put what is shown into the clipboard, as one word to paste into a message."""
        workbench, shown = self._host.workbench, self._host.workbench.states.now()
        QApplication.clipboard().setText(paste_of(shown))
        if shown.beside is None and workbench.comparison.pair.value is not None:
            workbench.tell(message("The state on the right is in the clipboard, without what it is compared with."))
        else:
            workbench.tell(message("This state is in the clipboard. Pasted here, it shows the same again."))

    def paste(self) -> Message | None:
        """Show the state in the clipboard; returns why there is none."""
        text = QApplication.clipboard().text()
        return show_state(self._host.workbench, text if text.strip() else EMPTY, "")

    def _ask_and_open(self) -> None:
        title = self._host.look().text(message("Open a state"))
        name, _ = QFileDialog.getOpenFileName(self._host.window, title, self._draft_editor.begin, KINDS)
        if name:
            self._draft_editor.visit(Path(name))
            self.open(Path(name))

    def _ask_and_save(self) -> None:
        title = self._host.look().text(message("Save this state"))
        name, _ = QFileDialog.getSaveFileName(self._host.window, title, self._draft_editor.beside(f"tilescope{SUFFIX}"), KINDS)
        if name:
            path = Path(name)
            self._draft_editor.visit(path)
            self.save(path if path.suffix in (SUFFIX, ".json") else path.with_name(path.name + SUFFIX))

    def _toggle_recent(self) -> None:
        if self._recent is not None:
            self._recent().toggle()

    def _made_recent(self, over: QWidget) -> RecentPanel:

        states = self._host.workbench.states
        return RecentPanel(self._host.look(), over, states.recent.states, states.show)


RESTORE = message("Go on there")
DISMISS = message("No, thanks")


class RestoreOffer(Feature):
    """Offer to go on where the program was. Nothing waits for the answer; without one all is as in any start."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._session = host.workbench.last_session

    def line(self) -> QWidget:
        bar, said = offer_bar(self._host.look(), {RESTORE: self._session.restore, DISMISS: self._session.dismiss})
        bind(bar, self._session.offered, lambda ended: self._show(bar, said, ended))
        return bar

    def _show(self, bar: QWidget, said: QLabel, ended: Ended | None) -> None:
        set_shown(bar, ended is not None)
        if ended is not None:
            said.setText(self._host.look().text(_how_it_ended(ended)))


def _how_it_ended(ended: Ended) -> Message:
    title = title_of(ended.shown)
    if ended.measuring:
        return message("Tilescope was closed while it measured. What was finished is kept; shown was {title}.", title=title)
    return message("Tilescope was not closed last time. Nothing that was measured is lost; shown was {title}.", title=title)
