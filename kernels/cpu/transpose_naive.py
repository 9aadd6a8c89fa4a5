"""C = A transposed, row by row.

Reads run along rows of A, writes go down columns of C. Each
write touches another cache line of C and uses 4 of its 64
bytes. When the next row of A needs that line again, it has
left the cache, if A and C are large.
Next rung: finish with a line before it leaves
(transpose_blocked.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def transpose(A: Matrix, C: Matrix) -> None:
    M, N = A.shape
    for i in range(M):
        for j in range(N):
            C[j, i] = A[i, j]
