"""Deferred construction: parts of the window made when first asked for or after its first picture, so that this does not wait for them.

The log says how long the first picture took.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.core.base.files.log import LOG

FIRST_WINDOW = "first window after %d ms"
LATEST_MS = 500
"""A window that is not painted, for it is minimised or covered, is not waited for longer than this after it is shown."""


class FirstPaint(QObject):
    """Watches a window until it is painted for the first time; to be made before it is shown."""

    painted = Signal()
    """Once: what is painted is on the screen, or the window was shown long ago."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.over = False
        """Whether that was told already."""
        self._window = window
        self._latest = QTimer(self)
        self._latest.setSingleShot(True)
        self._latest.timeout.connect(self._leave)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is painted is on the screen when the event loop comes round."""
        if event.type() == QEvent.Type.Show:
            self._latest.start(LATEST_MS)
        elif event.type() == QEvent.Type.Paint:
            self._leave()
        return super().eventFilter(watched, event)

    def _leave(self) -> None:
        self._latest.stop()
        self._window.removeEventFilter(self)
        QTimer.singleShot(0, self, self._tell)

    def _tell(self) -> None:
        self.over = True
        self.painted.emit()


def note_first_window() -> None:
    """Write into the log how old the process is."""
    LOG.info(FIRST_WINDOW, 1000 * process_age_s())


def process_age_s() -> float:
    """Seconds since the process began."""
    if sys.platform == "linux":
        # psutil adds whole seconds of the day at which the machine began, and so may be wrong by one.
        begun = int(Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - begun / os.sysconf("SC_CLK_TCK")
    else:  # noqa: RET505 what is written after it is taken for unreachable elsewhere
        import psutil

        return time.time() - psutil.Process().create_time()


T = TypeVar("T")


class Lazy(Generic[T]):
    """Calls `make` at most once. What makes a panel also imports it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self.made: T | None = None
        """None until it was asked for."""

    def __call__(self) -> T:
        """What was made; now, if it was not before."""
        if self.made is None:
            self.made = self._make()
        return self.made
