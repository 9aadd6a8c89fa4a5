"""C = A B in matrix registers (AMX), from A and B in bfloat16.

  for k0: a panel of B, kc x nc, is packed     -> L3
    for i0: a block of A, mc x kc, is packed   -> L2
      for each 32 x 32 tile of C      four registers
        for k: two registers of A, two of B: four
               instructions, of 8192 products each

A register has 16 rows of 16 words. A word holds two values
of bfloat16, here those of k and k + 16: then vectors that
lie 16 apart become words without a shuffle. Rows of A and
columns of B pair alike, so the sum is the same. Where a
matrix ends, zeros fill the panels.
Next rung: float32 by a library, made by experts
(matmul_numpy.py).
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.matrix_registers import (
    register_dot,
    register_load,
    register_tile,
    register_zeros,
    registers_configure,
    registers_release,
)
from kernels.cpu.packing import equal_parts
from kernels.cpu.simd import (
    Tile,
    load_first,
    panel,
    prefetch,
    store,
    tile_add,
    tile_store,
    words,
)

S = 16  # rows and words of a register
T = 32  # rows and columns of a tile of C; k in a row of words


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
    kc = equal_parts(K, kc, T)
    mc = equal_parts(M, mc, T)
    nc = equal_parts(N, nc, T)
    a = panel(mc * kc // T, S)
    b = panel(nc * kc // T // 2, T)
    if K == 0:
        C[:, :] = 0
    registers_configure()
    for j0 in range(0, N, nc):
        for k0 in range(0, K, kc):
            right = B[k0 : k0 + kc, j0 : j0 + nc]
            pack_words_down(right, b)
            for i0 in range(0, M, mc):
                left = A[i0 : i0 + mc, k0 : k0 + kc]
                pack_words_along(left, a)
                part = C[i0 : i0 + mc, j0 : j0 + nc]
                multiply_words(a, b, part, left.shape[1], k0 == 0)
    registers_release()


def pack_words_along(A: Matrix, a: Matrix) -> None:
    rows, depth = A.shape
    r = 0
    for i in range(0, rows, T):
        for k in range(0, depth, T):
            for y in range(i, i + T):
                inside = depth - k if y < rows else 0
                x = min(y, rows - 1)
                low = load_first(A, x, k, S, inside)
                high = load_first(A, x, k + S, S, inside - S)
                store(a, r, 0, words(low, high))
                r += 1


def pack_words_down(B: Matrix, b: Matrix) -> None:
    depth, columns = B.shape
    end = depth - 1
    r = 0
    for j in range(0, columns, T):
        for k in range(0, depth, T):
            for y in range(k, k + S):
                z = y + S
                for x in range(0, T, S):
                    at = j + x
                    inside = columns - at
                    above = inside if y <= end else 0
                    below = inside if z <= end else 0
                    low = load_first(B, min(y, end), at, S, above)
                    high = load_first(B, min(z, end), at, S, below)
                    store(b, r, x, words(low, high))
                r += 1


def multiply_words(
    a: Matrix,
    b: Matrix,
    C: Matrix,
    depth: int,
    first: bool,
) -> None:
    rows, columns = C.shape
    steps = (depth + T - 1) // T
    for j in range(0, columns, T):
        for i in range(0, rows, T):
            prefetch(C, i, j, T, T)  # needed at the end
            c00 = register_zeros(0)
            c01 = register_zeros(1)
            c10 = register_zeros(2)
            c11 = register_zeros(3)
            up, left = i * steps, j // T * steps * S
            for k in range(steps):
                a0 = register_load(4, a, up + k * T, 0)
                a1 = register_load(5, a, up + k * T + S, 0)
                b0 = register_load(6, b, left + k * S, 0)
                b1 = register_load(7, b, left + k * S, S)
                c00 = register_dot(c00, a0, b0)
                c01 = register_dot(c01, a0, b1)
                c10 = register_dot(c10, a1, b0)
                c11 = register_dot(c11, a1, b1)
            keep(C, i, j, register_tile(c00), first)
            keep(C, i, j + S, register_tile(c01), first)
            keep(C, i + S, j, register_tile(c10), first)
            keep(C, i + S, j + S, register_tile(c11), first)


def keep(
    C: Matrix,
    i: int,
    j: int,
    tile: Tile,
    first: bool,
) -> None:
    rows, columns = C.shape
    height, width = min(S, rows - i), min(S, columns - j)
    if height > 0 and width > 0:
        if first:
            tile_store(C, i, j, tile, height, width)
        else:
            tile_add(C, i, j, tile, height, width)
