"""Handlers of what nobody caught: errors in any thread, and faults of the process itself.

Errors are logged and reported, and nothing is written on the terminal. A process that dies of a fault in a library leaves its last words in
a file of its own, which the next start finds.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from app.core.base.files.locations import prepare
from app.core.base.files.log import LOG
from app.core.base.files.text_files import read_source
from app.core.crash_reports.report import Report, Reports
from kernels.base.file_lock import FileLock
from kernels.base.messages import Message

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

PREFIX = "crash-"


@contextlib.contextmanager
def last_words(folder: Path) -> Iterator[None]:
    """Have a crash of this process leave the places where its threads were. The file goes when the process ends as it should."""
    if prepare(folder) is not None:
        yield
        return
    path = folder / f"{PREFIX}{os.getpid()}.txt"
    lock = FileLock(path.with_suffix(".lock"))
    with contextlib.suppress(OSError):  # a place without locks: the next start takes the process for ended
        lock.take()
    with path.open("w", encoding="utf-8") as file:
        faulthandler.enable(file)
        try:
            yield
        finally:
            faulthandler.disable()
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    lock.release(remove=True)


def left_words(folder: Path) -> list[str]:
    """What processes left that have ended. It is told once: the files are gone then."""
    found = []
    for path in sorted(folder.glob(f"{PREFIX}*.txt")):
        lock = FileLock(path.with_suffix(".lock"))
        with contextlib.suppress(OSError):
            if not lock.take():
                continue
            words = read_source(path)
            path.unlink(missing_ok=True)
            lock.release(remove=True)
            if not isinstance(words, Message) and words.strip():
                found.append(words)
    return found


CRASHES = 3
"""At most so many crashes of earlier processes are told at one start."""


class Watch:
    """Watch for uncaught exceptions. `reports` are those to be shown, oldest first. `listen` sets what is called, in any thread, when there
    is another one."""

    def __init__(self, reports: Reports) -> None:
        self.reports: deque[Report] = deque()
        self._reports = reports
        self._call: Callable[[], object] = lambda: None

    def listen(self, call: Callable[[], object]) -> None:
        """Set what is called from now on, in any thread, when there is another report."""
        self._call = call

    def take(self, error: BaseException) -> Report | None:
        """Log an error and write the report on it, unless it was told before."""
        trace = "".join(traceback.format_exception(error))
        LOG.error("unexpected %s", type(error).__name__)
        report = self._reports.write(trace, _key(error))
        self._add(report)
        return report

    def look_back(self, folder: Path) -> None:
        """Report on what earlier processes left as they crashed."""
        for words in left_words(folder)[-CRASHES:]:
            LOG.error("an earlier process crashed")
            self._add(self._reports.write(words, words, crashed=True))

    @contextlib.contextmanager
    def in_force(self) -> Iterator[None]:
        """Take what nobody catches, in all threads."""
        before = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._from_thread_of_window
        threading.excepthook = self._from_thread
        sys.unraisablehook = self._from_nowhere
        try:
            yield
        finally:
            sys.excepthook, threading.excepthook, sys.unraisablehook = before

    def _add(self, report: Report | None) -> None:
        if report is not None:
            self.reports.append(report)
            self._call()

    def _from_thread_of_window(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if not isinstance(error, KeyboardInterrupt):
            self.take(error)

    def _from_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
            self.take(arguments.exc_value)

    def _from_nowhere(self, arguments: UnraisableHookArgs) -> None:
        """Raised where nothing could be raised, as in a destructor: it is logged, and does not concern the user."""
        LOG.error("unraisable %s", type(arguments.exc_value).__name__)


def _key(error: BaseException) -> str:
    """What makes two errors the same: their kind and where they were raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__} {place}"
