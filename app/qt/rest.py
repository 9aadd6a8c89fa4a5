"""Tells when the stage rests: what readers of the screen hear, and tables, follow once a step, not while pictures move."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.core.stage_model import AnyPicture, StageModel
from app.qt.binding import bind

REST_MS = 150


class Rest(QObject):
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
