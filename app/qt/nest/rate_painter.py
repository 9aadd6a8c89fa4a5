"""The running hit rates: what is past strong, the rest light; the other levels dashed and named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app.core.nest.caches import StageCaches
from app.core.nest.rates import Floats, Ints, curve, lowest_tick, rate_at
from app.qt.look import Look
from kernels.messages import message

_AXIS, _FOOT, _NAMES = 34.0, 18.0, 26.0
_MOST_POINTS = 400
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RatePainter:
    """Draws the rates of one execution, one level in front, into one rectangle; the curves are worked out once."""

    def __init__(self, look: Look, caches: StageCaches, level: int, area: QRectF) -> None:
        self._look = look
        self._caches = caches
        self._level = level
        self._area = area
        self._drawn: tuple[float, QPixmap, QPixmap] | None = None
        self.plot = area.adjusted(_AXIS, 8, -_NAMES, -_FOOT)
        self._low = lowest_tick(caches, level)
        points = min(_MOST_POINTS, max(int(self.plot.width()), 2))
        self._curves = [self._points(*curve(caches, level, points)) for level in range(len(caches.levels))]

    def access_at(self, x: float) -> int:
        """The access at a place across the chart."""
        share = (x - self.plot.left()) / max(self.plot.width(), 1.0)
        return round(min(max(share, 0.0), 1.0) * max(len(self._caches.history.accesses) - 1, 0))

    def paint(self, painter: QPainter, step: int) -> None:
        """Draw the chart at a step: all of it was drawn once as past and once as future, a frame only moves the border."""
        theme = self._look.theme
        ratio = painter.device().devicePixelRatio()
        if self._drawn is None or self._drawn[0] != ratio:
            self._drawn = ratio, self._chart(ratio, theme.t1), self._chart(ratio, theme.line2)
        _, past, future = self._drawn
        now = self._x(int(self._caches.start[step + 1]) - 1)
        painter.drawPixmap(self._area.topLeft(), future)
        before = QRectF(self._area.left(), self._area.top(), now - self._area.left(), self._area.height())
        painter.drawPixmap(before, past, QRectF(0, 0, before.width() * ratio, before.height() * ratio))
        rate = rate_at(self._caches, self._level, step)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.now, 1.5))
        painter.drawLine(QLineF(now, self.plot.top(), now, self.plot.bottom()))
        if rate == rate:
            painter.setBrush(theme.now)
            painter.drawEllipse(QPointF(now, self._y(rate)), 3.5, 3.5)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _chart(self, ratio: float, front: QColor) -> QPixmap:
        """Axes and curves, that of the level in this colour."""
        pixmap = QPixmap((self._area.size() * ratio).toSize())
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._look.theme.bg2)
        painter = QPainter(pixmap)
        painter.translate(-self._area.topLeft())
        self._paint_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self.plot.adjusted(0, -4, 0, 1))
        for number, points in enumerate(self._curves):
            if number != self._level:
                painter.setPen(QPen(self._look.theme.t3, 1.4, Qt.PenStyle.DashLine))
                painter.drawPolyline(points)
        painter.setPen(QPen(front, 2))
        painter.drawPolyline(self._curves[self._level])
        painter.setClipping(False)
        self._paint_names(painter)
        painter.end()
        return pixmap

    def _paint_axes(self, painter: QPainter) -> None:
        theme = self._look.theme
        painter.setFont(theme.font("caption"))
        ticks = np.linspace(self._low, 1.0, 3 if self.plot.height() < 90 else 5)
        for tick in ticks.tolist():
            y = self._y(tick)
            painter.fillRect(QRectF(self.plot.left(), y, self.plot.width(), 1), theme.line)
            painter.setPen(theme.t3)
            painter.drawText(QRectF(self.plot.left() - _AXIS, y - 8, _AXIS - 6, 16), _RIGHT, f"{100 * tick:.0f}")
        foot = QRectF(self.plot.left(), self.plot.bottom() + 2, self.plot.width() + _NAMES, _FOOT - 2)
        painter.drawText(foot, _LEFT, self._look.text(message("hit rate in %, over the accesses")))
        painter.drawText(foot, _RIGHT, self._look.translator.number(len(self._caches.history.accesses)))

    def _paint_names(self, painter: QPainter) -> None:
        """The level's name at the end of its curve; where two would touch the second moves down, and none reaches below the chart."""
        ends = sorted((points[-1].y(), number) for number, points in enumerate(self._curves) if points)
        places = spread([y for y, _number in ends], 14, self.plot.bottom() - 6)
        for y, (_end, number) in zip(places, ends, strict=True):
            painter.setFont(self._look.theme.font("label" if number == self._level else "small"))
            painter.setPen(self._look.theme.t1 if number == self._level else self._look.theme.t3)
            painter.drawText(QRectF(self.plot.right() + 5, y - 8, _NAMES, 16), _LEFT, self._caches.levels[number].name)

    def _points(self, accesses: Ints, rates: Floats) -> list[QPointF]:
        return [QPointF(self._x(access), self._y(rate)) for access, rate in zip(accesses.tolist(), rates.tolist(), strict=True)]

    def _x(self, access: float) -> float:
        return self.plot.left() + self.plot.width() * access / max(len(self._caches.history.accesses) - 1, 1)

    def _y(self, rate: float) -> float:
        return self.plot.top() + self.plot.height() * (1 - (rate - self._low) / (1 - self._low))


def spread(wanted: Sequence[float], distance: float, lowest: float) -> list[float]:
    """Places in ascending order near those wanted, each this far below the one before it and none below `lowest`."""
    places: list[float] = []
    for y in wanted:
        places.append(max(y, places[-1] + distance) if places else y)
    for number in reversed(range(len(places))):
        places[number] = min(places[number], lowest - distance * (len(places) - 1 - number))
    return places
