"""Keeps drawing apart from measuring: many changes, at most ten pictures a second, and none of what nobody sees."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

INTERVAL_MS = 100
ASKED_MS = 150
"""From a picture to the questions about it: they are answered in a thread of this process, which would hold up the painting."""


class Refresh(QObject):
    """Calls `draw` once, `interval_ms` after the first of any number of requests. While `seen` is hidden it waits until it is shown."""

    def __init__(self, draw: Callable[[], None], seen: QWidget, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(seen)
        self._draw, self._seen, self._due = draw, seen, False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._draw_seen)
        seen.installEventFilter(self)

    def soon(self, _changed: object = None) -> None:
        """Ask for a picture."""
        self._due = True
        if self._seen.isVisible() and not self._timer.isActive():
            self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._seen and event.type() is QEvent.Type.Show and self._due:
            self._draw_now()
        return False

    def _draw_seen(self) -> None:
        if self._seen.isVisible():
            self._draw_now()

    def _draw_now(self) -> None:
        if self._due:
            self._due = False
            self._timer.stop()
            self._draw()
