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
has told the program how large a level is. What it does not
find by itself is how few lines a set of the cache holds: a
smallest part of 8 is faster than one of 64 where a row is a
power of two long.
Next rung: turn the smallest part in registers
(transpose_simd.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M, N = A.shape
    turn(A[:, 0:N], C[:, 0:M], tile)  # parts, as all others


def turn(A: Matrix, C: Matrix, tile: int) -> None:
    rows, columns = A.shape
    if max(rows, columns) <= tile:
        for i in range(rows):
            for j in range(columns):
                C[j, i] = A[i, j]
    elif rows >= columns:
        half = rows // 2
        turn(A[:half, :], C[:, :half], tile)
        turn(A[half:, :], C[:, half:], tile)
    else:
        half = columns // 2
        turn(A[:, :half], C[:half, :], tile)
        turn(A[:, half:], C[half:, :], tile)
