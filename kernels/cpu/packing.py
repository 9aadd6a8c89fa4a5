"""Packing: a part of a matrix copied into the order in which a register tile reads it.

A panel holds one strip after the other. A strip has a row for each k: the values that one step of a tile takes. Where the
matrix ends inside a strip, zeros fill it.
"""

from __future__ import annotations

from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import LANES, load, store, tile_load, tile_store, turned

QUAD = 4
"""Rows and columns of what is turned in registers on its way into a strip."""
ROWS = 8
"""Of B, that are packed together."""


def equal_parts(total: int, largest: int, step: int) -> int:
    """The size of equal parts of `total`, none larger than `largest` if that is possible, as a multiple of `step`."""
    largest = max(largest // step * step, step)
    parts = max((total + largest - 1) // largest, 1)
    size = (total + parts - 1) // parts
    return max((size + step - 1) // step * step, step)


def pack_rows(B: Matrix, panel: Matrix, width: int) -> None:
    """Strips of `width` columns of B (kc x nc); row k of a strip is a part of row k of B.

    A few rows of B at a time, through all strips: their addresses follow one another, and what does is fetched ahead.
    Where a vector is left over, it begins among the columns before.
    """
    depth, columns = B.shape
    for k0 in range(0, depth, ROWS):
        k1 = min(k0 + ROWS, depth)
        for j in range(0, columns, width):
            strip = j // width * depth
            inside = min(width, columns - j)
            whole = inside // LANES * LANES
            for k in range(k0, k1):
                for x in range(0, whole, LANES):
                    store(panel, strip + k, x, load(B, k, j + x, LANES))
                if 0 < whole < inside:
                    x = inside - LANES
                    store(panel, strip + k, x, load(B, k, j + x, LANES))
                if whole == 0:
                    for x in range(inside):
                        panel[strip + k, x] = B[k, j + x]
                for x in range(inside, width):
                    panel[strip + k, x] = 0


def pack_columns(A: Matrix, panel: Matrix, height: int) -> None:
    """Strips of `height` rows of A (mc x kc); row k of a strip is a part of column k of A.

    Four rows are turned at a time; where four do not divide the rows or the depth, the last four begin among those before.
    """
    rows, depth = A.shape
    for i in range(0, rows, height):
        strip = i // height * depth
        inside = min(height, rows - i)
        for k in range(depth):
            for y in range(inside, height):
                panel[strip + k, y] = 0
        if inside < QUAD or depth < QUAD:
            for k in range(depth):
                for y in range(inside):
                    panel[strip + k, y] = A[i + y, k]
            continue
        for k0 in range(0, depth, QUAD):
            k = min(k0, depth - QUAD)
            for y0 in range(0, inside, QUAD):
                y = min(y0, inside - QUAD)
                tile_store(panel, strip + k, y, turned(tile_load(A, i + y, k, QUAD, QUAD)), QUAD, QUAD)
