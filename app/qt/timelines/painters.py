"""Painters around the rows of a chart of runs: heading with warning and facts, time axis, legend, numbers, summary.

The summary says, where there is room, what a run comes to and where the time of each row went.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.core.base.i18n import format_number
from app.core.results.quantities import percent_text
from app.core.timelines.axis import Figure
from app.core.timelines.rank_chart import RankChart
from app.core.timelines.sentences import milliseconds, run_title, settings_text
from app.core.timelines.thread_chart import ThreadChart
from app.qt.base.look import Look
from app.qt.timelines.blocks import AXIS, GUTTER, HEADS, LEAST_LINES, LINE, TITLE, Block, Placement
from kernels.base.messages import Message, message

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


_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_TIME_GAP = 16.0


def head_lines(chart: Chart, width: float, look: Look) -> int:
    """How many lines of small type are needed below the title of a run: no words of them are cut."""
    settings = _title(chart, width, look)[1]
    whole = sum(_lines(text, width, look) for text in (settings, _warning(chart, look)) if text)
    return max(LEAST_LINES, whole + 1)


def paint_head(painter: QPainter, chart: Chart, block: Block, facts: Sequence[Message], look: Look) -> None:
    """Paint the title of a run, and below it as many of the facts as there is room for."""
    theme, area = look.theme, block.title
    title, settings = _title(chart, area.width(), look)
    painter.setFont(theme.font("section"))
    painter.setPen(theme.t1)
    time = look.text(milliseconds(chart.elapsed_ms))
    room = area.width() - QFontMetricsF(painter.font()).horizontalAdvance(time) - _TIME_GAP
    painter.drawText(area, _LEFT, QFontMetricsF(painter.font()).elidedText(title, Qt.TextElideMode.ElideRight, room))
    painter.drawText(area, _RIGHT, time)
    painter.setFont(theme.font("small"))
    below = QRectF(area.left(), area.top() + TITLE, area.width(), block.lines * LINE)
    for text, colour in ((settings, theme.t1), (_warning(chart, look), theme.bad)):
        if text:
            painter.setPen(colour)
            painter.drawText(below, _WRAPPED, text)
            below.setTop(below.top() + _lines(text, area.width(), look) * LINE)
    painter.setPen(theme.t2)
    _paint_facts(painter, [look.text(fact) for fact in facts], below)


def _paint_facts(painter: QPainter, told: Sequence[str], area: QRectF) -> None:
    """Side by side in lines; those that do not fit are left out, the last first."""
    metrics, x, y = QFontMetricsF(painter.font()), area.left(), area.top()
    for said in told:
        width = metrics.horizontalAdvance(said)
        if x > area.left() and x + width > area.right():
            x, y = area.left(), y + LINE
        if y + LINE > area.bottom() + 1:
            break
        shown = metrics.elidedText(said, Qt.TextElideMode.ElideRight, area.right() - x)
        painter.drawText(QRectF(x, y, area.right() - x, LINE), _LEFT, shown)
        x += width + _FACT_GAP


def _title(chart: Chart, width: float, look: Look) -> tuple[str, str]:
    """What ran; where that is too long for a line, its settings apart."""
    point, metrics = chart.recording.point, QFontMetricsF(look.theme.font("section"))
    whole, time = look.text(run_title(chart.recording)), look.text(milliseconds(chart.elapsed_ms))
    if metrics.horizontalAdvance(whole) + _TIME_GAP + metrics.horizontalAdvance(time) <= width:
        return whole, ""
    return point.variant_id, settings_text(point)


def _warning(chart: Chart, look: Look) -> str:
    return "" if chart.warning is None else f"▲ {look.text(chart.warning)}"


def _lines(text: str, width: float, look: Look) -> int:
    """Lines that a text takes when it is broken at this width."""
    metrics = QFontMetricsF(look.theme.font("small"))
    return max(1, math.ceil(metrics.boundingRect(QRectF(0, 0, width, 1000), int(_WRAPPED), text).height() / LINE - 0.3))


PaintPart = Callable[[QPainter, int, int, QRectF], None]
"""Fills a rectangle as a part of a row is drawn: part, row, where."""
VALUE, CAPTION, HEADING, KEYS, GAP = 40.0, 32.0, 26.0, 22.0, 14.0
FIGURE = 150.0
"""Width that a figure needs."""
LEAST_ROW, MOST_ROW = 9.0, 46.0
_LEGIBLE_ROW, _BARS = 24.0, 160.0
"""Height of a row in which its numbers can be read, and of all rows, where there are many, that are lower."""
_CAPTION_ROOM = CAPTION + 8
"""With what is free of the gap below: two lines, also of Chinese."""
_KEY = 18.0
"""Width of a key of the legend."""


def least_height(rows: int) -> float:
    """Return the least height of the summary of a run with so many rows."""
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
    """Paint at the foot of the summaries what is drawn how."""
    metrics = QFontMetricsF(look.theme.font("caption"))
    said = [look.text(part.title) for part in chart.parts]
    places = _key_places([_KEY + 6 + metrics.horizontalAdvance(each) for each in said], area)
    for number, (text, place) in enumerate(zip(said, places, strict=True)):
        paint_part(painter, number, 0, QRectF(place.left(), place.center().y() - 5, _KEY, 10))
        painter.setFont(look.theme.font("caption"))
        painter.setPen(look.theme.t2)
        words = place.adjusted(_KEY + 6, 0, 4, 0)
        painter.drawText(words, _LEFT, metrics.elidedText(text, Qt.TextElideMode.ElideRight, words.width()))


def _key_places(widths: Sequence[float], area: QRectF) -> list[QRectF]:
    """Where keys with their words stand: in a line, else in two, for which the gap above leaves room; else in columns of equal width."""
    lefts, line = [(0, area.left())], 0
    for before, width in pairwise(widths):
        left = lefts[-1][1] + before + _FACT_GAP
        line += left + width > area.right()
        lefts.append((line, left if line == lefts[-1][0] else area.left()))
    if line > 1 or max(widths) > area.width():
        columns = math.ceil(len(widths) / 2)
        column = (area.width() + _FACT_GAP) / columns
        lefts = [(number // columns, area.left() + number % columns * column) for number in range(len(widths))]
        widths, line = [min(width, column - _FACT_GAP) for width in widths], 1
    tops = [area.bottom() - KEYS / 2 - 9] if not line else [area.bottom() - 2 * LINE, area.bottom() - LINE]
    height = LINE if line else 18.0
    return [QRectF(left, tops[at], width, height) for (at, left), width in zip(lefts, widths, strict=True)]


def _bars(chart: Chart, area: QRectF) -> QRectF:
    top = area.top() + VALUE + CAPTION + GAP + HEADING
    row = min(max((area.bottom() - top - KEYS - GAP) / max(chart.rows, 1), LEAST_ROW), MOST_ROW)
    return QRectF(area.left() + GUTTER, top, area.width() - GUTTER, chart.rows * row)


def _paint_figures(painter: QPainter, figures: Sequence[Figure], area: QRectF, look: Look) -> None:
    theme, (count, role) = look.theme, _figures_that_fit(figures, area.width(), look)
    shown, width = figures[:count], area.width() / max(count, 1)
    for number, figure in enumerate(shown):
        column = QRectF(area.left() + number * width, area.top(), width - GAP, VALUE)
        painter.setFont(theme.font("hero"))
        painter.setPen(theme.t1)
        painter.drawText(column, _LEFT, look.text(figure.value))
        painter.setFont(theme.font(role))
        painter.setPen(theme.t2)
        below = QRectF(column.left(), column.bottom(), column.width(), _CAPTION_ROOM)
        painter.drawText(below, _WRAPPED, look.text(figure.caption))


def _figures_that_fit(figures: Sequence[Figure], width: float, look: Look) -> tuple[int, str]:
    """How many of the figures there is room for, and the type of their captions: rather smaller ones than fewer figures."""
    for count in range(min(len(figures), max(int(width / FIGURE), 1)), 0, -1):
        room = QRectF(0, 0, width / count - GAP, 1000)
        for role in ("body", "small", "caption"):
            metrics = QFontMetricsF(look.theme.font(role))
            boxes = [metrics.boundingRect(room, int(_WRAPPED), look.text(each.caption)) for each in figures[:count]]
            if all(box.height() <= _CAPTION_ROOM and box.width() <= room.width() for box in boxes):
                return count, role
    return min(len(figures), 1), "caption"


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
