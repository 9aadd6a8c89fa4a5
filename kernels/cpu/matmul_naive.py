"""C = A B straight from the definition.

C[i, j] is the sum over k of A[i, k] B[k, j]. The inner loop
walks down a column of B. Matrices are stored row by row, so
every step of k lands in another cache line and uses 4 of
its 64 bytes.
Next rung: the same additions in another order
(matmul_loop_order.py).
"""

from __future__ import annotations

import numpy as np

from kernels.cpu.matrix import Matrix


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    N = B.shape[1]
    for i in range(M):
        for j in range(N):
            total = np.float32(0)
            for k in range(K):
                # along a row of A, down a column of B
                total += A[i, k] * B[k, j]
            C[i, j] = total
