"""Writes the page of examples from the window: the command does it in a process of its own, so that nothing waits."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment
from PySide6.QtWidgets import QFileDialog

from app.core.export.examples import EXAMPLES, PAGE
from app.qt.base.feature import Host
from kernels.base import packaged
from kernels.base.messages import Message, message

_SHOWN = 200
"""Characters that are shown of what the command says."""
_KILLED_MS = 1000
"""How long is waited for a process that was killed."""


class ExamplesWriter:
    """Says in the status bar how far it is, and where the page is at the end."""

    def __init__(self, host: Host, names: tuple[str, ...] = ()) -> None:
        """`names` are the examples that are written; none: all."""
        self._host, self._names = host, names
        self._process: QProcess | None = None
        self._page = Path()
        self._said = ""

    @property
    def writing(self) -> bool:
        """Whether it is at work."""
        return self._process is not None

    def ask_and_write(self) -> None:
        """Ask for the folder, then write into it."""
        editor, title = self._host.workbench.session.draft_editor, self._host.look().text(message("Folder of the page of examples"))
        folder = QFileDialog.getExistingDirectory(self._host.window, title, editor.beside(""))
        if folder:
            self.write(Path(folder))

    def write(self, folder: Path) -> None:
        """Begin to write the players and the page into a folder."""
        if self._process is not None:
            self._tell(message("The page of examples is being written already: {path}", path=str(self._page)))
            return
        root = Path(str(files("app"))).parent
        self._page, self._said = folder.absolute() / PAGE, ""
        process = self._process = QProcess(self._host.window)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("QT_QPA_PLATFORM", "offscreen")
        process.setProcessEnvironment(environment)
        process.setWorkingDirectory(str(root))
        process.readyReadStandardError.connect(self._heard)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(lambda error: self._ended(1) if error is QProcess.ProcessError.FailedToStart else None)
        only = ["--only", *self._names] if self._names else []
        language = self._host.look().translator.language
        self._show(0)
        process.start(sys.executable, [*command_of(), "export", "examples", str(folder.absolute()), "--lang", language, *only])

    def cancel(self) -> None:
        """Stop where it is at work; the players that are done stay."""
        if self._process is not None:
            process, self._process = self._process, None
            process.finished.disconnect()
            process.readyReadStandardError.disconnect()
            process.kill()
            process.waitForFinished(_KILLED_MS)

    def _heard(self) -> None:
        assert self._process is not None
        for line in bytes(self._process.readAllStandardError().data()).decode(errors="replace").splitlines():
            self._said = line
            number = line.split(" ", 1)[0]
            if number.isdecimal():
                self._show(int(number) - 1)

    def _show(self, done: int) -> None:
        count = len(self._names or EXAMPLES)
        self._tell(message("Page of examples: {done} of {count} players written", done=done, count=count))

    def _ended(self, status: int) -> None:
        if self._process is not None:
            reason = self._said[:_SHOWN] or self._process.errorString()
            self._process.deleteLater()
            self._process = None
            written = message("Written: {path}", path=str(self._page))
            self._tell(written if status == 0 else message("Not written: {reason}", reason=reason))

    def _tell(self, said: Message) -> None:
        self._host.workbench.tell(said)


def command_of() -> list[str]:
    """What stands before a command where the program starts itself: in the packaged one there is no Python to name it to."""
    return [] if packaged.contents() is not None else ["-m", "app"]
