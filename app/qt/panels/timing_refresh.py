"""Keeps drawing apart from measuring: many changes, at most ten pictures a second."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 100


class Refresh(QObject):
    """Calls `draw` once, at most 100 ms after the first of any number of requests."""

    def __init__(self, draw: Callable[[], None], owner: QObject) -> None:
        super().__init__(owner)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(draw)

    def soon(self, _changed: object = None) -> None:
        """Ask for a picture."""
        if not self._timer.isActive():
            self._timer.start()
