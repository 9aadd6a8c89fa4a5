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

The turned blocks of a strip are then kept until those of
the next are there, and whole lines are taken from both.

It pays where A and C together are larger than the caches:
smaller ones are faster with transpose_simd.py, and whoever
reads C next finds it there.
Next rung: all cores (transpose_triangle.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import (
    LANES,
    panel,
    stream_lines,
    tile_load,
    tile_store,
    tile_stream,
    turned,
)
from kernels.cpu.transpose_simd import move

LINE = 16  # floats


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M = A.shape[0]
    if lines_split(A):
        turn_between_lines(A, C, 0, M)
    else:
        for i0 in range(0, M, tile):
            turn_strip(A, C, i0, min(i0 + tile, M))


def lines_split(A: Matrix) -> bool:
    """Whether lines of C have parts of two blocks."""
    M, N = A.shape
    small = M < 2 * LINE or N < LINE or LANES < LINE
    return M % LINE > 0 and not small


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
    M, N = A.shape
    first = (i0 + LANES - 1) // LANES * LANES
    end = (i1 + LANES - 1) // LANES * LANES
    last = M - LANES  # where the last block begins
    kept = panel(N + LANES, LANES)
    for i in range(first, min(end, last) + 1, LANES):
        for j0 in range(0, N, LANES):
            j = min(j0, N - LANES)
            b = turned(tile_load(A, i, j, LANES, LANES))
            if i > first:
                a = tile_load(kept, j0, 0, LANES, LANES)
                stream_lines(C, j, i - LANES, a, b)
            tile_store(kept, j0, 0, b, LANES, LANES)
    if i0 == 0:
        turn_block_row(A, C, 0)  # before the first lines
    if i1 == M:
        turn_block_row(A, C, last // LANES * LANES)  # and after
        turn_block_row(A, C, last)


def turn_block_row(A: Matrix, C: Matrix, i: int) -> None:
    N = A.shape[1]
    for j0 in range(0, N, LANES):
        j = min(j0, N - LANES)
        block = turned(tile_load(A, i, j, LANES, LANES))
        tile_store(C, j, i, block, LANES, LANES)
