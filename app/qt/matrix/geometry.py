"""Geometry of the canvas: where matrices, caption and loops stand, and the lens in a matrix whose tile is too small to be seen.

Cells are whole device pixels, but for small ones: these have all the room that there is, of which rounding down would take up to a half.
So have those that stand for several elements, where rounding would take more than a fifth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.core.frames.matrix import Arrangement, Box, MatrixFrame
from kernels.base.values import dataclass

EDGE = 14.0
ROW_TICKS = 50.0
COLUMN_TICKS = 26.0
NAME = 28.0
GAP = 32.0
CAPTION = 92.0
STACKED_CAPTION = 64.0
"""Heights of the caption above two matrices side by side, and above any number of them below each other."""
NAME_DISTANCE = 12.0
"""Pixels between the end of a matrix's name and the next one."""
TILE_GAPS_FROM, GAPS_FROM = 3.0, 10.0
"""Pixels of a cell from which the gaps between tiles can be seen, and those between elements."""
_WORTH_SCALING = 1.25
"""Device pixels of a cell for several elements from which the room is worth an image that is scaled in each frame."""
_BELOW = 20.0
"""Below the last of them: where it is said between which memories values go."""
_WORTH_A_ROW = 1.5
"""How much larger arrays are drawn that stand side by side rather than below each other."""
LOOPS_HEIGHT = 150.0
_BEFORE_LOOPS = 6.0
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
    """Layout of a canvas of `size` whose pixels are `ratio` device pixels: matrices by name, the corner for the caption, and where the
    loops are drawn, if beside.
    """

    size: QSizeF
    ratio: float
    matrices: Mapping[str, MatrixBox]
    corner: QRectF
    loops: QRectF | None

    def next_to(self, name: str) -> float:
        """Where the next matrix begins at the right of one, with its upper edge as high; where none does, as far beyond the canvas that a
        name, which keeps its distance, ends within it."""
        own = self.matrices[name].origin
        others = (each.origin for each in self.matrices.values() if each.origin.y() == own.y())
        return min((each.x() for each in others if each.x() > own.x()), default=self.size.width() + NAME_DISTANCE - 2)

    def room_of_name(self, name: str) -> float:
        """Where the row above a matrix ends, in which its name stands: at the next matrix, or at loops that stand beside it."""
        own, loops = self.matrices[name], self.loops
        beside = loops is not None and loops.left() > own.area.left() and loops.top() < own.origin.y() <= loops.bottom()
        return min(self.next_to(name), loops.left() - _BEFORE_LOOPS) if loops is not None and beside else self.next_to(name)

    @property
    def turn(self) -> float:
        """The x at which a path from A to C turns: in the gap between them."""
        a, c = self.matrices["A"].area, self.matrices["C"].area
        return a.right() + min(GAP, c.left() - a.right()) / 2


def lay_out(size: QSizeF, ratio: float, arrangement: Arrangement, beside: Arrangement | None = None, *, loops: bool = False) -> Layout:
    """Divide a canvas of `size` (device-independent) whose pixels are `ratio` device pixels.

    `beside` is what stands beside it, drawn to the same scale; `loops` asks for a place for them. Matrices that are no operands stand one
    below the other, or in rows.
    """
    shapes = dict(arrangement.shapes)
    if not shapes.keys() <= {"A", "B", "C"} or not (arrangement.crossed or arrangement.mirrored):
        return _stacked(size, ratio, shapes)
    others = {} if beside is None else dict(beside.shapes)
    room = {name: _larger(shape, others.get(name, shape)) for name, shape in shapes.items()}
    if arrangement.crossed:
        ticks = arrangement.row_ticks or (beside is not None and beside.row_ticks)
        layout = _crossed(size, ratio, room, loops=loops, ticks=ticks)
    else:
        layout = _side_by_side(size, ratio, room, loops=loops)
    return replace(layout, matrices={name: replace(place, shape=shapes[name]) for name, place in layout.matrices.items()})


