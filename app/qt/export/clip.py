"""A range of the timeline as an animated file, drawn picture by picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage

from app.core.export.choice import Range
from app.core.export.clips.encoder import Pixels
from app.core.export.clips.encoding import CANCELLED, Encoding
from app.core.export.kinds import PictureSize
from app.qt.base.look import Look
from app.qt.export.export_view import MovingExportView
from app.qt.export.figure import picture_of_page
from kernels.base.messages import Message

_SAMPLED = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Where in a clip pictures are looked at whose colours are to be common to all."""
_LONGEST_PAUSE_MS = 40
_REST_S = 0.005


class FileDrawing(Protocol):
    """Interface of what is drawn into a file in small portions. `reason` says why there is no file, when it is `done`."""

    total: int
    drawn: int
    done: bool
    reason: Message | None

    @property
    def waiting(self) -> bool:
        """Whether there is nothing to draw now."""

    def step(self) -> None:
        """Draw at most one picture."""

    def cancel(self) -> None:
        """Stop; no file is left."""


class ClipDrawing:
    """Draws a clip in small portions: widgets are painted in the thread of the window, encoding has a thread of its own."""

    def __init__(self, path: Path, exported: MovingExportView, chosen: Range, size: PictureSize, look: Look) -> None:
        self._path, self._exported, self._chosen, self._size, self._look = path, exported, chosen, size, look
        last = chosen.frames - 1
        self._sampled = sorted({round(share * last) for share in _SAMPLED}) if path.suffix.lower() == ".gif" else [0]
        self._samples: list[Pixels] = []
        self._encoding: Encoding | None = None
        self.total = chosen.frames
        self.drawn = 0
        self.done = False
        self.reason: Message | None = None
        """Why there is no file, when it is `done`."""

    def step(self) -> None:
        """Draw at most one picture."""
        if self._encoding is None:
            self._samples.append(self._picture(self._sampled[len(self._samples)]))
            if len(self._samples) == len(self._sampled):
                self._encoding = Encoding(self._path, self._chosen.rate, self.total, self._samples)
        elif not self._encoding.running:
            self._end(self._encoding.reason)
        elif self.drawn < self.total and not self._encoding.full:
            self._encoding.give(self._picture(self.drawn))
            self.drawn += 1

    @property
    def waiting(self) -> bool:
        """Whether there is nothing to draw now."""
        return self._encoding is not None and (self._encoding.full or self.drawn == self.total)

    def wait(self) -> None:
        """Rest for a moment, if there is nothing to draw now."""
        if self.waiting:
            time.sleep(_REST_S)

    def cancel(self) -> None:
        """Stop; no file is left."""
        if not self.done:
            if self._encoding is not None:
                self._encoding.cancel()
            self._end(self._encoding.reason if self._encoding is not None else CANCELLED)

    def _picture(self, frame: int) -> Pixels:
        self._exported.show(self._chosen.moment(frame))
        return pixels_of(picture_of_page(self._exported, self._size, self._look))

    def _end(self, reason: Message | None) -> None:
        self.reason, self.done = reason, True
        self._exported.close()


class DrawingJob(QObject):
    """Draws while the window lives: between two pictures it has as much time as the first one took."""

    def __init__(self, drawing: FileDrawing, told: Callable[[FileDrawing], object], parent: QObject) -> None:
        """`told` is called after each portion."""
        super().__init__(parent)
        self.drawing = drawing
        self._told = told
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self._timer.start(0)

    def cancel(self) -> None:
        """Stop; no file is left."""
        self._timer.stop()
        self.drawing.cancel()
        self._told(self.drawing)

    def _go_on(self) -> None:
        begin = time.perf_counter()
        self.drawing.step()
        taken = (time.perf_counter() - begin) * 1000
        if not self.drawing.done:
            self._timer.start(10 if self.drawing.waiting else min(max(round(taken), 1), _LONGEST_PAUSE_MS))
        self._told(self.drawing)


def pixels_of(image: QImage) -> Pixels:
    """An image as rows, columns, and red, green and blue."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()
