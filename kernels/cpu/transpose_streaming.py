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

  rows of C          a a a a b b b b     For other M a line
  a line of each:    . . x x x x . .     begins elsewhere in
                     . x x x x . . .     each row, and has parts
                     x x x x . . . .     of two blocks, a and b

Where a vector is as long as a line (AVX-512) a row of turned
blocks is then kept until the next one is there, and whole
lines are taken from both: strips are one block high whatever
the tile. Shorter vectors are stored as ever.

It pays where A and C together are larger than the caches:
smaller ones are faster with transpose_simd.py, and whoever
reads C next finds it there.
Next rung: all cores (transpose_triangle.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import (
    LANES,
    LINE,
    floats_to_line,
    panel,
    stream_lines,
    tile_load,
    tile_store,
    tile_stream,
    turned,
)
from kernels.cpu.transpose_simd import move


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M = A.shape[0]
    if lines_split(A):
        turn_between_lines(A, C, 0, M)
    else:
        for i0 in range(0, M, tile):
            turn_strip(A, C, i0, min(i0 + tile, M))


def lines_split(A: Matrix) -> bool:
    """Whether lines have parts of two blocks, with AVX-512."""
    M = A.shape[0]
    return M % LINE > 0 and M > 2 * LINE and LANES == LINE


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


def turn_between_lines(
    A: Matrix,
    C: Matrix,
    i0: int,
    i1: int,
) -> None:
    N = A.shape[1]
    i2 = i1 - (i1 - i0) % LANES
    j2 = N - N % LANES
    kept = panel(j2 + 1, LANES)
    for i in range(i0, i2, LANES):
        for j in range(0, j2, LANES):
            b = turned(tile_load(A, i, j, LANES, LANES))
            if i > i0:
                a = tile_load(kept, j, 0, LANES, LANES)
                stream_lines(C, j, i - LANES, a, b)
            tile_store(kept, j, 0, b, LANES, LANES)
            if i == i0:  # nothing before the first line
                for y in range(j, j + LANES):
                    part = tile_load(kept, y, 0, 1, LANES)
                    first = floats_to_line(C, y, i)
                    tile_store(C, y, i, part, 1, first)
    if i2 > i0:  # nothing to come for the last
        for y in range(j2):
            first = floats_to_line(C, y, i2)
            part = tile_load(kept, y, first, 1, LANES)
            i = i2 - LANES + first
            tile_store(C, y, i, part, 1, LANES - first)
    move(A, C, i2, i1, 0, N)
    move(A, C, i0, i2, j2, N)
