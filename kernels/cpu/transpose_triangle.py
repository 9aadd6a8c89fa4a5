"""C = A transposed on all cores, in pairs of mirrored tiles.

  0 0 0 0 0      iteration i has the tiles (i, j) and (j, i)
  0 1 1 1 1      for all j >= i: both are moved while their
  0 1 2 2 2      places are near, as a transposition that
  0 1 2 3 3      overwrites A must do it
  0 1 2 3 4

The first iteration has nine tiles here, the last has one.
Equal numbers of iterations are not equal work: with the
static schedule thread 0 has most of it, and the others wait.
A dynamic schedule evens that out, static with a chunk of 1
nearly; guided not: its first chunk is the first share again.
Next rung: equal work for each, written past the caches
(transpose_parallel.py).
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
    sides = (max(A.shape[0], A.shape[1]) + tile - 1) // tile
    first, last = next_chunk(team, thread, sides)
    while first < last:
        for i in range(first, last):
            turn_tile(A, C, i, i, tile)
            for j in range(i + 1, sides):
                turn_tile(A, C, i, j, tile)
                turn_tile(A, C, j, i, tile)
        first, last = next_chunk(team, thread, sides)


def turn_tile(
    A: Matrix,
    C: Matrix,
    i: int,
    j: int,
    tile: int,
) -> None:
    M, N = A.shape
    i0, j0 = min(i * tile, M), min(j * tile, N)
    i1, j1 = min(i0 + tile, M), min(j0 + tile, N)
    turn(A, C, i0, i1, j0, j1)  # empty outside of A
