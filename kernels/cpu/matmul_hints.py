"""C = A B as dot products, and what the compiler is told.

B is transposed first, so that A[i, k] and Bt[j, k] both run
along a row. What the compiler makes of the inner loop
depends on what it knows:
  contiguous: neighbours in a row are neighbours in memory.
    Else each vector is gathered, lane by lane, and can be
    slower than no vectors at all
  fastmath: sums may be added up in any order. Else each
    addition waits for the one before it, lane or no lane
  boundscheck: every index is looked at. Here that costs
    nothing: the compiler finds out beforehand how far no
    check can fail, and makes vectors of that part
What became of the loop is read from its machine code, and
stated with every result.
Next rung: leave nothing to the compiler: write the vectors
out (matmul_simd.py).
"""

from __future__ import annotations

import numpy as np

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import panel


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    Bt = panel(B.shape[1], B.shape[0])
    transpose(B, Bt)
    multiply_rows(A, Bt, C)


def transpose(B: Matrix, Bt: Matrix) -> None:
    for k in range(B.shape[0]):
        for j in range(B.shape[1]):
            Bt[j, k] = B[k, j]


def multiply_rows(A: Matrix, Bt: Matrix, C: Matrix) -> None:
    for i in range(A.shape[0]):
        for j in range(Bt.shape[0]):
            total = np.float32(0)
            for k in range(A.shape[1]):
                total += A[i, k] * Bt[j, k]
            C[i, j] = total
