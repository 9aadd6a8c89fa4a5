"""The matrix registers of a processor with AMX: eight, each of 16 rows of 64 bytes, and the instruction that multiplies two of them.

A register holds 16 x 16 floats, or as many words of two bfloat16 (`words` of `simd`). Each has a number, a constant of the kernel, and a
value stays in the register of its number. As plain Python these functions compute what the instructions do.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import HALF, UPPER_HALF, Tile

SIDE = 16
"""Rows of a matrix register, and words in a row."""
Register = npt.NDArray[np.float32]
_SMALLEST = np.finfo(np.float32).tiny
"""The smallest normal number; instructions on matrix registers take what is smaller for zero."""


def registers_configure() -> None:
    """Say that each matrix register has 16 rows of 64 bytes; before their first use."""


def registers_release() -> None:
    """Give the matrix registers back: a thread that holds them is more expensive to switch."""


def register_zeros(number: int) -> Register:
    """Matrix register `number` full of zeros."""
    assert 0 <= number < 8
    return np.zeros((SIDE, SIDE), np.float32)


def register_load(number: int, matrix: Matrix, row: int, column: int) -> Register:
    """Matrix register `number` with the 16 x 16 floats or words from (row, column) on."""
    assert 0 <= number < 8
    return matrix[row : row + SIDE, column : column + SIDE]


def register_dot(c: Register, a: Register, b: Register) -> Register:
    """c + a b in the register of c, where rows of a and columns of b are words of two bfloat16: 8192 products.

    As Intel's manual defines tdpbf16ps (Software Developer's Manual, volume 2): for each element the products of lower and those of upper
    halves are added up apart, from the first word on; then both sums to each other, and that to c. Each sum is rounded to nearest even;
    denormals are taken, and given, as zero.
    """
    a, b = np.positive(a), np.positive(b)
    low, high = np.zeros_like(c), np.zeros_like(c)
    for word in range(SIDE):
        low = _flushed(low + np.outer(_lower(a[:, word]), _lower(b[word])))
        high = _flushed(high + np.outer(_upper(a[:, word]), _upper(b[word])))
    return _flushed(_flushed(c) + _flushed(low + high))


def register_tile(register: Register) -> Tile:
    """The floats of a matrix register as a register tile, by way of 1 KiB of the stack."""
    return register


def _lower(vector: Register) -> Register:
    """The lower halves of words as floats."""
    return _flushed((np.ascontiguousarray(vector).view(np.uint32) << HALF).view(np.float32))


def _upper(vector: Register) -> Register:
    """The upper halves of words as floats."""
    return _flushed((np.ascontiguousarray(vector).view(np.uint32) & UPPER_HALF).view(np.float32))


def _flushed(values: Register) -> Register:
    """The values with zeros for denormals."""
    return np.where(np.abs(values) < _SMALLEST, np.copysign(np.float32(0), values), values)
