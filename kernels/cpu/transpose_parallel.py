"""C = A transposed on all cores, strip by strip.

  A            C
  0 0 0 0      0 1 0 1
  1 1 1 1      0 1 0 1      strips of `tile` rows of A,
  0 0 0 0      0 1 0 1      columns of C, by thread
  1 1 1 1      0 1 0 1

The schedule shares out the strips. All are equally long, so
every schedule does: compare transpose_triangle.py. What the
threads share is the way to memory: once that is busy, more
of them are no faster.
Next rung: both matrices in the caches
(transpose_parallel_cached.py).
"""

from __future__ import annotations

from kernels.cpu.atomics import Words
from kernels.cpu.matrix import Matrix
from kernels.cpu.teams import next_chunk
from kernels.cpu.transpose_streaming import (
    lines_split,
    turn_between_lines,
    turn_strip,
)


def transpose(
    A: Matrix,
    C: Matrix,
    tile: int,
    team: Words,
    thread: int,
) -> None:
    M = A.shape[0]
    strips = (M + tile - 1) // tile
    first, last = next_chunk(team, thread, strips)
    while first < last:
        if lines_split(A):
            end = min(last * tile, M)
            turn_between_lines(A, C, first * tile, end)
        else:
            for s in range(first, last):
                turn_strip(A, C, s * tile, min(s * tile + tile, M))
        first, last = next_chunk(team, thread, strips)
