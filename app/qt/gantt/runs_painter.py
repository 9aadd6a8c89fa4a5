"""Draws charts of real runs: one below the other, the time axis, where there is room the summaries, and the legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.core.real_runs.words import settings_text
from app.qt.gantt.blocks import EDGE, LEGEND, Placement
from app.qt.gantt.frame_painter import paint_axis, paint_numbers
from app.qt.gantt.head_painter import paint_head
from app.qt.gantt.summary_painter import least_height, paint_keys, paint_summary
from kernels.messages import message

if TYPE_CHECKING:
    from app.qt.gantt.runs_view import C, RunsView

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
