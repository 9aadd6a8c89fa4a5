"""The stream of addresses: one mark for each access, in the band of its array; what missed is crimson and larger."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.core.nest.addresses import short_name
from app.core.nest.caches import StageCaches
from app.core.nest.rates import Stream, stream
from app.qt.look import Look
from app.qt.nest.rate_painter import spread
from kernels.messages import message

Mask = npt.NDArray[np.bool_]
_NAMES, _FOOT, _EDGE = 40.0, 18.0, 12.0
_NAME_LINE = 13.0
_ACCESS = 2.5
"""Width that an access takes."""
_SHORTEST = 64


class StreamPainter:
    """Draws the page of accesses around a step into one rectangle."""

    def __init__(self, look: Look, caches: StageCaches, area: QRectF) -> None:
        self._look = look
        self._caches = caches
        self.plot = area.adjusted(_NAMES, 6, -_EDGE, -_FOOT)
        self.length = max(_SHORTEST, int(self.plot.width() / _ACCESS))
        self._end = max((end for _, end in caches.addresses.bounds.values()), default=1) or 1

    def access_at(self, x: float, step: int) -> int:
        """The access at a place across the page of a step."""
        page = int(self._caches.start[step]) // self.length * self.length
        inside = round((x - self.plot.left()) / self._width)
        return min(page + min(max(inside, 0), self.length - 1), len(self._caches.history.accesses) - 1)

    def paint(self, painter: QPainter, step: int, level: int) -> None:
        """Draw the page; what is still to come is light."""
        shown = stream(self._caches, level, step, self.length)
        self._paint_bands(painter, shown)
        done = int(self._caches.start[step + 1])
        numbers = np.arange(shown.first, shown.end)
        for number, name in enumerate(self._caches.history.arrays):
            strong, middle, _ = self._look.theme.matrix(name)
            own = shown.array == number
            self._paint_marks(painter, shown, own & ~shown.missed & (numbers >= done), middle, 2.0)
            self._paint_marks(painter, shown, own & ~shown.missed & (numbers < done), strong, 3.0)
        self._paint_misses(painter, shown, numbers < done)
        painter.fillRect(QRectF(self._x(shown, done - 1) + self._width - 1, self.plot.top(), 1.5, self.plot.height()), self._look.theme.now)

    def _paint_bands(self, painter: QPainter, shown: Stream) -> None:
        theme = self._look.theme
        for first, end in self._caches.addresses.bounds.values():
            band = QRectF(self.plot.left(), self._y(first), self.plot.width(), max(self._y(end) - self._y(first) - 1, 1))
            painter.fillRect(band, theme.bg1)
        self._paint_names(painter)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        said = message("accesses {first} to {last}, by address", first=shown.first, last=max(shown.end - 1, shown.first))
        foot = QRectF(self.plot.left(), self.plot.bottom() + 2, self.plot.width(), _FOOT - 2)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._look.text(said))

    def _paint_names(self, painter: QPainter) -> None:
        """At the left of its band the name of each array; those whose bands overlap stand below each other."""
        bands = self._caches.addresses.bounds.items()
        wanted = sorted((self._y((first + end) / 2), name) for name, (first, end) in bands if end > first)
        painter.setFont(self._look.theme.font("label"))
        for (_, name), y in zip(wanted, spread([y for y, _ in wanted], _NAME_LINE, self.plot.bottom() - _NAME_LINE / 2), strict=True):
            painter.setPen(self._look.theme.matrix(name)[0])
            label = QRectF(self.plot.left() - _NAMES, y - _NAME_LINE / 2, _NAMES - 6, _NAME_LINE)
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, short_name(name))

    def _paint_marks(self, painter: QPainter, shown: Stream, chosen: Mask, colour: QColor, size: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRects(self._rects(shown, chosen, size))

    def _paint_misses(self, painter: QPainter, shown: Stream, past: Mask) -> None:
        """Outlined, so that they are told apart without colour."""
        theme = self._look.theme
        for chosen, colour in ((shown.missed & ~past, theme.bad_bg), (shown.missed & past, theme.bad)):
            painter.setPen(QPen(colour, 1.5))
            painter.setBrush(theme.bg1)
            painter.drawRects(self._rects(shown, chosen, 5.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _rects(self, shown: Stream, chosen: Mask, size: float) -> list[QRectF]:
        places = np.flatnonzero(chosen)
        across = max(min(self._width - 0.5, size), 1.5) if size < 4 else size
        return [
            QRectF(self.plot.left() + place * self._width + (self._width - across) / 2, self._y(address) - size / 2, across, size)
            for place, address in zip(places.tolist(), shown.address[places].tolist(), strict=True)
        ]

    @property
    def _width(self) -> float:
        return self.plot.width() / self.length

    def _x(self, shown: Stream, access: int) -> float:
        return self.plot.left() + (access - shown.first) * self._width

    def _y(self, address: float) -> float:
        return self.plot.top() + self.plot.height() * address / self._end
