"""C = A B with the loops j and k exchanged.

The same additions, in an order that follows the rows: the
inner loop runs along a row of B and a row of C. Every cache
line is used whole, and the compiler handles 8 or 16
neighbours with one vector instruction. But each row of C
needs all of B again: once B is larger than the cache, it
comes from memory M times.
Next rung: use what is in the cache before it leaves
(matmul_blocked.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    N = B.shape[1]
    for i in range(M):
        C[i, :] = 0
        for k in range(K):
            a = A[i, k]  # in a register for a whole row
            for j in range(N):
                C[i, j] += a * B[k, j]
