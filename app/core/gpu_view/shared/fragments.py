"""The operands of a matrix instruction as a picture: which lane holds which element, and in which register.

Follows from the instruction that was executed alone: its name says the shape, and that which element lies where.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import Table
from kernels.analysis.columns import Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.fragments import LaneMap
from kernels.simt.trace.trace import WARP

ALL = slice(None)


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbouring elements that a lane holds one after the other: `rows` x `columns` of them, from `row` and `column` on.

    Element number `first` of the lane, as the PTX manual counts them through its registers, is the first of them.
    """

    row: int
    column: int
    rows: int
    columns: int
    lane: int
    register: int
    first: int

    def names(self, registers: str) -> str:
        """What the PTX manual calls its elements, such as a2,3."""
        last = self.first + self.rows * self.columns - 1
        numbers = str(self.first) if last == self.first else f"{self.first}{',' if last == self.first + 1 and last < 10 else '–'}{last}"
        return f"{registers}{numbers}"


@dataclass(frozen=True, eq=False)
class Operand:
    """One matrix. `lane`, `register` and `number` are rows x columns: who holds an element, where, and as which of the lane's elements."""

    name: str
    letter: str
    """The matrix whose colour it has, "" for none."""
    registers: str
    """What the PTX manual calls its elements: a, b, c; "" where it gives them no names."""
    element: str
    """The element's PTX type."""
    lane: Ints
    register: Ints
    number: Ints
    row: int = 0
    """The first of its rows that is shown here: of D of a warpgroup each warp holds others."""
    left_out: int = 0
    """How many more columns it has, which lanes hold as they do those that are shown."""

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.lane.shape[0]), int(self.lane.shape[1])

    @cached_property
    def several_registers(self) -> tuple[int, ...]:
        """The registers of a lane that hold it; none where it is one alone, which its name says, as of a matrix of ldmatrix."""
        found = np.unique(self.register).tolist()
        return tuple(found) if len(found) > 1 else ()

    @cached_property
    def of_lanes(self) -> tuple[Piece, ...]:
        """All elements in pieces, row by row; neighbours of one lane are joined where its numbers go on."""
        return self._pieces(np.zeros_like(self.register))

    @cached_property
    def of_registers(self) -> tuple[Piece, ...]:
        """The same, joined only within a register."""
        return self._pieces(self.register)

    def _pieces(self, held: Ints) -> tuple[Piece, ...]:
        right, down = self._joined(held, 1).tolist(), self._joined(held, 0).T.tolist()
        lane, register, number = (each.tolist() for each in (self.lane, self.register, self.number))
        found = []
        for row, column in product(*map(range, self.shape)):
            if (column and right[row][column - 1]) or (row and down[column][row - 1]):
                continue
            width, height = 1 + _run(right[row][column:]), 1 + _run(down[column][row:])
            found.append(Piece(row, column, height, width, lane[row][column], register[row][column], number[row][column]))
        return tuple(found)

    def _joined(self, held: Ints, axis: int) -> npt.NDArray[np.bool_]:
        """For each element whether the next one along an axis is the same lane's next, in the same place."""
        same = (np.diff(self.lane, axis=axis) == 0) & (np.diff(held, axis=axis) == 0) & (np.diff(self.number, axis=axis) == 1)
        return np.asarray(same)

    def names_of(self, piece: Piece) -> tuple[str, ...]:
        """What the PTX manual calls the elements of a piece, one by one; where it gives them no names, the register of them all."""
        if not self.registers:
            return (self.name,)
        return tuple(f"{self.registers}{piece.first + each}" for each in range(piece.rows * piece.columns))

    @cached_property
    def longest_name(self) -> str:
        """Of the pieces that lanes hold."""
        return max((piece.names(self.registers) for piece in self.of_lanes), key=len, default="")

    def names_held(self, lane: int) -> str:
        """As the PTX manual calls all that a lane holds, such as a0–7, with a space behind it."""
        return f"{self.registers}0–{int((self.lane == lane).sum()) - 1} " if self.registers else ""

    def element_name(self, row: int, column: int) -> str:
        """As the PTX manual calls it, such as a3, with a space behind it."""
        return f"{self.registers}{int(self.number[row, column])} " if self.registers else ""


@dataclass(frozen=True, eq=False)
class FragmentsPicture:
    """Operands of one instruction of a step, of those that the step has."""

    instructions: tuple[str, ...]
    instruction: str
    operands: tuple[Operand, ...]
    first_lane: int
    """Of a warpgroup, that with which the warp begins that is shown."""
    lane: int | None
    """The selected one."""
    sentence: Message
    more: Message | None = None
    """What is said besides where there is room."""
    givers: tuple[tuple[tuple[int, int], ...], ...] = ()
    """For each operand and each row of it the lane that gives its address, and that, in bytes of shared memory; empty where none does."""


