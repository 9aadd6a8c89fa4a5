"""Loops view: the loops of a kernel with their present indices, and below them the operands of the step in registers.

A register has a cell for each lane, with its value where there is room for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.core.base.i18n import digits_text
from app.core.base.picture_parts import Table, Verdict
from app.core.cpu_view.operands import Operand, operands
from app.core.frames.matrix import LANDS_AT
from app.core.frames.views import CpuView
from app.core.stage.model import Picture
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.cpu_view.loops import paint_bars
from app.qt.matrix.cells import SMALLEST_DIGITS, fitting_text, readable_on
from app.qt.views.view import StageView
from kernels.base.messages import Message, message

_HEAD = 22.0
_LINE = 20.0
_GAP = 10.0
_CELL = (26.0, 44.0)
"""Height of a cell, and its greatest width."""
_TILE_CELL = 16.0
_INSET, _TILE_INSET = 4.0, 2.0
Cells = npt.NDArray[np.float32]


def paint_operands(painter: QPainter, shown: Sequence[Operand], area: QRectF, look: Look) -> None:
    """Draw them one below the other from the top of `area`, as many as fit; those that the step accesses have the room first."""
    theme = look.theme
    if not shown:
        return
    painter.setFont(theme.font("section"))
    painter.setPen(theme.t1)
    painter.drawText(QRectF(area.left(), area.top(), area.width(), _HEAD), Qt.AlignmentFlag.AlignVCenter, look.text(_heading(shown)))
    y = area.top() + _HEAD
    if sum(_height(operand, area.width(), theme) for operand in shown) > area.height() - _HEAD:
        shown = sorted(shown, key=lambda operand: not operand.now)
    for operand in shown:
        cells = _laid_out(operand, area.width(), theme)
        height = _height(operand, area.width(), theme) - _GAP
        if y + height > area.bottom():
            break
        _paint_words(painter, operand, QRectF(area.left(), y, area.width(), _LINE), look)
        _paint_cells(painter, operand, cells, QRectF(area.left(), y + _LINE, area.width(), height - _LINE), theme)
        y += height + _GAP


def _height(operand: Operand, width: float, theme: Theme) -> float:
    """What an operand takes, with the gap below it."""
    cells = _laid_out(operand, width, theme)
    return _LINE + _cell_height(cells) * len(cells) + _GAP


def _heading(shown: Sequence[Operand]) -> Message:
    lanes = max(operand.lanes for operand in shown)
    if lanes > 1 or any(len(operand.values) > 1 for operand in shown):
        return message("Values of this step, {lanes} at once", lanes=max(operand.values.size for operand in shown))
    return message("Values of this step")


def _laid_out(operand: Operand, width: float, theme: Theme) -> Cells:
    """The values as rows of cells: a vector takes several, if its values have no room in one."""
    cells = operand.values
    if len(cells) == 1:
        while cells.shape[1] % 2 == 0 and not _has_room(cells, width, theme):
            cells = cells.reshape(len(cells) * 2, -1)
    return cells


def _has_room(cells: Cells, width: float, theme: Theme) -> bool:
    """Whether every value can be written into its cell."""
    cell = _cell_width(cells, width)
    metrics = QFontMetricsF(_digits(cell, theme))
    return all(fitting_text(value, metrics, cell - _inset(cells)) for value in cells[~np.isnan(cells)].tolist())


def _inset(cells: Cells) -> float:
    """What of a cell's width is left empty."""
    return _INSET if len(cells) == 1 else _TILE_INSET


def _digits(cell: float, theme: Theme) -> QFont:
    font = theme.font("small")
    font.setPixelSize(max(SMALLEST_DIGITS, min(round(cell * 0.36), 13)))
    return font


def _cell_width(cells: Cells, width: float) -> float:
    return min(width / int(cells.shape[1]), _CELL[1])


def _cell_height(cells: Cells) -> float:
    return _CELL[0] if len(cells) == 1 else _TILE_CELL


