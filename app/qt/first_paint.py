"""Noting in the log how long it took until the window was there."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.core.trouble.log import LOG

FIRST_WINDOW = "first window after %d ms"


class FirstPaint(QObject):
    """Watches a window until it is painted for the first time; to be made before it is shown."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is painted is on the screen when the event loop comes round."""
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            QTimer.singleShot(0, self, _note)
        return super().eventFilter(watched, event)


def _note() -> None:
    import psutil

    LOG.info(FIRST_WINDOW, 1000 * (time.time() - psutil.Process().create_time()))