def _larger(shape: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return max(shape[0], other[0]), max(shape[1], other[1])


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
    return Layout(size, ratio, places, corner, None if beside is None else QRectF(beside[0], top, beside[1], y_c + down - top))


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
    return Layout(size, ratio, places, corner, place)


def _stacked(size: QSizeF, ratio: float, shapes: Mapping[str, tuple[int, int]]) -> Layout:
    """One below the other, the caption above; each takes as much height as its rows ask for. Side by side where that shows them larger."""
    caption = QRectF(EDGE, EDGE, size.width() - 2 * EDGE, STACKED_CAPTION)
    across = _beside_each_other(size, shapes)
    room = _room_of_one(size, len(shapes), across)
    places: dict[str, MatrixBox] = {}
    top = STACKED_CAPTION + EDGE
    for number, (name, (rows, columns)) in enumerate(shapes.items()):
        cell, factor = _whole(min(room.width() / columns, room.height() / rows, 32.0), ratio)
        left = EDGE + number % across * (room.width() + GAP)
        if number and number % across == 0:
            top = max(place.area.bottom() for place in places.values())
        places[name] = MatrixBox(QPointF(_snap(left, ratio), _snap(top + NAME, ratio)), cell, factor, (rows, columns))
    return Layout(size, ratio, places, caption, None)


def _beside_each_other(size: QSizeF, shapes: Mapping[str, tuple[int, int]]) -> int:
    """How many arrays stand in a row: as few as show the smallest of them as large, or nearly so."""

    def least(across: int) -> float:
        room = _room_of_one(size, len(shapes), across)
        return min((min(room.width() / columns, room.height() / rows, 32.0) for rows, columns in shapes.values()), default=0.0)

    across = 1
    for more in range(2, len(shapes) + 1):
        across = more if least(more) >= _WORTH_A_ROW * least(across) else across
    return across


def _room_of_one(size: QSizeF, count: int, across: int) -> QSizeF:
    """The room of an array with `across` of them in a row."""
    width = (size.width() - 2 * EDGE - (across - 1) * GAP) / across
    lines = max(-(-count // across), 1)
    return QSizeF(max(width, 8.0), max((size.height() - STACKED_CAPTION - 2 * EDGE - _BELOW) / lines - NAME, 8.0))


def _across(width: float, content: float, *, loops: bool) -> tuple[float, tuple[float, float] | None]:
    """Where the matrices begin, so that all is centred; and where the loops beside them begin and how wide they are, if there is room."""
    spare = width - content - GAP
    if not loops or spare < LOOPS_WIDTH[0]:
        return max(0.0, (width - content) / 2), None
    width_of_loops = min(spare - EDGE, LOOPS_WIDTH[1])
    left = (spare - width_of_loops) / 2
    return left, (left + content + GAP / 2, width_of_loops)


def _cell(room: QSizeF, columns: int, rows: int, ratio: float) -> tuple[float, int]:
    cell = min(room.width() / columns, room.height() / rows)
    return (cell, 1) if 1 / ratio <= cell < GAPS_FROM else _whole(cell, ratio)


def _whole(cell: float, ratio: float) -> tuple[float, int]:
    """The greatest cell of whole device pixels; where there are more elements than pixels, one of one to two pixels for several of them."""
    exact = cell * ratio
    if exact >= 1:
        return math.floor(exact) / ratio, 1
    factor = factor_for(1 / max(exact, 1e-5))
    side = exact * factor
    return (side if side >= _WORTH_SCALING else 1.0) / ratio, factor


def factor_for(least: float) -> int:
    """A round number of elements for a cell: 1, 2, 3, 4, 5, 6, 8, 10, 12, 16 and so on."""
    exponent = max(0, math.ceil(math.log2(max(least, 1.0))) - 3)
    return math.ceil(least / (1 << exponent)) << exponent


def _snap(position: float, ratio: float) -> float:
    return round(position * ratio) / ratio


LENS = 200.0
LENS_CELL = 8.0
SMALL_TILE = 12.0
"""A tile of fewer pixels is shown in a lens."""
_LENS_SHARE = 0.6
_LENS_STEP = 8


@dataclass(frozen=True, slots=True)
class Lens:
    """A window of an array, and where it is drawn large."""

    window: Box
    place: MatrixBox

    def rect(self, box: Box) -> QRectF:
        """The part of a rectangle of elements that is in the window; empty where none is."""
        return self.place.rect(Box(box.row - self.window.row, box.column - self.window.column, box.rows, box.columns)).intersected(
            self.place.area
        )


def lenses(layout: Layout, matrices: tuple[MatrixFrame, ...]) -> dict[str, Lens]:
    """A lens for each matrix in which what is in use is smaller than can be seen."""
    found = {}
    for matrix in matrices:
        place = layout.matrices[matrix.name]
        focus = matrix.focus
        if place.cell < TILE_GAPS_FROM and focus is not None and max(focus.rows, focus.columns) / place.factor * place.cell < SMALL_TILE:
            lens = _lens(place, focus, layout.ratio)
            if lens is not None:
                found[matrix.name] = lens
    return found


def element_at(point: QPointF, layout: Layout, close: Mapping[str, Lens]) -> tuple[str, int, int] | None:
    """Name, row and column of the element under a point, of a lens where one is there; None where no single element is."""
    for name, place in layout.matrices.items():
        lens = close.get(name)
        inside = lens is not None and lens.place.area.contains(point)
        found = lens.place.element_at(point) if lens is not None and inside else place.element_at(point)
        if found is not None:
            return (name, found[0] + lens.window.row, found[1] + lens.window.column) if lens is not None and inside else (name, *found)
    return None


def _lens(place: MatrixBox, focus: Box, ratio: float) -> Lens | None:
    """Place a lens in the corner of the matrix that is farthest from what it shows; None where there is no room."""
    area, cell = place.area, math.floor(LENS_CELL * ratio) / ratio
    count = int(min(LENS, _LENS_SHARE * area.width(), _LENS_SHARE * area.height()) // cell)
    if count < _LENS_STEP:
        return None
    window = Box(_begin(focus.row, focus.rows, count, place.shape[0]), _begin(focus.column, focus.columns, count, place.shape[1]),
                 min(count, place.shape[0]), min(count, place.shape[1]))  # fmt: skip
    near = place.rect(focus).center()
    margin, side = _snap(10, ratio), QSizeF(window.columns * cell, window.rows * cell)
    left = area.left() + margin if near.x() > area.center().x() else area.right() - margin - side.width()
    top = area.top() + margin if near.y() > area.center().y() else area.bottom() - margin - side.height()
    origin = QPointF(_snap(left, ratio), _snap(top, ratio))
    return Lens(window, MatrixBox(origin, cell, 1, (window.rows, window.columns)))


def _begin(first: int, size: int, count: int, end: int) -> int:
    """Where a window of `count` begins so that `size` elements from `first` are in it, in steps, so that it seldom moves."""
    begin = first - max(count - size, 0) // 2
    if size < count - _LENS_STEP:
        begin = begin // _LENS_STEP * _LENS_STEP
    return max(0, min(begin, end - count))
