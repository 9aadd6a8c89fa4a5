"""C = A B with vector instructions that are written out.

A vector register holds LANES neighbours of a row, and one
instruction works on all of them:
  load: LANES neighbours from memory    broadcast: one value
  fma: a b + c in every lane            store: to memory
Eight sums are kept in registers for a whole column of k:
eight rows of C, one vector wide. A vector of B, once read,
serves eight rows, and C is written once.
That is what makes it fast. The order ikj with C in memory
gets the same instructions from the compiler by itself
(matmul_loop_order.py), and by hand it is no faster.
Where columns are left over, or four rows and more, the last
block begins among those before: what both cover is computed
twice, which is faster than the rest one by one. Fewer rows
are faster one by one; and of a row shorter than a vector
only the first lanes are read and written.
B is read in strips from top to bottom, once for every eight
rows: where it outgrows the near caches, that takes the time.
Next rung: use what is in the cache again before it leaves
(matmul_blocked.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import (
    LANES,
    broadcast,
    fma,
    load,
    load_first,
    store,
    store_first,
)


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    N = B.shape[1]
    if N < LANES:
        multiply_narrow(A, B, C)
        return
    rows = M - M % 8 if M < 8 or M % 8 < 4 else M
    for i0 in range(0, rows, 8):
        i = min(i0, M - 8)
        for j0 in range(0, N, LANES):
            j = min(j0, N - LANES)
            c0 = c1 = c2 = c3 = broadcast(0, LANES)
            c4 = c5 = c6 = c7 = broadcast(0, LANES)
            for k in range(K):
                b = load(B, k, j, LANES)
                c0 = fma(broadcast(A[i, k], LANES), b, c0)
                c1 = fma(broadcast(A[i + 1, k], LANES), b, c1)
                c2 = fma(broadcast(A[i + 2, k], LANES), b, c2)
                c3 = fma(broadcast(A[i + 3, k], LANES), b, c3)
                c4 = fma(broadcast(A[i + 4, k], LANES), b, c4)
                c5 = fma(broadcast(A[i + 5, k], LANES), b, c5)
                c6 = fma(broadcast(A[i + 6, k], LANES), b, c6)
                c7 = fma(broadcast(A[i + 7, k], LANES), b, c7)
            store(C, i, j, c0)
            store(C, i + 1, j, c1)
            store(C, i + 2, j, c2)
            store(C, i + 3, j, c3)
            store(C, i + 4, j, c4)
            store(C, i + 5, j, c5)
            store(C, i + 6, j, c6)
            store(C, i + 7, j, c7)
    for i in range(rows, M):
        multiply_row(A, B, C, i)


def multiply_row(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    i: int,
) -> None:
    N = B.shape[1]
    for j0 in range(0, N, LANES):
        j = min(j0, N - LANES)
        c = broadcast(0, LANES)
        for k in range(A.shape[1]):
            b = load(B, k, j, LANES)
            c = fma(broadcast(A[i, k], LANES), b, c)
        store(C, i, j, c)


def multiply_narrow(A: Matrix, B: Matrix, C: Matrix) -> None:
    """Rows of B and C are shorter than a vector."""
    N = B.shape[1]
    for i in range(A.shape[0]):
        c = broadcast(0, LANES)
        for k in range(A.shape[1]):
            b = load_first(B, k, 0, LANES, N)
            c = fma(broadcast(A[i, k], LANES), b, c)
        store_first(C, i, 0, c, N)
