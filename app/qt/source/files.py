"""Files of the text that is edited: opened, saved, and found again where they were opened lately."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.core.base.files.text_files import read_source
from app.core.base.parsing import shown
from app.core.session.session import Session, Workspace
from app.core.state.written import SUFFIX
from app.core.workbench.shown_states import show_state
from app.core.workbench.workbench import Workbench
from app.qt.base.commands import Place
from app.qt.base.look import Look
from kernels.base.messages import Message, message

_ENDINGS = "*.cu *.cuh *.h *.cpp"
KINDS = f"CUDA C ({_ENDINGS})"
_ALL_KINDS = f"CUDA C, Tilescope ({_ENDINGS} *{SUFFIX})"
"""States are opened by a command of their own too, but are looked for here."""
RECENT_FILES = message("Recent files")
_LONGEST = 80
"""Characters of a row of the menu."""


class SourceFiles:
    """Opens and saves the text of a panel. `flush` is called before; `say` with the reason why something could not be, or None."""

    def __init__(
        self, look: Look, owner: QWidget, workbench: Workbench, flush: Callable[[], object], say: Callable[[Message | None], object]
    ) -> None:
        self._look, self._owner, self._flush, self._say = look, owner, flush, say
        self._session: Session = workbench.session
        self._draft_editor = workbench.session.draft_editor
        self._tell, self._show_state = workbench.tell, partial(show_state, workbench)

    def ask_and_open(self) -> None:
        """Ask for a file and edit it, or show the state that it says."""
        title = self._look.text(message("Open a CUDA C file or a state"))
        name, _ = QFileDialog.getOpenFileName(self._owner, title, self._draft_editor.begin, _ALL_KINDS)
        if name:
            self.open(Path(name))

    def open(self, file: Path) -> None:
        """Edit a file on the stage, or say why that cannot be; a state is shown."""
        if file.suffix == SUFFIX:
            self._draft_editor.visit(file)
            self._flush()
            self._show_state(read_source(file), str(file))
            return
        self._session.show_workspace(Workspace.STAGE)
        self._flush()
        self._say(self._draft_editor.open_file(file))

    def save(self) -> None:
        """Write the text to the file that it came from, where that says what it said then; else ask for one."""
        self._flush()
        if (file := self._draft_editor.unchanged_file()) is not None:
            self._write(file)
        else:
            self.save_as()

    def save_as(self) -> None:
        """Ask for a file and write the text to it."""
        self._flush()
        draft = self._draft_editor.shown
        if draft is None:
            self._tell(message("Nothing is edited. {key} edits a copy, which can be saved.", key="Ctrl+E"))
            return
        title = self._look.text(message("Save the text"))
        proposed = self._draft_editor.beside(draft.name) if draft.path is None else str(draft.path)
        name, _ = QFileDialog.getSaveFileName(self._owner, title, proposed, KINDS)
        if name:
            self._write(Path(name))

    def _write(self, file: Path) -> None:
        reason = self._draft_editor.save(file)
        self._say(reason)
        if reason is None:
            self._tell(message("Written: {path}", path=str(file)))

    def places(self) -> tuple[Place, ...]:
        """What the command palette finds: recent files by name, and by where they lie."""
        files = self._draft_editor.recent_files.value
        return tuple(Place(RECENT_FILES, partial(_name, file), partial(self.open, file), also=str(file)) for file in files)

    def menu(self, owner: QWidget) -> QMenu:
        """The menu of the recent files, filled whenever it is opened."""
        menu = QMenu(self._look.text(RECENT_FILES), owner)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        return menu

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for file in self._draft_editor.recent_files.value:
            row = menu.addAction(shown(f"{file.name} — {file.parent}", _LONGEST).replace("&", "&&"))
            row.triggered.connect(lambda _=False, file=file: self.open(file))
        if menu.isEmpty():
            menu.addAction(self._look.text(message("No file was opened yet."))).setEnabled(False)


def _name(file: Path, _translator: object) -> str:
    return shown(file.name, _LONGEST)
