"""The timeline of ranks: what each did when, and the messages between them as arrows with their bytes."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen, QPolygonF

from app.core.real_runs.rank_chart import COLUMNS, NS_PER_MS, RankChart
from app.core.real_runs.record import Recording
from app.core.real_runs.words import bytes_text
from app.qt.gantt.blocks import Block, Placement, RowLimits
from app.qt.gantt.frame_painter import paint_legend_text, paint_legend_words
from app.qt.gantt.runs_view import ZOOM_HINT, RunsView
from kernels.messages import Message, message
from kernels.mpi.timeline import Activity, MpiTimeline

NEAR = 6.0
"""An arrow is meant by a pointer that is at most so many pixels from it."""
_HEAD = 7.0
_MOST_LABELS = 32
"""With more of them there is little to be seen of the rows; they come when one looks closer."""


class RanksTimeline(RunsView[RankChart]):
    """Computing is filled, waiting hatched, communicating dotted within an outline."""

    title = message("Ranks over time")
    headline = message("Real run: who computes, waits and sends what")
    names_parts = True
    columns = COLUMNS
    columns_by_worth = (4, 5, 1, 2, 0, 3)
    row_limits = RowLimits(140.0, 0.5, 64.0)

    def chart_of(self, recording: Recording) -> RankChart | None:
        return RankChart(recording, recording.seen) if isinstance(recording.seen, MpiTimeline) else None

    def paint_rows(self, painter: QPainter, chart: RankChart, block: Block, placement: Placement) -> None:
        painter.save()
        painter.setClipRect(block.area.adjusted(0, -2, 1, 2))
        spent = chart.timeline.intervals
        columns = (spent.rank, spent.activity, spent.start_ns, spent.end_ns)
        for rank, activity, start, end in zip(*(column.tolist() for column in columns), strict=True):
            left, right = placement.x(start / NS_PER_MS), placement.x(end / NS_PER_MS)
            if right >= placement.left and left <= placement.right:
                bar = block.bar(rank)
                self._paint_interval(painter, Activity(activity), rank, QRectF(left, bar.top(), max(right - left, 0.75), bar.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_messages(painter, chart, block, placement)
        painter.restore()

    def paint_legend(self, painter: QPainter, area: QRectF) -> None:
        key = QRectF(area.left(), area.center().y() - 5, 18, 10)
        for activity, text in _LEGEND.items():
            self._paint_interval(painter, activity, 0, key)
            key.moveLeft(paint_legend_text(painter, key, text, self.look))
        self._paint_arrow(painter, key.topLeft(), key.bottomRight())
        arrows = message("message, with its bytes"), message("message")
        key.moveLeft(paint_legend_words(painter, key, arrows, self.look, area.right()))
        key.setWidth(0)
        if not self.exported:
            paint_legend_text(painter, key, ZOOM_HINT, self.look, area.right())

    def tip_in(self, chart: RankChart, block: Block, placement: Placement, point: QPointF) -> Message | None:
        """A message where the pointer is near its arrow, else what the rank does."""
        nearest = min(
            (
                (_distance(point, *self._ends(chart, block, placement, number)), number)
                for number in range(len(chart.timeline.messages.bytes))
            ),
            default=(math.inf, 0),
        )
        if nearest[0] <= NEAR:
            return chart.message_tip(nearest[1])
        rank = int((point.y() - block.area.top()) / block.row)
        inside = 0 <= rank < chart.rows and block.bar(rank).contains(point)
        return chart.tip(rank, placement.moment(point.x())) if inside else None

    def paint_part(self, painter: QPainter, part: int, row: int, bar: QRectF) -> None:
        self._paint_interval(painter, Activity(part), row, bar)

    def _paint_interval(self, painter: QPainter, activity: Activity, rank: int, bar: QRectF) -> None:
        theme = self.look.theme
        tint, strong = theme.warps[rank % len(theme.warps)]
        if activity is Activity.COMPUTING:
            painter.fillRect(bar, strong)
        elif activity is Activity.WAITING:
            painter.fillRect(bar, QBrush(theme.line2, Qt.BrushStyle.BDiagPattern))
        else:
            painter.fillRect(bar, tint)
            painter.fillRect(bar, QBrush(theme.t2, Qt.BrushStyle.Dense6Pattern))
            painter.setPen(QPen(theme.t2, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if bar.width() > 2:
                painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_messages(self, painter: QPainter, chart: RankChart, block: Block, placement: Placement) -> None:
        """All arrows, then as many of their labels as do not lie over one another; none of very many, which would hide the rows."""
        sent, labels = chart.timeline.messages, []
        painter.setFont(self.look.theme.font("caption"))
        metrics = QFontMetricsF(painter.font())
        for number in range(len(sent.bytes)):
            start, end = self._ends(chart, block, placement, number)
            self._paint_arrow(painter, start, end)
            said = self.look.text(bytes_text(int(sent.bytes[number])))
            middle, width = (start + end) / 2, metrics.horizontalAdvance(said) + 6
            place = QRectF(middle.x() - width / 2, middle.y() - 8, width, 16)
            if block.area.contains(place) and block.row >= 28:
                labels.append((int(sent.bytes[number]), place, said))
        taken: list[QRectF] = []
        for _, place, said in [] if len(labels) > _MOST_LABELS else sorted(labels, key=lambda label: -label[0]):
            if any(place.intersects(other) for other in taken):
                continue
            taken.append(place)
            painter.fillRect(place, self.look.theme.bg2)
            painter.setPen(self.look.theme.t1)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, said)

    def _ends(self, chart: RankChart, block: Block, placement: Placement, number: int) -> tuple[QPointF, QPointF]:
        """From the sender's row when it makes its call to the receiver's when its call is over."""
        sent = chart.timeline.messages
        sender, receiver = block.bar(int(sent.sender[number])), block.bar(int(sent.receiver[number]))
        down = sender.top() < receiver.top()
        return (
            QPointF(placement.x(sent.start_ns[number] / NS_PER_MS), sender.bottom() if down else sender.top()),
            QPointF(placement.x(sent.end_ns[number] / NS_PER_MS), receiver.top() if down else receiver.bottom()),
        )

    def _paint_arrow(self, painter: QPainter, start: QPointF, end: QPointF) -> None:
        ink = self.look.theme.t1
        painter.setPen(QPen(ink, 1.2))
        painter.drawLine(start, end)
        length = math.hypot(end.x() - start.x(), end.y() - start.y())
        if length > 0:
            along = (end - start) / length * _HEAD
            across = QPointF(-along.y(), along.x()) * 0.4
            painter.setBrush(ink)
            painter.drawPolygon(QPolygonF([end, end - along + across, end - along - across]))


_LEGEND = {
    Activity.COMPUTING: message("computing"),
    Activity.WAITING: message("waiting"),
    Activity.COMMUNICATING: message("communicating"),
}


def _distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """Of a point from the line between two others."""
    line, to = end - start, point - start
    length = QPointF.dotProduct(line, line)
    share = min(max(QPointF.dotProduct(to, line) / length, 0.0), 1.0) if length else 0.0
    gap = to - line * share
    return math.hypot(gap.x(), gap.y())
