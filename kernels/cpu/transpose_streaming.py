"""C = A transposed, with stores that go past the caches.

A store to a line that is not in the cache first fetches it:
C is read only to be overwritten, and a third of all that is
moved is moved for nothing. A streaming store writes whole
lines straight to memory.

  strip of A, `tile` rows    block after block ->
  column of C, `tile` wide   tile / 16 lines of a row of C

Nothing is used twice, so nothing is to be kept: `tile` only
says how many lines follow each other in a row of C. That
needs rows of C that start at a line: for other M the same
strips are written by ordinary stores. And it pays only where
C is larger than the caches: smaller ones are faster with
transpose_simd.py, and whoever reads C next finds it there.
Next rung: the same on all cores (transpose_parallel.py).
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
    for j in range(0, j2, LANES):
        for i in range(i0, i2, LANES):
            block = tile_load(A, i, j, LANES, LANES)
            tile_stream(C, j, i, turned(block), LANES, LANES)
    move(A, C, i2, i1, 0, N)
    move(A, C, i0, i2, j2, N)
