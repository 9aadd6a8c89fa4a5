"""The view of swizzles: where a tile lies in shared memory, where it would without a swizzle, and the exclusive or between the two."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.selection import NO_HIGHLIGHT, NOTHING, Selection
from app.core.gpu_view.shared.bank_sentences import NO_MEMORY
from app.core.gpu_view.shared.banks import lane_of
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.shared.shared_tiles import LINE, SharedTiles
from app.core.gpu_view.shared.swizzle import (
    SwizzlePicture,
    bits_words,
    moment,
    rule_of,
    sentence_of,
    swizzle_picture,
    swizzle_table,
    verdict_of,
)  # fmt: skip
from app.core.gpu_view.shared.typed_layout import example_for, written
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Pictures, write_instead, write_sentence
from app.qt.gpu_view.swizzle_geometry import MARGIN, LayoutGrid, SwizzleGeometry, lay_out
from app.qt.gpu_view.swizzle_painter import paint_access, paint_bits, paint_place
from app.qt.gpu_view.swizzle_rows import RowsPainter
from app.qt.gpu_view.view import GpuView
from kernels.analysis.banks import WORD_BYTES
from kernels.base.messages import Message, message

BOX = 36.0
LAYOUT = message("A layout to try")
_BOX_FROM = QSize(560, 380)
_MOST_PICTURES = 512
"""Rows of banks and columns of bits that are kept, of 25 KiB each: a launch of wgmma goes round 289 of them, and with fewer each of these
would be drawn anew at each turn of its loop."""


class SwizzleView(GpuView):
    """View of two layouts side by side, with the lanes of the phase under way; below them the bits of one address."""

    title = View.SWIZZLE.title
    brief_here = False
    """Whether the layout's rule stands elsewhere, and the room is that of the places and bits."""

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._tiles: SharedTiles | None = None
        self._known: tuple[tuple[object, ...], SwizzlePicture | Message] | None = None
        self._kept = Pictures(_MOST_PICTURES)
        self._rows = RowsPainter(look, self._kept)
        self._box = QLineEdit(self)
        self._box.hide()
        self._box.setAccessibleName(look.text(LAYOUT))
        self._box.textEdited.connect(self._type)
        bind(self, model.choices.layout, self._show_text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        typed = self.window().windowHandle() is not None  # what is drawn into a file has no window, and nobody can type there
        self._box.setVisible(typed and self.width() >= _BOX_FROM.width() and self.height() >= _BOX_FROM.height())
        font = self.look.theme.font("code")
        font.setPixelSize(round(font.pixelSize() * self._zoom))
        self._box.setFont(font)
        place = QRectF(MARGIN, self.height() - BOX, min(self.width() * 0.42, 380), BOX - 6)
        self._box.setGeometry(QRectF(place.topLeft() * self._zoom, place.size() * self._zoom).toRect())

    def _type(self, text: str) -> None:
        self.model.choices.layout.value = text

    def _show_text(self, text: str) -> None:
        if text != self._box.text():
            self._box.setText(text)
        self.update()

    def shown(self, picture: GpuPicture) -> SwizzlePicture | Message:
        """What is drawn for a picture, or why nothing is."""
        if self._tiles is None or self._tiles.memory.index is not picture.index:
            self._tiles, self._known = SharedTiles(SharedMemory(picture.index)), None
        selection, frame = self.model.selection, picture.frame
        text = self.model.choices.layout.value
        key = moment(self._tiles.memory, frame), frame.block_number, frame.first_thread, selection, text
        if self._known is None or self._known[0] != key:
            found = swizzle_picture(self._tiles, frame, selection.thread, selection.element, text) if self._tiles.memory.rows else NO_MEMORY
            self._known = key, found
        return self._known[1]

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        """Between two accesses, and within a phase, nothing moves."""
        selected = before.highlight is not NO_HIGHLIGHT or after.highlight is not NO_HIGHLIGHT
        return before.index is after.index and not selected and self.shown(before) is self.shown(after)

    def place(self, shown: SwizzlePicture) -> SwizzleGeometry:
        """Where everything is."""
        return lay_out(self.width(), self.height(), shown, BOX if self._box.isVisible() else 0.0, brief=self.brief_here)

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        shown, theme = self.shown(picture), self.look.theme
        if isinstance(shown, Message):
            self._box.setPlaceholderText(self.look.text(LAYOUT))
            write_instead(painter, QRectF(self.rect()), theme, self.look.text(shown))
            return
        place, ratio = self.place(shown), self.devicePixelRatioF()
        for grid in place.grids:
            self._rows.paint(painter, grid, ratio)
            paint_access(painter, grid, self.look, self._kept, ratio, past=shown.past)
        if self._box.isVisible():
            self._box.setPlaceholderText(self.look.text(message("Try {layout}", layout=example_for(shown.tile))))
            self._paint_typed(painter, shown)
        if picture.highlight:
            self._paint_selected(painter, shown, place)
        if place.bits is not None:
            paint_bits(painter, shown, place, self.look, self._kept, ratio)
        if not place.sentence.isEmpty():
            write_sentence(painter, place.sentence, theme, *map(self.look.text, (sentence_of(shown), rule_of(shown.tile))))

    def _paint_typed(self, painter: QPainter, shown: SwizzlePicture) -> None:
        """Beside the box what the layout in it costs, why it is none, or how that in memory is written."""
        theme, left = self.look.theme, MARGIN + min(self.width() * 0.42, 380) + 10
        said = shown.typed
        if said is None and (text := written(shown.tile)):
            said = message("in memory: {layout}", layout=text)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.bad if shown.refused else theme.t2)
        area = QRectF(left, self.height() - BOX - 2, self.width() - MARGIN - left, BOX + 2)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(area, flags, "" if said is None else self.look.text(said))

    def _paint_selected(self, painter: QPainter, shown: SwizzlePicture, place: SwizzleGeometry) -> None:
        """The place of the selected element in both layouts."""
        at = shown.tile.places_one(shown.bits.word)
        for grid in place.grids if at is not None else ():
            row, byte = divmod(shown.tile.base % LINE + int(grid.side.offset[at]), LINE)
            paint_place(painter, grid, row, byte // shown.unit, self.look.theme)

    # ------------------------------------------------------------ words

    def fact(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return None
        return message("{name}: {rule}", name=shown.tile.array.name, rule=rule_of(shown.tile))

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        shown = self.shown(picture)
        return None if isinstance(shown, Message) else verdict_of(shown)

    def detail(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        return shown if isinstance(shown, Message) else sentence_of(shown)

    def table(self, picture: GpuPicture) -> Table:
        shown = self.shown(picture)
        return Table((), ()) if isinstance(shown, Message) else swizzle_table(shown)

    # ------------------------------------------------------------ pointing

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        shown = self.shown(picture)
        if isinstance(shown, Message) or self._tiles is None:
            return NOTHING
        for grid in self.place(shown).grids:
            place = grid.at(point)
            word = None if place is None else _word(shown, grid, *place)
            element = None if word is None else self._tiles.memory.element(word)
            if element is not None:
                return Selection(element=element)
        return NOTHING

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """All units of both layouts."""
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return
        for grid in self.place(shown).grids:
            cells = (grid.cell(row, unit) for row in grid.rows for unit in range(LINE // shown.unit))
            yield from (cell for cell in cells if cell is not None)

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        if self._tiles is None or (selection.element is None and selection.thread is None):
            return None
        found = swizzle_picture(self._tiles, picture.frame, selection.thread, selection.element)
        return None if isinstance(found, Message) else bits_words(found)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """From place to place in memory; from a lane, or from nothing, to the next lane."""
        shown = self.shown(picture)
        if isinstance(shown, Message) or self._tiles is None:
            return NOTHING
        memory = self._tiles.memory
        if selection.element is not None and selection.element[0] == shown.tile.array.allocation:
            word = memory.word_of(*selection.element) + (across * shown.unit + down * LINE) // WORD_BYTES
            element = memory.element(word)
            return selection if element is None or shown.tile.places_one(word) is None else Selection(element=element)
        lanes = [lane for lane, active in enumerate(shown.own.access.active) if active]
        lane, first = lane_of(picture.frame, selection.thread), picture.frame.first_thread
        if lane not in lanes:
            return Selection(thread=first + lanes[0])
        return Selection(thread=first + lanes[(lanes.index(lane) + across + down) % len(lanes)])


def _word(shown: SwizzlePicture, grid: LayoutGrid, row: int, unit: int) -> int | None:
    """The word of shared memory whose content is drawn at a place of one of the layouts; None where nothing is."""
    tile, offset = shown.tile, row * LINE + unit * shown.unit - shown.tile.base % LINE
    at = (grid.side.offset == offset).nonzero()[0]
    return int(tile.word[at[0]]) if len(at) else None
