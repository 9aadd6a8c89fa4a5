"""C = A B with seven half-size products in place of eight.

  | C11 C12 |   | A11 A12 |   | B11 B12 |
  | C21 C22 | = | A21 A22 | x | B21 B22 |

Additions of blocks, before and after, save a product at
each level: 2 levels need 49 products where there were 64.
Below `crossover` the additions cost more than they save:
there matmul_packed.py multiplies. That is so quick that
blocks must be large, 512 or more, and matrices larger still:
it hardly pays below n = 4096. Sides are cut to whole blocks;
the few rows and columns that are left over are multiplied as
usual, which needs no padded copies.

The price: memory for S, T and P at each level; an error that
grows faster, and that a large element causes in all others,
as infinity and NaN do. GFLOP/s are by 2 M N K as everywhere,
though fewer operations are done.
Next rung: the kernel beneath (matmul_packed.py).
"""

from __future__ import annotations

from kernels.cpu.matmul_divide_and_conquer import add_product
from kernels.cpu.matmul_packed import multiply as multiply_packed
from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import (
    LANES,
    broadcast,
    fma,
    load,
    panel,
    store,
)

MC, KC, NC = 240, 512, 4096  # of the packed kernel
SMALL = 128  # the tile of divide and conquer


def multiply(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    crossover: int,
) -> None:
    M, K = A.shape
    N = B.shape[1]
    levels = levels_of(min(M, N, K), crossover)
    m = M >> levels << levels
    n = N >> levels << levels
    k = K >> levels << levels
    inner = C[:m, :n]
    strassen(A[:m, :k], B[:k, :n], inner, levels)
    # what is left over is narrower than 2 ** levels
    add_product(A[:m, k:], B[k:, :n], inner, SMALL)
    strassen(A[:, 0:K], B[:, n:], C[:, n:], 0)
    strassen(A[m:, 0:K], B[:, :n], C[m:, :n], 0)


def levels_of(side: int, crossover: int) -> int:
    """How often the shortest side is halved."""
    levels = 0
    while side >> (levels + 1) >= crossover:
        levels += 1
    return levels


def strassen(A: Matrix, B: Matrix, C: Matrix, levels: int) -> None:
    if levels == 0:
        multiply_packed(A, B, C, MC, KC, NC)
        return
    A11, A12, A21, A22 = quarters(A)
    B11, B12, B21, B22 = quarters(B)
    C11, C12, C21, C22 = quarters(C)
    S, T, P = like(A11), like(B11), like(C11)
    levels -= 1

    add(A11, A22, S)  # 1
    add(B11, B22, T)
    strassen(S, T, C11, levels)
    add(A21, A22, S)  # 2
    strassen(S, B11, C21, levels)
    subtract(C11, C21, C22)
    subtract(B12, B22, T)  # 3
    strassen(A11, T, C12, levels)
    add(C22, C12, C22)
    subtract(B21, B11, T)  # 4
    strassen(A22, T, P, levels)
    add(C11, P, C11)
    add(C21, P, C21)
    add(A11, A12, S)  # 5
    strassen(S, B22, P, levels)
    subtract(C11, P, C11)
    add(C12, P, C12)
    subtract(A21, A11, S)  # 6
    add(B11, B12, T)
    strassen(S, T, P, levels)
    add(C22, P, C22)
    subtract(A12, A22, S)  # 7
    add(B21, B22, T)
    strassen(S, T, P, levels)
    add(C11, P, C11)


Quarters = tuple[Matrix, Matrix, Matrix, Matrix]


def quarters(X: Matrix) -> Quarters:
    m, n = X.shape[0] // 2, X.shape[1] // 2
    return X[:m, :n], X[:m, n:], X[m:, :n], X[m:, n:]


def like(X: Matrix) -> Matrix:
    """Memory for a block of the size of X."""
    rows, columns = X.shape
    return panel(rows, columns)[:, 0:columns]


def add(X: Matrix, Y: Matrix, Z: Matrix) -> None:
    combine(X, 1, Y, Z)


def subtract(X: Matrix, Y: Matrix, Z: Matrix) -> None:
    combine(X, -1, Y, Z)


def combine(X: Matrix, sign: int, Y: Matrix, Z: Matrix) -> None:
    rows, columns = Z.shape
    whole = columns - columns % LANES
    factor = broadcast(sign, LANES)
    for i in range(rows):
        for j in range(0, whole, LANES):
            x = load(X, i, j, LANES)
            y = load(Y, i, j, LANES)
            store(Z, i, j, fma(factor, y, x))  # x + sign y
        for j in range(whole, columns):
            Z[i, j] = X[i, j] + sign * Y[i, j]
