"""Which lane and register holds which element of an operand of a matrix instruction (mma.sync, wgmma, ldmatrix, stmatrix).

A quad of lanes (4 q .. 4 q + 3) holds row q of 8 neighbouring rows, each lane as many neighbours in it as a register has room for. What
lies 8 rows below, then what lies further to the right, is held by further registers. This one rule gives every operand of the PTX manual:
B is the same with rows and columns exchanged, an accumulator has pairs of neighbours, each warp of a warpgroup holds 16 rows.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass

LANES = 32
QUAD = 4
GROUP_ROWS = 8
"""Rows that the quads of a warp hold at a time."""
REGISTER_BITS = 32
WARPGROUP_WARPS = 4
WARP_ROWS = 16
"""Rows of each warp in wgmma."""
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8, "f64": 64}
"""Bits that an element of A and B takes in a register, by its PTX type."""
MMA_SHAPES = {
    "f16": ((16, 8, 8), (16, 8, 16)),
    "bf16": ((16, 8, 8), (16, 8, 16)),
    "tf32": ((16, 8, 4), (16, 8, 8)),
    "s8": ((16, 8, 16), (16, 8, 32)),
    "u8": ((16, 8, 16), (16, 8, 32)),
    "f64": ((8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)),
}
"""(m, n, k) of mma.sync, by the PTX type of A and B."""

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class LaneMap:
    """Map between the elements of an operand, `rows` x `columns`, and the registers of its lanes.

    `row` and `column` say of each lane, register and part of that register (least significant first) which element it holds; `lane`,
    `register` and `part` say of each element where it is. Registers have 32 bits; those of f64 operands have 64.
    """

    bits: int
    """Width of an element."""
    row: Ints
    column: Ints
    """lanes x registers x parts."""
    lane: Ints
    register: Ints
    part: Ints
    """rows x columns."""

    @property
    def lanes(self) -> int:
        """32, or 128 in a warpgroup."""
        return int(self.row.shape[0])

    @property
    def registers(self) -> int:
        """Registers of one lane."""
        return int(self.row.shape[1])

    @property
    def parts(self) -> int:
        """Elements in one register."""
        return int(self.row.shape[2])

    @property
    def rows(self) -> int:
        """Rows of the operand."""
        return int(self.lane.shape[0])

    @property
    def columns(self) -> int:
        """Columns of the operand."""
        return int(self.lane.shape[1])

    def elements(self, registers: Bits) -> Bits:
        """The elements' bits, ... x rows x columns, from registers, ... x lanes x registers, as unsigned integers."""
        parts = np.ascontiguousarray(registers).view(f"u{self.bits // 8}")
        flat = parts.reshape(*registers.shape[:-2], -1)
        return flat[..., (self.lane * self.registers + self.register) * self.parts + self.part]

    def pack(self, elements: Bits) -> Bits:
        """Registers, ... x lanes x registers, from the elements' bits, ... x rows x columns, as unsigned integers: undoes `elements`."""
        flat = np.ascontiguousarray(elements).view(f"u{self.bits // 8}").reshape(*elements.shape[:-2], -1)
        parts = np.ascontiguousarray(flat[..., self.row * self.columns + self.column])
        return parts.reshape(*parts.shape[:-2], -1).view(f"u{self.bits * self.parts // 8}")


@cache
def mma_maps(m: int, n: int, k: int, kind: str, accumulator_bits: int = 32) -> tuple[LaneMap, LaneMap, LaneMap]:
    """A (m x k), B (k x n) and C or D (m x n) of mma.sync with `kind` ("f16", "tf32", ...) for A and B.

    `accumulator_bits` are 16 where C and D are f16; of f64 they are 64 in any case. ValueError where there is no such instruction.
    """
    if (m, n, k) not in MMA_SHAPES.get(kind, ()):
        raise ValueError(f"mma.sync has no m{m}n{n}k{k} of {kind}")
    bits = BITS[kind]
    return (
        _by_rows(m, k, bits, max(bits, REGISTER_BITS)),
        _transposed(_by_rows(n, k, bits, max(bits, REGISTER_BITS))),
        _accumulator(m, n, max(bits, accumulator_bits) if kind == "f64" else accumulator_bits),
    )


