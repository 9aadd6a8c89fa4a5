"""What is below the rows where there is room: the numbers of a run, and where the time of each row went."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.real_runs.summary import Figure
from app.core.shares import percent_text
from app.qt.gantt.blocks import GUTTER
from app.qt.gantt.frame_painter import Chart, paint_legend_text
from app.qt.look import Look
from kernels.messages import Message

PaintPart = Callable[[QPainter, int, int, QRectF], None]
"""Fills a rectangle as a part of a row is drawn: part, row, where."""
VALUE, CAPTION, HEADING, KEYS, GAP = 40.0, 32.0, 26.0, 22.0, 14.0
FIGURE = 150.0
"""Width that a figure needs."""
LEAST_ROW, MOST_ROW = 9.0, 46.0
_LEGIBLE_ROW, _BARS = 24.0, 160.0
"""Height of a row in which its numbers can be read, and of all rows, where there are many, that are lower."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def least_height(rows: int) -> float:
    """Of the summary of a run with so many rows."""
    return VALUE + CAPTION + HEADING + KEYS + 2 * GAP + rows * min(max(_BARS / max(rows, 1), LEAST_ROW), _LEGIBLE_ROW)


def paint_summary(painter: QPainter, chart: Chart, heading: Message | str, area: QRectF, paint_part: PaintPart, look: Look) -> None:
    """The first figures side by side, then a bar for each row under the heading."""
    _paint_figures(painter, chart.figures, QRectF(area.left(), area.top(), area.width(), VALUE + CAPTION), look)
    line = QRectF(area.left(), area.top() + VALUE + CAPTION + GAP, area.width(), HEADING)
    painter.setFont(look.theme.font("section"))
    painter.setPen(look.theme.t1)
    said = heading if isinstance(heading, str) else look.text(heading)
    painter.drawText(line, _LEFT, QFontMetricsF(painter.font()).elidedText(said, Qt.TextElideMode.ElideRight, line.width()))
    bars = _bars(chart, area)
    row = bars.height() / max(chart.rows, 1)
    for number in range(chart.rows):
        _paint_row(painter, chart, number, QRectF(bars.left(), bars.top() + number * row, bars.width(), row * 0.84), paint_part, look)


def paint_keys(painter: QPainter, chart: Chart, area: QRectF, paint_part: PaintPart, look: Look) -> None:
    """At the foot of the summaries: what is drawn how."""
    key = QRectF(area.left(), area.bottom() - KEYS / 2 - 5, 18, 10)
    for number, part in enumerate(chart.parts):
        paint_part(painter, number, 0, key)
        key.moveLeft(paint_legend_text(painter, key, part.title, look))


def _bars(chart: Chart, area: QRectF) -> QRectF:
    top = area.top() + VALUE + CAPTION + GAP + HEADING
    row = min(max((area.bottom() - top - KEYS - GAP) / max(chart.rows, 1), LEAST_ROW), MOST_ROW)
    return QRectF(area.left() + GUTTER, top, area.width() - GUTTER, chart.rows * row)


def _paint_figures(painter: QPainter, figures: Sequence[Figure], area: QRectF, look: Look) -> None:
    shown = figures[: max(int(area.width() / FIGURE), 1)]
    theme, width = look.theme, area.width() / max(len(shown), 1)
    for number, figure in enumerate(shown):
        column = QRectF(area.left() + number * width, area.top(), width - GAP, VALUE)
        painter.setFont(theme.font("hero"))
        painter.setPen(theme.t1)
        painter.drawText(column, _LEFT, look.text(figure.value))
        painter.setFont(theme.font("body"))
        painter.setPen(theme.t2)
        below = QRectF(column.left(), column.bottom(), column.width(), CAPTION + 4)
        painter.drawText(below, int(_TOP_LEFT) | int(Qt.TextFlag.TextWordWrap), look.text(figure.caption))


def _paint_row(painter: QPainter, chart: Chart, row: int, bar: QRectF, paint_part: PaintPart, look: Look) -> None:
    """The parts one after the other, each with its percentage where that fits."""
    painter.setFont(look.theme.font("body" if bar.height() >= 16 else "caption"))
    metrics = QFontMetricsF(painter.font())
    if bar.height() >= 9:
        painter.setPen(look.theme.t1)
        painter.drawText(QRectF(bar.left() - GUTTER, bar.top(), GUTTER - 8, bar.height()), _RIGHT, str(row))
    left = bar.left()
    for number, part in enumerate(chart.parts):
        share = part.of_rows[row]
        place = QRectF(left, bar.top(), share * bar.width(), bar.height())
        left = place.right()
        paint_part(painter, number, row, place)
        said = percent_text(100 * share)
        width = metrics.horizontalAdvance(said) + 10
        if place.width() >= width and bar.height() >= metrics.height() - 4:
            label = QRectF(place.center().x() - width / 2, bar.top(), width, bar.height())
            if number:
                painter.fillRect(label, look.theme.bg2)
            painter.setPen(look.theme.t1)
            painter.drawText(label, Qt.AlignmentFlag.AlignCenter, said)
