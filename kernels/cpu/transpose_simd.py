"""C = A transposed, in blocks that are turned in registers.

  LANES rows of A      shuffles       LANES rows of C
  a a a a              a b c d
  b b b b      --->    a b c d
  c c c c              a b c d
  d d d d              a b c d

One instruction writes a row of a block, 16 floats with
AVX-512: a whole cache line. Halves of rows are read, each
into the half of a register where it belongs: that is one
round of shuffles less. So each line is fetched once and is
finished with at once; the tiles around the blocks only keep
the pages near, for the TLB.
Next rung: do not fetch what will be overwritten
(transpose_streaming.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import LANES, tile_load_turned, tile_store


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M, N = A.shape
    for j0 in range(0, N, tile):
        for i0 in range(0, M, tile):
            i1, j1 = min(i0 + tile, M), min(j0 + tile, N)
            turn(A, C, i0, i1, j0, j1)


def turn(
    A: Matrix,
    C: Matrix,
    i0: int,
    i1: int,
    j0: int,
    j1: int,
) -> None:
    i2 = i1 - (i1 - i0) % LANES  # as far as blocks are whole
    j2 = j1 - (j1 - j0) % LANES
    for j in range(j0, j2, LANES):
        for i in range(i0, i2, LANES):
            block = tile_load_turned(A, i, j, LANES)
            tile_store(C, j, i, block, LANES, LANES)
    move(A, C, i2, i1, j0, j1)  # what is left below,
    move(A, C, i0, i2, j2, j1)  # and to the right


def move(
    A: Matrix,
    C: Matrix,
    i0: int,
    i1: int,
    j0: int,
    j1: int,
) -> None:
    for i in range(i0, i1):
        for j in range(j0, j1):
            C[j, i] = A[i, j]
