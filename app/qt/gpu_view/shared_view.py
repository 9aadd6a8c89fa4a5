"""Shared memory view: 32 banks across, how the lanes of the step get to them, and what of the memory belongs to the selection."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.core.base.picture_parts import Table, Verdict
from app.core.gpu_view.bank_words import NO_MEMORY, UNSPECIFIED, UNTOUCHED, moved, reason_of, rows_of, tip_of, verdict_of
from app.core.gpu_view.banks import BanksPicture, Serving, Word, banks_picture
from app.core.gpu_view.selection import NOTHING, Highlight, Selection
from app.core.gpu_view.shared_memory import SharedMemory
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Pictures
from app.qt.gpu_view.shared_cells import SharedCells
from app.qt.gpu_view.shared_geometry import Geometry, lay_out
from app.qt.gpu_view.shared_head import digits, paint_head, token_area, token_colours
from app.qt.gpu_view.shared_text import gutter_for, paint_caption, paint_gutter, paint_legend, paint_sentences, paint_strip
from app.qt.gpu_view.view import GpuView
from kernels.analysis.banks import BANKS
from kernels.base.messages import Message, message

_NUMBERS_FROM = 11.0
_SMALLEST = 7
"""Pixels."""
_MOST_MARKED = 256
"""Elements of a selection that are outlined."""


def paint_words(painter: QPainter, picture: BanksPicture, place: Geometry, pictures: Pictures, theme: Theme) -> None:
    """A number in each word: of the lane that touches it, or of how many do."""
    size = QSizeF(place.column, place.row)
    for word in picture.words:
        area = place.word(word.word)
        if area is not None:
            draw = partial(_paint_word, word=word, size=size, theme=theme)
            pictures.draw(painter, area.topLeft(), ("word", word.serving, _text(word)), size, place.ratio, draw)


def paint_highlight(painter: QPainter, picture: BanksPicture, highlight: Highlight, place: Geometry, theme: Theme) -> None:
    """Outlines around the lanes, the banks and the elements of the selection."""
    if not highlight:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.ink, 2))
    for lane in highlight.lanes.nonzero()[0].tolist():
        painter.drawRoundedRect(token_area(place, lane, lane).adjusted(-1, -1, 1, 1), place.token / 2 + 1, place.token / 2 + 1)
    elements = [(allocation, element) for allocation, found in highlight.elements.items() for element in sorted(found)[:_MOST_MARKED]]
    shared = {array.allocation for array in picture.memory.arrays}
    words = {picture.memory.word_of(*each) for each in elements if each[0] in shared}
    for area in filter(None, map(place.word, sorted(words))):
        painter.drawRect(area.adjusted(0.5, 0.5, -1, -1))
    painter.setPen(QPen(theme.ink, 1.5))
    for bank in sorted(highlight.banks):
        grid = place.grid
        painter.drawRect(QRectF(place.left + bank * place.column, place.bank_line, place.column - 1, grid.bottom() - place.bank_line))


def paint_queue(painter: QPainter, picture: BanksPicture, place: Geometry, texts: tuple[str, str, str, str], theme: Theme) -> None:
    """Paint brackets beside the only contested bank around what was served, is served and waits. `texts` say so, the last one at length."""
    bank = next(iter(picture.contested))
    right = bank < BANKS // 2
    x = place.left + (bank + 1) * place.column + 3 if right else place.left + bank * place.column - 4
    kinds = ((Serving.SERVED, texts[0], theme.t2), (Serving.NOW, texts[1], theme.now_text), (Serving.BLOCKED, texts[2], theme.bad))
    for serving, text, colour in kinds:
        areas = [area for word in picture.words if word.serving is serving and (area := place.word(word.word)) is not None]
        if not areas:
            continue
        top, bottom = areas[0].top() + 1, areas[-1].bottom() - 2
        painter.setPen(QPen(colour, 1.5))
        turn = -3 if right else 3
        if serving is not Serving.NOW:
            painter.drawPolyline([QPointF(x + turn, top), QPointF(x, top), QPointF(x, bottom), QPointF(x + turn, bottom)])
        said = texts[3] if serving is Serving.BLOCKED and len(areas) > 3 else text
        _paint_note(painter, said, QPointF(x + (6 if right else -6), (top + bottom) / 2), theme, right=right)


def _paint_note(painter: QPainter, text: str, at: QPointF, theme: Theme, *, right: bool) -> None:
    """A text on a ground of its own: it stands on the words."""
    painter.setFont(theme.font("label"))
    bounds = painter.boundingRect(QRectF(0, 0, 260, 200), Qt.TextFlag.TextWordWrap, text)
    area = QRectF(
        at.x() if right else at.x() - bounds.width() - 10, at.y() - bounds.height() / 2 - 2, bounds.width() + 10, bounds.height() + 4
    )
    pen = painter.pen()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.bg2)
    painter.drawRoundedRect(area, 4, 4)
    painter.setPen(pen)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)


def _text(word: Word) -> str:
    return str(word.lanes[0]) if len(word.lanes) == 1 else f"×{len(word.lanes)}"


def _paint_word(painter: QPainter, word: Word, size: QSizeF, theme: Theme) -> None:
    fill, outline, ink = token_colours(word.serving, theme)
    area = QRectF(0, 0, size.width() - 1, size.height() - (1 if size.height() >= 4 else 0))
    painter.fillRect(area, outline)
    inner = area.adjusted(1, 1, -1, -1)
    if inner.height() > 0:
        painter.fillRect(inner, fill)
    if size.height() >= _NUMBERS_FROM and size.width() >= _NUMBERS_FROM + 2:
        painter.setFont(_fitting_font(_text(word), size, theme))
        painter.setPen(ink)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, _text(word))


def _fitting_font(text: str, size: QSizeF, theme: Theme) -> QFont:
    """Return a font as large as the cell allows: how many lanes share a word is wider than the number of one."""
    font = digits(theme, size.height())
    while font.pixelSize() > _SMALLEST and QFontMetricsF(font).horizontalAdvance(text) > size.width() - 2:
        font.setPixelSize(font.pixelSize() - 1)
    return font


PAST = 0.55
_DRAWN_AT = 0.3
"""The fraction of a step at which the curves have arrived."""
_STAGES = 6
"""Pictures of the curves on their way."""
_MOST_HEADS, _MOST_WORDS = 12, 1024


class SharedView(GpuView):
    """Banks by words, with the lanes above and the wavefronts below."""

    title = message("Shared memory")

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._memory: SharedMemory | None = None
        self._banks: tuple[GpuPicture, BanksPicture] | None = None
        self._cells = SharedCells(look.theme)
        self._large = Pictures(_MOST_HEADS)
        self._small = Pictures(_MOST_WORDS)

    def banks(self, picture: GpuPicture) -> BanksPicture:
        """The picture of the banks."""
        if self._memory is None or self._memory.index is not picture.index:
            self._memory = SharedMemory(picture.index)
            self._large = Pictures(_MOST_HEADS)
        if self._banks is None or self._banks[0] is not picture:
            self._banks = picture, banks_picture(self._memory, picture.frame)
        return self._banks[1]

    def place(self, picture: GpuPicture) -> Geometry:
        """Where everything is."""
        banks, other = self.banks(picture), self.beside
        beside = other.banks(other.picture) if isinstance(other, SharedView) and other.picture is not None else None
        names = [array.name for each in (banks, beside) if each is not None for array in each.memory.arrays]
        others = beside.parts if beside is not None else None
        return lay_out(QSizeF(self.size()), self.devicePixelRatioF(), banks.parts, others, gutter_for(names, self.look))

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

    def _paint_access(self, painter: QPainter, picture: GpuPicture, banks: BanksPicture, place: Geometry) -> None:
        look, size = self.look, QSizeF(self.size())
        drawn = _drawn(picture.frame.fraction, banks)
        top = QSizeF(size.width(), place.bank_line + 15)
        key = ("head", banks.groups, banks.contested, banks.access and banks.access.operation, drawn, place.key)
        self._large.draw(painter, QPointF(0, 0), key, top, place.ratio, lambda one: paint_head(one, banks, place, drawn, self._small, look))
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
        if banks.past or banks.access is None:
            return UNSPECIFIED if picture.frame.site.tile else UNTOUCHED
        return reason_of(banks.access)

    def fact(self, picture: GpuPicture) -> Message | None:
        rows = self.banks(picture).memory.rows
        return message("{banks} banks across, {rows} rows of words", banks=BANKS, rows=rows) if rows else None

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
