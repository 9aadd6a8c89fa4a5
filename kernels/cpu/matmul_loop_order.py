"""C = A B with the three loops in each of their six orders.

The same products, added up in another order. What the inner
loop walks along decides the speed, as matrices are stored
row by row:
  inner j: along rows of B and C. Every cache line is used
    whole; one vector instruction takes 4, 8 or 16 columns
  inner k: along a row of A, down a column of B, where each
    step lands in another cache line
  inner i: down columns of A and C: two lines for each step
All orders but ijk and jik add to C in memory: it must be 0.
ikj slows down where B no longer stays in a near cache, as
all of B passes by for every row of C.
Next rung: go over B less often (matmul_unrolled.py).
"""

from __future__ import annotations

import numpy as np

from kernels.cpu.matrix import Matrix

ORDER = 0  # 0 to 5, as the functions below


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    if ORDER == 0:
        ijk(A, B, C)
    elif ORDER == 1:
        ikj(A, B, C)
    elif ORDER == 2:
        jik(A, B, C)
    elif ORDER == 3:
        jki(A, B, C)
    elif ORDER == 4:
        kij(A, B, C)
    else:
        kji(A, B, C)


def ijk(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    for i in range(M):
        for j in range(B.shape[1]):
            total = np.float32(0)
            for k in range(K):
                total += A[i, k] * B[k, j]
            C[i, j] = total


def ikj(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    for i in range(M):
        C[i, :] = 0
        for k in range(K):
            a = A[i, k]  # in a register for a whole row
            for j in range(B.shape[1]):
                C[i, j] += a * B[k, j]


def jik(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    for j in range(B.shape[1]):
        for i in range(M):
            total = np.float32(0)
            for k in range(K):
                total += A[i, k] * B[k, j]
            C[i, j] = total


def jki(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    for j in range(B.shape[1]):
        C[:, j] = 0
        for k in range(K):
            b = B[k, j]  # in a register for a whole column
            for i in range(M):
                C[i, j] += A[i, k] * b


def kij(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    C[:, :] = 0
    for k in range(K):
        for i in range(M):
            a = A[i, k]
            for j in range(B.shape[1]):
                C[i, j] += a * B[k, j]


def kji(A: Matrix, B: Matrix, C: Matrix) -> None:
    M, K = A.shape
    C[:, :] = 0
    for k in range(K):
        for j in range(B.shape[1]):
            b = B[k, j]
            for i in range(M):
                C[i, j] += A[i, k] * b
