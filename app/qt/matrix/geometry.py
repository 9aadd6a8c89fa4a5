"""Geometry of the canvas: where the matrices, the caption and the loops stand. Cells are whole device pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.core.cpu_view.tile_steps import Box

EDGE = 14.0
ROW_TICKS = 50.0
COLUMN_TICKS = 26.0
NAME = 28.0
GAP = 32.0
CAPTION = 92.0
LOOPS_HEIGHT = 150.0
LOOPS_WIDTH = (236.0, 300.0)
"""The least and the greatest width of the loops beside the matrices."""


@dataclass(frozen=True, slots=True)
class MatrixBox:
    """Place of a matrix on the canvas: its upper left corner, the size of a cell, and how many elements a cell stands for in each
    direction.
    """

    origin: QPointF
    cell: float
    factor: int
    shape: tuple[int, int]

    @property
    def area(self) -> QRectF:
        return self.rect(Box(0, 0, *self.shape))

    def rect(self, box: Box) -> QRectF:
        """The rectangle that these elements take, at least one cell."""
        left, top = box.column // self.factor, box.row // self.factor
        right, bottom = -(-(box.column + box.columns) // self.factor), -(-(box.row + box.rows) // self.factor)
        corner = self.origin + QPointF(left * self.cell, top * self.cell)
        return QRectF(corner, QSizeF((right - left) * self.cell, (bottom - top) * self.cell))

    def element_at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column of the element under a point; None outside, and where a cell stands for several."""
        row = math.floor((point.y() - self.origin.y()) / self.cell)
        column = math.floor((point.x() - self.origin.x()) / self.cell)
        inside = 0 <= row < self.shape[0] and 0 <= column < self.shape[1] and self.factor == 1
        return (row, column) if inside else None


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of the canvas: matrices by name, the corner for the caption, and where the loops are drawn, if beside."""

    matrices: Mapping[str, MatrixBox]
    corner: QRectF
    loops: QRectF | None

    @property
    def turn(self) -> float:
        """The x at which a path from A to C turns: in the gap between them."""
        a, c = self.matrices["A"].area, self.matrices["C"].area
        return a.right() + min(GAP, c.left() - a.right()) / 2


def lay_out(size: QSizeF, ratio: float, shapes: Mapping[str, tuple[int, int]], *, loops: bool = True, ticks: bool = True) -> Layout:
    """Divide a canvas of `size` (device-independent) whose pixels are `ratio` device pixels; `loops` asks for a place for them, `ticks`
    for labels left of A."""
    if len(shapes) == 3:
        return _crossed(size, ratio, shapes, loops=loops, ticks=ticks)
    return _side_by_side(size, ratio, shapes, loops=loops)


def _crossed(size: QSizeF, ratio: float, shapes: Mapping[str, tuple[int, int]], *, loops: bool, ticks: bool) -> Layout:
    """B above C and A left of C, so that a tile's row of A and its column of B meet at the tile of C. A may stand there turned."""
    k, n = shapes["B"]
    m, width = max(shapes["A"][0], shapes["C"][0]), shapes["A"][1]
    labels = ROW_TICKS if ticks else 0.0
    fixed = QSizeF(2 * EDGE + labels + GAP, 2 * NAME + COLUMN_TICKS + EDGE)
    cell, factor = _cell(size - fixed, width + n, k + m, ratio)
    beside_c, inner, across, down = (cell * -(-count // factor) for count in (width, k, n, m))
    left, beside = _across(size.width(), fixed.width() + beside_c + across, loops=loops)
    top = _snap((size.height() - fixed.height() - inner - down) / 2 + NAME, ratio)
    x_a = _snap(left + EDGE + labels, ratio)
    x_c, y_c = _snap(x_a + beside_c + GAP, ratio), _snap(top + inner + NAME, ratio)
    places = {
        "A": MatrixBox(QPointF(x_a, y_c), cell, factor, shapes["A"]),
        "B": MatrixBox(QPointF(x_c, top), cell, factor, shapes["B"]),
        "C": MatrixBox(QPointF(x_c, y_c), cell, factor, shapes["C"]),
    }
    corner = QRectF(left + EDGE, top, x_c - ROW_TICKS - 6 - left - EDGE, inner - 4)
    return Layout(places, corner, None if beside is None else QRectF(beside[0], top, beside[1], y_c + down - top))


def _side_by_side(size: QSizeF, ratio: float, shapes: Mapping[str, tuple[int, int]], *, loops: bool) -> Layout:
    """The input left, the output right, the caption above both, the loops beside them or below."""
    m, n = shapes["A"]
    fixed = QSizeF(2 * EDGE + 2 * ROW_TICKS + NAME, CAPTION + NAME + COLUMN_TICKS + EDGE)
    cell, factor = _cell(size - fixed, m + n, max(m, n), ratio)
    across, turned, down = (cell * -(-count // factor) for count in (n, m, max(m, n)))
    left, beside = _across(size.width(), fixed.width() + across + turned, loops=loops)
    spare = size.height() - fixed.height() - down
    below = loops and beside is None and spare >= LOOPS_HEIGHT
    top = _snap((spare - (LOOPS_HEIGHT if below else 0.0)) / 2 + CAPTION + NAME, ratio)
    x_a = _snap(left + EDGE + ROW_TICKS, ratio)
    places = {
        "A": MatrixBox(QPointF(x_a, top), cell, factor, shapes["A"]),
        "C": MatrixBox(QPointF(_snap(x_a + across + NAME + ROW_TICKS, ratio), top), cell, factor, shapes["C"]),
    }
    corner = QRectF(x_a, top - NAME - CAPTION + EDGE, fixed.width() - ROW_TICKS + across + turned - EDGE, CAPTION - EDGE)
    place = None if beside is None else QRectF(beside[0], top, beside[1], down)
    if below:
        place = QRectF(x_a, top + down + COLUMN_TICKS + EDGE, min(LOOPS_WIDTH[1], across), LOOPS_HEIGHT - EDGE)
    return Layout(places, corner, place)


def _across(width: float, content: float, *, loops: bool) -> tuple[float, tuple[float, float] | None]:
    """Where the matrices begin, so that all is centred; and where the loops beside them begin and how wide they are, if there is room."""
    spare = width - content - GAP
    if not loops or spare < LOOPS_WIDTH[0]:
        return max(0.0, (width - content) / 2), None
    width_of_loops = min(spare - EDGE, LOOPS_WIDTH[1])
    left = (spare - width_of_loops) / 2
    return left, (left + content + GAP / 2, width_of_loops)


def _cell(room: QSizeF, columns: int, rows: int, ratio: float) -> tuple[float, int]:
    """The greatest cell of whole device pixels, or one pixel for several elements where there are more elements than pixels."""
    exact = min(room.width() / columns, room.height() / rows) * ratio
    if exact >= 1:
        return math.floor(exact) / ratio, 1
    return 1 / ratio, factor_for(1 / max(exact, 1e-5))


def factor_for(least: float) -> int:
    """A round number of elements for a pixel: 1, 2, 3, 4, 5, 6, 8, 10, 12, 16 and so on."""
    exponent = max(0, math.ceil(math.log2(max(least, 1.0))) - 3)
    return math.ceil(least / (1 << exponent)) << exponent


def _snap(position: float, ratio: float) -> float:
    return round(position * ratio) / ratio