def _paint_words(painter: QPainter, operand: Operand, row: QRectF, look: Look) -> None:
    """The name in the colour of its matrix, and at the right whether it is read, held or written."""
    theme = look.theme
    painter.setFont(theme.font("code"))
    painter.setPen(theme.matrix(operand.matrix)[0])
    painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, operand.name)
    painter.setFont(theme.font("label" if operand.now else "small"))
    painter.setPen(theme.now_text if operand.now else theme.t3)
    painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, look.text(operand.state))


def _paint_cells(painter: QPainter, operand: Operand, cells: Cells, area: QRectF, theme: Theme) -> None:
    """What is held is filled; what the step accesses has a violet outline; what is not known yet is dashed.

    Either all values are written or none: a cell left empty among others would look like one of no value.
    """
    strong, middle, tint = theme.matrix(operand.matrix)
    width, height = _cell_width(cells, area.width()), _cell_height(cells)
    painter.setFont(_digits(width, theme))
    metrics, written = QFontMetricsF(painter.font()), _has_room(cells, area.width(), theme)
    for row, lanes in enumerate(cells.tolist()):
        for lane, value in enumerate(lanes):
            cell = QRectF(area.left() + lane * width, area.top() + row * height, width - 2, height - 2)
            fill = tint if operand.now else middle
            painter.setPen(QPen(strong, 1, Qt.PenStyle.DashLine if math.isnan(value) else Qt.PenStyle.SolidLine))
            painter.setBrush(Qt.BrushStyle.NoBrush if math.isnan(value) else fill)
            painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5))
            if written and not math.isnan(value):
                painter.setPen(readable_on(fill, theme))
                painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, fitting_text(value, metrics, width - _inset(cells)))
    if operand.now:
        painter.setPen(QPen(theme.now, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(area.left() - 1, area.top() - 1, width * cells.shape[1], height * len(cells)))


_EDGE = 14.0
_TITLES = (message("Loop or value"), message("Now"), message("First"), message("Last"))


class LoopsView(StageView[Picture]):
    """Loops over tiles stand above a line."""

    title = CpuView.LOOPS.title

    def paint(self, painter: QPainter, picture: Picture) -> None:
        area = QRectF(self.rect()).adjusted(_EDGE, 6, -_EDGE, -6)
        bottom = paint_bars(painter, (*picture.frame.calls, *picture.frame.loops), area, self.look)
        painter.fillRect(QRectF(area.left(), bottom + 8, area.width(), 1), self.look.theme.line)
        paint_operands(painter, operands(picture.index, picture.frame), area.adjusted(0, bottom + 17 - area.top(), 0, 0), self.look)

    def rests(self, before: Picture, after: Picture) -> bool:
        moments = ((each.frame.step, each.frame.fraction >= LANDS_AT) for each in (before, after))
        return before.index is after.index and next(moments) == next(moments)

    def fact(self, picture: Picture) -> Message | None:
        outer = sum(loop.outer for loop in picture.frame.loops)
        inner = len(picture.frame.loops) - outer
        if picture.index.trace.chains:
            return message("call depth {count}", count=len(picture.frame.calls))
        if outer + inner == 1:
            return message("a single one")
        if not picture.index.tiled:
            return message("{count} of them, one in the other", count=outer + inner)
        return message("{outer} over tiles, {inner} inside a tile", outer=outer, inner=inner)

    def verdict(self, _picture: Picture) -> Verdict | None:
        return None

    def tip_at(self, _point: QPointF, _picture: Picture) -> Message | None:
        return None

    def table(self, picture: Picture) -> Table:
        loops = [
            (loop.name, "–" if loop.current is None else str(loop.current), str(loop.values[0]), str(loop.values[-1]))
            for loop in (*picture.frame.calls, *picture.frame.loops)
            if loop.values
        ]
        return Table(_TITLES, (*loops, *(_row(each) for each in operands(picture.index, picture.frame))))


def _row(operand: Operand) -> tuple[str, str, str, str]:
    values = [digits_text(float(value)) for value in operand.values.flat]
    return operand.name, values[0] if len(values) == 1 else "", values[0], values[-1]
