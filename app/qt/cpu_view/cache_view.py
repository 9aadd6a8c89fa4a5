"""A level of the caches as a view: what is in it, what the step found and fetched; the legend, the other levels.

Both views of the caches need those of the picture, and say why there are none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.base.picture_parts import Table, Verdict
from app.core.cpu_view.addresses import bytes_text, short_name
from app.core.cpu_view.cache_sentences import geometry_brief, geometry_text, verdict_of, ways_text
from app.core.cpu_view.caches import CacheFrame, Filling, StageCaches
from app.core.frames.views import CpuView
from app.core.stage.model import Picture, StageModel
from app.qt.base.look import Look
from app.qt.cpu_view.cache_painter import AGES, LEGEND, NOTE, CacheLayout, CacheLines, CachePainter, lay_out_cache, line_colour, paint_mark
from app.qt.matrix.cells import readable_on
from app.qt.views.view import StageView
from kernels.base.messages import Message, message
from kernels.cachesim.geometry import Level

_AT_WORK = message(
    "The cache model is at work. It takes some seconds, the most at the first look at a kernel: that is compiled then, with what notes "
    "its accesses."
)


class CachedView(StageView[Picture]):
    """Subclasses draw where there are caches."""

    def paint_caches(self, painter: QPainter, picture: Picture, caches: StageCaches) -> None:
        """Draw the picture."""
        raise NotImplementedError

    def caches_fact(self, picture: Picture, caches: StageCaches) -> Message | None:
        """One fact for the header."""
        raise NotImplementedError

    def caches_brief(self, picture: Picture, caches: StageCaches) -> Message:
        """Return the fact of the header where there is little room: which level it is."""
        return message("{text}", text=caches.levels[picture.level].name)

    def caches_verdict(self, picture: Picture, caches: StageCaches) -> Verdict | None:
        """The badge in the header."""
        raise NotImplementedError

    def caches_table(self, picture: Picture, caches: StageCaches) -> Table:
        """The picture as text."""
        raise NotImplementedError

    def paint(self, painter: QPainter, picture: Picture) -> None:
        if picture.caches is not None:
            self.paint_caches(painter, picture, picture.caches)
            return
        painter.setFont(self.look.theme.font("body"))
        painter.setPen(self.look.theme.t3)
        text = self.look.text(self.model.caches_missing.value or _AT_WORK)
        painter.drawText(QRectF(self.rect()).adjusted(14, 8, -14, -8), Qt.TextFlag.TextWordWrap, text)

    def rests(self, before: Picture, after: Picture) -> bool:
        same = before.caches is after.caches is not None and before.level == after.level
        return same and before.frame.step == after.frame.step

    def fact(self, picture: Picture) -> Message | None:
        return None if picture.caches is None else self.caches_fact(picture, picture.caches)

    def brief(self, picture: Picture) -> Message | None:
        return None if picture.caches is None else self.caches_brief(picture, picture.caches)

    def verdict(self, picture: Picture) -> Verdict | None:
        return None if picture.caches is None else self.caches_verdict(picture, picture.caches)

    def table(self, picture: Picture) -> Table:
        return Table((), ()) if picture.caches is None else self.caches_table(picture, picture.caches)


_SWATCH, _AFTER_SWATCH, _AFTER_NAME = 14.0, 5.0, 10.0
_NAME = 26.0
_PAD = 6.0
_LEFT_MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_legend(painter: QPainter, arrays: tuple[str, ...], area: QRectF, look: Look, *, ages: bool) -> None:
    """A swatch for each array; where `ages`, what the shades say, beside them or in a second line."""
    theme, x = look.theme, area.left()
    line = QRectF(area.left(), area.top(), area.width(), LEGEND)
    painter.setFont(theme.font("small"))
    for name, place in _entries(arrays, area, look):
        box = QRectF(place.left(), line.center().y() - 6, _SWATCH, 12)
        painter.fillRect(box, line_colour(name, 0, theme))
        paint_mark(painter, name, box, theme.bg2)
        painter.setPen(theme.t1)
        painter.drawText(place.adjusted(_SWATCH + _AFTER_SWATCH, 0, 0, 0), _LEFT_MIDDLE, short_name(name))
        x = place.right()
    if area.height() > LEGEND:
        line, x = line.translated(0, LEGEND), area.left()
    if not ages:
        _paint_text(painter, look, message("height = share of the ways"), line.adjusted(x - line.left(), 0, 0, 0))
        return
    for step in range(AGES):  # in a colour that is there
        painter.fillRect(QRectF(x + step * 13, line.center().y() - 6, 12, 12), line_colour(arrays[0], step, theme))
    _paint_text(painter, look, message("from new to old"), line.adjusted(x + AGES * 13 + 6 - line.left(), 0, 0, 0))


def paint_fillings(painter: QPainter, others: tuple[Filling, ...], layout: CacheLayout, look: Look) -> None:
    """A bar for each other level: how many of its bytes hold lines of each array."""
    theme = look.theme
    for filling, area in zip(others, layout.bars, strict=False):
        painter.setFont(theme.font("label"))
        painter.setPen(theme.t2)
        painter.drawText(QRectF(area.left(), area.top(), _NAME - 4, area.height()), _LEFT_MIDDLE, filling.level.name)
        bar = _bar(area)
        painter.fillRect(bar, theme.bg3)
        end, metrics = bar.left(), QFontMetricsF(painter.font())
        for name, _lines, part in _parts(filling, bar):
            fill = line_colour(name, 1, theme)
            painter.fillRect(part.adjusted(0, 0, -1 if part.width() > 2 else 0, 0), fill)
            painter.setPen(readable_on(fill, theme))
            if metrics.horizontalAdvance(short_name(name)) + _PAD <= part.width():
                painter.drawText(part, Qt.AlignmentFlag.AlignCenter, short_name(name))
            end = part.right()
        _paint_taken(painter, filling, QRectF(end + 8, bar.top(), bar.right() - end - 8, bar.height()), look)


def legend_tip(arrays: tuple[str, ...], others: tuple[Filling, ...], layout: CacheLayout, point: QPointF, look: Look) -> Message | None:
    """The whole name of what is under the pointer: of a swatch, or of a part of a bar, which also says how much that is."""
    for name, place in _entries(arrays, layout.legend, look):
        if place.contains(point) and short_name(name) != name:
            return message("{name}: memory of the kernel's own", name=name)
    for filling, area in zip(others, layout.bars, strict=False):
        for name, lines, part in _parts(filling, _bar(area)):
            if part.contains(point):
                size = bytes_text(lines * filling.level.line)
                return message("{level} holds {size} of {name}", level=filling.level.name, size=size, name=name)
    return None


def _entries(arrays: tuple[str, ...], area: QRectF, look: Look) -> Iterator[tuple[str, QRectF]]:
    """The place of each array's swatch and name, of as many as there is room for."""
    metrics, x = QFontMetricsF(look.theme.font("small")), area.left()
    for name in arrays:
        width = _SWATCH + _AFTER_SWATCH + metrics.horizontalAdvance(short_name(name))
        if x + width > area.right():
            return
        yield name, QRectF(x, area.top(), width + _AFTER_NAME, LEGEND)
        x += width + _AFTER_NAME


