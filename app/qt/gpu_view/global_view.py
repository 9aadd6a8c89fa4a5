"""Global memory view: lanes to sectors to lines, and what of the moved bytes is used.

Lanes stand above the lines of global memory, each with a line to the bytes that it asks for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.sectors import (
    SECTORS_OF_LINE,
    AccessedSectors,
    accessed_sectors,
    lane_ranges,
    line_name,
    past_sentence,
    table,
    verdict,
)
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Pictures
from app.qt.gpu_view.sector_lines import RADIUS, TOP, LineBox, has_tokens, lane_places, paint_footer, paint_lines, place_lines
from app.qt.gpu_view.view import GpuView, of_one_moment
from app.qt.matrix.cells import readable_on
from kernels.analysis.coalescing import LINE_BYTES, SECTOR_BYTES
from kernels.analysis.columns import Bools
from kernels.base.messages import Message, message
from kernels.simt.trace.trace import WARP

_LEGIBLE = 5.0
"""Pixels of radius from which a token has room for its number; above smaller ones stand some of them."""
_EVERY, _NUMBERS = 4, QRectF(-10, 2, 20, 15)


def paint_tokens(
    painter: QPainter,
    places: tuple[LineBox, ...],
    picture: GpuPicture,
    access: AccessedSectors,
    look: Look,
    kept: Pictures,
    *,
    asking: bool = False,
) -> None:
    """Paint all 32 lanes in a row over the sectors; those that take no part are outlines. `asking`: without a mark on those at fault."""
    if not places:
        return
    theme = look.theme
    columns = lane_places(places)
    radius = min(RADIUS, columns[0].width() / 2 - 1)
    lines = {_line_of(place): place for place in places}
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t3)
    top, name = TOP, QRectF(places[0].name.left(), TOP, places[0].name.width(), 2 * radius)
    if radius < _LEGIBLE:
        top, name = _NUMBERS.bottom(), QRectF(name.left(), _NUMBERS.top(), name.width(), _NUMBERS.height())
        for lane in range(0, WARP, _EVERY):
            painter.drawText(_NUMBERS.translated(columns[lane].center().x(), 0), Qt.AlignmentFlag.AlignCenter, str(lane))
    if name.width() > 0:
        painter.drawText(name, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, look.text(message("lane")))
    centres = [QPointF(column.center().x(), top + radius) for column in columns]
    marked = access.faults.any_of & (not asking)
    _paint_ways(painter, lines, picture, access, look, [centre + QPointF(0, radius) for centre in centres], marked)
    for lane, (centre, *of_lane) in enumerate(zip(centres, access.lanes.active, _chosen(picture, access), marked, strict=True)):
        state = tuple(map(bool, of_lane))
        side, corner = 2 * radius + 2, centre - QPointF(radius + 1, radius + 1)
        active, chosen, bad = state
        draw = partial(_paint_token, look=look, radius=radius, lane=lane, active=active, chosen=chosen, bad=bad)
        kept.draw(painter, corner, (lane, *state), QSizeF(side, side), painter.device().devicePixelRatio(), draw)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _chosen(picture: GpuPicture, access: AccessedSectors) -> Bools:
    chosen: Bools = picture.highlight.lanes & (not access.past)
    return chosen


def _paint_ways(
    painter: QPainter,
    lines: dict[int, LineBox],
    picture: GpuPicture,
    access: AccessedSectors,
    look: Look,
    feet: list[QPointF],
    marked: Bools,
) -> None:
    """Paint the ways from each lane to its bytes; the chosen ones on top."""
    chosen = _chosen(picture, access)
    for some, width, opacity in ((~chosen, 1.0, 0.45), (chosen, 2.5, 1.0)):
        for bad in (False, True):
            colour = QColor(look.theme.bad if bad else look.theme.now)
            colour.setAlphaF(opacity)
            painter.setPen(QPen(colour, width))
            lanes = np.flatnonzero(access.lanes.active & some & (marked == bad)).tolist()
            painter.drawLines([QLineF(feet[lane], _target(lines, int(access.lanes.address[lane]))) for lane in lanes])


def _line_of(place: LineBox) -> int:
    """The line's address divided by 128."""
    numbers = [sector.number for sector in place.line.sectors if sector is not None]
    return numbers[0] // SECTORS_OF_LINE


