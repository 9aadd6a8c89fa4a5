"""Products with fewer rows and columns than registers hold are right, and touch nothing around C."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem
from kernels.cpu.matrix import aligned_copy
from kernels.cpu.simd import LANES
from kernels.jit.compile import Specialization, compiled

AROUND = 64
"""Floats before C and behind it."""
UNTOUCHED = np.float32(7.0)


@pytest.mark.parametrize("rows", [1, 3, 4, 7, 8, 9, 11, 12, 17, 20])
@pytest.mark.parametrize("columns", [1, 3, LANES - 1, LANES, LANES + 1, 3 * LANES + 1])
def test_left_over_rows_and_columns(rows: int, columns: int) -> None:
    kernel = compiled(Specialization("cpu.simd"))
    inputs = random_inputs(Problem(Operation.MATMUL, rows, columns, 5), 1)
    A, B = aligned_copy(inputs["A"]), aligned_copy(inputs["B"])
    memory = np.full(rows * columns + 2 * AROUND, UNTOUCHED, np.float32)
    C = memory[AROUND:-AROUND].reshape(rows, columns)
    kernel(A, B, C)
    np.testing.assert_allclose(C, A @ B, rtol=1e-5, atol=1e-5)
    assert (memory[:AROUND] == UNTOUCHED).all()
    assert (memory[-AROUND:] == UNTOUCHED).all()
