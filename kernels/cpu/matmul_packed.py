"""C = A B from packed panels: the scheme of GotoBLAS.

  for k0: a panel of B, kc x nc, is packed     -> L3
    for i0: a block of A, mc x kc, is packed   -> L2
      for each MR x NR tile of C               registers
        for k: tile += column of A times row of B

The tile of C stays in vector registers during the whole
inner loop: a value of B serves MR products, one of A serves
NR. Packing copies A and B into the order in which they are
read, one address after the other, padded with zeros.
What the next steps read, and the next strip of B, is asked
for ahead: the loop takes it faster than L2 and L3 answer.
Next rung: all cores, each with a copy of C
(matmul_parallel_private.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.packing import equal_parts, pack_columns, pack_rows
from kernels.cpu.simd import (
    REGISTER_TILE,
    panel,
    prefetch,
    prefetch_to_l2,
    prefetch_to_read,
    rank_one,
    tile_add,
    tile_store,
    tile_zeros,
)

MR, NR = REGISTER_TILE  # its rows and columns
A_AHEAD, B_AHEAD = 16, 8  # steps of k


def multiply(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    mc: int,
    kc: int,
    nc: int,
) -> None:
    M, K = A.shape
    N = B.shape[1]
    kc = equal_parts(K, kc, 4)
    mc = equal_parts(M, mc, MR)
    nc = equal_parts(N, nc, NR)
    a = panel(mc // MR * kc, MR)
    b = panel(nc // NR * kc, NR)
    if K == 0:
        C[:, :] = 0
    for j0 in range(0, N, nc):
        for k0 in range(0, K, kc):
            k1 = min(k0 + kc, K)
            pack_rows(B[k0:k1, j0 : j0 + nc], b, NR)
            for i0 in range(0, M, mc):
                pack_columns(A[i0 : i0 + mc, k0:k1], a, MR)
                part = C[i0 : i0 + mc, j0 : j0 + nc]
                multiply_panels(a, b, part, k1 - k0, k0 == 0)


def multiply_panels(
    a: Matrix,
    b: Matrix,
    C: Matrix,
    depth: int,
    first: bool,
) -> None:
    rows, columns = C.shape
    tiles = max(1, (rows + MR - 1) // MR)
    share = (depth + tiles - 1) // tiles
    for j in range(0, columns, NR):
        right = b[j // NR * depth :]
        for i in range(0, rows, MR):
            left = a[i // MR * depth :]
            later = right[depth + i // MR * share :]
            tile = tile_zeros(MR, NR)
            for k in range(depth):
                if k < MR:  # of C, needed at the end
                    prefetch(C, i + k, j, 1, NR)
                if k < share:  # of the next strip
                    prefetch_to_l2(later, k, 0, 1, NR)
                prefetch_to_read(left, k + A_AHEAD, 0, 1, 1)
                prefetch_to_read(right, k + B_AHEAD, 0, 1, NR)
                tile = rank_one(tile, left, right, k)
            height, width = min(MR, rows - i), min(NR, columns - j)
            if first:
                tile_store(C, i, j, tile, height, width)
            else:
                tile_add(C, i, j, tile, height, width)
