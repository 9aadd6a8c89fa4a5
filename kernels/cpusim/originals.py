"""Where the originals of packed copies are: found by executing the kernel again on matrices that hold their own places.

Packing copies values and computes nothing, so what a panel then holds are the places that its values came from. Control flow does
not depend on values: both executions touch the same in the same order. A sum or a difference has no original: places are so large and
so near each other that none of those is one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from kernels.cpusim.trace import COPY

Matrix = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
KIND, MATRIX, ROW, COLUMN, ROWS, COLUMNS = range(6)
"""Fields of an access."""


FIRST = 5_000_003
"""The first place: odd, as sums of many products, which float32 rounds to multiples of a power of two, are not."""


def place_matrices(shapes: Mapping[str, tuple[int, int]]) -> dict[str, Matrix]:
    """Matrices whose elements are all different: they count up from `FIRST`, one matrix after the other. Zero is nobody's place.

    Exact for up to 11 million elements in all, far more than a trace can have.
    """
    places: dict[str, Matrix] = {}
    first = FIRST
    for name, (rows, columns) in shapes.items():
        places[name] = np.arange(first, first + rows * columns, dtype=np.float32).reshape(rows, columns)
        first += rows * columns
    return places


def locate(accesses: npt.NDArray[np.float64], copies: Mapping[int, Matrix], shapes: Mapping[str, tuple[int, int]]) -> None:
    """Fill in where the originals of the copies are, as the smallest rectangle around them, in the columns of `accesses`.

    `shapes` are those that `place_matrices` was given, in the order of the matrices' numbers. A copy of zeros only, which fill a
    panel where the matrix ends, or of sums has no rows.
    """
    for access, held in copies.items():
        assert accesses[KIND, access] == COPY
        found = _rectangle(held.astype(np.int64).ravel(), shapes)
        if found is not None:
            accesses[MATRIX : COLUMNS + 1, access] = found


def _rectangle(places: Places, shapes: Mapping[str, tuple[int, int]]) -> tuple[int, int, int, int, int] | None:
    places = places[places >= FIRST] - FIRST
    for number, (rows, columns) in enumerate(shapes.values()):
        own = places[places < rows * columns]
        if len(own):
            row, column = np.divmod(own, columns)
            top, left = int(row.min()), int(column.min())
            return number, top, left, int(row.max()) - top + 1, int(column.max()) - left + 1
        places = places - rows * columns
    return None
