"""C = A transposed, tile by tile.

A small tile of A and the mirrored tile of C stay in the
cache together. The writes still go down columns, but only `tile`
rows deep: the next row of the tile finds the same cache
lines still there.

Where a row of C is a power of two long, the lines of one of
its columns belong to the same few sets of the cache, and
only as many of them stay as a set has ways, often 8. There a
tile of 4 or 8 helps, and one of 64 is as slow as none. And
where A and C fit into the caches, none is needed.
Next rung: tiles for every cache at once, without choosing
(transpose_cache_oblivious.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def transpose(A: Matrix, C: Matrix, tile: int) -> None:
    M, N = A.shape
    for i0 in range(0, M, tile):
        for j0 in range(0, N, tile):
            for i in range(i0, min(i0 + tile, M)):
                for j in range(j0, min(j0 + tile, N)):
                    C[j, i] = A[i, j]
