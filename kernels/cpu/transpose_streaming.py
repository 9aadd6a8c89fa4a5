"""C = A transposed, with stores that go past the caches.

A store to a line that is not in the cache first fetches it:
C is read only to be overwritten, and a third of all that is
moved is moved for nothing. A streaming store writes whole
lines straight to memory.

  strip of A         column of C
   1  4  7 10         1 11  9     the order in which blocks
  11  2  5  8         4  2 12     are turned: along the
   9 12  3  6         7  5  3     diagonals
                     10  8  6

Nothing is used twice, so nothing is to be kept. Diagonals
matter where N or M is a power of two: the lines of a column
of blocks then belong to the same few sets of the cache, and
drive each other out before they are read.

Streaming needs rows of C that start at a line; for other M
the same strips are written by ordinary stores. It pays where
A and C together are larger than the caches: smaller ones are
faster with transpose_simd.py, and whoever reads C next finds
it there.
Next rung: all cores (transpose_triangle.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import LANES, tile_load, tile_stream, turned
from kernels.cpu.transpose_simd import move


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M = A.shape[0]
    for i0 in range(0, M, tile):
        turn_strip(A, C, i0, min(i0 + tile, M))


def turn_strip(A: Matrix, C: Matrix, i0: int, i1: int) -> None:
    N = A.shape[1]
    i2 = i1 - (i1 - i0) % LANES  # as far as blocks are whole
    j2 = N - N % LANES
    for d in range(0, j2, LANES):
        for i in range(i0, i2, LANES):
            j = (d + i - i0) % j2  # along diagonals
            block = tile_load(A, i, j, LANES, LANES)
            tile_stream(C, j, i, turned(block), LANES, LANES)
    move(A, C, i2, i1, 0, N)
    move(A, C, i0, i2, j2, N)
