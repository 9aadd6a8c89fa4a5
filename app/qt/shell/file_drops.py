"""Files of CUDA C that are dropped on the window: they are opened, as by hand."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from app.core.session.session import Workspace
from app.core.workbench.workbench import Workbench

ENDINGS = (".cu", ".cuh", ".h", ".cpp")


class FileDrops(QObject):
    """Takes files that are dropped on the window, and on parts of it that would else take them for words."""

    def __init__(self, window: QWidget, workbench: Workbench) -> None:
        super().__init__(window)
        self._workbench = workbench
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        file = _file(event.mimeData()) if isinstance(event, QDropEvent) else None
        if file is None or not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        event.acceptProposedAction()
        if event.type() is QEvent.Type.Drop:
            self._open(file)
        return True

    def _open(self, file: Path) -> None:
        session = self._workbench.session
        reason = session.draft_editor.open_file(file)
        session.show_workspace(Workspace.STAGE)
        if reason is not None:
            self._workbench.tell(reason)


def _file(dropped: QMimeData) -> Path | None:
    """The one text of CUDA C that is dropped; None where it is something else."""
    paths = [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].suffix in ENDINGS else None
