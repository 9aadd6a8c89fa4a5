"""Geometry of the view of fragments: the lanes above, the operands in the arrangement in which their elements are largest."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from app.core.gpu_view.shared.fragments import FragmentsPicture, Operand, Piece
from app.qt.gpu_view.drawing import sentence_height
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

MARGIN, GAP, TITLE, AXIS, INDEX = 12.0, 18.0, 20.0, 13.0, 22.0
LANES, NAMES = 24.0, 24.0
GIVERS = (200.0, 112.0, 36.0)
"""Widths of what stands before a row whose address a lane gives: lane, address and bank, the first two, or the lane alone. The largest
address of shared memory has six digits."""
_MOST_CELL, _GOOD_CELL = 54.0, 20.0
"""The largest cell; one that is large enough to leave room for more words."""
_SWITCH_FROM = 340.0
"""Width of a view with room for what colours stand for, behind the lanes."""
_SENTENCE_FROM = 300.0
"""Height of a view with room for a sentence."""
_ARRANGEMENTS: dict[int, tuple[tuple[tuple[int | None, ...], ...], ...]] = {
    1: (((0,),),),
    2: (((0, 1),), ((0,), (1,))),
    3: (((0, 1, 2),), ((None, 1), (0, 2))),
    4: (((0, 1, 2, 3),), ((0, 1), (2, 3))),
}
"""By how many operands there are, which stand beside and which below each other. Of a product the second way is that in which each row of A
meets each column of B in C."""


@dataclass(frozen=True, slots=True, eq=False)
class OperandPlace:
    """Place where an operand is drawn; `cell` is the side of an element."""

    operand: Operand
    corner: QPointF
    cell: float

    @property
    def area(self) -> QRectF:
        rows, columns = self.operand.shape
        return QRectF(self.corner.x(), self.corner.y(), columns * self.cell, rows * self.cell)

    def piece(self, piece: Piece) -> QRectF:
        """The place of some elements."""
        return self.rect(piece.row, piece.column, piece.rows, piece.columns)

    def rect(self, row: int, column: int, rows: int = 1, columns: int = 1) -> QRectF:
        """The place of some elements, from the first of them."""
        return QRectF(self.corner.x() + column * self.cell, self.corner.y() + row * self.cell, columns * self.cell, rows * self.cell)

    def before_row(self, row: int, wide: float) -> QRectF:
        """The room before a row, so wide with its edge."""
        at = self.rect(row, 0)
        return QRectF(at.left() - wide, at.top(), wide - 6, at.height())

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column under a point."""
        if not self.area.contains(point):
            return None
        rows, columns = self.operand.shape
        offset = point - self.corner
        return min(int(offset.y() / self.cell), rows - 1), min(int(offset.x() / self.cell), columns - 1)


@dataclass(frozen=True, slots=True, eq=False)
class FragmentsGeometry:
    """Everything's place."""

    before: float
    """Room before each operand's rows."""
    lanes: QRectF
    switch: QRectF
    """Of the words that say what colours stand for; empty where there is no room."""
    names: QRectF | None
    """Of the instructions' names; None where there is one alone, which the header says."""
    operands: tuple[OperandPlace, ...]
    sentence: QRectF

    def lane(self, number: int) -> QRectF:
        """The place of a lane, of the 32."""
        width = self.lanes.width() / WARP
        return QRectF(self.lanes.left() + number * width, self.lanes.top(), width, self.lanes.height())

    def lane_at(self, point: QPointF) -> int | None:
        """The lane under a point."""
        return int((point.x() - self.lanes.left()) / self.lanes.width() * WARP) if self.lanes.contains(point) else None


def lay_out(
    width: float, height: float, picture: FragmentsPicture, label: float, switch: float, *, brief: bool = False
) -> FragmentsGeometry:  # fmt: skip
    """The places. `label` is the width of the word before the lanes, `switch` that of the words behind them. `brief`: the instruction and
    the sentence stand elsewhere."""
    switch = switch if width >= _SWITCH_FROM else 0.0
    lanes = QRectF(MARGIN + label, 8, width - 2 * MARGIN - label - switch - 10, LANES - 4)
    names = QRectF(MARGIN, 8 + LANES, width - 2 * MARGIN, NAMES) if len(picture.instructions) > 1 and not brief else None
    below = 0.0 if brief or height < _SENTENCE_FROM else sentence_height(width)
    top = 12 + LANES + (NAMES if names is not None else 0)
    room = QRectF(MARGIN, top, width - 2 * MARGIN, height - top - below - 8)
    best, before = _largest(room, picture.operands, INDEX), INDEX
    for wide in GIVERS if picture.givers else ():
        best, before = _largest(room, picture.operands, wide), wide
        if best[0].cell >= _GOOD_CELL:
            break
    sentence = QRectF(MARGIN, height - below - 4, width - 2 * MARGIN, below)
    words = QRectF(lanes.right() + 10, lanes.top(), switch, lanes.height())
    return FragmentsGeometry(before, lanes, words, names, best, sentence)


def _largest(room: QRectF, operands: Sequence[Operand], before: float) -> tuple[OperandPlace, ...]:
    """The operands in the arrangement in which their cells are largest."""
    ways = (_places(room, operands, way, before) for way in _ARRANGEMENTS[len(operands)])
    return max(ways, key=lambda places: places[0].cell)


def _places(room: QRectF, operands: Sequence[Operand], way: Sequence[Sequence[int | None]], before: float) -> tuple[OperandPlace, ...]:
    """The operands in one arrangement, each cell as large as there is room for, with `before` each of them for what stands at its rows."""
    wide = [max(_size(operands, row[column], 1) for row in way) for column in range(len(way[0]))]
    tall = [max(_size(operands, each, 0) for each in row) for row in way]
    across = room.width() - len(wide) * before - (len(wide) - 1) * GAP
    down = room.height() - len(tall) * (TITLE + AXIS) - (len(tall) - 1) * 6
    cell = min(across / sum(wide), down / sum(tall), _MOST_CELL)
    cell = float(math.floor(cell)) if cell >= 8 else max(cell, 2.0)
    used = len(wide) * before + (len(wide) - 1) * GAP + cell * sum(wide)
    places, top = [], room.top()
    for row, rows in zip(way, tall, strict=True):
        left = room.left() + max(0.0, (room.width() - used) / 2)
        for number, columns in zip(row, wide, strict=True):
            if number is not None:
                lower = (rows - operands[number].shape[0]) * cell if len(way) > 1 and row is way[0] else 0.0
                places.append(OperandPlace(operands[number], QPointF(left + before, top + TITLE + AXIS + lower), cell))
            left += before + columns * cell + GAP
        top += TITLE + AXIS + rows * cell + 6
    return tuple(sorted(places, key=lambda each: operands.index(each.operand)))


def _size(operands: Sequence[Operand], number: int | None, axis: int) -> int:
    return 0 if number is None else operands[number].shape[axis]
