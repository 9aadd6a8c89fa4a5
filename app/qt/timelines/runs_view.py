"""Chart of real runs: one below the other over one time axis that can be zoomed, with summaries and a legend.

The pointer is answered with what is under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.core.base.picture_parts import Table
from app.core.timelines.axis import Span
from app.core.timelines.rank_chart import RankChart
from app.core.timelines.sentences import settings_text
from app.core.timelines.thread_chart import ThreadChart
from app.qt.base.look import Look
from app.qt.timelines.blocks import EDGE, LEAST_LINES, LEGEND, Block, Placement, RowLimits, place
from app.qt.timelines.painters import COLUMN, head_lines, least_height, paint_axis, paint_head, paint_keys, paint_numbers, paint_summary
from app.qt.widgets.pointing import paint_ring
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message, message
from kernels.measure.real_run import RunTimeline

LEAST_SUMMARY = 320.0
"""Width of the summary of a run."""
WHERE = message("Where the time went")


def paint_runs(painter: QPainter, view: RunsView[C]) -> None:
    """All that stands still of a view, at the painter's origin."""
    painter.fillRect(view.rect(), view.look.theme.bg2)
    if not view.charts:
        return
    placement = view.placement
    paint_axis(painter, placement, placement.blocks[-1].area.bottom(), view.look)
    summed_up = _summed_up(view, placement)
    for block in placement.blocks:
        chart = view.charts[block.number]
        paint_head(painter, chart, block, chart.remarks if block.number < summed_up else chart.facts, view.look)
        paint_numbers(painter, chart, block, view.shown_columns, view.look)
        view.paint_rows(painter, chart, block, placement)
    _paint_summaries(painter, view, placement, summed_up)
    view.paint_legend(painter, QRectF(EDGE, view.height() - LEGEND, view.width() - 2 * EDGE, LEGEND))


def _paint_summaries(painter: QPainter, view: RunsView[C], placement: Placement, count: int) -> None:
    free = placement.free
    for number in range(count):
        width = free.width() / count
        area = QRectF(free.left() + number * width, free.top(), width - EDGE, free.height())
        chart = view.charts[number]
        heading = WHERE if count == 1 else settings_text(chart.recording.point)
        paint_summary(painter, chart, heading, area, view.paint_part, view.look)
    if count and not view.names_parts:
        paint_keys(painter, view.charts[0], free, view.paint_part, view.look)


def _summed_up(view: RunsView[C], placement: Placement) -> int:
    """How many of the runs, from the first on, have room for their summary."""
    shown = len(placement.blocks)
    most = max((view.charts[block.number].rows for block in placement.blocks), default=0)
    fits = placement.free.height() >= least_height(most) and placement.free.width() >= shown * LEAST_SUMMARY
    return shown if fits else 0


C = TypeVar("C", ThreadChart, RankChart)
STEP = 1.25
"""Zoom of a notch of the wheel, and of a key."""
ZOOM_HINT = message("Wheel or + and −: zoom; drag: move; double click: all")
_NOTCH = 120
_STILL = 3.0
"""A pointer that moved less while it was pressed has not dragged."""
_MOVED = 0.1
"""Of the time in sight that an arrow key goes."""