@cache
def wgmma_maps(n: int, kind: str, accumulator_bits: int = 32) -> tuple[LaneMap, LaneMap]:
    """A in registers (64 x k) and D (64 x n) of wgmma with `kind` for A and B; k is what fills 32 bytes.

    ValueError where there is no such instruction: n is a multiple of 8 up to 256.
    """
    if kind not in BITS or kind == "f64" or n not in range(8, 257, 8) or accumulator_bits not in (16, 32):
        raise ValueError(f"wgmma has no m64n{n} of {kind} with sums of {accumulator_bits} bits")
    bits = BITS[kind]
    return _stacked(_by_rows(WARP_ROWS, 256 // bits, bits, REGISTER_BITS)), _stacked(_accumulator(WARP_ROWS, n, accumulator_bits))


@cache
def matrix_map(count: int, *, transposed: bool = False) -> LaneMap:
    """Elements of the `count` (1, 2 or 4) matrices of ldmatrix and stmatrix .m8n8.b16: matrix i is rows 8 i to 8 i + 7, register i.

    A row's number is the lane whose address it lies at: 16 bytes. `transposed` is .trans: rows and columns stay those of memory.
    """
    if count not in (1, 2, 4):
        raise ValueError(f"ldmatrix and stmatrix take 1, 2 or 4 matrices, not {count}")
    lane, register, part = _places(count, 2)
    line, place = lane // QUAD, lane % QUAD * 2 + part
    row, column = (place, line) if transposed else (line, place)
    return _map(16, register * GROUP_ROWS + row, column)


def _places(registers: int, parts: int) -> tuple[Ints, Ints, Ints]:
    """Lane, register and part of each place of a warp: lanes x registers x parts."""
    lane, register, part = np.indices((LANES, registers, parts))
    return lane, register, part


def _by_rows(rows: int, columns: int, bits: int, register_bits: int) -> LaneMap:
    """A of mma.sync: a register holds neighbours of a row."""
    parts, groups = register_bits // bits, rows // GROUP_ROWS
    lane, register, part = _places(groups * columns // (QUAD * parts), parts)
    right = register // groups * QUAD * parts
    return _map(bits, lane // QUAD + register % groups * GROUP_ROWS, lane % QUAD * parts + part + right)


def _accumulator(rows: int, columns: int, bits: int) -> LaneMap:
    """C or D: pairs of neighbours, in one register if they have room there."""
    parts, groups = max(1, REGISTER_BITS // bits), rows // GROUP_ROWS
    lane, register, part = _places(groups * columns // (QUAD * parts), parts)
    pair, neighbour = np.divmod(register * parts + part, 2)
    return _map(bits, lane // QUAD + pair % groups * GROUP_ROWS, lane % QUAD * 2 + neighbour + pair // groups * GROUP_ROWS)


def _transposed(each: LaneMap) -> LaneMap:
    return _map(each.bits, each.column, each.row)


def _stacked(warp: LaneMap) -> LaneMap:
    """The same for the four warps of a warpgroup, whose rows lie below one another."""
    first_row = np.arange(WARPGROUP_WARPS)[:, None, None, None] * WARP_ROWS
    row = (warp.row + first_row).reshape(-1, *warp.row.shape[1:])
    return _map(warp.bits, row, np.tile(warp.column, (WARPGROUP_WARPS, 1, 1)))


def _map(bits: int, row: Ints, column: Ints) -> LaneMap:
    """The map with its inverse."""
    inverse = np.empty((3, int(row.max()) + 1, int(column.max()) + 1), np.int64)
    inverse[:, row, column] = np.indices(row.shape)
    arrays = (row, column, *inverse)
    for array in arrays:
        array.flags.writeable = False
    return LaneMap(bits, *arrays)
