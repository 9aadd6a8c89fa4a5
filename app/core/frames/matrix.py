"""Picture of matrices at a step, as a value: all that its painter needs, whichever kind of kernel it is of."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import Tick
from kernels.base.messages import Message
from kernels.base.values import dataclass

LANDS_AT = 0.7
"""The fraction of a step at which its data have travelled and its writes are seen."""
OUTPUT = "C"
Roles = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float32]


class Box(NamedTuple):
    """A rectangle of elements by its upper left corner and its size."""

    row: int
    column: int
    rows: int
    columns: int


class Role(IntEnum):
    """Role of an element at a step, in ascending importance: where many elements share one pixel, the greatest wins."""

    ABSENT = 0
    """A place of the grid without an element: the last row of an array that is wrapped is shorter."""
    IDLE = 1
    EMPTY = 2
    """An element of the output that has not been written."""
    BAND = 3
    """An input element that serves the current output tile at some time."""
    PARTIAL = 4
    """An element of the output that has been written and will be written again."""
    DONE = 5
    """An element of the output with its last value."""
    TILE = 6
    """An element of the current input tile."""
    TOUCHED = 7
    """An element that this tile step has read or written already."""
    READ = 8
    WRITE = 9


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Roles of cells. `ground` is the same as long as `key` is. Later `changes` lie over earlier ones; cells are counted row-major."""

    key: Hashable
    ground: Roles
    changes: tuple[tuple[npt.NDArray[np.int64], Role], ...] = ()

    def roles(self) -> Roles:
        """Roles of all cells, in one grid."""
        grid = self.ground.copy()
        for cells, role in self.changes:
            grid.reshape(-1)[cells] = role
        return grid


class Cells(Protocol):
    """Elements of one matrix at a moment, asked for window by window."""

    def layers(self, window: Box, factor: int) -> Layers:
        """The roles in a window in which a cell stands for `factor` x `factor` elements: the most important one's."""

    def values(self, window: Box) -> Values:
        """The values in a window; NaN where there is none, or none that one number could tell."""


@dataclass(frozen=True, slots=True, eq=False)
class GridCells:
    """Cells of a matrix of which role and value of every element are known. `key` is another one where the roles are others."""

    key: Hashable
    roles: Roles
    known: Values

    def layers(self, window: Box, factor: int) -> Layers:
        part = self.roles[_inside(window)]
        return Layers((self.key, window, factor), part if factor == 1 else aggregate(part, factor))

    def values(self, window: Box) -> Values:
        return self.known[_inside(window)]


def _inside(box: Box) -> tuple[slice, slice]:
    return slice(box.row, box.row + box.rows), slice(box.column, box.column + box.columns)


def aggregate(roles: Roles, factor: int) -> Roles:
    """Merge each `factor` x `factor` elements into one with the greatest of their roles; incomplete blocks at the edges count too."""
    rows, columns = (-(-size // factor) for size in roles.shape)
    padded = np.zeros((rows * factor, columns * factor), np.uint8)
    padded[: roles.shape[0], : roles.shape[1]] = roles
    result: Roles = padded.reshape(rows, factor, columns, factor).max(axis=(1, 3))
    return result


@dataclass(frozen=True, slots=True, eq=False)
class MatrixFrame:
    """One matrix in a picture. `name` is that of its place and colour, `title` what is written above it.

    `tile` is what the tile step works on, `ahead` what is read for a later one; `focus` is what to look at closely. `boxes` are what the
    step touches, or whose values it takes from shared memory; `held` is what an earlier step took and this one uses; `lit` is what belongs
    to the selection. `ticks` are for rows and for columns, `gaps` the rows and columns before which one tile ends and another begins.
    """

    name: str
    title: str
    shape: tuple[int, int]
    cells: Cells
    tile: Box | None = None
    ahead: Box | None = None
    focus: Box | None = None
    boxes: tuple[Box, ...] = ()
    held: tuple[Box, ...] = ()
    lit: tuple[Box, ...] = ()
    wrong: tuple[Box, ...] = ()
    """Elements that hold a wrong value, in a schedule that breaks a race."""
    old: tuple[tuple[Box, Message], ...] = ()
    """Elements of which the step reads an old value, drawn in the place of what memory holds, and what their tag says."""
    ticks: tuple[tuple[Tick, ...], tuple[Tick, ...]] = ((), ())
    gaps: tuple[Sequence[int], Sequence[int]] = ((), ())
    moves: bool = True
    """Whether what the step touches goes as a whole, so that it can be seen under way."""
    extent: Message | None = None
    """How large it is, of what is no matrix."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Two counts drawn to one scale: what there would be without reuse, and what there is; `words` conclude from them."""

    label: Message
    bars: tuple[tuple[Message, int], tuple[Message, int]]
    words: Message


@dataclass(frozen=True)
class Arrangement:
    """Arrangement of the matrices of a kernel, the same at all of its steps: their shapes by name, and which labels need room.

    Of a product, B stands above C and A left of it. `turned`: A stands there transposed, its rows run along k. `row_ticks`: A has ticks
    at its left.
    """

    shapes: tuple[tuple[str, tuple[int, int]], ...]
    turned: bool = False
    row_ticks: bool = True

    @cached_property
    def crossed(self) -> bool:
        """Whether there are operands and result of a product."""
        return {"A", "B", OUTPUT} <= dict(self.shapes).keys()

    @cached_property
    def mirrored(self) -> bool:
        """Whether there are an input and an output, and no second input."""
        return {"A", OUTPUT} <= dict(self.shapes).keys() and not self.crossed


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPicture:
    """Matrices while a step is under way, of which `fraction` is done.

    `target` is the rectangle of C that the step's data go to, `pending`: written by a later step only. `route` says between which memories
    values move, `to_shared`: out of the picture, to where shared memory is drawn. `added` are the tile steps added to the tile of C, and
    how many there will be.
    """

    arrangement: Arrangement
    matrices: tuple[MatrixFrame, ...]
    fraction: float
    target: Box | None
    pending: bool
    added: tuple[int, int]
    meter: Meter | None = None
    route: Message | None = None
    to_shared: bool = False

    def matrix(self, name: str) -> MatrixFrame:
        return next(matrix for matrix in self.matrices if matrix.name == name)
