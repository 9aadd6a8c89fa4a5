"""C = A B by halving the longest side.

     M longest         N longest         K longest
  +---+   +---+     +---+   +-+-+     +-+-+   +---+
  | 1 |   |   |     |   |   | : |     | : |   | 1 |
  +...+ x |   |     |   | x |1:2|     |1:2| x +...+
  | 2 |   |   |     |   |   | : |     | : |   | 2 |
  +---+   +---+     +---+   +-+-+     +-+-+   +---+
  upper, lower C    left, right C     the sum of both

Each half is a product of its own, and is halved in turn,
down to products of at most `tile` on each side. On the way
some fit into L3, then into L2, then into L1: the order is
blocked for every cache, and nobody has said how large one
is. The small products are those of matmul_packed.py, which
has to be told mc, kc and nc. It stays ahead: here the same
values are packed more often, the smaller `tile` the more.
Next rung: of eight half-size products, form only seven
(matmul_strassen.py).
"""

from __future__ import annotations

from kernels.cpu.matmul_packed import MR, NR, multiply_panels
from kernels.cpu.matrix import Matrix
from kernels.cpu.packing import pack_columns, pack_rows
from kernels.cpu.simd import panel


def multiply(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
    K, N = B.shape
    C[:, :] = 0
    add_product(A[:, 0:K], B[:, 0:N], C[:, 0:N], tile)


def add_product(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
    M, K = A.shape
    N = B.shape[1]
    longest = max(M, N, K)
    if longest <= tile:
        add_small_product(A, B, C)
    elif longest == M:
        h = half(M)
        add_product(A[:h, :], B, C[:h, :], tile)
        add_product(A[h:, :], B, C[h:, :], tile)
    elif longest == N:
        h = half(N)
        add_product(A, B[:, :h], C[:, :h], tile)
        add_product(A, B[:, h:], C[:, h:], tile)
    else:
        h = half(K)
        add_product(A[:, :h], B[:h, :], C, tile)
        add_product(A[:, h:], B[h:, :], C, tile)


def half(size: int) -> int:
    """About half, in whole register tiles if there are two."""
    return size // 2 if size < 2 * NR else size // 2 // NR * NR


def add_small_product(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    N = B.shape[1]
    a = panel((M + MR - 1) // MR * K, MR)
    b = panel((N + NR - 1) // NR * K, NR)
    pack_columns(A, a, MR)
    pack_rows(B, b, NR)
    multiply_panels(a, b, C, K, first=False)
