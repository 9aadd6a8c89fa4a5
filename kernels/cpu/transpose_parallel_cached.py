"""C = A transposed on all cores, rows of C by thread.

  A            C
  0 0 1 1      0 0 0 0
  0 0 1 1      0 0 0 0      strips of `tile` rows of C,
  0 0 1 1      1 1 1 1      columns of A, by thread
  0 0 1 1      1 1 1 1

A thread fills its rows of C from left to right, block after
block, and goes through its columns of A from top to bottom.
C stays in the caches of the core that wrote it. Where A and
C fit into them that is faster than to go past them; larger
ones are faster with transpose_parallel.py.
"""

from __future__ import annotations

from kernels.cpu.atomics import Words
from kernels.cpu.matrix import Matrix
from kernels.cpu.teams import next_chunk
from kernels.cpu.transpose_simd import turn


def transpose(
    A: Matrix,
    C: Matrix,
    tile: int,
    team: Words,
    thread: int,
) -> None:
    M, N = A.shape
    strips = (N + tile - 1) // tile
    first, last = next_chunk(team, thread, strips)
    while first < last:
        j0, j1 = first * tile, min(last * tile, N)
        turn(A, C, 0, M, j0, j1)
        first, last = next_chunk(team, thread, strips)
