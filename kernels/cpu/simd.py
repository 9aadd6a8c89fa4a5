"""Vectors and register tiles: what a CPU kernel says where a compiler must not be left to choose.

As plain Python these functions compute on NumPy arrays, which is how a kernel is traced; `simd_numba` tells numba which machine
instructions they mean. A vector is a row of `lanes` floats in one register. A register tile is a small matrix whose rows are vectors,
held in registers during a whole loop.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.cpu.matrix import Matrix, aligned_matrix
from kernels.cpu.vector_width import lanes_of_this_processor

HALF, UPPER_HALF, QUIET = np.uint32(16), np.uint32(0xFFFF0000), np.uint32(0x400000)
"""Of a word: the bits of a half, the upper half, and the bit that makes a NaN a quiet one."""
Vector = npt.NDArray[np.float32]
Tile = npt.NDArray[np.float32]

LANES = lanes_of_this_processor()
"""Floats in the widest vector register: 16 with AVX-512, 8 with AVX2, 4 with NEON and SSE."""

LINE = 16
"""Floats in a cache line."""

REGISTER_TILE = {16: (12, 32), 8: (6, 16), 4: (8, 8)}[LANES]
"""Rows and columns of a matrix that fills the vector registers, two of a row of B and one value of A left over beside it."""


def load(matrix: Matrix, row: int, column: int, lanes: int) -> Vector:
    """The `lanes` floats of a row from (row, column) on. Nothing checks that they are inside."""
    return np.positive(matrix[row, column : column + lanes])


def store(matrix: Matrix, row: int, column: int, vector: Vector) -> None:
    """Write a vector to a row, from (row, column) on."""
    matrix[row, column : column + len(vector)] = vector


def broadcast(value: float, lanes: int) -> Vector:
    """The value in every lane."""
    return np.full(lanes, value, np.float32)


def fma(a: Vector, b: Vector, c: Vector) -> Vector:
    """a b + c in every lane: one instruction, and one rounding where the processor has it."""
    return (a * b + c).astype(np.float32)


def total(vector: Vector) -> float:
    """The sum of all lanes, in any order."""
    return float(vector.sum(dtype=np.float32))


def turned(block: Tile) -> Tile:
    """A square register tile transposed, by shuffles between registers."""
    return np.ascontiguousarray(block.T)


def tile_load(matrix: Matrix, row: int, column: int, rows: int, columns: int) -> Tile:
    """The rows x columns floats from (row, column) on as a register tile; both are constants of the compiled kernel."""
    return np.positive(matrix[row : row + rows, column : column + columns])


def tile_load_turned(matrix: Matrix, row: int, column: int, lanes: int) -> Tile:
    """The square of `lanes` floats from (row, column) on as a register tile, transposed; `lanes` is a constant of the compiled kernel.

    Halves of rows are loaded into halves of registers, which saves the first of the rounds of shuffles that `turned` takes.
    """
    return np.ascontiguousarray(np.positive(matrix[row : row + lanes, column : column + lanes]).T)


def tile_zeros(rows: int, columns: int) -> Tile:
    """A register tile of zeros; rows and columns are constants of the compiled kernel."""
    return np.zeros((rows, columns), np.float32)


def rank_one(tile: Tile, a: Matrix, b: Matrix, k: int) -> Tile:
    """The tile plus the product of column k of the left panel and row k of the right: row k of `a` and of `b`, as they are packed."""
    return (tile + np.outer(np.positive(a[k]), np.positive(b[k]))).astype(np.float32)


def tile_store(matrix: Matrix, row: int, column: int, tile: Tile, rows: int, columns: int) -> None:
    """Write the upper left rows x columns of a tile to (row, column)."""
    matrix[row : row + rows, column : column + columns] = tile[:rows, :columns]


def tile_stream(matrix: Matrix, row: int, column: int, tile: Tile, rows: int, columns: int) -> None:
    """As `tile_store`, past the caches: whole rows of a tile, where each starts at a multiple of its size; others are stored as usual."""
    matrix[row : row + rows, column : column + columns] = tile[:rows, :columns]


def floats_to_line(matrix: Matrix, row: int, column: int) -> int:
    """How many floats after (row, column) a cache line begins; 0: there. The matrix itself starts at a line."""
    return int(-(row * matrix.shape[1] + column) % LINE)


def stream_lines(matrix: Matrix, row: int, column: int, left: Tile, right: Tile) -> None:
    """Write past the caches, in each row of two tiles side by side, the cache line that begins in the left one.

    The upper left corner of the left tile goes to (row, column); a row of a tile is as long as a line.
    """
    rows, columns = left.shape
    for down in range(rows):
        first = floats_to_line(matrix, row + down, column)
        line = np.concatenate([left[down], right[down]])[first : first + columns]
        matrix[row + down, column + first : column + first + columns] = line


def tile_add(matrix: Matrix, row: int, column: int, tile: Tile, rows: int, columns: int) -> None:
    """Add the upper left rows x columns of a tile to what is at (row, column)."""
    before = np.positive(matrix[row : row + rows, column : column + columns])
    matrix[row : row + rows, column : column + columns] = before + tile[:rows, :columns]


def prefetch(matrix: Matrix, row: int, column: int, rows: int, columns: int) -> None:
    """Ask for rows x columns floats before they are written; a hint that changes nothing."""


def prefetch_to_read(matrix: Matrix, row: int, column: int, rows: int, columns: int) -> None:
    """As `prefetch`, of what is only read: a line asked for to be written may be written back whether it was or not."""


def prefetch_to_l2(matrix: Matrix, row: int, column: int, rows: int, columns: int) -> None:
    """As `prefetch_to_read`, of what is read later: it is kept in L2, and what is used now stays in L1."""


def load_first(matrix: Matrix, row: int, column: int, lanes: int, count: int) -> Vector:
    """The first `count` of the `lanes` floats of a row from (row, column) on, and zeros; what is not among them is not touched."""
    vector = np.zeros(lanes, np.float32)
    count = min(max(count, 0), lanes)
    vector[:count] = np.positive(matrix[row, column : column + count])
    return vector


def store_first(matrix: Matrix, row: int, column: int, vector: Vector, count: int) -> None:
    """Write the first `count` lanes of a vector, which may be all, to a row from (row, column) on; nothing else is touched."""
    matrix[row, column : column + count] = vector[:count]


def words(low: Vector, high: Vector) -> Vector:
    """Two vectors rounded to bfloat16, to nearest even, in one: a lane holds the 16 bits of `low` and, above them, those of `high`."""
    return (_rounded(low) >> HALF | _rounded(high) & UPPER_HALF).view(np.float32)


def _rounded(vector: Vector) -> npt.NDArray[np.uint32]:
    """The bits of float32 values, in the upper half of which their bfloat16 stands; of no number, another one."""
    bits = np.ascontiguousarray(vector, np.float32).view(np.uint32)
    rounded = bits + (np.uint32(0x7FFF) + (bits >> HALF & np.uint32(1)))
    return np.where(np.isnan(vector), bits | QUIET, rounded)


def panel(rows: int, columns: int) -> Matrix:
    """Working memory that starts at a cache line, not initialised."""
    return aligned_matrix((rows, columns))
