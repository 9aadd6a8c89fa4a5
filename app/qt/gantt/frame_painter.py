"""What is around the rows of a chart of runs: numbers at the right, time axis and legend."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.core.i18n import format_number
from app.core.real_runs.rank_chart import RankChart
from app.core.real_runs.thread_chart import ThreadChart
from app.qt.gantt.blocks import AXIS, GUTTER, HEADS, Block, Placement
from app.qt.look import Look
from kernels.messages import Message, message

Chart = ThreadChart | RankChart
COLUMN = 66.0
"""Width of a column of numbers."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_FACT_GAP = 18.0
_TICK_ROOM = 70.0


def paint_numbers(painter: QPainter, chart: Chart, block: Block, columns: Sequence[tuple[int, Message]], look: Look) -> None:
    """The chosen columns at the right, with their titles; the numbers of the rows at the left."""
    theme = look.theme
    heads = QRectF(block.area.right(), block.area.top() - HEADS, 0, HEADS)
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.t3)
    painter.drawText(QRectF(block.title.left(), heads.top(), GUTTER, HEADS), _LEFT, look.text(chart.row_title))
    for place, (_, title) in enumerate(columns):
        cell = QRectF(heads.right() + place * COLUMN, heads.top(), COLUMN, HEADS)
        said = QFontMetricsF(painter.font()).elidedText(look.text(title), Qt.TextElideMode.ElideRight, COLUMN - 4)
        painter.drawText(cell, _RIGHT, said)
    every = max(1, round(12 / block.row + 0.5)) if block.row < 12 else 1
    painter.setFont(theme.font("small" if block.row >= 15 else "caption"))
    for row in range(0, chart.rows, every):
        bar = block.bar(row)
        line = QRectF(bar.left() - GUTTER, bar.center().y() - 8, GUTTER - 8, 16)
        painter.setPen(theme.t1)
        painter.drawText(line, _RIGHT, str(row))
        cells = chart.cells(row)
        painter.setPen(theme.t2)
        for place, (column, _) in enumerate(columns):
            value = cells[column]
            said = look.text(value) if isinstance(value, Message) else format_number(value)
            painter.drawText(QRectF(block.area.right() + place * COLUMN, line.top(), COLUMN, 16), _RIGHT, said)


def paint_axis(painter: QPainter, placement: Placement, bottom: float, look: Look) -> None:
    """Ticks in milliseconds below the last run, with hairlines through all."""
    theme, area = look.theme, QRectF(placement.left, bottom, placement.right - placement.left, AXIS)
    painter.setFont(theme.font("caption"))
    for moment in placement.span.ticks(int(area.width() / _TICK_ROOM)):
        x = placement.x(moment)
        painter.setPen(QPen(theme.line, 1))
        for block in placement.blocks:
            painter.drawLine(QPointF(x, block.area.top()), QPointF(x, block.area.bottom()))
        painter.setPen(QPen(theme.line2, 1))
        painter.drawLine(QPointF(x, bottom + 2), QPointF(x, bottom + 6))
        painter.setPen(theme.t2)
        painter.drawText(QRectF(x - 40, bottom + 7, 80, 16), Qt.AlignmentFlag.AlignCenter, format_number(round(moment, 9)))
    painter.setPen(theme.t3)
    painter.drawText(QRectF(area.right() + 26, bottom + 7, 40, 16), _LEFT, look.text(message("ms")))


def paint_legend_words(painter: QPainter, key: QRectF, texts: Sequence[Message], look: Look, limit: float) -> float:
    """The first of the texts that ends before `limit` beside a key of the legend, or none; returns where the next key may begin."""
    metrics = QFontMetricsF(look.theme.font("caption"))
    fits = (text for text in texts if key.right() + 6 + metrics.horizontalAdvance(look.text(text)) <= limit)
    return paint_legend_text(painter, key, next(fits, texts[-1]), look, limit)


def paint_legend_text(painter: QPainter, key: QRectF, text: Message, look: Look, limit: float | None = None) -> float:
    """The words beside a key of the legend; returns where the next key may begin. Left out where they do not end before `limit`."""
    said = look.text(text)
    painter.setFont(look.theme.font("caption"))
    painter.setPen(look.theme.t2)
    width = QFontMetricsF(painter.font()).horizontalAdvance(said)
    if limit is None or key.right() + 6 + width <= limit:
        painter.drawText(QRectF(key.right() + 6, key.center().y() - 9, width + 4, 18), _LEFT, said)
    return key.right() + 6 + width + _FACT_GAP
