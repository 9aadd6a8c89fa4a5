"""Takes errors that nobody caught, in whichever thread: they are logged and reported, and nothing is written on the terminal."""

from __future__ import annotations

import contextlib
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from app.core.trouble.crash import left_words
from app.core.trouble.log import LOG
from app.core.trouble.report import Report, Reports

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

CRASHES = 3
"""At most so many crashes of earlier processes are told at one start."""


class Watch:
    """`reports` are those to be shown, oldest first. `listen` sets what is called, in any thread, when there is another one."""

    def __init__(self, reports: Reports) -> None:
        self.reports: deque[Report] = deque()
        self._reports = reports
        self._call: Callable[[], object] = lambda: None

    def listen(self, call: Callable[[], object]) -> None:
        """From now on."""
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
