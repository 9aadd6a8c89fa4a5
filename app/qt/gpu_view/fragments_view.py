"""The view of fragments: which lane holds which element of the operands of a matrix instruction, and in which register."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.executed import fragments_picture, next_instruction
from app.core.gpu_view.shared.fragments import FragmentsPicture, element_words, fragments_table, lane_brief, lane_words
from app.core.stage.model import BY_REGISTER, GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Pictures, write_instead, write_sentence
from app.qt.gpu_view.fragments_geometry import FragmentsGeometry, lay_out
from app.qt.gpu_view.fragments_painter import LANE, paint_givers, paint_lanes, paint_names, paint_operands, paint_own, switch_width
from app.qt.gpu_view.view import GpuView, of_one_moment
from kernels.base.messages import Message, message
from kernels.simt.trace.trace import WARP

_MOST_PICTURES = 4


class FragmentsView(GpuView):
    """The lanes above, to point at; below them each operand with the lane's number in every element."""

    title = View.FRAGMENTS.title
    brief_here = False
    """Whether instruction and sentence stand elsewhere, and the room is the elements'."""

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._kept, self._givers = Pictures(_MOST_PICTURES), Pictures(_MOST_PICTURES)
        self._label = QFontMetricsF(look.theme.font("small")).horizontalAdvance(look.text(LANE)) + 8
        self._switch = switch_width(look)
        self.names: list[QRectF] = []
        """The places of the instructions' names."""

    def shown(self, picture: GpuPicture) -> FragmentsPicture | Message:
        """What is drawn for a picture, or why nothing is."""
        return fragments_picture(picture.index, picture.frame, self.model.selection.thread, self.model.choices.instruction.value)

    def place(self, shown: FragmentsPicture) -> FragmentsGeometry:
        """Where everything is."""
        return lay_out(self.width(), self.height(), shown, self._label, self._switch, brief=self.brief_here)

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        return of_one_moment(before, after)

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        shown, theme = self.shown(picture), self.look.theme
        if isinstance(shown, Message):
            write_instead(painter, QRectF(self.rect()), theme, self.look.text(shown))
            return
        place, by_register = self.place(shown), self.model.choices.by_register.value
        size, ratio = QSizeF(self.size()), self.devicePixelRatioF()
        room = shown.instruction, bool(shown.givers), place.before, place.names is None
        key = *room, shown.lane is not None, by_register, shown.first_lane
        draw = partial(paint_operands, picture=shown, place=place, look=self.look, by_register=by_register)
        self._kept.draw(painter, QPointF(0, 0), key, size, ratio, draw)
        if shown.givers:
            givers = partial(paint_givers, picture=shown, place=place, look=self.look)
            self._givers.draw(painter, QPointF(0, 0), (*room, shown.givers), size, ratio, givers)
        paint_own(painter, shown, place, self.look, by_register=by_register)
        paint_lanes(painter, shown, place, self.look, by_register=by_register)
        self.names = paint_names(painter, shown, place, self.look)
        if not place.sentence.isEmpty():
            said = (self._sentence(shown), shown.sentence if shown.lane is None else lane_brief(shown, shown.lane))
            write_sentence(painter, place.sentence, theme, *(_unbroken(self.look.text(each)) for each in said))

    def _sentence(self, shown: FragmentsPicture) -> Message:
        if shown.lane is not None:
            return lane_words(shown, shown.lane)
        return shown.sentence if shown.more is None else message("{first} {other}", first=shown.sentence, other=shown.more)

    # ------------------------------------------------------------ words

    def fact(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        return None if isinstance(shown, Message) else message("{text}", text=shown.instruction)

    def verdict(self, _picture: GpuPicture) -> Verdict | None:
        return None

    def detail(self, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        return shown if isinstance(shown, Message) else self._sentence(shown)

    def table(self, picture: GpuPicture) -> Table:
        shown = self.shown(picture)
        return Table((), ()) if isinstance(shown, Message) else fragments_table(shown)

    # ------------------------------------------------------------ pointing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        shown = None if self.picture is None else self.shown(self.picture)
        if isinstance(shown, FragmentsPicture) and self.place(shown).switch.contains(event.position()):
            self.model.choices.turn_fragments()
            return
        if isinstance(shown, Message) and self.picture is not None:
            self.model.next_instruction()
            return
        name = next((number for number, box in enumerate(self.names) if box.contains(event.position())), None)
        if isinstance(shown, FragmentsPicture) and name is not None:
            self.model.choices.instruction.value = name
            return
        super().mousePressEvent(event)

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return NOTHING
        place = self.place(shown)
        lane = place.lane_at(point)
        for each in place.operands:
            found = each.at(point)
            lane = int(each.operand.lane[found]) % WARP if found is not None else lane
        return NOTHING if lane is None else Selection(thread=picture.frame.first_thread + lane)

    def tip_at(self, point: QPointF, picture: GpuPicture) -> Message | None:
        """Of an element who holds it; of a lane all that it holds."""
        shown = self.shown(picture)
        if isinstance(shown, Message):
            step = next_instruction(picture.index, picture.frame.step)
            return None if step is None else message("a press goes to step {step}", step=step + 1)
        place = self.place(shown)
        if place.switch.contains(point):
            return BY_REGISTER
        for each in place.operands:
            found = each.at(point)
            if found is not None:
                return element_words(each.operand, *found)
        return self.tip(self.selection_at(point, picture), picture)

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """The lanes, and all elements."""
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return
        place = self.place(shown)
        yield from map(place.lane, range(WARP))
        for each in place.operands:
            rows, columns = each.operand.shape
            yield from (each.rect(row, column) for row in range(rows) for column in range(columns))

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        shown = self.shown(picture)
        if isinstance(shown, Message) or selection.thread is None:
            return None
        return lane_words(shown, shown.first_lane + selection.thread % WARP)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """To the next lane, or to that of the next quad."""
        first = picture.frame.first_thread
        if selection.thread is None:
            return Selection(thread=first)
        return Selection(thread=first + (selection.thread % WARP + across + 4 * down) % WARP)


def _unbroken(text: str) -> str:
    """The text with the name, the rows and the columns of each element in one line."""
    joined = re.sub(r"\[[\d, ]+\]", lambda found: found[0].replace(" ", "\u00a0"), text)
    joined = re.sub(r"(?<=[ABD]) (?=[abcd]\d)", "\u00a0", joined)
    return re.sub(r"(?<=\w) \[", "\u00a0[", joined).replace("][", "]\u2060[").replace("C, D", "C,\u00a0D")
