"""C = A B by vectors and tiles, with B transposed first.

Now rows of A meet rows of Bt: both are read along, vector by
vector, and nothing need be broadcast. That helps a loop that
goes down columns of B; the rung before does not. It costs:
  the lanes of a sum belong to one element of C and must be
    added up (total), once for every tile of k
  every vector of Bt, once read, serves four rows, not eight:
    each needs a vector of A beside it
  B must be transposed, writing down columns
So it is slower than the rung before, and likes large tiles.
Next rung: no tile size to be chosen for a cache
(matmul_divide_and_conquer.py).
"""

from __future__ import annotations

from kernels.cpu.matmul_hints import transpose
from kernels.cpu.matmul_unrolled import add_products
from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import (
    LANES,
    broadcast,
    fma,
    load,
    panel,
    total,
)


def multiply(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
    M, K = A.shape
    N = B.shape[1]
    Bt = panel(N, K)
    transpose(B, Bt)
    rows, depth = M - M % 4, K - K % LANES
    # tiles of whole vectors, four rows together
    high, long = whole(tile, 4), whole(tile, LANES)
    C[:, :] = 0
    for i0 in range(0, rows, high):
        i1 = min(i0 + high, rows)
        for j0 in range(0, N, tile):
            j1 = min(j0 + tile, N)
            for k0 in range(0, depth, long):
                k1 = min(k0 + long, depth)
                a = A[i0:i1, k0:k1]
                bt = Bt[j0:j1, k0:k1]
                add_product(a, bt, C[i0:i1, j0:j1])
    # what fills no vector, and fewer than four rows
    add_products(A, B, C, 0, rows, depth, K)
    add_products(A, B, C, rows, M, 0, K)


def whole(size: int, unit: int) -> int:
    return (size + unit - 1) // unit * unit


def add_product(A: Matrix, Bt: Matrix, C: Matrix) -> None:
    """C += A B for three tiles."""
    for i in range(0, C.shape[0], 4):
        for j in range(C.shape[1]):
            c0 = c1 = broadcast(0, LANES)
            c2 = c3 = broadcast(0, LANES)
            for k in range(0, A.shape[1], LANES):
                b = load(Bt, j, k, LANES)
                c0 = fma(load(A, i, k, LANES), b, c0)
                c1 = fma(load(A, i + 1, k, LANES), b, c1)
                c2 = fma(load(A, i + 2, k, LANES), b, c2)
                c3 = fma(load(A, i + 3, k, LANES), b, c3)
            C[i, j] += total(c0)
            C[i + 1, j] += total(c1)
            C[i + 2, j] += total(c2)
            C[i + 3, j] += total(c3)
