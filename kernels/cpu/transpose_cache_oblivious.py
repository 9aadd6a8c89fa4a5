"""C = A transposed, by halving the longer side.

   A             C
  +---+---+     +-----+
  | 1 : 2 |     |  1  |
  +---+---+     +.....+
                |  2  |
                +-----+

Half of A becomes half of C, and so on down to parts of at
most `tile` rows and columns. Some of the parts on the way
fit into L3, smaller ones into L2, into L1, and into the
pages that the TLB holds: tiles for every level, and nobody
has told the program how large a level is.
Next rung: turn the smallest part in registers
(transpose_simd.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M, N = A.shape
    turn(A[:, 0:N], C[:, 0:M], tile)


def turn(A: Matrix, C: Matrix, tile: int) -> None:
    M, N = A.shape
    if max(M, N) <= tile:
        for i in range(M):
            for j in range(N):
                C[j, i] = A[i, j]
    elif M >= N:
        h = M // 2
        turn(A[:h, :], C[:, :h], tile)
        turn(A[h:, :], C[:, h:], tile)
    else:
        h = N // 2
        turn(A[:, :h], C[:h, :], tile)
        turn(A[:, h:], C[h:, :], tile)
