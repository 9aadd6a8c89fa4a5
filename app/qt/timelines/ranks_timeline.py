"""The timeline of ranks: what each did when, and the messages between them as arrows with their bytes."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QKeyEvent, QPainter, QPen, QPolygonF

from app.core.timelines.rank_chart import COLUMNS, NS_PER_MS, RankChart
from app.core.timelines.sentences import bytes_text
from app.qt.base.look import Look
from app.qt.timelines.blocks import Block, Placement, RowLimits
from app.qt.timelines.painters import paint_legend_text, paint_legend_words
from app.qt.timelines.runs_view import ZOOM_HINT, RunsView
from kernels.base.messages import Message, message
from kernels.measure.real_run import Activity, MpiTimeline, RunTimeline

NEAR = 6.0
"""An arrow is meant by a pointer that is at most so many pixels from it."""
MOST_ARROWS = 48
"""More of them than that are a tangle: then only those of a rank that is chosen are drawn."""
SENDING = 0.4
"""The part of a row that is for the stream that sends, on a GPU."""
_HEAD = 7.0
_MOST_LABELS = 32
"""With more of them there is little to be seen of the rows; they come when one looks closer."""


class RanksTimeline(RunsView[RankChart]):
    """Computing is filled, waiting hatched, communicating dotted within an outline. A GPU's row has two lanes, one for each stream.

    Where many messages are in sight, those of the `chosen` rank alone are drawn: it is clicked, or chosen with the keys up and down.
    """

    title = message("Ranks over time")
    headline = message("Real run: who computes, waits and sends what")
    names_parts = True
    columns = COLUMNS
    columns_by_worth = (4, 5, 1, 2, 0, 3)
    row_limits = RowLimits(140.0, 0.5, 64.0)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.chosen: int | None = None

    def chart_of(self, recording: RunTimeline) -> RankChart | None:
        return RankChart(recording, recording.seen) if isinstance(recording.seen, MpiTimeline) else None

    def paint_rows(self, painter: QPainter, chart: RankChart, block: Block, placement: Placement) -> None:
        painter.save()
        painter.setClipRect(block.area.adjusted(0, -2, 1, 2))
        for beside, spent in enumerate((chart.timeline.intervals, chart.timeline.beside)):
            columns = (spent.rank, spent.activity, spent.start_ns, spent.end_ns)
            for rank, activity, start, end in zip(*(column.tolist() for column in columns), strict=True):
                left, right = placement.x(start / NS_PER_MS), placement.x(end / NS_PER_MS)
                if right >= placement.left and left <= placement.right:
                    lane, width = _lanes(chart, block, rank)[beside], right - left - chart.two_streams  # products are told apart
                    self._paint_interval(painter, Activity(activity), rank, QRectF(left, lane.top(), max(width, 0.75), lane.height()))
        if self.chosen is not None and self.chosen < chart.rows:
            painter.setPen(QPen(self.look.theme.ink, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(block.bar(self.chosen).adjusted(1, 0, -1, 0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_messages(painter, chart, block, placement)
        painter.restore()

    def paint_legend(self, painter: QPainter, area: QRectF) -> None:
        key = QRectF(area.left(), area.center().y() - 5, 18, 10)
        for activity, text in _LEGEND.items():
            self._paint_interval(painter, activity, 0, key)
            key.moveLeft(paint_legend_text(painter, key, text, self.look))
        self._paint_arrow(painter, key.topLeft(), key.bottomRight())
        key.moveLeft(paint_legend_words(painter, key, self._said_of_arrows(), self.look, area.right()))
        key.setWidth(0)
        if any(chart.two_streams for chart in self.charts):
            key.moveLeft(paint_legend_words(painter, key, _TWO_STREAMS, self.look, area.right()))
        if not self.exported:
            paint_legend_text(painter, key, ZOOM_HINT, self.look, area.right())

    def tip_in(self, chart: RankChart, block: Block, placement: Placement, point: QPointF) -> Message | None:
        """A message where the pointer is near its arrow, else what the rank does."""
        nearest = min(
            ((_distance(point, *self._ends(chart, block, placement, number)), number) for number in self.drawn_messages(chart, placement)),
            default=(math.inf, 0),
        )
        if nearest[0] <= NEAR:
            return chart.message_tip(nearest[1])
        rank = int((point.y() - block.area.top()) / block.row)
        if not (0 <= rank < chart.rows and block.bar(rank).contains(point)):
            return None
        beside = chart.two_streams and _lanes(chart, block, rank)[1].contains(point)
        return chart.tip(rank, placement.moment(point.x()), chart.timeline.beside if beside else chart.timeline.intervals)

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
        for number in self.drawn_messages(chart, placement):
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

    def drawn_messages(self, chart: RankChart, placement: Placement) -> list[int]:
        """The messages whose arrows are drawn: all in sight, of too many those that the chosen rank sends or receives."""
        seen = self._messages_in_sight(chart, placement)
        if len(seen) <= MOST_ARROWS:
            return seen
        sent = chart.timeline.messages
        return [number for number in seen if self.chosen in (int(sent.sender[number]), int(sent.receiver[number]))]

    def _messages_in_sight(self, chart: RankChart, placement: Placement) -> list[int]:
        sent, span = chart.timeline.messages, placement.span
        in_sight = (sent.end_ns >= span.low * NS_PER_MS) & (sent.start_ns <= span.high * NS_PER_MS)
        return [int(number) for number in in_sight.nonzero()[0]]

    def _said_of_arrows(self) -> tuple[Message, ...]:
        """The words for the legend, the longest first."""
        placement = self.placement
        shown = self.charts[: len(placement.blocks)]
        most = max((len(self._messages_in_sight(chart, placement)) for chart in shown), default=0)
        if most <= MOST_ARROWS:
            return message("message, with its bytes"), message("message")
        if self.chosen is not None:
            return (message("messages of rank {rank}", rank=self.chosen),)
        brief = message("{count} messages, too many to draw", count=most)
        how = message("{count} messages, too many to draw: click a rank to see its own", count=most)
        return (brief,) if self.exported else (how, brief)

    def choose_at(self, point: QPointF) -> None:
        """Choose the rank of a row; the chosen one no more."""
        for block in self.placement.blocks:
            inside = QRectF(0, block.area.top(), block.area.right(), block.area.height()).contains(point)
            if inside:
                rank = int((point.y() - block.area.top()) / block.row)
                self._choose(None if rank == self.chosen else rank)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a rank with the keys up and down, none with Escape."""
        key, most = event.key(), max((chart.rows for chart in self.charts), default=0)
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(key))
        if step is not None and most:
            first = 0 if step > 0 else most - 1
            self._choose(first if self.chosen is None else (self.chosen + step) % most)
        elif key == Qt.Key.Key_Escape and self.chosen is not None:
            self._choose(None)
        else:
            super().keyPressEvent(event)

    def _choose(self, rank: int | None) -> None:
        self.chosen = rank
        self.redraw()

    def _ends(self, chart: RankChart, block: Block, placement: Placement, number: int) -> tuple[QPointF, QPointF]:
        """Return the ends of a message's arrow: at the sender's row when it makes its call, at the receiver's when its call is over."""
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


_TWO_STREAMS = (message("below in a row: what its GPU sends meanwhile"), message("below: sent meanwhile"))
_LEGEND = {
    Activity.COMPUTING: message("computing"),
    Activity.WAITING: message("waiting"),
    Activity.COMMUNICATING: message("communicating"),
}


def _lanes(chart: RankChart, block: Block, rank: int) -> tuple[QRectF, QRectF]:
    """The places in a row for what a rank does and, below, for what its GPU sends meanwhile: none where it does one thing at a time."""
    bar = block.bar(rank)
    below = bar.height() * SENDING if chart.two_streams else 0.0
    upper = bar.adjusted(0, 0, 0, -below)
    return upper, QRectF(bar.left(), upper.bottom(), bar.width(), below)


def _distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """Return the distance of a point from the line between two others."""
    line, to = end - start, point - start
    length = QPointF.dotProduct(line, line)
    share = min(max(QPointF.dotProduct(to, line) / length, 0.0), 1.0) if length else 0.0
    gap = to - line * share
    return math.hypot(gap.x(), gap.y())
