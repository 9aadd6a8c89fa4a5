"""Timeline overview of a launch: all steps coloured by what they are for, and below them the present tile step with a row for each warp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.core.base.timeline import Unit
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.step_texts import PHASES
from app.core.gpu_view.timeline_overview import (
    FILLS,
    Code,
    Codes,
    Shares,
    barrier_starts,
    detail,
    overview,
    phase_ranges,
    shares,
    tile_range,
)
from app.core.inspector.finding_rows import FindingRow, finding_rows
from app.core.stage.model import Shown, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.widgets.answer_first import TOLD_BY_COUNTS
from app.qt.widgets.pointing import paint_ring
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message, message


def draw_overview(index: LaunchIndex, size: QSizeF, ratio: float, theme: Theme) -> QPixmap:
    """Draw all steps, side by side; what they are for is told by how much of the height they fill, too."""
    width = round(size.width() * ratio)
    if index.steps > width:
        image = _mixed(shares(index, 0, index.steps, width, by_warp=False) * FILLS[:, None, :], theme)
    else:
        codes = overview(index, width)
        image = _image(np.where(FILLS[:, codes], codes, Code.NOTHING).astype(np.uint8), theme)
    return _stretched(image, size, ratio)


def draw_detail(index: LaunchIndex, steps: tuple[int, int], size: QSizeF, ratio: float, theme: Theme) -> QPixmap:
    """The steps from the first to before the second, a row for each warp; rows of less than a pixel share one."""
    width = round(size.width() * ratio)
    if steps[1] - steps[0] > width:
        image = _mixed(shares(index, *steps, width, by_warp=True), theme)
    else:
        image = _image(detail(index, *steps, width), theme)
    return _stretched(image, size, ratio)


def _mixed(found: Shares, theme: Theme) -> QImage:
    """Where several steps share a pixel, the mean of their colours: what alternates quickly is one calm tone."""
    colours = np.array([(colour.red(), colour.green(), colour.blue()) for colour in colours_of(theme)], np.float32)
    ground = 1.0 - found.sum(axis=2, keepdims=True)
    pixels = np.rint(found @ colours + ground * colours[Code.NOTHING]).astype(np.uint8)
    rows, columns, _ = pixels.shape
    return QImage(pixels.tobytes(), columns, rows, 3 * columns, QImage.Format.Format_RGB888)


def _image(codes: Codes, theme: Theme) -> QImage:
    """Codes as colours."""
    image = QImage(codes.tobytes(), codes.shape[1], codes.shape[0], codes.shape[1], QImage.Format.Format_Indexed8)
    image.setColorTable([colour.rgb() for colour in colours_of(theme)])
    return image


def _stretched(image: QImage, size: QSizeF, ratio: float) -> QPixmap:
    pixmap = QPixmap.fromImage(image.scaled(round(size.width() * ratio), max(round(size.height() * ratio), 1)))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def colours_of(theme: Theme) -> tuple[QColor, ...]:
    """The colour of each code."""
    chosen = {
        Code.NOTHING: theme.bg2, Code.LOAD_A: theme.a_mid, Code.LOAD_B: theme.b_mid, Code.LOAD: theme.line2,
        Code.COMPUTE: theme.c_mid, Code.STORE: theme.c,
    }  # fmt: skip
    return tuple(chosen[code] for code in Code)


NAMES = 34.0
_BAND = 12.0
"""The height of all steps: each of the rows of the overview takes whole pixels."""
FUTURE = 0.45
_TIP = 5.0
_LINE = 16.0
"""The height of a line of captions, in both languages."""
_MARKS_FROM = 14
"""Pixels between barriers, or blocks, from which on they are marked."""


class GpuTimelineOverview(Zoomed):
    """Press or drag to move through the trace; with Shift, drag the part that is to be repeated.

    With the focus it leaves the timeline's keys to the window; Return marks the beginning and the end of that part, Backspace drops it.
    """

    def __init__(self, look: Look, model: StageModel, *, compact: bool) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._model = model
        self._index: LaunchIndex | None = None
        self._compact = compact
        self._findings: dict[int, FindingRow] = {}
        """The first finding of each step that has one."""
        self._drawn: dict[str, tuple[object, QPixmap]] = {}
        self._labels: list[QRectF] = []
        """Where the intervals of the present tile step are named in its picture."""
        self._begin: float | None = None
        self._marked: float | None = None
        """The beginning of the part to be repeated, as marked with a key."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(_TIP + _BAND / 2 + _LINE / 2) if compact else 52)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(look.text(message("Overview of the trace")))
        self.setToolTip(look.text(message("Drag to move through the trace. With Shift, drag the part that is to be repeated.")))
        bind(self, model.shown, self._show_trace)
        bind(self, model.timeline.position, lambda _position: self.update())
        bind(self, model.asking, lambda _asked: self._show_trace(model.shown.value))
        bind(self, model.timeline.range, lambda _range: self.update())

    def sizeHint(self) -> QSize:
        return self.grown(QSize(600, self.height()))

    def x_of(self, time: float) -> float:
        """Where a point of the trace, in steps, stands on the overview."""
        return NAMES + self._span * time / (self._index.steps if self._index else 1)

    def time_at(self, point: QPointF) -> float:
        """The point of the trace, in steps, at a place: on the overview of all, below it of the present tile step."""
        if self._index is None:
            return 0.0
        share = min(max((point.x() - NAMES) / self._span, 0.0), 1.0)
        if self._compact or point.y() < _TIP + _BAND + 3:
            return share * self._index.steps
        first, stop = tile_range(self._index, self._model.timeline.position.value.step)
        return first + share * (stop - first)

    def finding_at(self, point: QPointF) -> int | None:
        """The step whose mark of a finding is at a place of the overview."""
        if not self._compact and point.y() >= _TIP + _BAND + 3:
            return None
        near = min(self._findings, key=lambda step: abs(self.x_of(step + 0.5) - point.x()), default=None)
        return None if near is None or abs(self.x_of(near + 0.5) - point.x()) > _TIP else near

    def event(self, event: QEvent) -> bool:
        """Say what the finding is whose mark is pointed at."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            step = self.finding_at(QPointF(event.pos()) / self._zoom)
            if step is not None:
                row = self._findings[step]
                said = message("Step {step}: {kind}. {sentence}", step=step + 1, kind=row.kind, sentence=row.sentence)
                QToolTip.showText(event.globalPos(), self._look.text(said), self)
                return True
        return super().event(event)

    @property
    def _span(self) -> float:
        return max(self.width() - NAMES - _TIP, 1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        step = self.finding_at(event.position())
        time = self.time_at(event.position()) if step is None else float(step)
        self._begin = time if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else None
        self._model.timeline.scrub(time)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if self._begin is None:
            self._model.timeline.scrub(self.time_at(event.position()))
        else:
            self._model.timeline.loop_range(self._begin, self.time_at(event.position()))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self._model.timeline.range.value = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._mark(self._model.timeline.position.value.time)
        elif event.key() == Qt.Key.Key_Backspace:
            self._model.timeline.range.value = self._marked = None
            self.update()
        else:
            super().keyPressEvent(event)

    def _mark(self, time: float) -> None:
        if self._marked is None:
            self._marked = time
        else:
            self._model.timeline.loop_range(self._marked, time)
            self._marked = None
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        index, timeline = self._index, self._model.timeline
        if index is None or not index.steps:
            return
        painter = self.painter()
        theme, now = self._look.theme, self.x_of(timeline.position.value.time)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        names = QRectF(0, _TIP + _BAND / 2 - _LINE / 2, NAMES - 6, _LINE)
        painter.drawText(names, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._look.text(message("all")))
        painter.drawPixmap(QPointF(NAMES, _TIP), self._overview(index))
        fade = QColor(theme.bg1)
        fade.setAlphaF(1 - FUTURE)
        painter.fillRect(QRectF(now, _TIP, self.width() - _TIP - now, _BAND), fade)
        self._paint_range(painter)
        if not self._compact:
            self._paint_detail(painter, index)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_findings(painter)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.now)
        painter.drawRect(QRectF(now - 1, 0, 2, _TIP + _BAND + 1))
        painter.drawPolygon(QPolygonF([QPointF(now - _TIP, 0), QPointF(now + _TIP, 0), QPointF(now, _TIP + 2)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        paint_ring(painter, self, theme)

    def _show_trace(self, shown: Shown | None) -> None:
        self._index = shown if isinstance(shown, LaunchIndex) else None
        rows = () if self._index is None or self._model.asking.value & TOLD_BY_COUNTS else finding_rows(self._index)
        self._findings = {row.step: row for row in reversed(rows) if row.severe and row.step is not None}
        self._marked = None
        self._drawn.clear()
        self.update()

    def _paint_findings(self, painter: QPainter) -> None:
        """A triangle at each step with a finding; one for those that share a place."""
        theme, bottom, drawn = self._look.theme, _TIP + _BAND + 1, -_TIP
        painter.setPen(QPen(theme.bg1, 1))
        painter.setBrush(theme.bad)
        for step in sorted(self._findings):
            x = self.x_of(step + 0.5)
            if x - drawn >= _TIP:
                drawn = x
                painter.drawPolygon(QPolygonF([QPointF(x - _TIP, bottom), QPointF(x + _TIP, bottom), QPointF(x, bottom - 9)]))

    def _paint_range(self, painter: QPainter) -> None:
        chosen = self._model.timeline.range.value
        if self._marked is not None:
            chosen = self._marked, self._model.timeline.position.value.time
        if chosen is not None:
            left, right = self.x_of(chosen[0]), self.x_of(chosen[1])
            painter.setPen(self._look.theme.now)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(left, _TIP - 2, max(right - left, 2.0), _BAND + 3))

    def _paint_detail(self, painter: QPainter, index: LaunchIndex) -> None:
        theme, position = self._look.theme, self._model.timeline.position.value
        first, stop = tile_range(index, position.step)
        top = _TIP + _BAND + 4
        height = self.height() - top - 1
        left, right = self.x_of(first), self.x_of(stop)
        painter.setPen(theme.line2)
        painter.drawRect(QRectF(left, _TIP - 1, max(right - left, 1.0), _BAND + 1))
        painter.drawPixmap(QPointF(NAMES, top), self._detail(index, first, stop, round(height)))
        x = NAMES + self._span * (position.time - first) / max(stop - first, 1)
        for begin, end in self._beside_labels(x - NAMES, -1, height + 1):
            painter.fillRect(QRectF(x - 1, top + begin, 2, end - begin), theme.now)
        warp = int(index.record.order.warp[position.step])
        row = height / index.warps
        painter.setPen(theme.t1)
        painter.setFont(theme.font("caption"))
        centre = min(max(top + (warp + 0.5) * row, top + 6), top + height - 6)
        painter.drawText(QRectF(0, centre - 9, NAMES - 6, 18), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"W{warp}")

    def _beside_labels(self, x: float, top: float, bottom: float) -> list[tuple[float, float]]:
        """From where to where the position is drawn at a place of the present tile step: above and below a label, which stays readable."""
        label = next((each for each in self._labels if each.left() < x + 2 and x - 2 < each.right()), None)
        return [(top, bottom)] if label is None else [(top, label.top()), (label.bottom(), bottom)]

    def _overview(self, index: LaunchIndex) -> QPixmap:
        key = (index, self.size(), self.devicePixelRatioF())

        def draw() -> QPixmap:
            pixmap = draw_overview(index, QSizeF(self._span, _BAND), self.devicePixelRatioF(), self._look.theme)
            painter = QPainter(pixmap)
            theme, blocks = self._look.theme, index.record.bounds[Unit.BLOCK]
            for starts, colour in ((barrier_starts(index), theme.ink), (blocks[1:], theme.bg1)):
                if starts and self._span / len(starts) >= _MARKS_FROM:
                    for start in starts:
                        painter.fillRect(QRectF(self.x_of(start) - NAMES - 1, 0, 2, _BAND), colour)
            painter.end()
            return pixmap

        return self._cached("all", key, draw)

    def _detail(self, index: LaunchIndex, first: int, stop: int, height: int) -> QPixmap:
        key = (index, first, stop, self.size(), self.devicePixelRatioF())

        def draw() -> QPixmap:
            pixmap = draw_detail(index, (first, stop), QSizeF(self._span, height), self.devicePixelRatioF(), self._look.theme)
            painter = QPainter(pixmap)
            self._mark_intervals(painter, index, first, stop, height)
            painter.end()
            return pixmap

        return self._cached("detail", key, draw)

    def _mark_intervals(self, painter: QPainter, index: LaunchIndex, first: int, stop: int, height: int) -> None:
        """A bar in ink at each barrier, and what the interval is for where there is room."""
        theme, scale = self._look.theme, self._span / max(stop - first, 1)
        painter.setFont(theme.font("caption"))
        self._labels.clear()
        for begin, end, phases, (least, greatest) in phase_ranges(index, first, stop):
            left, width = (begin - first) * scale, (end - begin) * scale
            if begin > first:
                painter.fillRect(QRectF(left - 1, 0, 2, height), theme.ink)
            deed = " + ".join(self._look.text(PHASES[each]) for each in phases)
            where = message("{phase}: line {first}") if least == greatest else message("{phase}: lines {first} to {last}")
            text = self._look.text(Message(where.template, (("phase", deed), ("first", least), ("last", greatest))))
            wanted = painter.fontMetrics().horizontalAdvance(text) + 10
            if wanted < width - 8:
                ground = QRectF(left + width - wanted - 3, 1, wanted, 15)
                self._labels.append(ground)
                painter.fillRect(ground, theme.bg1)
                painter.setPen(theme.t2)
                painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)

    def _cached(self, name: str, key: object, draw: Callable[[], QPixmap]) -> QPixmap:
        known = self._drawn.get(name)
        if known is None or known[0] != key:
            known = self._drawn[name] = (key, draw())
        return known[1]
