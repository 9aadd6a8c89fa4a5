"""The canvas: shows a picture, a statement where there is none, and tells what is under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.core.frames import LANDS_AT
from app.core.narration import element_name, exact_text
from app.core.stage_model import Picture
from app.qt.look import Look
from app.qt.stage.cell_layers import CellLayers
from app.qt.stage.geometry import Layout, lay_out
from app.qt.stage.painting import paint_picture
from app.qt.widgets.focus_ring import paint_ring
from kernels.messages import Message, message

DIMMED = 0.4
BUSY_LINE = 2
_NOTICE_WIDTH = 560.0


class StageCanvas(QWidget):
    """Draws what it was last told to show."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._picture: Picture | None = None
        self._notice: Message | None = None
        self._busy = False
        self._layers = CellLayers(look.theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 280)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(look.text(message("Matrices")))

    def sizeHint(self) -> QSize:
        return QSize(860, 830)

    def show_picture(self, picture: Picture | None) -> None:
        self._picture = picture
        self.update()

    def show_notice(self, notice: Message | None) -> None:
        """Say `notice`: over the dimmed picture, or alone where there is none."""
        self._notice = notice
        if notice is not None:
            self.setAccessibleDescription(self._look.text(notice))
        self.update()

    def show_busy(self, busy: bool) -> None:
        """Draw the line that tells that another trace is being made."""
        self._busy = busy
        self.update()

    @property
    def layout_now(self) -> Layout | None:
        """Where everything stands, or None where there is no picture."""
        if self._picture is None:
            return None
        return lay_out(QSizeF(self.size()), self.devicePixelRatioF(), self._picture.index.shapes)

    def describe(self, point: QPointF) -> str | None:
        """What is to be said about the element under a point: its name, its value and how often it has been read so far."""
        layout, picture = self.layout_now, self._picture
        if layout is None or picture is None:
            return None
        for name, place in layout.matrices.items():
            element = place.element_at(point)
            if element is not None:
                return self._element_text(picture, name, *element)
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._look.theme.bg2)
        layout = self.layout_now
        if self._picture is not None and layout is not None:
            painter.save()
            painter.setOpacity(DIMMED if self._notice is not None else 1.0)
            paint_picture(painter, self._picture, layout, self._layers, self._look)
            painter.restore()
        if self._notice is not None:
            self._paint_notice(painter, self._look.text(self._notice))
        if self._busy:
            painter.fillRect(QRectF(0, 0, self.width(), BUSY_LINE), self._look.theme.now)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        paint_ring(painter, self, self._look.theme)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.describe(QPointF(event.pos())) or "", self)
            return True
        return super().event(event)

    def _element_text(self, picture: Picture, name: str, row: int, column: int) -> str:
        value = float(picture.frame.matrix(name).values[row, column])
        completed = picture.frame.step + int(picture.frame.fraction >= LANDS_AT)
        reads = picture.index.reads_of(name, row, column, completed)
        element = element_name(name, row, column)
        if value != value:
            return self._look.text(message("{element}: no value yet. Read so far: {count}", element=element, count=reads))
        return self._look.text(message("{element} = {value}. Read so far: {count}", element=element, value=exact_text(value), count=reads))

    def _paint_notice(self, painter: QPainter, text: str) -> None:
        """One calm box in the middle."""
        theme = self._look.theme
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
