"""The loops as bars: one cell for each value of the index, the present one violet, loops over tiles above a line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.cpu_view.frame import LoopFrame
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from kernels.base.messages import message

_ROW = 22.0
_BAR = 13.0
_HEAD = 24.0
_VALUE_WIDTH = 40.0
_MOST_CELLS = 40


def loops_height(loops: Sequence[LoopFrame]) -> float:
    """The height that the view takes."""
    return _HEAD + _ROW * len(loops) + 8


def paint_loops(painter: QPainter, loops: Sequence[LoopFrame], area: QRectF, look: Look) -> None:
    """Draw the loops from the top of `area`, with a heading, outermost first."""
    if not loops:
        return
    theme = look.theme
    painter.setFont(theme.font("section"))
    painter.setPen(theme.t1)
    painter.drawText(QRectF(area.left(), area.top() - 4, area.width(), 20), Qt.AlignmentFlag.AlignLeft, look.text(message("Loops")))
    paint_bars(painter, loops, area.adjusted(0, _HEAD, 0, 0), look)


def paint_bars(painter: QPainter, loops: Sequence[LoopFrame], area: QRectF, look: Look) -> float:
    """Draw one bar for each loop from the top of `area`, outermost first; returns where they end."""
    theme, y = look.theme, area.top()
    names = max((QFontMetricsF(theme.font("code")).horizontalAdvance(loop.name) for loop in loops), default=0.0) + 8
    for number, loop in enumerate(loops):
        if number and loops[number - 1].outer and not loop.outer:
            painter.fillRect(QRectF(area.left(), y + 2, area.width(), 1), theme.line)
            y += 8
        _paint_loop(painter, loop, QRectF(area.left(), y, area.width(), _ROW), names, theme)
        y += _ROW
    return y


def _paint_loop(painter: QPainter, loop: LoopFrame, row: QRectF, names: float, theme: Theme) -> None:
    centre = Qt.AlignmentFlag.AlignVCenter
    painter.setFont(theme.font("code"))
    painter.setPen(theme.t1 if loop.current is not None else theme.t3)
    painter.drawText(QRectF(row.left(), row.top(), names, row.height()), centre | Qt.AlignmentFlag.AlignLeft, loop.name)
    text = "–" if loop.current is None else str(loop.current)
    painter.setFont(theme.font("section"))
    painter.drawText(row, centre | Qt.AlignmentFlag.AlignRight, text)
    bar = QRectF(row.left() + names, row.center().y() - _BAR / 2, row.width() - names - _VALUE_WIDTH, _BAR)
    if not loop.values or loop.current not in loop.values:
        painter.fillRect(bar, theme.bg3)
        return
    _paint_bar(painter, bar, loop.values.index(loop.current), len(loop.values), theme)


def _paint_bar(painter: QPainter, bar: QRectF, present: int, count: int, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for fill, first, stop in ((theme.line2, 0, present), (theme.bg3, present + 1, count), (theme.now, present, present + 1)):
        painter.setBrush(fill)
        painter.drawRects(_cells(bar, first, stop, count))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _cells(bar: QRectF, first: int, stop: int, count: int) -> list[QRectF]:
    """Those of some values: a pixel apart, or as one where there are many."""
    if count <= _MOST_CELLS:
        return _all_cells(bar.left(), bar.top(), bar.width(), bar.height(), count)[first:stop]
    width = bar.width() / count
    return [QRectF(bar.left() + first * width, bar.top(), max((stop - first) * width, 2.0), bar.height())] if stop > first else []


@lru_cache(maxsize=256)
def _all_cells(left: float, top: float, width: float, height: float, count: int) -> list[QRectF]:
    """They stay for many frames."""
    return [QRectF(left + cell * width / count, top, max(width / count - 1.0, 2.0), height) for cell in range(count)]
