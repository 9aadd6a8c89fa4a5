"""The view of threads: the grid of blocks, the shown block's warps and lanes, one thread in words, and what runs where or prints what."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QPushButton, QToolTip

from app.core.base.picture_parts import Table, Verdict
from app.core.frames.views import View
from app.core.gpu_view.blocks import BlockSchedule, first_step, place, schedule
from app.core.gpu_view.prints import orders, prints
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.threads import element_text, lanes_used, thread_table, thread_text, threads_of
from app.core.lesson_metrics.metric import Source
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.gpu_view.prints_painter import BUTTON
from app.qt.gpu_view.schedule_painter import cell_at
from app.qt.gpu_view.threads_canvas import ThreadsCanvas
from app.qt.gpu_view.view import GpuView, of_one_moment
from kernels.base.messages import Message, message
from kernels.simt.trace.trace import WARP

FACT_FROM = 420
"""Width from which on the header has room for a fact beside the verdict."""


class ThreadsView(GpuView):
    """Blocks, warps, lanes. A click on a traced block goes to its first step."""

    title = View.THREADS.title

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._canvas = ThreadsCanvas(look)
        self._plan: BlockSchedule | None = None
        self._planned: object = None
        self.another = QPushButton(look.text(message("Another order")), self)
        self.another.setToolTip(look.text(message("Runs warps and blocks in another order, one that is possible too")))
        self.another.clicked.connect(self._reorder)
        self.another.hide()
        bind(self, model.profile, lambda _profile: self.update())
        bind(self, model.registers, lambda _registers: self.update())
        bind(self, model.asking, lambda _asking: self.update())

    def show_picture(self, picture: GpuPicture | None) -> None:
        super().show_picture(picture)
        self._place_button()

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        chosen = self.model.selection.thread
        asking = Source.RECORDED in self.model.asking.value
        self._canvas.paint(painter, picture, QSizeF(self.size()), chosen, self._schedule(picture), asking=asking)

    def fact(self, picture: GpuPicture) -> Message | None:
        if self.width() < FACT_FROM:
            return None
        return message("one block, {warps} warps", warps=picture.index.warps) if picture.index.warps > 1 else message("one block, 1 warp")

    def verdict(self, picture: GpuPicture) -> Verdict | None:
        if prints(picture.index):
            return None
        active, threads = lanes_used(picture.index, picture.frame)
        return Verdict(message("{active} of {lanes} lanes", active=active, lanes=threads), threads / max(active, 1))

    def alike(self, before: GpuPicture, after: GpuPicture) -> bool:
        return of_one_moment(before, after)

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        warps = self._canvas.layout(picture, QSizeF(self.size())).warps
        thread = warps.thread_at(point, picture.frame.warp)
        return NOTHING if thread is None else Selection(thread=thread)

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        if selection.thread is None or selection.thread >= threads_of(picture.index):
            return None
        said = thread_text(picture.index, selection.thread)
        element = element_text(self._canvas.facts(picture.index), picture.frame, selection.thread)
        return said if element is None else message("{thread}. {element}", thread=said, element=element)

    def spots(self, picture: GpuPicture) -> Iterator[QRectF]:
        """All threads of the block, in the strip too."""
        warps = self._canvas.layout(picture, QSizeF(self.size())).warps
        yield from (warps.thread(thread) for thread in range(min(threads_of(picture.index), warps.threads)))
        if warps.strip is not None:
            lanes = min(WARP, threads_of(picture.index) - picture.frame.first_thread)
            yield from (warps.strip_lane(lane) for lane in range(lanes))

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """Along x to the next thread, along y to the one below in the block; at the edge it stays."""
        if selection.thread is None:
            return Selection(thread=picture.frame.first_thread)
        thread = selection.thread + across + down * picture.index.trace.block[0]
        return Selection(thread=thread) if 0 <= thread < threads_of(picture.index) else selection

    def table(self, picture: GpuPicture) -> Table:
        return thread_table(picture.index, picture.frame)

    # ------------------------------------------------------------ blocks, and the order of printing

    def block_at(self, point: QPointF, picture: GpuPicture) -> int | None:
        """The traced block under a point, by its place in `Trace.blocks`; None where there is none."""
        grid = self._canvas.grid(picture, QSizeF(self.size()))
        cell = cell_at(grid, self._canvas.layout(picture, QSizeF(self.size())).grid, point)
        return None if cell is None else grid.traced.get(cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self.picture is not None:
            clickable = self.block_at(event.position(), self.picture) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        block = None if self.picture is None else self.block_at(event.position(), self.picture)
        step = None if self.picture is None or block is None else first_step(self.picture.index, block)
        if step is not None and event.button() is Qt.MouseButton.LeftButton:
            self.model.timeline.scrub(step)
        else:
            super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            block = self.block_at(QPointF(event.pos()), self.picture)
            if block is not None:
                where = place(self.picture.index.trace.blocks[block], self.picture.index.trace.grid)
                QToolTip.showText(event.globalPos(), self.look.text(message("Block {block}: go to its first step", block=where)), self)
                return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()

    def _place_button(self) -> None:
        """Put the button at the lower end of the words on the order, where the launch prints and another order is possible."""
        picture = self.picture
        shown = picture is not None and prints(picture.index) and orders(picture.index)
        self.another.setVisible(shown)
        if picture is not None and shown:
            layout = self._canvas.layout(picture, QSizeF(self.size()))
            area = layout.beside or layout.details
            self.another.setGeometry(round(area.left()), round(area.bottom() - BUTTON + 4), self.another.sizeHint().width(), 28)

    def _reorder(self) -> None:
        self.model.order.value += 1

    def _schedule(self, picture: GpuPicture) -> BlockSchedule | None:
        """Worked out once for a launch, a device and a number of registers."""
        profile, registers = self.model.profile.value, self.model.registers.value
        wanted = picture.index, profile, registers
        if profile is not None and self._planned != wanted:
            self._planned = wanted
            self._plan = schedule(picture.index, profile, registers)
        return self._plan if profile is not None else None
