"""Writes the page of examples from the window: the command writes each player in a process of its own, so that nothing waits for it.

Nothing is written while something is measured: the player at work is given up, and begun again afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment, QTimer
from PySide6.QtWidgets import QFileDialog

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.export.examples import EXAMPLES, PAGE, Example, examples_page
from app.qt.base.feature import Host
from kernels.base import packaged
from kernels.base.messages import Message, message

_SHOWN = 200
"""Characters that are shown of what the command says."""
_KILLED_MS = 1000
"""How long is waited for a process that was killed."""
LOOKED_MS = 200
"""How often is looked whether something is measured."""
WAITS = message("The page of examples waits: something is being measured")


class ExamplesWriter:
    """Writes one page at a time."""

    def __init__(
        self,
        host: Host,
        show: Callable[[int, int, Message], object],
        end: Callable[[Message], object],
        examples: Sequence[Example] = EXAMPLES,
    ) -> None:
        """`show` is given how many players of how many are written, and a sentence of it; `end` what became of the page."""
        self._host, self._show, self._end, self._examples = host, show, end, examples
        self._page, self._translator = Path(), host.look().translator
        self._written = 0
        self._process: QProcess | None = None
        self._looking = QTimer(host.window)
        self._looking.setInterval(LOOKED_MS)
        self._looking.timeout.connect(self._look)

    @property
    def writing(self) -> bool:
        """Whether it is at work, or waits until it may be."""
        return self._looking.isActive()

    def ask_and_write(self) -> None:
        """Ask for the folder, then write into it."""
        editor, title = self._host.workbench.session.draft_editor, self._host.look().text(message("Folder of the page of examples"))
        folder = QFileDialog.getExistingDirectory(self._host.window, title, editor.beside(""))
        if folder:
            self.write(Path(folder))

    def write(self, folder: Path) -> None:
        """Begin to write the players and the page into a folder, as soon as nothing is measured."""
        self._page, self._translator, self._written = folder.absolute() / PAGE, self._host.look().translator, 0
        reason = _refuse_folder(self._page)
        if reason is not None:
            self._end(_not_written(self._translator.text(reason)))
            return
        self._looking.start()
        self._look()

    def cancel(self) -> None:
        """Stop where it is at work; the players that are done stay, and have a page unless there was one."""
        if self.writing:
            self._give_up()
            paged = self._written > 0 and not self._page.exists() and self._write_page() is None
            kept = message("Cancelled. The page has {count} players: {path}", count=self._written, path=str(self._page))
            self._finish(kept if paged else message("Cancelled. No page was written; players that are done: {count}.", count=self._written))

    def _look(self) -> None:
        measuring = self._host.workbench.measuring
        if measuring:
            self._give_up()
        elif self._process is None:
            self._begin()
            if not self.writing:
                return  # the process could not be started, and the page has ended
        count = len(self._examples)
        said = message("Page of examples: {done} of {count} players written", done=self._written, count=count)
        self._show(self._written, count, WAITS if measuring else said)

    def _begin(self) -> None:
        """Have the next player written."""
        example = self._examples[self._written]
        process = self._process = QProcess(self._host.window)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("QT_QPA_PLATFORM", "offscreen")
        process.setProcessEnvironment(environment)
        process.setWorkingDirectory(str(Path(str(files("app"))).parent))
        process.setStandardOutputFile(QProcess.nullDevice())
        process.finished.connect(self._ended)
        process.errorOccurred.connect(lambda error: self._ended(1) if error is QProcess.ProcessError.FailedToStart else None)
        path = self._page.with_name(f"{example.name}.html")
        wanted = [str(path), *example.options, "--lang", self._translator.language]
        process.start(sys.executable, [*command_of(), "export", "player", *wanted])

    def _give_up(self) -> None:
        """End the process, which leaves no file of the player that it was at."""
        if self._process is not None:
            self._process.finished.disconnect()
            self._process.errorOccurred.disconnect()
            self._process.kill()
            self._process.waitForFinished(_KILLED_MS)
            self._forget()

    def _forget(self) -> None:
        if self._process is not None:
            self._process.deleteLater()
            self._process = None

    def _ended(self, status: int) -> None:
        assert self._process is not None
        lines = bytes(self._process.readAllStandardError().data()).decode(errors="replace").splitlines()
        reason = lines[-1][:_SHOWN] if lines else self._process.errorString()
        self._forget()
        if status != 0:
            self._finish(_not_written(reason))
            return
        self._written += 1
        if self._written < len(self._examples):
            self._look()
        else:
            self._finish(self._write_page() or message("Written: {path}", path=str(self._page)))

    def _write_page(self) -> Message | None:
        return write_whole(self._page, examples_page(self._examples[: self._written], self._translator))

    def _finish(self, said: Message) -> None:
        self._looking.stop()
        self._end(said)


def _refuse_folder(page: Path) -> Message | None:
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return message("{folder} cannot be made: {error}", folder=str(page.parent), error=error.strerror or str(error))
    return refuse_file(page)


def _not_written(reason: str) -> Message:
    return message("Not written: {reason}", reason=reason)


def command_of() -> list[str]:
    """What stands before a command where the program starts itself: in the packaged one there is no Python to name it to."""
    return [] if packaged.contents() is not None else ["-m", "app"]
