"""The Gantt chart of threads: a row for each, a bar for each chunk, hatched where it is idle, the kernel's loops above."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen

from app.core.timelines.thread_chart import COLUMNS, ThreadChart
from app.qt.timelines.blocks import HEADS, Block, Placement, RowLimits
from app.qt.timelines.painters import paint_legend_text, paint_legend_words
from app.qt.timelines.runs_view import ZOOM_HINT, RunsView
from kernels.base.messages import Message, message
from kernels.jit.thread_times import Cause
from kernels.measure.real_run import Chunks, RunTimeline

_HATCHES = {
    Cause.START: Qt.BrushStyle.FDiagPattern,
    Cause.HANDING_OUT: Qt.BrushStyle.DiagCrossPattern,
    Cause.BARRIER: Qt.BrushStyle.BDiagPattern,
    Cause.END: Qt.BrushStyle.Dense7Pattern,
}
NARROW = 3.0
"""A bar of fewer pixels has no gap to the next."""


class ThreadsGantt(RunsView[ThreadChart]):
    """Neighbouring chunks of a thread alternate between two shades, so that each is seen."""

    title = message("Threads over time")
    headline = message("Real run: who works on what when")
    names_parts = False
    columns = COLUMNS
    columns_by_worth = (1, 0, 2)
    row_limits = RowLimits(96.0, 0.14, 28.0)

    def chart_of(self, recording: RunTimeline) -> ThreadChart | None:
        return ThreadChart(recording, recording.seen) if isinstance(recording.seen, Chunks) else None

    def paint_rows(self, painter: QPainter, chart: ThreadChart, block: Block, placement: Placement) -> None:
        painter.save()
        painter.setClipRect(block.area.adjusted(0, -HEADS, 1, 0))
        self._paint_idle(painter, chart, block, placement)
        self._paint_chunks(painter, chart, block, placement)
        self._paint_loops(painter, chart, block, placement)
        painter.restore()

    def paint_legend(self, painter: QPainter, area: QRectF) -> None:
        theme = self.look.theme
        key = QRectF(area.left(), area.center().y() - 5, 18, 10)
        painter.fillRect(key.adjusted(0, 0, -9, 0), theme.warps[0][1])
        painter.fillRect(key.adjusted(9, 0, 0, 0), theme.warps[0][0])
        x = paint_legend_text(painter, key, message("chunks, with their iterations"), self.look)
        key.moveLeft(x)
        painter.fillRect(key, self._hatch(Cause.BARRIER))
        x = paint_legend_text(painter, key, message("idle"), self.look)
        key = QRectF(x, area.top() + 4, 2, area.height() - 8)
        painter.fillRect(key, theme.ink)
        barriers = message("barrier: all have ended the loop"), message("barrier")
        x = paint_legend_words(painter, key, barriers, self.look, area.right())
        key.moveLeft(x)
        if not self.exported:
            paint_legend_text(painter, key, ZOOM_HINT, self.look, area.right())

    def tip_in(self, chart: ThreadChart, block: Block, placement: Placement, point: QPointF) -> Message | None:
        thread = int((point.y() - block.area.top()) / block.row)
        return chart.tip(thread, placement.moment(point.x())) if 0 <= thread < chart.rows else None

    def paint_part(self, painter: QPainter, part: int, row: int, bar: QRectF) -> None:
        painter.fillRect(bar, self._hatch(Cause(part - 1)) if part else self.look.theme.warps[row % len(self.look.theme.warps)][1])

    def _hatch(self, cause: Cause) -> QBrush:
        """Return the hatching of idle time, by its cause."""
        return QBrush(self.look.theme.line2, _HATCHES[cause])

    def _paint_idle(self, painter: QPainter, chart: ThreadChart, block: Block, placement: Placement) -> None:
        for thread, cause, start, end in zip(*(column.tolist() for column in chart.idle), strict=True):
            left, right = placement.x(start), placement.x(end)
            if right - left >= 1.5 and right > placement.left and left < placement.right:
                bar = block.bar(thread)
                painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()), self._hatch(Cause(cause)))

    def _paint_chunks(self, painter: QPainter, chart: ThreadChart, block: Block, placement: Placement) -> None:
        theme, chunks = self.look.theme, chart.chunks
        painter.setFont(theme.font("small" if block.row >= 20 else "caption"))
        metrics, legible = QFontMetricsF(painter.font()), block.row >= 13
        taken = [0] * chunks.threads
        columns = (chunks.thread, chunks.first, chunks.last, chunks.start_ms, chunks.end_ms)
        for thread, first, last, start, end in zip(*(column.tolist() for column in columns), strict=True):
            taken[thread] += 1
            left, right = placement.x(start), placement.x(end)
            if right < placement.left or left > placement.right:
                continue
            row = block.bar(thread)
            gap = 1.0 if right - left >= NARROW else 0.0
            bar = QRectF(left, row.top(), max(right - left - gap, 0.75), row.height())
            painter.fillRect(bar, theme.warps[thread % len(theme.warps)][taken[thread] % 2])
            said = f"{first}–{last - 1}" if last - first > 1 else str(first)
            seen = bar.intersected(block.area)
            if legible and metrics.horizontalAdvance(said) + 6 <= seen.width():
                painter.setPen(theme.t1)
                painter.drawText(seen, Qt.AlignmentFlag.AlignCenter, said)

    def _paint_loops(self, painter: QPainter, chart: ThreadChart, block: Block, placement: Placement) -> None:
        """Paint above the rows a line over the time of each loop with its name, and through them the barrier that ends it."""
        theme, found = self.look.theme, chart.shares.loops
        painter.setFont(theme.font("caption"))
        metrics = QFontMetricsF(painter.font())
        for loop in found:
            left, right = max(placement.x(loop.start_ms), placement.left), min(placement.x(loop.end_ms), placement.right)
            if right <= left:
                continue
            painter.fillRect(QRectF(left, block.area.top() - 3, max(right - left - 2, 1), 2), theme.line2)
            said = self.look.text(chart.loop_title(loop.loop))
            if metrics.horizontalAdvance(said) <= right - left:
                painter.setPen(theme.t2)
                painter.drawText(QRectF(left, block.area.top() - HEADS, right - left, HEADS - 4), Qt.AlignmentFlag.AlignCenter, said)
        painter.setPen(QPen(theme.ink, 2))
        for loop in found[:-1]:
            x = placement.x(loop.end_ms)
            painter.drawLine(QPointF(x, block.area.top() - 3), QPointF(x, block.bar(chart.rows - 1).bottom()))
