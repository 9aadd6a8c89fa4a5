"""C = A B with two loops of ikj unrolled by four.

Four rows of A meet four rows of B at once:
  a value of B, once read, serves four rows of C, so that B
    comes from memory a quarter as often
  a value of C, once read, takes four products
  counting and branching is shared by sixteen products
Unrolling k alone gains nothing here, as reading B is what
takes the time; i alone little, as every product still reads
and writes C.
Next rung: tell the compiler more (matmul_hints.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    C[:, :] = 0
    rows, depth = M - M % 4, K - K % 4
    for i in range(0, rows, 4):
        for k in range(0, depth, 4):
            p0, p1, p2, p3 = four(A, i, k)
            q0, q1, q2, q3 = four(A, i + 1, k)
            r0, r1, r2, r3 = four(A, i + 2, k)
            s0, s1, s2, s3 = four(A, i + 3, k)
            for j in range(B.shape[1]):
                b0, b1 = B[k, j], B[k + 1, j]
                b2, b3 = B[k + 2, j], B[k + 3, j]
                C[i, j] += p0 * b0 + p1 * b1 + p2 * b2 + p3 * b3
                C[i + 1, j] += q0 * b0 + q1 * b1 + q2 * b2 + q3 * b3
                C[i + 2, j] += r0 * b0 + r1 * b1 + r2 * b2 + r3 * b3
                C[i + 3, j] += s0 * b0 + s1 * b1 + s2 * b2 + s3 * b3
    # up to three k and three rows are left
    add_products(A, B, C, 0, rows, depth, K)
    add_products(A, B, C, rows, M, 0, K)


def four(A: Matrix, i: int, k: int) -> tuple[float, ...]:
    return A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]


def add_products(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    i0: int,
    i1: int,
    k0: int,
    k1: int,
) -> None:
    for i in range(i0, i1):
        for k in range(k0, k1):
            a = A[i, k]
            for j in range(B.shape[1]):
                C[i, j] += a * B[k, j]
