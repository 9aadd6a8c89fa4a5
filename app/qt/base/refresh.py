"""Refreshing at a capped rate: many changes make at most ten pictures a second, and what nobody sees is not drawn.

When the stage comes to rest, an idle notice tells it: screen readers and tables follow once a step, not while pictures move.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.core.stage.model import AnyPicture, StageModel
from app.qt.base.binding import bind

INTERVAL_MS = 100
ASKED_MS = 150
"""From a picture to the questions about it: they are answered in a thread of this process, which would hold up the painting."""
ASKED_MEASURING_MS = 5000
"""The same while something is measured: beside each point they, and the labels that answer them, took more of a core than the charts."""


class Refresh(QObject):
    """Calls `draw` once, `interval_ms` after the first of any number of requests. While `seen` is hidden it waits until it is shown."""

    def __init__(self, draw: Callable[[], None], seen: QWidget, interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(seen)
        self._draw, self._seen, self._interval_ms, self._due = draw, seen, interval_ms, False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._draw_seen)
        seen.installEventFilter(self)

    @property
    def due(self) -> bool:
        """Whether a picture is asked for and not drawn yet."""
        return self._due

    def soon(self, _changed: object = None) -> None:
        """Ask for a picture."""
        self.within(self._interval_ms)

    def within(self, interval_ms: int) -> None:
        """Ask for a picture after this time at most."""
        self._due = True
        if self._seen.isVisible() and not 0 <= self._timer.remainingTime() <= interval_ms:
            self._timer.start(interval_ms)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._seen and event.type() is QEvent.Type.Show and self._due:
            self.now()
        return False

    def _draw_seen(self) -> None:
        if self._seen.isVisible():
            self.now()

    def now(self) -> None:
        """Draw what is due, seen or not."""
        if self._due:
            self._due = False
            self._timer.stop()
            self._draw()


REST_MS = 150


class IdleNotifier(QObject):
    """Calls `tell` with the picture (None: there is none) when it has been the same for REST_MS and nothing plays."""

    def __init__(self, owner: QObject, model: StageModel, tell: Callable[[AnyPicture | None], None]) -> None:
        super().__init__(owner)
        self._model = model
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST_MS)
        self._timer.timeout.connect(lambda: tell(model.picture.value))
        bind(self, model.picture, lambda _picture: self._wait())
        bind(self, model.timeline.playing, lambda _playing: self._wait())

    def _wait(self) -> None:
        if self._model.timeline.playing.value:
            self._timer.stop()
        else:
            self._timer.start()
