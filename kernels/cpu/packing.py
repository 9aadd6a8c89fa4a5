"""Packing: a part of a matrix copied into the order in which a register tile reads it.

A panel holds one strip after the other. A strip has a row for each k: the values that one step of a tile takes. Where the
matrix ends inside a strip, zeros fill it.
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import LANES, load, store, tile_load, tile_store, turned

QUAD = 4


def equal_parts(total: int, largest: int, step: int) -> int:
    """The size of equal parts of `total`, none larger than `largest` if that is possible, as a multiple of `step`."""
    largest = max(largest // step * step, step)
    parts = max((total + largest - 1) // largest, 1)
    size = (total + parts - 1) // parts
    return max((size + step - 1) // step * step, step)


def pack_rows(B: Matrix, panel: Matrix, width: int) -> None:
    """Strips of `width` columns of B (kc x nc); row k of a strip is a part of row k of B."""
    depth, columns = B.shape
    for j in range(0, columns, width):
        strip = j // width * depth
        inside = min(width, columns - j)
        whole = inside // LANES * LANES
        for k in range(depth):
            for x in range(0, whole, LANES):
                store(panel, strip + k, x, load(B, k, j + x, LANES))
            for x in range(whole, inside):
                panel[strip + k, x] = B[k, j + x]
            for x in range(inside, width):
                panel[strip + k, x] = 0


def pack_columns(A: Matrix, panel: Matrix, height: int) -> None:
    """Strips of `height` rows of A (mc x kc); row k of a strip is a part of column k of A."""
    rows, depth = A.shape
    for i in range(0, rows, height):
        strip = i // height * depth
        if i + height <= rows and height % QUAD == 0:
            for y in range(0, height, QUAD):
                turn_rows(A, i + y, panel, strip, y)
        else:
            for y in range(height):
                for k in range(depth):
                    panel[strip + k, y] = A[i + y, k] if i + y < rows else 0


def turn_rows(A: Matrix, i: int, panel: Matrix, strip: int, y: int) -> None:
    """Four rows of A into four columns of a strip, sixteen values at a time in registers."""
    depth = A.shape[1]
    whole = depth // QUAD * QUAD
    for k in range(0, whole, QUAD):
        tile_store(panel, strip + k, y, turned(tile_load(A, i, k, QUAD, QUAD)), QUAD, QUAD)
    for k in range(whole, depth):
        for x in range(QUAD):
            panel[strip + k, y + x] = A[i + x, k]
