"""The view of memory order: warps along the order executed, what they do to synchronise, and what orders two accesses, or nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPen, QPolygonF

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.blocks import place
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.synchronisation.access_pairs import Access
from app.core.gpu_view.synchronisation.memory_order import SIGNS, Mark, OrderPicture, Sign, mark_text, order_picture, order_table
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Writer, fitting, paragraph_height
from app.qt.gpu_view.view import GpuView, of_one_moment
from kernels.base.messages import Message, message
from kernels.simt.base.types import ThreadScope
from kernels.simt.trace.trace import WARP

MARGIN = 14.0
LABEL = 72.0
WORDS = 44.0
"""Height of the sentence below the tracks, and the least of the tracks."""
LINE_NUMBER = 16.0
MOST_PITCH = 130.0
COLUMN = 46.0
"""Least width of a column, where there are more than must be."""
REACH = 10.0
"""Half the side of a mark."""
LETTERS = {ThreadScope.BLOCK: "B", ThreadScope.DEVICE: "D", ThreadScope.SYSTEM: "S"}


class OrderView(GpuView):
    """Warps, their fences, atomics and barriers, and the way from one access to another. A click on a mark goes to its step; with Shift
    it chooses the other access.
    """

    title = View.MEMORY_ORDER.title

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._other: Access | None = None
        self._known: tuple[object, OrderPicture] | None = None

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        shown, theme = self.order(picture), self.look.theme
        sentence = self.look.text(shown.sentence)
        width = self.width() - 2 * MARGIN
        height = paragraph_height(theme.font("body"), sentence, width)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_tracks(painter, picture, shown)
        self._paint_way(painter, shown)
        for mark in shown.marks:
            self._paint_mark(painter, shown, mark, picture)
            self._paint_words(painter, shown, mark)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        writer = Writer(painter, QPointF(MARGIN, self.height() - height - 8), width)
        writer.paragraph(theme.font("body"), theme.bad if shown.ordered is False else theme.t1, sentence, height + 4)

    def fact(self, picture: GpuPicture) -> Message | None:
        shown = self.order(picture)
        if not shown.way:
            return None
        first, second = (shown.marks[shown.way[end]].line for end in (0, -1))
        return message("lines {first} and {second}", first=first, second=second)

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        ordered = self.order(picture).ordered
        if ordered is None:
            return None
        return Verdict(message("ordered"), 1.0) if ordered else Verdict(message("not ordered"), 2.0)

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        return of_one_moment(before, after)

    def table(self, picture: GpuPicture) -> Table:
        return order_table(picture.index, self.order(picture))

    def detail(self, picture: GpuPicture) -> Message | None:
        return self.order(picture).sentence

    def order(self, picture: GpuPicture) -> OrderPicture:
        """What is drawn for a picture, found once for a step and a selection."""
        thread = self.model.selection.thread
        most = int((self.width() - 2 * MARGIN - LABEL) / COLUMN)
        key = picture.index, picture.frame.step, thread, self._other, most
        if self._known is None or self._known[0] != key:
            self._known = key, order_picture(picture.index, picture.frame, thread, self._other, most)
        return self._known[1]

    # ------------------------------------------------------------ places

    def _pitch(self, shown: OrderPicture) -> QSizeF:
        down = max(self.height() - 2 * MARGIN - WORDS, WORDS) / max(len(shown.tracks), 1)
        return QSizeF((self.width() - 2 * MARGIN - LABEL) / max(shown.columns, 1), min(down, MOST_PITCH))

    def _centre(self, shown: OrderPicture, mark: Mark) -> QPointF:
        pitch = self._pitch(shown)
        return QPointF(MARGIN + LABEL + (mark.column + 0.5) * pitch.width(), MARGIN + (mark.track + 0.42) * pitch.height())

    def mark_at(self, point: QPointF, picture: GpuPicture) -> Mark | None:
        """The mark under a point."""
        shown = self.order(picture)
        pitch = self._pitch(shown)
        for mark in shown.marks:
            offset = point - self._centre(shown, mark)
            if abs(offset.x()) <= max(pitch.width() / 2, REACH) and abs(offset.y()) <= pitch.height() / 2:
                return mark
        return None

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """The marks."""
        shown = self.order(picture)
        for mark in shown.marks:
            centre = self._centre(shown, mark)
            yield QRectF(centre.x() - REACH, centre.y() - REACH, 2 * REACH, 2 * REACH)

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        mark = self.mark_at(point, picture)
        if mark is None or mark.lane is None:
            return NOTHING
        return Selection(thread=self.order(picture).tracks[mark.track].warp * WARP + mark.lane)

    def tip_at(self, point: QPointF, picture: GpuPicture) -> Message | None:
        mark = self.mark_at(point, picture)
        return None if mark is None else mark_text(mark)

    def tip(self, selection: Selection, _picture: GpuPicture) -> Message | None:
        return None if selection.thread is None else message("thread {thread}", thread=selection.thread)

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """To the next lane that takes part in the step."""
        frame = picture.frame
        lanes = [frame.first_thread + lane for lane, active in enumerate(frame.lanes.active) if active]
        if selection.thread not in lanes:
            return Selection(thread=lanes[0])
        return Selection(thread=lanes[(lanes.index(selection.thread) + across + down) % len(lanes)])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        mark = None if self.picture is None else self.mark_at(event.position(), self.picture)
        if mark is None or mark.step is None or self.picture is None or event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        track, index = self.order(self.picture).tracks[mark.track], self.picture.index
        if mark.lane is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._other = index.place(mark.step)[0], track.warp * WARP + mark.lane
            self.update()
            return
        self._other = None
        self.model.timeline.scrub(mark.step)
        if mark.lane is not None:
            self.model.pinned.value = Selection(thread=track.warp * WARP + mark.lane)

    # ------------------------------------------------------------ drawing

    def _paint_tracks(self, painter: QPainter, picture: GpuPicture, shown: OrderPicture) -> None:
        """A line for each warp, with its name."""
        theme, pitch = self.look.theme, self._pitch(shown)
        index = picture.index
        for number, track in enumerate(shown.tracks):
            y = MARGIN + (number + 0.42) * pitch.height()
            block = place(index.trace.blocks[track.block], index.trace.grid)
            long = self.look.text(message("Block {block}, warp {warp}", block=block, warp=track.warp))
            painter.setFont(theme.font("small"))
            painter.setPen(theme.t2)
            text = fitting(QFontMetricsF(painter.font()), (long, f"{block} W{track.warp}"), LABEL - 8)
            painter.drawText(QRectF(MARGIN, y - 9, LABEL - 8, 18), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            painter.setPen(QPen(theme.line2, 1))
            painter.drawLine(QPointF(MARGIN + LABEL, y), QPointF(self.width() - MARGIN, y))

    def _paint_mark(self, painter: QPainter, shown: OrderPicture, mark: Mark, picture: GpuPicture) -> None:
        theme, at = self.look.theme, self._centre(shown, mark)
        on_way = any(shown.marks[each] == mark for each in shown.way)
        colour = self._colour(shown) if on_way else theme.t1
        painter.setPen(QPen(colour, 2))
        painter.setBrush(theme.bg2)
        if mark.sign is Sign.BARRIER:
            painter.fillRect(QRectF(at.x() - 1.5, at.y() - REACH - 4, 3, 2 * REACH + 8), colour)
        elif mark.sign is Sign.WARP:
            painter.fillRect(QRectF(at.x() - 1.5, at.y() - REACH, 3, 2 * REACH), colour)
        elif mark.sign is Sign.FENCE:
            for x in (-3.0, 2.0):
                painter.fillRect(QRectF(at.x() + x, at.y() - REACH, 1.5, 2 * REACH), colour)
        elif mark.sign is Sign.ATOMIC:
            r = REACH - 1
            painter.drawPolygon(QPolygonF([at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r), at + QPointF(-r, 0)]))
        else:
            if mark.sign is Sign.STORE:
                painter.setBrush(colour)
            painter.drawEllipse(at, REACH - 3, REACH - 3)
        if mark.lane is not None and mark.step == picture.frame.step:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(at.x() - REACH - 3, at.y() - REACH - 3, 2 * REACH + 6, 2 * REACH + 6))

    def _colour(self, shown: OrderPicture) -> QColor:
        """Of the way between the two accesses."""
        theme = self.look.theme
        return theme.now if shown.ordered else theme.bad if shown.ordered is False else theme.t2

    def _paint_words(self, painter: QPainter, shown: OrderPicture, mark: Mark) -> None:
        """The letter of the scope above a mark, what it is and its line below, as far as there is room."""
        theme, at, pitch = self.look.theme, self._centre(shown, mark), self._pitch(shown)
        if mark.reach is not None:
            painter.setFont(theme.font("caption"))
            painter.setPen(theme.t1)
            painter.drawText(QRectF(at.x() + REACH, at.y() - REACH - 5, 12, 12), Qt.AlignmentFlag.AlignCenter, LETTERS[mark.reach])
        if pitch.height() < 2 * REACH + LINE_NUMBER:
            return
        what = self.look.text(SIGNS[mark.sign])
        painter.setFont(theme.font("small"))
        metrics = QFontMetricsF(painter.font())
        text = fitting(metrics, (f"{what} {mark.line}", str(mark.line)), pitch.width())
        width = metrics.horizontalAdvance(text) + 2
        ground = QRectF(at.x() - width / 2, at.y() + REACH + 3, width, LINE_NUMBER)
        painter.fillRect(ground, theme.bg2)
        painter.setPen(theme.t1)
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_way(self, painter: QPainter, shown: OrderPicture) -> None:
        """Arrows from mark to mark; where nothing orders the two, one broken line between them."""
        colour = self._colour(shown)
        pen = QPen(colour, 2.5, Qt.PenStyle.SolidLine if shown.ordered else Qt.PenStyle.DashLine)
        for one, other in pairwise(shown.way):
            start, end = (self._centre(shown, shown.marks[each]) for each in (one, other))
            offset = end - start
            length = math.hypot(offset.x(), offset.y())
            if length < 2 * REACH:
                continue
            along = offset / length
            start, end = start + along * REACH, end - along * (REACH + 1)
            painter.setPen(pen)
            painter.drawLine(start, end)
            painter.setPen(QPen(colour, 2.5))
            if shown.ordered:
                across = QPointF(-along.y(), along.x())
                painter.drawPolyline(QPolygonF([end - along * 7 + across * 4, end, end - along * 7 - across * 4]))
            elif shown.ordered is False:
                middle = (start + end) / 2
                for slope in (QPointF(6, 6), QPointF(6, -6)):
                    painter.drawLine(middle - slope, middle + slope)