def _target(lines: dict[int, LineBox], address: int) -> QPointF:
    """The upper edge of a byte's place."""
    place = lines[address // LINE_BYTES]
    area = place.sectors[address % LINE_BYTES // SECTOR_BYTES]
    return QPointF(area.left() + area.width() * (address % SECTOR_BYTES + 2) / SECTOR_BYTES, area.top())


def _paint_token(painter: QPainter, *, radius: float, lane: int, look: Look, active: bool, chosen: bool, bad: bool) -> None:
    theme, centre = look.theme, QPointF(radius + 1, radius + 1)
    painter.setPen(QPen(theme.ink if chosen else theme.now if active else theme.line2, 2 if chosen else 1))
    ground = theme.bad if bad else theme.now if active else theme.bg2
    painter.setBrush(ground)
    painter.drawEllipse(centre, radius, radius)
    if radius < _LEGIBLE:
        return
    font = theme.font("label")
    font.setPixelSize(max(round(radius * 1.1), 8))
    painter.setFont(font)
    painter.setPen(readable_on(ground, theme) if bad else theme.ink_text if active and not theme.dark else theme.t1 if active else theme.t3)
    painter.drawText(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), Qt.AlignmentFlag.AlignCenter, str(lane))


PAST = 0.45
"""Opacity of an access that is over."""


class GlobalView(GpuView):
    """View of global memory: one row for each 128-byte line touched, four sectors each."""

    title = View.GLOBAL_MEMORY.title

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._tokens = Pictures(4 * WARP)
        self._pictures = Pictures(2)
        self._drawn_for: LaunchIndex | None = None
        self._asked_of: object = None
        """What was last shown while somebody was asked."""
        bind(self, model.asking, lambda _asking: self._note_asked())
        bind(self, model.shown, lambda _shown: self._note_asked())
        bind(self, model.pinned, lambda _pinned: self._note_asked())
        self._known: tuple[tuple[LaunchIndex, int], AccessedSectors | None] | None = None

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        access = self._access(picture)
        if access is None:
            self._say(painter, message("No global memory has been accessed yet."))
            return
        if self._drawn_for is not picture.index:
            self._drawn_for, self._pictures = picture.index, Pictures(2)
        shown = picture.highlight
        past = past_sentence(picture.index, picture.frame, access) if access.past else None
        rows = max(len(access.lines), self._lines_beside())
        key = (access.step, past, shown.lanes.tobytes(), shown.sectors, rows, self._asking, self._pointed_at)
        ratio = painter.device().devicePixelRatio()
        self._pictures.draw(painter, QPointF(0, 0), key, QSizeF(self.size()), ratio, lambda fresh: self._draw(fresh, picture, access))

    def _access(self, picture: GpuPicture) -> AccessedSectors | None:
        """Worked out once for each step: it does not change while the step is under way."""
        key = picture.index, picture.frame.step
        if self._known is None or self._known[0] != key:
            self._known = key, accessed_sectors(picture.index, picture.frame)
        return self._known[1]

    def _draw(self, painter: QPainter, picture: GpuPicture, access: AccessedSectors) -> None:
        """Draw what does not change while a step is under way."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setOpacity(PAST if access.past else 1.0)
        places = self._places(access)
        paint_lines(painter, places, picture, access, self.look, asking=self._asking)
        if self._has_tokens(places):
            paint_tokens(painter, places, picture, access, self.look, self._tokens, asking=self._asking)
        painter.setOpacity(1.0)
        paint_footer(painter, places, picture, access, QRectF(self.rect()), self.look, asking=self._asking)

    def fact(self, picture: GpuPicture) -> Message | None:
        access = self._access(picture)
        return None if access is None else message("128-byte lines, 4 sectors of 32 bytes")

    def brief(self, picture: GpuPicture) -> Message | None:
        return None if self._access(picture) is None else message("128 B/line")

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        access = self._access(picture)
        told = access is not None and self._asking and access.faults.any_of.any()
        return None if told else verdict(access)

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        return of_one_moment(before, after)

    def lane_places(self, picture: GpuPicture) -> dict[int, QRectF]:
        """Where the lanes that take part in the step stand; nowhere where there is no room for them."""
        access = self._access(picture)
        places = self._places(access) if access is not None and not access.past else ()
        if access is None or not self._has_tokens(places):
            return {}
        return {lane: place for lane, place in enumerate(lane_places(places)) if access.lanes.active[lane]}

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        access = self._access(picture)
        lane = next((lane for lane, place in self.lane_places(picture).items() if place.contains(point)), None)
        if lane is not None:
            return Selection(thread=picture.frame.first_thread + lane)
        for place in self._places(access) if access is not None else ():
            for sector, area in zip(place.line.sectors, place.sectors, strict=True):
                if sector is not None and area.contains(point):
                    return Selection(sector=sector.number)
        return NOTHING

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """The lanes, and the sectors that move."""
        yield from self.lane_places(picture).values()
        access = self._access(picture)
        for place in self._places(access) if access is not None else ():
            pairs = zip(place.line.sectors, place.sectors, strict=True)
            yield from (area for sector, area in pairs if sector is not None)

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        if selection.thread is not None:
            return message("Lane {lane} is thread {thread}.", lane=selection.thread % WARP, thread=selection.thread)
        access = None if self._asking else self._access(picture)
        for line in access.lines if access is not None else ():
            for sector in line.sectors:
                if sector is not None and sector.number == selection.sector:
                    used = sum(end - begin for begin, end in sector.used)
                    return message(
                        "{place}: {used} of 32 bytes wanted, by lanes {lanes}",
                        place=line_name(picture.index, line), used=used, lanes=lane_ranges(sector.lanes),
                    )  # fmt: skip
        return None

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """Along the lanes, or the sectors that move; up and down by a line, from the first one up to the lane above. While something is
        asked the lanes come first."""
        lanes = list(self.lane_places(picture))
        if selection == NOTHING and lanes and self._asking:
            return Selection(thread=picture.frame.first_thread + lanes[0])
        if selection.thread is not None and lanes and not down:
            place = min(max(bisect_left(lanes, selection.thread % WARP) + across, 0), len(lanes) - 1)
            return Selection(thread=picture.frame.first_thread + lanes[place])
        access = self._access(picture)
        numbers = [sector.number for line in access.lines for sector in line.sectors if sector] if access is not None else []
        if not numbers:
            return selection
        if selection.sector not in numbers:
            return Selection(sector=numbers[0])
        above = self._lane_above(selection, picture) if down < 0 else None
        if above is not None:
            return Selection(thread=picture.frame.first_thread + above)
        place = numbers.index(selection.sector) + across + 4 * down
        return Selection(sector=numbers[min(max(place, 0), len(numbers) - 1)])

    def _lane_above(self, selection: Selection, picture: GpuPicture) -> int | None:
        """The lane that is nearest above a sector of the first line."""
        access, lanes = self._access(picture), self.lane_places(picture)
        first = next(iter(self._places(access)), None) if access is not None and lanes else None
        for sector, area in zip(first.line.sectors, first.sectors, strict=True) if first is not None else ():
            if sector is not None and sector.number == selection.sector:
                return min(lanes, key=lambda lane: abs(lanes[lane].center().x() - area.center().x()))
        return None

    def table(self, picture: GpuPicture) -> Table:
        return table(picture.index, picture.frame)

    @property
    def _asking(self) -> bool:
        """Somebody is to say beforehand who needs what: it is not written into the sectors."""
        return bool(self.model.asking.value)

    @property
    def _pointed_at(self) -> bool:
        """Somebody is to point at a lane, or has done so: then it stays in sight with what it needs."""
        answered = self.model.pinned.value.thread is not None and self.model.shown.value is self._asked_of
        return self._asking or (answered and self._asked_of is not None)

    def _note_asked(self) -> None:
        if self._asking:
            self._asked_of = self.model.shown.value
        elif self.model.pinned.value.thread is None or self.model.shown.value is not self._asked_of:
            self._asked_of = None
        self.update()

    def _places(self, access: AccessedSectors) -> tuple[LineBox, ...]:
        return place_lines(access.lines, QRectF(self.rect()), self._lines_beside(), asking=self._pointed_at)

    def _has_tokens(self, places: tuple[LineBox, ...]) -> bool:
        return bool(places) and has_tokens(QRectF(self.rect()), max(len(places), self._lines_beside()), asking=self._pointed_at)

    def _lines_beside(self) -> int:
        """How many lines the view beside this one shows."""
        other = self.beside
        access = other._access(other.picture) if isinstance(other, GlobalView) and other.picture is not None else None
        return len(access.lines) if access is not None else 0

    def _say(self, painter: QPainter, text: Message) -> None:
        painter.setFont(self.look.theme.font("body"))
        painter.setPen(self.look.theme.t3)
        painter.drawText(QRectF(self.rect()).adjusted(12, 8, -12, -8), self.look.text(text))
