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
    turn(A, C, 0, A.shape[0], 0, A.shape[1], tile)


def turn(
    A: Matrix,
    C: Matrix,
    i0: int,
    i1: int,
    j0: int,
    j1: int,
    tile: int,
) -> None:
    if max(i1 - i0, j1 - j0) <= tile:
        for i in range(i0, i1):
            for j in range(j0, j1):
                C[j, i] = A[i, j]
    elif i1 - i0 >= j1 - j0:
        half = (i0 + i1) // 2
        turn(A, C, i0, half, j0, j1, tile)
        turn(A, C, half, i1, j0, j1, tile)
    else:
        half = (j0 + j1) // 2
        turn(A, C, i0, i1, j0, half, tile)
        turn(A, C, i0, i1, half, j1, tile)
