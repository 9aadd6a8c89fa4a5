"""The places for warps of one SM: filled block by block, the rest empty."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.qt.look import Look
from app.qt.widgets.zoomed import Zoomed

_HEIGHT = 16
_BLOCK_GAP = 2.0


class WarpSlots(Zoomed):
    """One cell a place. Neighbouring blocks have two tones, and a wider gap between them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._slots = self._blocks = self._warps = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, _HEIGHT))

    def show_slots(self, slots: int, blocks: int, warps: int) -> None:
        """`slots` places, of which each of `blocks` blocks takes `warps`."""
        self._slots, self._blocks, self._warps = slots, blocks, warps
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._slots:
            return
        theme, painter = self._look.theme, self.painter()
        pitch = (self.width() - _BLOCK_GAP * max(self._blocks, 1)) / self._slots
        for slot in range(self._slots):
            block = min(slot // max(self._warps, 1), self._blocks)
            area = QRectF(slot * pitch + block * _BLOCK_GAP, 0.5, max(pitch - 1, 1), _HEIGHT - 1)
            if block < self._blocks:
                painter.fillRect(area, theme.t3 if block % 2 else theme.ink)
            else:
                painter.setPen(QPen(theme.line2, 1))
                painter.drawRect(area)
