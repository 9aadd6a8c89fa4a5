"""The roofline of the chosen device, with the place of the shown launch."""

from __future__ import annotations

from math import log10

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.roofline import Roofline, attainable, roofline
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.inspector.section import Section
from app.qt.widgets.labels import label
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message

_SMALLEST, _LARGEST = 0.1, 1000.0
"""FLOP per byte at the ends of the axis."""
_DECADES_DOWN = 3
_HEIGHT = 128


class RooflineSection(Section):
    """Follows the launch and the device."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__(look, message("Roofline"))
        self.be_a_stop()
        self._stage = workbench.stage
        self.chart = RooflineChart(look)
        self.chart.setAccessibleName(look.text(message("Roofline")))
        self.words = label(look, "", "small", rank=2)
        self.words.setWordWrap(True)
        self.column.addWidget(self.chart)
        self.column.addWidget(self.words)
        bind(self, self._stage.shown, lambda _shown: self._show())
        bind(self, self._stage.profile, lambda _profile: self._show())

    def _show(self) -> None:
        shown, profile = self._stage.shown.value, self._stage.profile.value
        if not isinstance(shown, LaunchIndex) or profile is None:
            return
        place = roofline(shown, profile)
        self.remark.setText(profile.name)
        self.chart.show_roofline(place)
        text = self.look.text(place.words)
        self.words.setText(text)
        self.chart.setAccessibleDescription(text)
        self.setAccessibleDescription(text)


class RooflineChart(Zoomed):
    """Roofline chart with logarithmic axes: FLOP per byte, and GFLOP/s up to a little above the peak."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._roof: Roofline | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, _HEIGHT))

    def show_roofline(self, roof: Roofline) -> None:
        """Draw this roof with its launch."""
        self._roof = roof
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._roof is None:
            return
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_grid(painter)
        self._paint_roof(painter, self._roof)
        if self._roof.intensity is not None:
            self._paint_place(painter, self._roof, self._roof.intensity)

    def _paint_grid(self, painter: QPainter) -> None:
        theme = self._look.theme
        painter.setFont(theme.font("caption"))
        bottom = self.height() - 16
        for exponent in range(round(log10(_SMALLEST)), round(log10(_LARGEST)) + 1):
            x = self._x(10.0**exponent)
            painter.setPen(QPen(theme.line, 1))
            painter.drawLine(QPointF(x, 14), QPointF(x, bottom))
            painter.setPen(theme.t3)
            text = f"{10.0**exponent:g}"
            half = painter.fontMetrics().horizontalAdvance(text) / 2 + 1
            middle = min(max(x, half), self.width() - half)
            painter.drawText(QRectF(middle - half, bottom, 2 * half, 16), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_roof(self, painter: QPainter, roof: Roofline) -> None:
        theme, profile = self._look.theme, roof.profile
        corners = (_SMALLEST, profile.ridge, _LARGEST)
        painter.setPen(QPen(theme.ink, 2))
        painter.drawPolyline([QPointF(self._x(x), self._y(attainable(profile, x))) for x in corners])
        painter.setPen(theme.t2)
        painter.setFont(theme.font("caption"))
        peak = self._look.text(message("FP32 peak {tflops} TFLOP/s", tflops=round(profile.fp32_gflops / 1000, 1)))
        painter.drawText(QRectF(0, 0, self.width(), 14), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, peak)
        memory = self._look.text(message("DRAM {bandwidth} GB/s", bandwidth=round(profile.memory_bandwidth_gb_s)))
        middle = (_SMALLEST * profile.ridge) ** 0.5
        left = self.memory_left(roof, painter.fontMetrics().horizontalAdvance(memory))
        painter.drawText(
            QRectF(left, self._y(attainable(profile, middle)) + 2, self.width() - left, 16), Qt.AlignmentFlag.AlignLeft, memory
        )

    def memory_left(self, roof: Roofline, width: float) -> float:
        """Where the bandwidth is written, so wide: right of the roof, and of the line down from the launch's place."""
        roofs = self._x((_SMALLEST * roof.profile.ridge) ** 0.5)
        left = roofs + 8
        place = None if roof.intensity is None else self._x(roof.intensity)
        if place is None or not left - 6 < place <= left + width:
            return left
        before = place - width - 4
        return before if before >= roofs else place + 6

    def _paint_place(self, painter: QPainter, roof: Roofline, intensity: float) -> None:
        theme = self._look.theme
        x, y = self._x(intensity), self._y(roof.attainable)
        painter.setPen(QPen(theme.now, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, y), QPointF(x, self.height() - 16))
        painter.setPen(QPen(theme.now, 2))
        painter.setBrush(theme.bg1)
        painter.drawEllipse(QPointF(x, y), 5, 5)

    def _x(self, intensity: float) -> float:
        held = min(max(intensity, _SMALLEST), _LARGEST)
        return 2 + (self.width() - 4) * (log10(held) - log10(_SMALLEST)) / (log10(_LARGEST) - log10(_SMALLEST))

    def _y(self, gflops: float) -> float:
        assert self._roof is not None
        top = log10(self._roof.profile.fp32_gflops) + 0.1
        part = (top - log10(max(gflops, 1e-9))) / _DECADES_DOWN
        return 14 + (self.height() - 30) * min(max(part, 0.0), 1.0)
