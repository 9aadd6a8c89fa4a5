"""The operands of CPU kernels: float32, row-major, and laid so that rows can start at a cache line."""

from __future__ import annotations

import numpy as np

from kernels.base.arrays import Matrix as Matrix
from kernels.base.spec import FLOAT32_BYTES

ALIGNMENT = 64
"""Bytes of a cache line. NumPy aligns to 16: vectors then straddle two lines, which made the blocked kernel half as fast."""


def aligned_matrix(shape: tuple[int, int]) -> Matrix:
    """A new matrix of rows x columns, not initialised, whose first element lies at the start of a cache line."""
    size = shape[0] * shape[1] * FLOAT32_BYTES
    memory = np.empty(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + size].view(np.float32).reshape(shape)


def aligned_copy(matrix: Matrix) -> Matrix:
    """A copy whose first element lies at the start of a cache line."""
    copy = aligned_matrix((matrix.shape[0], matrix.shape[1]))
    copy[...] = matrix
    return copy