class RunsView(Zoomed, Generic[C]):
    """Draws what it was last told to show. Subclasses make a chart of a recording, and draw its rows."""

    title: ClassVar[Message]
    headline: ClassVar[Message]
    """What is seen, as the stage says it above all."""
    names_parts: ClassVar[bool]
    """Whether the legend says how every part of the summary is drawn."""
    columns: ClassVar[Sequence[Message]]
    """Titles of the numbers beside each row."""
    columns_by_worth: ClassVar[Sequence[int]]
    """The most important first: where there is little room the last ones are left out."""
    row_limits: ClassVar[RowLimits]

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = self.magnify(look)
        self.charts: tuple[C, ...] = ()
        self.exported = False
        """Drawn into a file: as shapes, and without what a pointer can do."""
        self._span = Span.all_of(0.0)
        self._said: Message | None = None
        self._picture: QPixmap | None = None
        self._dragged: float | None = None
        self._pressed = QPointF()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 200)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(look.text(self.title))

    # ------------------------------------------------------------ for subclasses

    def chart_of(self, recording: RunTimeline) -> C | None:
        """The chart, or None for a recording of another kind."""
        raise NotImplementedError

    def paint_rows(self, painter: QPainter, chart: C, block: Block, placement: Placement) -> None:
        """Draw the rows of one run."""
        raise NotImplementedError

    def paint_part(self, painter: QPainter, part: int, row: int, bar: QRectF) -> None:
        """Fill a rectangle as part number `part` of a row is drawn in the summary."""
        raise NotImplementedError

    def paint_legend(self, painter: QPainter, area: QRectF) -> None:
        """Say what is drawn how."""
        raise NotImplementedError

    def tip_in(self, chart: C, block: Block, placement: Placement, point: QPointF) -> Message | None:
        """What is under a point of a run."""
        raise NotImplementedError

    def choose_at(self, point: QPointF) -> None:
        """Choose what is under a point, which was clicked."""

    # ------------------------------------------------------------ shared

    def show_runs(self, recordings: Sequence[RunTimeline]) -> None:
        """Show these runs, the first at the top."""
        before = {id(chart.recording): chart for chart in self.charts}
        made = (before.get(id(each)) or self.chart_of(each) for each in recordings)
        self.charts = tuple(chart for chart in made if chart is not None)
        self._span = self._span.of(max((chart.elapsed_ms for chart in self.charts), default=0.0))
        if self.charts:
            self.setAccessibleDescription(self.look.paragraph(self.look.text(fact) for fact in self.charts[0].facts))
        self.redraw()

    def show_words(self, said: Message | None) -> None:
        """Say this where there is no run to show."""
        self._said = said
        if not self.charts:
            self.update()

    @property
    def placement(self) -> Placement:
        """Where everything stands now."""
        rows = [chart.rows for chart in self.charts]
        summary = least_height(max(rows, default=0)) if rows else 0.0
        lines = max((head_lines(chart, self.width() - 2 * EDGE, self.look) for chart in self.charts), default=LEAST_LINES)
        return place(QRectF(self.rect()), rows, self._span, COLUMN * len(self.shown_columns), self.row_limits, summary, lines)

    @property
    def shown_columns(self) -> list[tuple[int, Message]]:
        """The columns that there is room for, in their order."""
        room = max(1, int(0.42 * self.width() / COLUMN))
        return [(number, self.columns[number]) for number in sorted(self.columns_by_worth[:room])]

    @property
    def span(self) -> Span:
        """The time in sight."""
        return self._span

    def zoom(self, factor: float, at: float | None = None) -> None:
        """Show `factor` times as much detail about a moment, or about the middle."""
        middle = (self._span.low + self._span.high) / 2
        self._show_span(self._span.zoomed(factor, middle if at is None else at))

    def show_all(self) -> None:
        """The whole time again."""
        self._show_span(Span.all_of(self._span.whole))

    def tip_at(self, point: QPointF) -> Message | None:
        """What is to be said of what is under a point."""
        placement = self.placement
        for block in placement.blocks:
            if block.area.contains(point):
                return self.tip_in(self.charts[block.number], block, placement, point)
        return None

    def table(self) -> Table:
        """The newest run, row by row."""
        return self.charts[0].table() if self.charts else Table((), ())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        if self.exported:
            paint_runs(painter, self)
            return
        if self._picture is None:
            self._picture = self._drawn()
        painter.drawPixmap(0, 0, self._picture)
        if not self.charts and self._said is not None:
            painter.setFont(self.look.theme.font("sentence"))
            painter.setPen(self.look.theme.t2)
            area = QRectF(self.rect()).adjusted(24, 12, -24, -12)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.look.text(self._said))
        paint_ring(painter, self, self.look.theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.charts:
            self.zoom(STEP ** (event.angleDelta().y() / _NOTCH), self.placement.moment(event.position().x()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._dragged, self._pressed = event.position().x(), event.position()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None and self.charts:
            placement = self.placement
            self._show_span(self._span.moved(placement.moment(self._dragged) - placement.moment(event.position().x())))
            self._dragged = event.position().x()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None and (event.position() - self._pressed).manhattanLength() < _STILL:
            self.choose_at(event.position())
        self._dragged = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.show_all()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plus and minus zoom, arrows move in what is zoomed, Escape shows all."""
        key, length = event.key(), self._span.high - self._span.low
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / STEP)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._span.zoomed_in:
            self._show_span(self._span.moved(length * (_MOVED if key == Qt.Key.Key_Right else -_MOVED)))
        elif key == Qt.Key.Key_Escape and self._span.zoomed_in:
            self.show_all()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            said = self.tip_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.look.text(said) if said else "", self)
            return True
        return super().event(event)

    def _show_span(self, span: Span) -> None:
        if span != self._span:
            self._span = span
            self.redraw()

    def redraw(self) -> None:
        """Draw everything anew."""
        self._picture = None
        self.update()

    def _drawn(self) -> QPixmap:
        """Everything that stands still."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        paint_runs(painter, self)
        painter.end()
        return picture
