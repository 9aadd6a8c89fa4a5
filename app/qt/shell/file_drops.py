"""Files that are dropped on the window, CUDA C or a state: they are opened, as by hand."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from app.core.base.files.text_files import read_source
from app.core.session.session import Workspace
from app.core.state.written import SUFFIX
from app.core.workbench.shown_states import show_state
from app.core.workbench.workbench import Workbench

ENDINGS = (".cu", ".cuh", ".h", ".cpp", SUFFIX)


class FileDrops(QObject):
    """Takes files that are dropped on the window, before parts of it that are written into take their names for words."""

    def __init__(self, window: QWidget, workbench: Workbench) -> None:
        super().__init__(window)
        self._window, self._workbench = window, workbench
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WinIdChange:
            self._stand_before_all_parts()
        file = _file(event.mimeData()) if isinstance(event, QDropEvent) else None
        if file is None or not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        event.acceptProposedAction()
        if event.type() is QEvent.Type.Drop:
            self._open(file)
        return True

    def _stand_before_all_parts(self) -> None:
        """The system's window is there now: it is told of what is dropped before any part is."""
        system = self._window.windowHandle()
        if system is not None:
            system.installEventFilter(self)

    def _open(self, file: Path) -> None:
        if file.suffix == SUFFIX:
            show_state(self._workbench, read_source(file), str(file))
            return
        session = self._workbench.session
        reason = session.draft_editor.open_file(file)
        session.show_workspace(Workspace.STAGE)
        if reason is not None:
            self._workbench.tell(reason)


def _file(dropped: QMimeData) -> Path | None:
    """The one file that is dropped, of a kind that is opened; None where it is something else."""
    paths = [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].suffix in ENDINGS else None
