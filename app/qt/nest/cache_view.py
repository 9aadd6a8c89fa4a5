"""A level of the caches: what is in it, what the step found there, and what it had to fetch."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.core.launch.verdict import Verdict
from app.core.nest.cache_words import geometry_words, verdict_of, ways_words
from app.core.nest.caches import CacheFrame, StageCaches
from app.core.stage_model import Picture
from app.core.table import Table
from app.qt.nest.cache_geometry import CacheLayout, lay_out_cache
from app.qt.nest.cache_legend import legend_tip, paint_fillings, paint_legend, paint_note
from app.qt.nest.cache_painter import CachePainter
from app.qt.nest.cached_view import CachedView
from kernels.messages import Message, message

_TITLES = (message("Set"), message("Way"), message("Line"), message("Result"), message("Put out"))
_HIT, _MISS = message("hit"), message("miss")


class CacheView(CachedView):
    """Sets by ways of the level that is looked at."""

    title = message("Cache")

    def paint_caches(self, painter: QPainter, picture: Picture, caches: StageCaches) -> None:
        frame = caches.frame(picture.frame.step, picture.level)
        layout = self._layout(frame)
        CachePainter(painter, self.look, caches, frame, layout).paint()
        paint_legend(painter, caches.history.arrays, layout.legend, self.look, ages=layout.sets == 1)
        paint_fillings(painter, frame.others, layout, self.look)
        paint_note(painter, geometry_words(caches.history.hierarchy.name, frame.level), layout.note, self.look)

    def caches_fact(self, picture: Picture, caches: StageCaches) -> Message | None:
        return ways_words(caches.levels[picture.level])

    def caches_verdict(self, picture: Picture, caches: StageCaches) -> Verdict | None:
        return verdict_of(caches, picture.frame.step)

    def tip_at(self, point: QPointF, picture: Picture) -> Message | None:
        if picture.caches is None:
            return None
        frame = picture.caches.frame(picture.frame.step, picture.level)
        layout = self._layout(frame)
        place = layout.place_at(point)
        if place is None:
            return legend_tip(picture.caches.history.arrays, frame.others, layout, point, self.look)
        if layout.sets > 1:
            return message("Sets {first} to {last}", first=place[0], last=min(place[0] + layout.sets, frame.level.sets) - 1)
        line = int(frame.content.line[place])
        if line < 0:
            return message("Set {set}, way {way}: empty", set=place[0], way=place[1])
        name = picture.caches.addresses.line_name(line, frame.level.line)
        ahead = int(frame.content.age[place])
        return message(
            "Set {set}, way {way}: {line}. Used after it in this set: {count}.", set=place[0], way=place[1], line=name, count=ahead
        )

    def caches_table(self, picture: Picture, caches: StageCaches) -> Table:
        frame = caches.frame(picture.frame.step, picture.level)
        return Table(
            _TITLES,
            tuple(
                (str(each.set), str(each.way) if each.way >= 0 else "–", each.line, _HIT if each.hit else _MISS, each.left or "–")
                for each in frame.lookups
            ),
        )

    def _layout(self, frame: CacheFrame) -> CacheLayout:
        return lay_out_cache(QRectF(self.rect()), frame.level.sets, frame.level.ways, len(frame.others))
