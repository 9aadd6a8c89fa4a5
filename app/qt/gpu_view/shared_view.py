"""Shared memory view: 32 banks across, how the lanes of the step get to them, and what of the memory belongs to the selection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.matrices.wrong_values import wrong_elements
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.bank_sentences import NEXT_ASKED, NO_MEMORY, moved, reason_of, rows_of, tip_of, verdict_of, why_nothing
from app.core.gpu_view.shared.banks import BanksPicture, Serving, banks_picture, untouched, wavefront_at
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.unseen_writes import old_elements, old_values, tag_words
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Pictures
from app.qt.gpu_view.shared_geometry import Geometry, lay_out
from app.qt.gpu_view.shared_lanes import paint_lanes
from app.qt.gpu_view.shared_text import gutter_for, labelled_gutter, paint_caption, paint_gutter, paint_legend, paint_sentences, paint_strip
from app.qt.gpu_view.shared_words import SharedCells, paint_highlight, paint_queue, paint_words
from app.qt.gpu_view.view import GpuView, of_one_moment
from app.qt.matrix.marks import paint_old, paint_wrong
from kernels.analysis.banks import BANKS
from kernels.base.messages import Message, message

PAST = 0.55
_DRAWN_AT = 0.3
"""The fraction of a step at which the curves have arrived."""
_STAGES = 6
"""Pictures of the curves on their way."""
_MOST_HEADS, _MOST_WORDS = 12, 1024


class SharedView(GpuView):
    """Banks by words, with the lanes above and the wavefronts below."""

    title = View.SHARED_MEMORY.title
    labelled: ClassVar = False
    """Whether wavefronts have their label also where that takes room from the words."""

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._memory: SharedMemory | None = None
        self._banks: tuple[tuple[int, int, int | None, bool], BanksPicture] | None = None
        self._cells = SharedCells(look.theme)
        self._large = Pictures(_MOST_HEADS)
        self._small = Pictures(_MOST_WORDS)

    def banks(self, picture: GpuPicture) -> BanksPicture:
        """The picture of the banks; where the next step is asked about, without the access of the one before it."""
        if self._memory is None or self._memory.index is not picture.index:
            self._memory, self._banks = SharedMemory(picture.index), None
            self._large = Pictures(_MOST_HEADS)
        ahead = picture.frame.step == self.model.ahead.value
        moment = picture.frame.step, picture.frame.moment, wavefront_at(self._memory, picture.frame), ahead
        if self._banks is None or self._banks[0] != moment:
            banks = banks_picture(self._memory, picture.frame)
            self._banks = moment, untouched(banks) if ahead else banks
        return self._banks[1]

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        """Within a wavefront, once the curves have arrived, nothing moves."""
        if not of_one_moment(before, after):
            return False
        banks, fractions = self.banks(before), (before.frame.fraction, after.frame.fraction)
        return banks is self.banks(after) and len({_drawn(each, banks) for each in fractions}) == 1

    def place(self, picture: GpuPicture) -> Geometry:
        """Where everything is."""
        banks, other = self.banks(picture), self.beside
        beside = other.banks(other.picture) if isinstance(other, SharedView) and other.picture is not None else None
        names = [array.name for each in (banks, beside) if each is not None for array in each.memory.arrays]
        others = beside.parts if beside is not None else None
        gutter = max(gutter_for(names, self.look), labelled_gutter(self.look) if self.labelled else 0.0)
        return lay_out(QSizeF(self.size()), self.devicePixelRatioF(), banks.parts, others, gutter)

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        banks = self.banks(picture)
        if not banks.memory.rows:
            painter.setFont(self.look.theme.font("body"))
            painter.setPen(self.look.theme.t2)
            painter.drawText(QRectF(self.rect()).adjusted(12, 0, -12, 0), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                             self.look.text(NO_MEMORY))  # fmt: skip
            return
        place, whole, size = self.place(picture), painter.opacity(), QSizeF(self.size())
        self._cells.paint(painter, banks, place)
        key = ("gutter", place.key, banks.access is None)
        self._large.draw(painter, QPointF(0, 0), key, size, place.ratio, lambda one: paint_gutter(one, banks, place, self.look))
        painter.setOpacity(whole * (PAST if banks.past else 1.0))
        self._paint_access(painter, picture, banks, place)
        painter.setOpacity(whole)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        reason = self._reason(picture, banks)
        paint_sentences(painter, banks, reason, place, self.look)
        paint_caption(painter, banks, picture.frame.site.text, self.verdict(picture), reason, place, self.look)
        paint_legend(painter, banks, place, self.look)
        paint_highlight(painter, banks, picture.highlight, place, self.look.theme)
        paint_wrong(painter, _wrong_rects(picture, banks, place), self.look.theme)
        self._paint_old(painter, picture, banks, place)

    def _paint_old(self, painter: QPainter, picture: GpuPicture, banks: BanksPicture, place: Geometry) -> None:
        """The old values that the step reads, each in its word."""
        theme, shown = self.look.theme, {array.allocation for array in banks.memory.arrays}
        found = {banks.memory.word_of(each.allocation, each.element): each for each in old_values(picture.index, picture.frame)
                 if each.allocation in shown}  # fmt: skip
        areas = [(area.adjusted(1, 1, -2, -2), each) for word, each in sorted(found.items()) if (area := place.word(word)) is not None]
        painter.setFont(theme.font("caption"))
        for area, each in areas:
            painter.fillRect(area, theme.bg1)
            painter.setPen(theme.bad)
            if QFontMetricsF(painter.font()).horizontalAdvance(each.value) <= area.width():
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, each.value)
        if areas:
            paint_old(painter, [area for area, _ in areas], self.look.text(tag_words(areas[0][1])), QRectF(self.rect()), theme)

    def _rests_beside(self) -> bool:
        """Whether the launch beside this one is at the beginning of a step. Of two that share a clock the other is within one then, and
        would stay on its way."""
        return self.beside is not None and self.beside.picture is not None and self.beside.picture.frame.fraction <= 0

    def _paint_access(self, painter: QPainter, picture: GpuPicture, banks: BanksPicture, place: Geometry) -> None:
        look, size = self.look, QSizeF(self.size())
        drawn = 1.0 if self._rests_beside() else _drawn(picture.frame.fraction, banks)
        top = QSizeF(size.width(), place.bank_line + 15)
        key = ("head", banks.groups, banks.contested, banks.access and banks.access.operation, drawn, place.key)
        self._large.draw(
            painter, QPointF(0, 0), key, top, place.ratio, lambda one: paint_lanes(one, banks, place, drawn, self._small, look)
        )
        if not banks.past:  # then the words are what they hold
            paint_words(painter, banks, place, self._small, look.theme)
        paint_strip(painter, banks, place, self._small, look)
        if place.caption is not None and len(banks.contested) == 1 and not banks.past:
            paint_queue(painter, banks, place, self._queue_texts(banks), look.theme)

    def _queue_texts(self, banks: BanksPicture) -> tuple[str, str, str, str]:
        waiting = sum(word.serving is Serving.BLOCKED for word in banks.words)
        (bank,) = banks.contested
        at_length = message("{lanes} lanes wait in line for bank {bank}, while {others} banks stand idle.", lanes=waiting, bank=bank,
                            others=BANKS - len({word.word % BANKS for word in banks.words}))  # fmt: skip
        texts = (message("served"), message("served now"), message("waiting"), at_length)
        served, now, wait, long = map(self.look.text, texts)
        return served, now, wait, long

    def _reason(self, picture: GpuPicture, banks: BanksPicture) -> Message:
        if picture.frame.step == self.model.ahead.value:
            return NEXT_ASKED
        if banks.past or banks.access is None:
            return why_nothing(picture.index, picture.frame.site)
        return reason_of(banks.access, picture.index.trace.block[0])

    def fact(self, picture: GpuPicture) -> Message | None:
        rows = self.banks(picture).memory.rows
        return message("{banks} banks across, {rows} rows of words", banks=BANKS, rows=rows) if rows else None

    def brief(self, picture: GpuPicture) -> Message | None:
        return message("{banks} banks", banks=BANKS) if self.banks(picture).memory.rows else None

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        banks = self.banks(picture)
        return None if banks.past or banks.access is None else verdict_of(banks.access)

    def detail(self, picture: GpuPicture) -> Message | None:
        banks = self.banks(picture)
        if banks.now is None or banks.access is None:
            return None
        return message("wavefront {number} of {total}", number=banks.now + 1, total=banks.access.wavefronts)

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        banks = self.banks(picture)
        if not banks.memory.rows:
            return NOTHING
        place = self.place(picture)
        column, word = place.column_at(point), place.word_at(point)
        if column is None:
            return NOTHING
        if abs(point.y() - place.token_line) <= place.token / 2 + 2:
            active = picture.frame.lanes.active[column]
            return Selection(thread=picture.frame.first_thread + column) if active else NOTHING
        if place.bank_line - 2 <= point.y() < place.grid.top():
            return Selection(bank=column)
        element = banks.memory.element(word) if word is not None else None
        return NOTHING if element is None else Selection(element=element)

    def tip_at(self, point: QPointF, picture: GpuPicture) -> Message | None:
        """Left of the words the whole name of the array and its shape."""
        banks = self.banks(picture)
        array = banks.memory.array_of_row(self.place(picture).row_at(point)) if banks.memory.rows else None
        if array is None:
            return super().tip_at(point, picture)
        return message("{first} {other}", first=array.name, other=" × ".join(map(str, array.shape)))

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """The lanes that take part, the banks, and the words that are touched."""
        banks, place = self.banks(picture), self.place(picture)
        if not banks.memory.rows:
            return
        half, line = place.token / 2, place.token_line
        for lane in np.flatnonzero(picture.frame.lanes.active).tolist():
            yield QRectF(place.middle(lane) - half, line - half, 2 * half, 2 * half)
        for bank in range(BANKS):
            yield QRectF(place.left + bank * place.column, place.bank_line, place.column, place.grid.top() - place.bank_line)
        yield from (area for word in banks.words if (area := place.word(word.word)) is not None)

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        return tip_of(self.banks(picture), picture.frame, selection)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        return moved(self.banks(picture), picture.frame, selection, across, down)

    def table(self, picture: GpuPicture) -> Table:
        return rows_of(self.banks(picture), picture.frame)


def _drawn(fraction: float, banks: BanksPicture) -> float:
    """How much of the curves is drawn: they grow while a step of one wavefront begins to move."""
    if banks.now is None or fraction <= 0 or fraction >= _DRAWN_AT or banks.access is None or banks.access.wavefronts > 1:
        return 1.0
    return max(1, round(fraction / _DRAWN_AT * _STAGES)) / _STAGES


def _wrong_rects(picture: GpuPicture, banks: BanksPicture, place: Geometry) -> list[QRectF]:
    """The words that hold a wrong value, in a schedule that breaks a race, but for those of which an old value is drawn."""
    at, numbers = (picture.index, picture.frame), [array.allocation for array in banks.memory.arrays]
    found = ((number, np.setdiff1d(wrong_elements(*at, number), old_elements(*at, number))) for number in numbers)
    words = {banks.memory.word_of(allocation, element) for allocation, elements in found for element in elements.tolist()}
    return [area.adjusted(1, 1, -2, -2) for word in sorted(words) if (area := place.word(word)) is not None]
