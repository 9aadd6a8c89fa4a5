"""C = A B tile by tile.

Three tiles stay in the cache while tile x tile x tile
products are formed from them. The outer three loops walk
over tiles; the inner three multiply one tile of A by one of
B and add the product to a tile of C. A value that was
fetched is used `tile` times, so memory is read `tile` times
less often.

The loops are the compiler's again, so compare it with ikj
(matmul_loop_order.py). As long as B stays in a near cache,
ikj is ahead: its inner loop is longer, and nothing is to be
saved. Beyond, ikj waits for B, and tiles do not: from about
n = 2048 on, as caches are today, tiles are ahead.
Next rung: keep a small block of C in registers too, by
vector instructions (matmul_simd_blocked.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix


def multiply(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
    M, K = A.shape
    N = B.shape[1]
    for i0 in range(0, M, tile):
        for j0 in range(0, N, tile):
            C[i0 : i0 + tile, j0 : j0 + tile] = 0
            for k0 in range(0, K, tile):
                # C tile += A tile times B tile;
                # min() stops at the edge of the matrix
                for i in range(i0, min(i0 + tile, M)):
                    c = C[i, j0 : j0 + tile]
                    for k in range(k0, min(k0 + tile, K)):
                        a = A[i, k]
                        b = B[k, j0 : j0 + tile]
                        # along two row slices, from 0:
                        # this form the compiler vectorises
                        for j in range(len(b)):
                            c[j] += a * b[j]
