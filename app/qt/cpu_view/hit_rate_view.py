"""Rate view of a cache level: its running hit rate over the execution, and below it the stream of addresses around the present.

Of the rates what is past is strong and the rest light; the other levels are dashed and named. Of the addresses each access is one mark in
the band of its array; what missed is crimson and larger.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPen, QPixmap

from app.core.base.picture_parts import Table, Verdict
from app.core.cpu_view.addresses import short_name
from app.core.cpu_view.cache_counters import Floats, Ints, Stream, curve, lowest_tick, percent_of, rate_at, step_of, stream
from app.core.cpu_view.caches import StageCaches
from app.core.frames.views import CpuView
from app.core.stage.model import Picture
from app.qt.base.look import Look
from app.qt.base.vector import draw_part
from app.qt.cpu_view.cache_view import CachedView
from kernels.base.messages import Message, message

_AXIS, _AXIS_FOOT, _LEVEL_NAMES = 34.0, 18.0, 32.0
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
        self._drawn: tuple[float, QImage, QPixmap] | None = None
        self.plot = area.adjusted(_AXIS, 8, -_LEVEL_NAMES, -_AXIS_FOOT)
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
            self._drawn = ratio, self._chart(ratio, theme.t1).toImage(), self._chart(ratio, theme.line2)
        _, past, future = self._drawn
        now = self._x(int(self._caches.start[step + 1]) - 1)
        painter.drawPixmap(self._area.topLeft(), future)
        before = QRectF(self._area.left(), self._area.top(), now - self._area.left(), self._area.height())
        draw_part(painter, before, past, QRectF(0, 0, before.width() * ratio, before.height() * ratio))
        rate = rate_at(self._caches, self._level, step)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.now, 1.5))
        painter.drawLine(QLineF(now, self.plot.top(), now, self.plot.bottom()))
        if rate == rate:
            painter.setBrush(theme.now)
            self._paint_now(painter, QPointF(now, self._y(rate)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_now(self, painter: QPainter, place: QPointF) -> None:
        """A point; a rate below the axis is a tip at the lower edge that points there."""
        if self._shows(place.y()):
            painter.drawEllipse(place, 3.5, 3.5)
            return
        tip = QPointF(place.x(), self.plot.bottom())
        painter.drawPolygon([tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)])

    def _shows(self, y: float) -> bool:
        """Whether the axis reaches down to a place."""
        return y <= self.plot.bottom() + 1

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
        foot = QRectF(self.plot.left(), self.plot.bottom() + 2, self.plot.width() + _LEVEL_NAMES, _AXIS_FOOT - 2)
        painter.drawText(foot, _LEFT, self._look.text(message("hit rate in %, over the accesses")))
        painter.drawText(foot, _RIGHT, self._look.translator.number(len(self._caches.history.accesses)))

    def _paint_names(self, painter: QPainter) -> None:
        """The level's name at the end of its curve; where two would touch the second moves down, and none reaches below the chart. One
        whose curve ends below it has an arrow."""
        ends = sorted((points[-1].y(), number) for number, points in enumerate(self._curves) if points)
        places = spread([y for y, _number in ends], 14, self.plot.bottom() - 6)
        for y, (end, number) in zip(places, ends, strict=True):
            painter.setFont(self._look.theme.font("label" if number == self._level else "small"))
            painter.setPen(self._look.theme.t1 if number == self._level else self._look.theme.t3)
            name = self._caches.levels[number].name + ("" if self._shows(end) else " ↓")
            painter.drawText(QRectF(self.plot.right() + 5, y - 8, _LEVEL_NAMES, 16), _LEFT, name)

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


Mask = npt.NDArray[np.bool_]
_NAMES, _FOOT, _EDGE = 40.0, 18.0, 12.0
_NAME_LINE = 13.0
_SIGN = 14.0
"""Width of the sign of the legend, with what is kept free around it."""
_ACCESS = 2.5
"""Width that an access takes."""
_SHORTEST = 64


_MarkLook = tuple[QPen, QColor]


class _Marks(NamedTuple):
    """Marks of accesses, in their order: while they are to come and when they are past."""

    accesses: list[int]
    future: _MarkLook
    past: _MarkLook
    small: list[QRectF]
    large: list[QRectF]


class StreamPainter:
    """Draws the page of accesses around a step into one rectangle."""

    def __init__(self, look: Look, caches: StageCaches, area: QRectF) -> None:
        self._look = look
        self._caches = caches
        self.plot = area.adjusted(_NAMES, 6, -_EDGE, -_FOOT)
        self.length = max(_SHORTEST, int(self.plot.width() / _ACCESS))
        self._page: tuple[object, list[_Marks]] | None = None
        self._end = max((end for _, end in caches.addresses.bounds.values()), default=1) or 1

    def access_at(self, x: float, step: int) -> int:
        """The access at a place across the page of a step."""
        page = int(self._caches.start[step]) // self.length * self.length
        inside = round((x - self.plot.left()) / self._width)
        return min(page + min(max(inside, 0), self.length - 1), len(self._caches.history.accesses) - 1)

    def paint(self, painter: QPainter, step: int, level: int) -> None:
        """Draw the page; what is still to come is light."""
        shown = stream(self._caches, level, step, self.length)
        if self._page is None or self._page[0] != (shown.first, level):
            self._page = (shown.first, level), [*self._marks_of(shown)]
        self._paint_bands(painter, shown, level)
        done = int(self._caches.start[step + 1])
        for marks in self._page[1]:
            past = bisect_left(marks.accesses, done)
            for line, fill, rects in ((*marks.future, marks.small[past:]), (*marks.past, marks.large[:past])):
                painter.setPen(line)
                painter.setBrush(fill)
                painter.drawRects(rects)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.fillRect(QRectF(self._x(shown, done - 1) + self._width - 1, self.plot.top(), 1.5, self.plot.height()), self._look.theme.now)

    def _paint_bands(self, painter: QPainter, shown: Stream, level: int) -> None:
        theme = self._look.theme
        for first, end in self._caches.addresses.bounds.values():
            band = QRectF(self.plot.left(), self._y(first), self.plot.width(), max(self._y(end) - self._y(first) - 1, 1))
            painter.fillRect(band, theme.bg1)
        self._paint_names(painter)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        foot, metrics = QRectF(self.plot.left(), self.plot.bottom() + 2, self.plot.width(), _FOOT - 2), QFontMetricsF(painter.font())
        said = foot_text(self._look, metrics, shown.first, max(shown.end - 1, shown.first), foot.width())
        painter.drawText(foot, _LEFT, said)
        used = metrics.horizontalAdvance(said)
        self._paint_legend(painter, foot.adjusted(used + _EDGE, 0, 0, 0), level)

    def _paint_legend(self, painter: QPainter, area: QRectF, level: int) -> None:
        """What an outlined mark is, at the right end of an area that has room for it."""
        said = self._look.text(message("not in {level}", level=self._caches.levels[level].name))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(said)
        if wide + _SIGN > area.width():
            return
        painter.drawText(area, _RIGHT, said)
        painter.setPen(QPen(self._look.theme.bad, 1.5))
        painter.setBrush(self._look.theme.bg1)
        painter.drawRect(QRectF(area.right() - wide - _SIGN + 2, area.center().y() - 2.5, 5, 5))

    def _paint_names(self, painter: QPainter) -> None:
        """Paint the name of each array at the left of its band; those whose bands overlap stand below each other."""
        bands = self._caches.addresses.bounds.items()
        wanted = sorted((self._y((first + end) / 2), name) for name, (first, end) in bands if end > first)
        painter.setFont(self._look.theme.font("label"))
        for (_, name), y in zip(wanted, spread([y for y, _ in wanted], _NAME_LINE, self.plot.bottom() - _NAME_LINE / 2), strict=True):
            painter.setPen(self._look.theme.matrix(name)[0])
            label = QRectF(self.plot.left() - _NAMES, y - _NAME_LINE / 2, _NAMES - 6, _NAME_LINE)
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, short_name(name))

    def _marks_of(self, shown: Stream) -> Iterator[_Marks]:
        """The marks of a page: of each array what hit, and then all that missed, outlined, so that it is told apart without colour."""
        theme = self._look.theme
        for number, name in enumerate(self._caches.history.arrays):
            strong, middle, _ = theme.matrix(name)
            none = QPen(Qt.PenStyle.NoPen)
            yield self._marks(shown, (shown.array == number) & ~shown.missed, ((none, middle), (none, strong)), (2.0, 3.0))
        looks = (QPen(theme.bad_bg, 1.5), theme.bg1), (QPen(theme.bad, 1.5), theme.bg1)
        yield self._marks(shown, shown.missed, looks, (5.0, 5.0))

    def _marks(self, shown: Stream, chosen: Mask, looks: tuple[_MarkLook, _MarkLook], sizes: tuple[float, float]) -> _Marks:
        accesses = (shown.first + np.flatnonzero(chosen)).tolist()
        return _Marks(accesses, *looks, *(self._rects(shown, chosen, size) for size in sizes))

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


_CHART = 0.5
"""The part of the height that the chart takes."""
_TITLES = (message("Access"), message("Array"), message("Address"), message("Result"))
_HIT, _MISS = message("hit"), message("miss")


class RateView(CachedView):
    """A press goes to the step of the access under the pointer."""

    title = CpuView.HIT_RATE.title
    _made: tuple[object, RatePainter, StreamPainter] | None = None

    def paint_caches(self, painter: QPainter, picture: Picture, caches: StageCaches) -> None:
        rates, addresses = self._painters(caches, picture.level)
        rates.paint(painter, picture.frame.step)
        addresses.paint(painter, picture.frame.step, picture.level)

    def caches_fact(self, picture: Picture, caches: StageCaches) -> Message | None:
        rate = rate_at(caches, picture.level, picture.frame.step)
        name = caches.levels[picture.level].name
        if rate != rate:
            return message("{level}: not reached yet", level=name)
        return message("{level}: {rate} % so far", level=name, rate=percent_of(rate))

    def caches_brief(self, picture: Picture, caches: StageCaches) -> Message:
        rate = rate_at(caches, picture.level, picture.frame.step)
        if rate != rate:
            return super().caches_brief(picture, caches)
        return message("{level}: {rate} %", level=caches.levels[picture.level].name, rate=percent_of(rate))

    def caches_verdict(self, _picture: Picture, _caches: StageCaches) -> Verdict | None:
        return None

    def tip_at(self, point: QPointF, picture: Picture) -> Message | None:
        access = self._access_at(point, picture)
        if access is None or picture.caches is None:
            return None
        caches, level = picture.caches, picture.caches.levels[picture.level]
        address = int(caches.history.accesses.address[access])
        line = caches.addresses.line_name(address // level.line, level.line)
        return message("Access {number}: {line}. A press goes there.", number=access, line=line)

    def caches_table(self, picture: Picture, caches: StageCaches) -> Table:
        shown = stream(caches, picture.level, picture.frame.step, self._painters(caches, picture.level)[1].length)
        names = caches.history.arrays
        columns = zip(range(shown.first, shown.end), shown.array.tolist(), shown.address.tolist(), shown.missed.tolist(), strict=True)
        return Table(
            _TITLES, tuple((str(n), names[array], str(address), _MISS if missed else _HIT) for n, array, address, missed in columns)
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        access = self._access_at(event.position(), self.picture) if self.picture is not None else None
        if access is not None and event.button() is Qt.MouseButton.LeftButton and self.picture is not None and self.picture.caches:
            self.model.timeline.scrub(step_of(self.picture.caches, access))
        super().mousePressEvent(event)

    def _access_at(self, point: QPointF, picture: Picture) -> int | None:
        if picture.caches is None or not len(picture.caches.history.accesses):
            return None
        rates, addresses = self._painters(picture.caches, picture.level)
        if rates.plot.contains(point):
            return rates.access_at(point.x())
        return addresses.access_at(point.x(), picture.frame.step) if addresses.plot.contains(point) else None

    def _painters(self, caches: StageCaches, level: int) -> tuple[RatePainter, StreamPainter]:
        """What draws these caches in the present size."""
        key = caches, level, self.size()
        if self._made is None or self._made[0] != key:
            area = QRectF(self.rect()).adjusted(6, 2, -6, -4)
            chart = QRectF(area.left(), area.top(), area.width(), round(area.height() * _CHART))
            below = QRectF(area.left(), chart.bottom() + 6, area.width(), area.bottom() - chart.bottom() - 6)
            self._made = key, RatePainter(self.look, caches, level, chart), StreamPainter(self.look, caches, below)
        return self._made[1], self._made[2]


def foot_text(look: Look, metrics: QFontMetricsF, first: int, last: int, width: float) -> str:
    """Which accesses are drawn, and in which order of addresses where there is room to say so."""
    whole = look.text(message("accesses {first} to {last}, by address", first=first, last=last))
    brief = look.text(message("accesses {first} to {last}", first=first, last=last))
    return whole if metrics.horizontalAdvance(whole) <= width else brief
