"""The matrices of a CPU kernel: what its step touches, with the loops beside them; or a statement where there is no picture."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from app.core.base.i18n import digits_text
from app.core.base.picture_parts import Table, Verdict
from app.core.cpu_view.frame import access_table
from app.core.cpu_view.matrices import arrangement_of, element_name, matrix_picture
from app.core.frames.matrix import LANDS_AT, Box
from app.core.frames.views import CpuView
from app.core.stage.model import Picture, StageModel
from app.qt.base.look import Look
from app.qt.cpu_view.loops import loops_height, paint_loops
from app.qt.matrix.geometry import Layout, element_at, lay_out, lenses
from app.qt.matrix.painting import MatrixPainter
from app.qt.views.view import DIMMED, StageView
from app.qt.widgets.pointing import paint_ring
from kernels.base.messages import Message, message

BUSY_LINE = 2
_NOTICE_WIDTH = 560.0


class CpuMatricesView(StageView[Picture]):
    """The matrices of a CPU kernel, with its loops beside them while no other view shows those."""

    title = CpuView.MATRICES.title

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._with_loops = True
        self._painter = MatrixPainter(look)
        self.setMinimumSize(240, 200)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        return QSize(860, 830)

    def show_loops(self, *, shown: bool) -> None:
        """Draw the loops too, where there is room for them."""
        self._with_loops = shown
        self.update()

    def fact(self, picture: Picture) -> Message | None:
        (m, n), inner = picture.index.shapes["C"], picture.index.shapes["A"][1]
        if len(picture.index.shapes) == 3:
            return message("{m} × {k} times {k} × {n}", m=m, k=inner, n=n)
        return message("{m} × {n}", m=n, n=m)

    def verdict(self, _picture: Picture) -> Verdict | None:
        return None

    def table(self, picture: Picture) -> Table:
        return access_table(picture.index, picture.frame)

    def describe(self, picture: Picture | None) -> None:
        super().describe(picture)
        if self.model.notice.value is not None:
            self.setAccessibleDescription(self.look.text(self.model.notice.value))

    def layout_of(self, picture: Picture) -> Layout:
        """Where everything stands."""
        size, ratio = QSizeF(self.size()), self.devicePixelRatioF()
        return lay_out(size, ratio, arrangement_of(picture.index), loops=self._with_loops)

    def tip_at(self, point: QPointF, picture: Picture) -> Message | None:
        """What is to be said about the element under a point: its name, its value and how often it has been read so far."""
        layout, shown = self.layout_of(picture), matrix_picture(picture.index, picture.frame, picture.description)
        element = element_at(point, layout, lenses(layout, shown.matrices))
        return None if element is None else self._element_text(picture, *element)

    def spots(self, picture: Picture) -> Iterator[QRectF]:
        """The elements that the step touches, in the lens too."""
        layout, shown = self.layout_of(picture), matrix_picture(picture.index, picture.frame, picture.description)
        close = lenses(layout, shown.matrices)
        touched = picture.index.elements_of(picture.frame.step, picture.frame.step + 1)
        places = zip(touched.matrix.tolist(), touched.row.tolist(), touched.column.tolist(), strict=True)
        for matrix, row, column in dict.fromkeys(places):
            name, box = picture.index.trace.arrays[matrix], Box(row, column, 1, 1)
            if name in layout.matrices:
                yield layout.matrices[name].rect(box)
            if name in close:
                yield close[name].rect(box)

    def paint(self, painter: QPainter, picture: Picture) -> None:
        layout, description = self.layout_of(picture), picture.description
        below = self._painter.paint(painter, matrix_picture(picture.index, picture.frame, description), description, layout)
        if self._with_loops:
            self._paint_loops(painter, picture, layout, below + 20)

    def _paint_loops(self, painter: QPainter, picture: Picture, layout: Layout, below: float) -> None:
        """Paint the loops in their own place if the layout has one, else at the foot of the caption's corner if they fit there."""
        calls, loops, corner = picture.frame.calls, picture.frame.loops, layout.corner
        if calls:
            loops = (*calls, *(loop for loop in loops if loop.current is not None))
        height = loops_height(loops)
        if layout.loops is not None:
            paint_loops(painter, loops if height <= layout.loops.height() else picture.frame.loops, layout.loops, self.look)
        elif corner.bottom() - below >= height:
            area = QRectF(corner.left(), corner.bottom() - height, min(corner.width() - 8, 300.0), height)
            paint_loops(painter, loops, area, self.look)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A statement stands over the dimmed picture, or alone where there is none."""
        painter = self.painter()
        painter.fillRect(self.rect(), self.look.theme.bg2)
        notice = self.model.said
        if self.picture is not None:
            painter.save()
            painter.setOpacity(DIMMED if notice is not None or self.model.late.value else 1.0)
            self.paint(painter, self.picture)
            painter.restore()
        if notice is not None:
            self._paint_notice(painter, self.look.text(notice))
        if self.model.busy.value:
            painter.fillRect(QRectF(0, 0, self.width(), BUSY_LINE), self.look.theme.now)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        paint_ring(painter, self, self.look.theme)

    def _element_text(self, picture: Picture, name: str, row: int, column: int) -> Message:
        value = float(picture.frame.matrix(name).values[row, column])
        completed = picture.frame.step + int(picture.frame.fraction >= LANDS_AT)
        reads = picture.index.reads_of(name, row, column, completed)
        element = element_name(name, row, column)
        if value != value:
            return message("{element}: no value yet. Read so far: {count}", element=element, count=reads)
        return message("{element} = {value}. Read so far: {count}", element=element, value=digits_text(value), count=reads)

    def _paint_notice(self, painter: QPainter, text: str) -> None:
        """Paint the notice as one calm box in the middle."""
        theme = self.look.theme
        painter.setFont(theme.font("sentence"))
        width = min(_NOTICE_WIDTH, self.width() - 64.0)
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        bounds = painter.boundingRect(QRectF(0, 0, width, self.height()), flags, text)
        box = QRectF((self.width() - width) / 2, (self.height() - bounds.height()) / 2, width, bounds.height())
        frame = box.adjusted(-20, -16, 20, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.line)
        painter.setBrush(theme.bg1)
        painter.drawRoundedRect(frame, 8, 8)
        painter.setPen(theme.t1)
        painter.drawText(box, flags, text)
