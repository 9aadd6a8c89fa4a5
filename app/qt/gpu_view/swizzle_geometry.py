"""Geometry of the view of swizzles: two layouts side by side, the bits of an address below them."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF

from app.core.gpu_view.shared.shared_tiles import LINE
from app.core.gpu_view.shared.swizzle import Side, SwizzlePicture
from app.qt.gpu_view.drawing import sentence_height
from kernels.base.values import dataclass

MARGIN, GUTTER, GAP = 12.0, 42.0, 16.0
TITLE, AXIS, STRIP = 22.0, 14.0, 18.0
BIT_ROWS, BIT_ROW, MOST_BIT = 4, 20.0, 36.0
_TWO_FROM = 470.0
"""Width from which both layouts have room."""
_BITS_FROM = 300.0
"""Height from which the bits have."""
_LOWEST_ROW, _USUAL_ROW, _HIGHEST_ROW, _WIDEST_UNIT = 13.0, 18.0, 30.0, 92.0
_LEAST_ROW = 10.0
"""The height of a row where all lanes of the phase are thereby in sight."""
_FEW_ROWS = 16
"""Rows that are drawn low rather than left out."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutGrid:
    """Place of one layout: `rows` are the rows of banks that are drawn, from top to bottom."""

    side: Side
    area: QRectF
    rows: tuple[int, ...]
    unit: float
    row: float
    axis: float
    """The top of the banks' numbers."""

    def cell(self, row: int, unit: int) -> QRectF | None:
        """The place of a unit; None where its row is not drawn."""
        if row not in self.rows:
            return None
        return QRectF(self.area.left() + unit * self.unit, self.area.top() + self.rows.index(row) * self.row, self.unit, self.row)

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """Row of banks and unit under a point."""
        if not self.area.contains(point):
            return None
        offset = point - self.area.topLeft()
        return self.rows[min(int(offset.y() / self.row), len(self.rows) - 1)], int(offset.x() / self.unit)


@dataclass(frozen=True, slots=True, eq=False)
class SwizzleGeometry:
    """Geometry of the layouts. `grids` are one or two: where there is room for one alone, that is the layout in memory."""

    grids: tuple[LayoutGrid, ...]
    bits: QRectF | None
    bit: float
    """Width of a bit."""
    sentence: QRectF


def lay_out(width: float, height: float, picture: SwizzlePicture, below: float, *, brief: bool = False) -> SwizzleGeometry:
    """The places; `below` is room at the bottom that is somebody else's. `brief`: the sentence stands elsewhere."""
    sides = (picture.other, picture.own) if width >= _TWO_FROM else (picture.own,)
    sentence = 0.0 if brief else sentence_height(width)
    bottom = height - below - sentence - 4
    room = BIT_ROWS * BIT_ROW + 26 if height - below >= _BITS_FROM else 0.0
    each = (width - 2 * MARGIN - GAP * (len(sides) - 1)) / len(sides)
    units = LINE // picture.unit
    unit = math.floor(min((each - GUTTER) / units, _WIDEST_UNIT))
    top = 4 + TITLE + AXIS
    free = bottom - room - top - STRIP - 26
    count = max(len(side.line) for side in sides)
    asked = max(len({row for row, _ in side.lanes}) for side in sides)
    asked = asked if asked * _LEAST_ROW <= free else 0
    most = max(1, min(count, max(int(free / _USUAL_ROW), min(_FEW_ROWS, int(free / _LOWEST_ROW)), asked)))
    row = max(math.floor(min(free / most, _HIGHEST_ROW)), 6)
    grids = []
    for number, side in enumerate(sides):
        left = math.floor(MARGIN + number * (each + GAP)) + GUTTER
        rows = side.rows(most)
        grids.append(LayoutGrid(side, QRectF(left, top, unit * units, row * len(rows)), rows, unit, row, top - AXIS))
    bits = QRectF(MARGIN, math.floor(bottom - room), width - 2 * MARGIN, room) if room else None
    bit = math.floor(min(MOST_BIT, (width - 2 * MARGIN - 116) / picture.top))  # whole pixels: what is kept as a picture needs them
    return SwizzleGeometry(tuple(grids), bits, bit,
                           QRectF(MARGIN, bottom, width - 2 * MARGIN, sentence))  # fmt: skip
