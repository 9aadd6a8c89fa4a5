"""Two small charts under a slider that share its stops: what each stop moves as written, and what it took when it was timed."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.core.base.i18n import compact
from app.core.inspector.setting_bars import StopBars, StopTimes, between
from app.qt.base.look import Look
from app.qt.widgets.stop_slider import StopSlider
from app.qt.widgets.zoomed import Zoomed

_TITLE = 19
_MARK = 14
"""Room for the names of marks, where there are some."""
_NUMBER = 15
_BARS = 34
_BAR_WIDTH = 18.0
_LINE = 34
_GAP = 10


class StopChart(Zoomed):
    """Draws below `slider`, whose stops it takes."""

    def __init__(self, look: Look, slider: StopSlider, stops: tuple[int, ...]) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._slider = slider
        self._stops = stops
        self._chosen = 0
        self._bars: StopBars | None = None
        self._times: StopTimes | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, self._bars_end + (_GAP + _TITLE + _NUMBER + _LINE if self._times is not None else 0)))

    def show_bars(self, bars: StopBars, chosen: int) -> None:
        """Bars for the stops that are known; `chosen` is the stop that holds."""
        before = self._bars_end
        self._bars, self._chosen = bars, chosen
        self._describe()
        if before != self._bars_end:
            self.updateGeometry()
        self.update()

    def show_times(self, times: StopTimes | None, chosen: int) -> None:
        """Points for the stops that were timed; `chosen` is the stop that holds."""
        grown = (times is None) != (self._times is None)
        self._times, self._chosen = times, chosen
        self.setToolTip("" if times is None else self._look.text(times.title))
        if grown:
            self.updateGeometry()
        self.update()

    @property
    def _bars_end(self) -> int:
        """Where the bars stand."""
        return _TITLE + (_MARK if self._bars is not None and self._bars.marks else 0) + _NUMBER + _BARS

    def _describe(self) -> None:
        bars = self._bars
        told = {} if bars is None else bars.values
        title = "" if bars is None else self._look.text(bars.title) + ": "
        self.setAccessibleDescription(title + ", ".join(f"{stop}: {compact(value)}" for stop, value in sorted(told.items())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_now(painter)
        if self._bars is not None:
            self._paint_title(painter, 0, self._look.text(self._bars.title))
            self._paint_marks(painter, self._bars)
            self._paint_bars(painter, self._bars)
        if self._times is not None:
            top = self._bars_end + _GAP
            self._paint_title(painter, top, self._look.text(self._times.title))
            self._paint_times(painter, self._times, top + _TITLE + _NUMBER)

    def _paint_now(self, painter: QPainter) -> None:
        """Paint a band under the stop that holds."""
        if self._chosen in self._stops:
            x = self._x(self._chosen)
            painter.fillRect(QRectF(x - 16, _TITLE, 32, self.height() - _TITLE), self._look.theme.now_bg)

    def _paint_title(self, painter: QPainter, top: float, text: str) -> None:
        painter.setFont(self._look.theme.font("caption"))
        painter.setPen(self._look.theme.t3)
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(QRectF(0, top, self.width(), _TITLE), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)

    def _paint_bars(self, painter: QPainter, bars: StopBars) -> None:
        theme, foot = self._look.theme, self._bars_end
        most = max(bars.values.values(), default=0.0) or 1.0
        painter.setPen(QPen(theme.line, 1))
        painter.drawLine(QPointF(0, foot), QPointF(self.width(), foot))
        for stop in self._stops:
            value = bars.values.get(stop)
            if value is not None:
                height = max(1.0, _BARS * value / most)
                painter.fillRect(
                    QRectF(self._x(stop) - _BAR_WIDTH / 2, foot - height, _BAR_WIDTH, height),
                    theme.ink if stop == self._chosen else theme.line2,
                )
                self._paint_number(painter, stop, foot - height, compact(value))

    def _paint_marks(self, painter: QPainter, bars: StopBars) -> None:
        """A dashed line where a level is full, with its name."""
        theme = self._look.theme
        painter.setFont(theme.font("caption"))
        for name, value in bars.marks.items():
            place = between(self._stops, value)
            if place is None:
                continue
            low = min(int(place), len(self._stops) - 2)
            left, right = self._x(self._stops[low]), self._x(self._stops[low + 1])
            x = left + (right - left) * (place - low)
            painter.setPen(QPen(theme.t2, 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, _TITLE), QPointF(x, self._bars_end))
            painter.drawText(QRectF(x - 33, _TITLE, 30, _MARK), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_times(self, painter: QPainter, times: StopTimes, top: float) -> None:
        theme = self._look.theme
        shown = {stop: ms for stop, ms in times.milliseconds.items() if stop in self._stops}
        most = max(shown.values(), default=1.0)
        points = {stop: QPointF(self._x(stop), top + _LINE * (1 - 0.9 * ms / most) - 3) for stop, ms in shown.items()}
        recorded = times.provenance != "measured"
        painter.setPen(QPen(theme.t2, 1.6 if recorded else 2.4, Qt.PenStyle.DashLine if recorded else Qt.PenStyle.SolidLine))
        painter.drawPolyline(list(points.values()))
        for stop, point in points.items():
            painter.setPen(QPen(theme.ink, 1.6))
            painter.setBrush(theme.bg1 if recorded else theme.ink)
            painter.drawEllipse(point, 3, 3)
            self._paint_number(painter, stop, point.y() - 3, compact(shown[stop]))

    def _paint_number(self, painter: QPainter, stop: int, bottom: float, text: str) -> None:
        """A number above a bar or point: that of the stop that holds, and others if they do not reach into their neighbours'."""
        theme = self._look.theme
        painter.setFont(theme.font("label" if stop == self._chosen else "caption"))
        painter.setPen(theme.t1 if stop == self._chosen else theme.t2)
        room = (self._x(self._stops[1]) - self._x(self._stops[0])) if len(self._stops) > 1 else self.width()
        width = painter.fontMetrics().horizontalAdvance(text)
        if width <= room - 2 or stop == self._chosen:
            left = min(max(self._x(stop) - width / 2, 0.0), self.width() - width)
            place = QRectF(left, bottom - _NUMBER, width + 1, _NUMBER)
            painter.fillRect(place, theme.now_bg if stop == self._chosen else theme.bg1)  # over the line of a mark
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _x(self, stop: int) -> float:
        return self._slider.x_of_stop(stop)
