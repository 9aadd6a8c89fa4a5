"""What stands above the rows of a run: what ran, how long it took, a warning and the facts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.real_runs.words import milliseconds, run_title, settings_text
from app.qt.gantt.blocks import LEAST_LINES, LINE, TITLE, Block
from app.qt.gantt.frame_painter import Chart
from app.qt.look import Look
from kernels.messages import Message

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_FACT_GAP = 18.0
_TIME_GAP = 16.0


def head_lines(chart: Chart, width: float, look: Look) -> int:
    """How many lines of small type are needed below the title of a run: no words of them are cut."""
    settings = _title(chart, width, look)[1]
    whole = sum(_lines(text, width, look) for text in (settings, _warning(chart, look)) if text)
    return max(LEAST_LINES, whole + 1)


def paint_head(painter: QPainter, chart: Chart, block: Block, facts: Sequence[Message], look: Look) -> None:
    """Below the title as many of the facts as there is room for."""
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
