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
the tile, and no longer than what is kept stays near: band
after band of A is turned from top to bottom. Shorter vectors
are stored as ever.

It pays where A and C together are larger than the caches:
smaller ones are faster with transpose_simd.py, and whoever
reads C next finds it there. In between a plain copy is ahead
of both: it goes on from line to line, and the same blocks
copied without turning take half as long again.
Next rung: all cores (transpose_triangle.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import (
    LANES,
    LINE,
    floats_to_line,
    panel,
    prefetch_to_read,
    stream_lines,
    tile_load,
    tile_load_turned,
    tile_store,
    tile_stream,
)
from kernels.cpu.transpose_simd import move

BAND = 2048  # columns of A, turned from top to bottom
AHEAD = 4 * LANES  # how far before its use A is fetched


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
            block = tile_load_turned(A, i, j, LANES)
            tile_stream(C, j, i, block, LANES, LANES)
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
    for j in range(0, j2, BAND):
        turn_band(A, C, i0, i2, j, min(j + BAND, j2))
    move(A, C, i2, i1, 0, N)
    move(A, C, i0, i2, j2, N)


def turn_band(
    A: Matrix,
    C: Matrix,
    i0: int,
    i2: int,
    j0: int,
    j2: int,
) -> None:
    kept = panel(j2 - j0 + 1, LANES)  # loads go beyond a row
    for i in range(i0, i2, LANES):
        for j in range(j0, j2, LANES):
            prefetch_to_read(A, i, j + AHEAD, LANES, LANES)
            b = tile_load_turned(A, i, j, LANES)
            if i > i0:
                a = tile_load(kept, j - j0, 0, LANES, LANES)
                stream_lines(C, j, i - LANES, a, b)
            tile_store(kept, j - j0, 0, b, LANES, LANES)
            if i == i0:  # nothing before the first line
                for y in range(j, j + LANES):
                    part = tile_load(kept, y - j0, 0, 1, LANES)
                    first = floats_to_line(C, y, i)
                    tile_store(C, y, i, part, 1, first)
    if i2 > i0:  # nothing to come for the last
        for y in range(j0, j2):
            first = floats_to_line(C, y, i2)
            part = tile_load(kept, y - j0, first, 1, LANES)
            i = i2 - LANES + first
            tile_store(C, y, i, part, 1, LANES - first)
