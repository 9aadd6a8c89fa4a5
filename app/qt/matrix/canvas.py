"""The canvas: shows a picture, a statement where there is none, and tells what is under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from app.core.base.picture_parts import Table, Verdict
from app.core.cpu_view.captions import exact_text
from app.core.cpu_view.equation import element_name
from app.core.cpu_view.frame import LANDS_AT, access_table
from app.core.stage.model import Picture, StageModel
from app.qt.base.look import Look
from app.qt.matrix.cells import CellLayers
from app.qt.matrix.geometry import Layout, lay_out
from app.qt.matrix.painting import paint_picture
from app.qt.views.view import DIMMED, StageView
from app.qt.widgets.pointing import paint_ring
from kernels.base.messages import Message, message

BUSY_LINE = 2
_NOTICE_WIDTH = 560.0


class StageCanvas(StageView[Picture]):
    """The matrices of a CPU kernel, with its loops beside them while no other view shows those."""

    title = message("Matrices")

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self._with_loops = True
        self._layers = CellLayers(look.theme)
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

    @property
    def layout_now(self) -> Layout | None:
        """Where everything stands, or None where there is no picture."""
        if self.picture is None:
            return None
        return lay_out(QSizeF(self.size()), self.devicePixelRatioF(), self.picture.index.shapes, loops=self._with_loops)

    def tip_at(self, point: QPointF, picture: Picture) -> Message | None:
        """What is to be said about the element under a point: its name, its value and how often it has been read so far."""
        layout = self.layout_now
        if layout is None:
            return None
        for name, place in layout.matrices.items():
            element = place.element_at(point)
            if element is not None:
                return self._element_words(picture, name, *element)
        return None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A statement stands over the dimmed picture, or alone where there is none."""
        painter = self.painter()
        painter.fillRect(self.rect(), self.look.theme.bg2)
        layout, notice = self.layout_now, self.model.notice.value
        if self.picture is not None and layout is not None:
            painter.save()
            painter.setOpacity(DIMMED if notice is not None else 1.0)
            paint_picture(painter, self.picture, layout, self._layers, self.look)
            painter.restore()
        if notice is not None:
            self._paint_notice(painter, self.look.text(notice))
        if self.model.busy.value:
            painter.fillRect(QRectF(0, 0, self.width(), BUSY_LINE), self.look.theme.now)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        paint_ring(painter, self, self.look.theme)

    def _element_words(self, picture: Picture, name: str, row: int, column: int) -> Message:
        value = float(picture.frame.matrix(name).values[row, column])
        completed = picture.frame.step + int(picture.frame.fraction >= LANDS_AT)
        reads = picture.index.reads_of(name, row, column, completed)
        element = element_name(name, row, column)
        if value != value:
            return message("{element}: no value yet. Read so far: {count}", element=element, count=reads)
        return message("{element} = {value}. Read so far: {count}", element=element, value=exact_text(value), count=reads)

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