def _bar(area: QRectF) -> QRectF:
    """Where the bar of a level is, beside its name."""
    return QRectF(area.left() + _NAME, area.top() + 3, area.width() - _NAME, area.height() - 6)


def _parts(filling: Filling, bar: QRectF) -> Iterator[tuple[str, int, QRectF]]:
    """For each array its lines, and their part of the bar."""
    x = bar.left()
    for name, lines in filling.lines:
        width = max(bar.width() * lines / filling.level.lines, 1.0)
        yield name, lines, QRectF(x, bar.top(), width, bar.height())
        x += width


def _paint_taken(painter: QPainter, filling: Filling, free: QRectF, look: Look) -> None:
    """How much of the level is taken: in the free part of the bar, where it has room."""
    said = message("{taken} of {size}", taken=bytes_text(filling.taken * filling.level.line), size=bytes_text(filling.level.size))
    text = look.text(said)
    painter.setFont(look.theme.font("small"))
    painter.setPen(look.theme.t2)
    if QFontMetricsF(painter.font()).horizontalAdvance(text) <= free.width():
        painter.drawText(free, _LEFT_MIDDLE, text)


def paint_note(painter: QPainter, hierarchy: str, level: Level, area: QRectF, look: Look) -> None:
    """What one must know of the model before believing its numbers."""
    _paint_text(painter, look, geometry_text(hierarchy, level), area, geometry_brief(hierarchy, level))


def _paint_text(painter: QPainter, look: Look, said: Message, area: QRectF, brief: Message | None = None) -> None:
    painter.setFont(look.theme.font("small"))
    painter.setPen(look.theme.t3)
    if area.height() >= 2 * NOTE:
        painter.drawText(area, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, look.text(said))
        return
    text, metrics = look.text(said), QFontMetricsF(painter.font())
    if brief is not None and metrics.horizontalAdvance(text) > area.width():
        text = look.text(brief)
    painter.drawText(area, _LEFT_MIDDLE, metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width()))


_TITLES = (message("Set"), message("Way"), message("Line"), message("Result"), message("Put out"))
_HIT, _MISS = message("hit"), message("miss")


class CacheView(CachedView):
    """Sets by ways of the level that is looked at."""

    title = CpuView.CACHE.title

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._lines = CacheLines(look)

    def paint_caches(self, painter: QPainter, picture: Picture, caches: StageCaches) -> None:
        frame = caches.frame(picture.frame.step, picture.level)
        layout = self._layout(frame)
        if layout.sets == 1:
            self._lines.paint(painter, caches, frame, layout, self.devicePixelRatioF())
        CachePainter(painter, self.look, caches, frame, layout).paint()
        paint_legend(painter, caches.history.arrays, layout.legend, self.look, ages=layout.sets == 1)
        paint_fillings(painter, frame.others, layout, self.look)
        paint_note(painter, caches.history.hierarchy.name, frame.level, layout.note, self.look)

    def caches_fact(self, picture: Picture, caches: StageCaches) -> Message | None:
        return ways_text(caches.levels[picture.level])

    def caches_verdict(self, picture: Picture, caches: StageCaches) -> Verdict | None:
        return verdict_of(caches, picture.frame.step)

    def spots(self, picture: Picture) -> Iterator[QRectF]:
        """The sets and ways that hold something."""
        if picture.caches is not None:
            frame = picture.caches.frame(picture.frame.step, picture.level)
            layout = self._layout(frame)
            held = np.argwhere(frame.content.line >= 0).tolist() if layout.sets == 1 else ()
            yield from (layout.rect(place, way) for place, way in held)

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
