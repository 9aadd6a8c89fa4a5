"""Layout of the arrays of a launch: crossed, side by side, or below each other; and the lenses in matrices whose tile is too small."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.core.cpu_view.tile_steps import Box
from app.core.gpu_view.arrays import ShownArray
from app.core.gpu_view.matrices import ArrayFrame, Matrices
from app.qt.matrix.cells import TILE_GAPS_FROM
from app.qt.matrix.geometry import EDGE, NAME, Layout, MatrixBox, factor_for, lay_out

LENS = 200.0
LENS_CELL = 8.0
SMALL_TILE = 12.0
"""A tile of fewer pixels is shown in a lens."""
CAPTION = 64.0
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


def lay_out_arrays(size: QSizeF, ratio: float, matrices: Matrices, others: Matrices | None = None) -> Layout:
    """Divide a canvas for the arrays of a launch. `others` are those of a launch that stands beside it, drawn to the same scale."""
    shapes = {array.name: array.shape for array in matrices.arrays}
    letters: dict[str, tuple[int, int]] = {name: shapes[name] for name in ("A", "B", "C") if name in shapes}
    if len(letters) < len(shapes) or not (matrices.crossed or matrices.mirrored):
        return _stacked(size, ratio, matrices.arrays)
    largest = {name: _largest(shape, name, others) for name, shape in letters.items()}
    turned = matrices.turned or (others is not None and others.turned)
    layout = lay_out(size, ratio, largest, loops=False, ticks=turned)
    return replace(layout, matrices={name: replace(place, shape=letters[name]) for name, place in layout.matrices.items()})


def _largest(shape: tuple[int, int], name: str, others: Matrices | None) -> tuple[int, int]:
    """A shape that has room for both launches' matrices of a name."""
    beside = [array.shape for array in others.arrays if array.name == name] if others is not None else []
    return max(shape[0], *(each[0] for each in beside), 0), max(shape[1], *(each[1] for each in beside), 0)


def _stacked(size: QSizeF, ratio: float, arrays: tuple[ShownArray, ...]) -> Layout:
    """One below the other, the caption above; each takes as much height as its rows ask for."""
    caption = QRectF(EDGE, EDGE, size.width() - 2 * EDGE, CAPTION)
    width = size.width() - 2 * EDGE
    height = max((size.height() - CAPTION - 2 * EDGE) / max(len(arrays), 1) - NAME, 8.0)
    places: dict[str, MatrixBox] = {}
    top = CAPTION + EDGE
    for array in arrays:
        exact = min(width / array.columns, height / array.rows, 32.0) * ratio
        cell, factor = (math.floor(exact) / ratio, 1) if exact >= 1 else (1 / ratio, factor_for(1 / max(exact, 1e-5)))
        origin = QPointF(round(EDGE * ratio) / ratio, round((top + NAME) * ratio) / ratio)
        places[array.name] = MatrixBox(origin, cell, factor, array.shape)
        top = places[array.name].area.bottom()
    return Layout(places, caption, None)


def lenses(layout: Layout, matrices: tuple[ArrayFrame, ...], ratio: float) -> Mapping[str, Lens]:
    """A lens for each matrix in which what is in use is smaller than can be seen."""
    found = {}
    for matrix in matrices:
        place = layout.matrices[matrix.name]
        focus = matrix.focus
        if place.cell < TILE_GAPS_FROM and focus is not None and max(focus.rows, focus.columns) / place.factor * place.cell < SMALL_TILE:
            lens = _lens(place, focus, ratio)
            if lens is not None:
                found[matrix.name] = lens
    return found


def _lens(place: MatrixBox, focus: Box, ratio: float) -> Lens | None:
    """Place a lens in the corner of the matrix that is farthest from what it shows; None where there is no room."""
    area, cell = place.area, math.floor(LENS_CELL * ratio) / ratio
    count = int(min(LENS, _LENS_SHARE * area.width(), _LENS_SHARE * area.height()) // cell)
    if count < _LENS_STEP:
        return None
    window = Box(_begin(focus.row, focus.rows, count, place.shape[0]), _begin(focus.column, focus.columns, count, place.shape[1]),
                 min(count, place.shape[0]), min(count, place.shape[1]))  # fmt: skip
    near = place.rect(focus).center()
    margin, side = round(10 * ratio) / ratio, QSizeF(window.columns * cell, window.rows * cell)
    left = area.left() + margin if near.x() > area.center().x() else area.right() - margin - side.width()
    top = area.top() + margin if near.y() > area.center().y() else area.bottom() - margin - side.height()
    origin = QPointF(round(left * ratio) / ratio, round(top * ratio) / ratio)
    return Lens(window, MatrixBox(origin, cell, 1, (window.rows, window.columns)))


def _begin(first: int, size: int, count: int, end: int) -> int:
    """Where a window of `count` begins so that `size` elements from `first` are in it, in steps, so that it seldom moves."""
    begin = first - max(count - size, 0) // 2
    if size < count - _LENS_STEP:
        begin = begin // _LENS_STEP * _LENS_STEP
    return max(0, min(begin, end - count))
