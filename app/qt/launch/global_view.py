"""The global memory view: lanes to sectors to lines, and what of the moved bytes is used."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from app.core.launch.index import LaunchIndex
from app.core.launch.sectors import GlobalAccess, global_access, lane_ranges, line_name, table, verdict
from app.core.launch.selection import NOTHING, Selection
from app.core.launch.verdict import Verdict
from app.core.stage_model import LaunchPicture, StageModel
from app.core.table import Table
from app.qt.binding import bind
from app.qt.launch.pictures import Pictures
from app.qt.launch.sector_lines import LinePlace, has_tokens, paint_footer, paint_lines, place_lines
from app.qt.launch.sector_tokens import paint_tokens
from app.qt.launch.view import LaunchView, of_one_moment
from app.qt.look import Look
from kernels.messages import Message, message
from kernels.simt.trace import WARP

PAST = 0.45
"""Opacity of an access that is over."""


class GlobalView(LaunchView):
    """One row for each 128-byte line touched, four sectors each."""

    title: ClassVar[Message] = message("Global memory")

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._tokens = Pictures(4 * WARP)
        self._pictures = Pictures(2)
        self._drawn_for: LaunchIndex | None = None
        bind(self, model.asking, lambda _asking: self.update())
        self._known: tuple[tuple[LaunchIndex, int], GlobalAccess | None] | None = None

    def paint(self, painter: QPainter, picture: LaunchPicture) -> None:
        access = self._access(picture)
        if access is None:
            self._say(painter, message("No global memory has been accessed yet."))
            return
        if self._drawn_for is not picture.index:
            self._drawn_for, self._pictures = picture.index, Pictures(2)
        shown = picture.highlight
        key = (access.step, access.past, shown.lanes.tobytes(), shown.sectors, self._lines_beside(), self._asking)
        ratio = painter.device().devicePixelRatio()
        self._pictures.draw(painter, QPointF(0, 0), key, QSizeF(self.size()), ratio, lambda fresh: self._draw(fresh, picture, access))

    def _access(self, picture: LaunchPicture) -> GlobalAccess | None:
        """Worked out once for each step: it does not change while the step is under way."""
        key = picture.index, picture.frame.step
        if self._known is None or self._known[0] != key:
            self._known = key, global_access(picture.index, picture.frame)
        return self._known[1]

    def _draw(self, painter: QPainter, picture: LaunchPicture, access: GlobalAccess) -> None:
        """What does not change while a step is under way."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setOpacity(PAST if access.past else 1.0)
        places = self._places(access)
        paint_lines(painter, places, picture, access, self.look, asking=self._asking)
        if has_tokens(QRectF(self.rect()), max(len(places), self._lines_beside())):
            paint_tokens(painter, places, picture, access, self.look, self._tokens, asking=self._asking)
        painter.setOpacity(1.0)
        paint_footer(painter, QRectF(self.rect()), places, access, self.look, asking=self._asking)

    def fact(self, picture: LaunchPicture) -> Message | None:
        access = self._access(picture)
        return None if access is None else message("128-byte lines, 4 sectors of 32 bytes")

    def verdict(self, picture: LaunchPicture) -> Verdict | None:
        access = self._access(picture)
        told = access is not None and self._asking and access.faults.any_of.any()
        return None if told else verdict(access)

    def alike(self, before: LaunchPicture, after: LaunchPicture) -> bool:
        return of_one_moment(before, after)

    def selection_at(self, point: QPointF, picture: LaunchPicture) -> Selection:
        access = self._access(picture)
        for place in self._places(access) if access is not None else ():
            for sector, area in zip(place.line.sectors, place.sectors, strict=True):
                if sector is not None and area.contains(point):
                    return Selection(sector=sector.number)
        return NOTHING

    def tip(self, selection: Selection, picture: LaunchPicture) -> Message | None:
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

    def moved(self, selection: Selection, across: int, down: int, picture: LaunchPicture) -> Selection:
        """Along the sectors that move; up and down by a line."""
        access = self._access(picture)
        numbers = [sector.number for line in access.lines for sector in line.sectors if sector] if access is not None else []
        if not numbers:
            return selection
        if selection.sector not in numbers:
            return Selection(sector=numbers[0])
        place = numbers.index(selection.sector) + across + 4 * down
        return Selection(sector=numbers[min(max(place, 0), len(numbers) - 1)])

    def table(self, picture: LaunchPicture) -> Table:
        return table(picture.index, picture.frame)

    @property
    def _asking(self) -> bool:
        """Somebody is to say beforehand who needs what: it is not written into the sectors."""
        return bool(self.model.asking.value)

    def _places(self, access: GlobalAccess) -> tuple[LinePlace, ...]:
        return place_lines(access.lines, QRectF(self.rect()), self._lines_beside())

    def _lines_beside(self) -> int:
        """How many lines the view beside this one shows."""
        other = self.beside.picture if self.beside is not None else None
        access = global_access(other.index, other.frame) if other is not None else None
        return len(access.lines) if access is not None else 0

    def _say(self, painter: QPainter, text: Message) -> None:
        painter.setFont(self.look.theme.font("body"))
        painter.setPen(self.look.theme.t3)
        painter.drawText(QRectF(self.rect()).adjusted(12, 8, -12, -8), self.look.text(text))
