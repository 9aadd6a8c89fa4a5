"""C = A B by vectors, tile by tile.

Blocking twice:
  in the caches: tile x tile of B stays there, for all rows
    of the tile of A
  in registers: eight rows of C, one vector wide, stay there
    while k goes through the tile
With small tiles the sums go to C and back too often; with
large ones B comes from further and further away. The best
tile is between: about 128, and with it large matrices are
hardly slower than small ones. The curve over tiles is flat
as long as a near cache holds all of B; and where n is a
power of two, the rows of a tile compete for the same few
sets of L1.
Next rung: B transposed first (matmul_simd_blocked_bt.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import LANES, broadcast, fma, load, store


def multiply(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
    M, K = A.shape
    N = B.shape[1]
    rows, columns = M - M % 8, N - N % LANES
    # tiles of whole vectors, eight rows together
    high, wide = whole(tile, 8), whole(tile, LANES)
    for i0 in range(0, rows, high):
        i1 = min(i0 + high, rows)
        for j0 in range(0, columns, wide):
            j1 = min(j0 + wide, columns)
            C[i0:i1, j0:j1] = 0
            for k0 in range(0, K, tile):
                k1 = min(k0 + tile, K)
                a = A[i0:i1, k0:k1]
                b = B[k0:k1, j0:j1]
                add_product(a, b, C[i0:i1, j0:j1])
    # what fills no vector, and fewer than eight rows
    if columns < N:
        multiply_plainly(A, B, C, 0, rows, columns, N)
    multiply_plainly(A, B, C, rows, M, 0, N)


def whole(size: int, unit: int) -> int:
    return (size + unit - 1) // unit * unit


def add_product(A: Matrix, B: Matrix, C: Matrix) -> None:
    """C += A B for three tiles."""
    for i in range(0, C.shape[0], 8):
        for j in range(0, C.shape[1], LANES):
            c0 = load(C, i, j, LANES)
            c1 = load(C, i + 1, j, LANES)
            c2 = load(C, i + 2, j, LANES)
            c3 = load(C, i + 3, j, LANES)
            c4 = load(C, i + 4, j, LANES)
            c5 = load(C, i + 5, j, LANES)
            c6 = load(C, i + 6, j, LANES)
            c7 = load(C, i + 7, j, LANES)
            for k in range(A.shape[1]):
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


def multiply_plainly(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    i0: int,
    i1: int,
    j0: int,
    j1: int,
) -> None:
    C[i0:i1, j0:j1] = 0
    for i in range(i0, i1):
        for k in range(A.shape[1]):
            a = A[i, k]
            for j in range(j0, j1):
                C[i, j] += a * B[k, j]