def operand_of(name: str, letter: str, registers: str, element: str, lanes: LaneMap) -> Operand:
    """A whole operand, as a map says."""
    return Operand(name, letter, registers, element, lanes.lane, lanes.register, lanes.register * lanes.parts + lanes.part)


def part_of(operand: Operand, name: str, rows: slice, columns: slice = ALL) -> Operand:
    """Some rows and columns of an operand, such as one matrix of ldmatrix or one warp's rows of wgmma."""
    lane, register, number = (each[rows, columns] for each in (operand.lane, operand.register, operand.number))
    return replace(operand, name=name, lane=lane, register=register, number=number)


def element_words(operand: Operand, row: int, column: int) -> Message:
    """Who holds an element: lane, number among its elements, and register."""
    lane, register = int(operand.lane[row, column]) % WARP, int(operand.register[row, column])
    if not operand.registers:
        return message("{matrix}, row {row}, column {column}: lane {lane}, register {register}", matrix=operand.name, row=row,
                       column=column, lane=lane, register=register)  # fmt: skip
    name = operand.element_name(row, column).strip()
    place = f"{operand.name}[{operand.row + row}][{column}]"
    return message("{place}: lane {lane}, element {name}, register {register}", place=place, lane=lane, name=name, register=register)


def given_row(picture: FragmentsPicture, lane: int) -> tuple[int, int] | None:
    """The operand and the row of it whose address a lane gives, by their numbers."""
    rows = ((number, row) for number, rows in enumerate(picture.givers) for row, (giver, _) in enumerate(rows) if giver == lane)
    return next(rows, None)


def lane_words(picture: FragmentsPicture, lane: int) -> Message:
    """All that a lane holds, and the row whose address it gives: to ldmatrix these are different rows."""
    held = "; ".join(f"{operand.name}: {_held(operand, lane)}" for operand in picture.operands if (operand.lane == lane).any())
    given = given_row(picture, lane)
    if given is None:
        return _go_on(picture, message("Lane {lane} holds {held}", lane=lane % WARP, held=held))
    matrix, row = picture.operands[given[0]].name, given[1]
    return message("Lane {lane} gives the address of {matrix}, row {row}. It holds {held}", lane=lane, matrix=matrix, row=row, held=held)


def lane_brief(picture: FragmentsPicture, lane: int) -> Message:
    """What the elements of a lane are called, and the rows and columns of each operand in which it holds them: all where these cross."""
    held = "; ".join(f"{each.name} {each.names_held(lane)}{_crossed(each, lane)}" for each in picture.operands if (each.lane == lane).any())
    said = message("Lane {lane} holds the elements where these rows and columns cross: {held}", lane=lane % WARP, held=held)
    return _go_on(picture, said)


def _go_on(picture: FragmentsPicture, said: Message) -> Message:
    """What is said of the columns that are shown, with those that are left out."""
    cut = next((each for each in picture.operands if each.left_out), None)
    if cut is None:
        return said
    return message("{said}, and so on in each 8 columns, to column {last}", said=said, last=cut.shape[1] + cut.left_out - 1)


def _crossed(operand: Operand, lane: int) -> str:
    row, column = np.nonzero(operand.lane == lane)
    rows, columns = (", ".join(map(str, np.unique(places).tolist())) for places in (operand.row + row, column))
    return f"[{rows}][{columns}]"


def fragments_table(picture: FragmentsPicture) -> Table:
    """A row for each lane and operand: which elements, in the order of its registers."""
    rows = [
        (str(lane % WARP), operand.name, _held(operand, lane))
        for lane in range(picture.first_lane, picture.first_lane + WARP) for operand in picture.operands if (operand.lane == lane).any()
    ]  # fmt: skip
    return Table((message("Lane"), message("Operand"), message("Elements, row and column")), tuple(rows))


def _held(operand: Operand, lane: int) -> str:
    """The elements of a lane in the order of their numbers."""
    row, column = np.nonzero(operand.lane == lane)
    order = np.argsort(operand.number[row, column])
    places = zip((operand.row + row[order]).tolist(), row[order].tolist(), column[order].tolist(), strict=True)
    return ", ".join(f"{operand.element_name(r, c)}[{whole}][{c}]" for whole, r, c in places)


def _run(joined: Iterable[bool]) -> int:
    """How many are joined, from the first on."""
    count = 0
    for each in joined:
        if not each:
            break
        count += 1
    return count
