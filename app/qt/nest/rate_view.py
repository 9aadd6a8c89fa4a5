"""How well a level has done: its hit rate over the execution, and below it the stream of addresses around the present."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter

from app.core.launch.verdict import Verdict
from app.core.nest.caches import StageCaches
from app.core.nest.rates import rate_at, step_of, stream
from app.core.stage_model import Picture
from app.core.table import Table
from app.qt.nest.cached_view import CachedView
from app.qt.nest.rate_painter import RatePainter
from app.qt.nest.stream_painter import StreamPainter
from kernels.messages import Message, message

_CHART = 0.5
"""The part of the height that the chart takes."""
_TITLES = (message("Access"), message("Array"), message("Address"), message("Result"))
_HIT, _MISS = message("hit"), message("miss")


class RateView(CachedView):
    """A press goes to the step of the access under the pointer."""

    title = message("Hit rate")
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
        return message("{level}: {rate} % so far", level=name, rate=f"{100 * rate:.2f}")

    def caches_brief(self, picture: Picture, caches: StageCaches) -> Message:
        rate = rate_at(caches, picture.level, picture.frame.step)
        if rate != rate:
            return super().caches_brief(picture, caches)
        return message("{level}: {rate} %", level=caches.levels[picture.level].name, rate=f"{100 * rate:.2f}")

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
