"""What a warp's access through a layout meets in shared memory: the banks and wavefronts of a column, a row, an ldmatrix."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from kernels.analysis.banks import INACTIVE, WORD_BYTES, phases
from kernels.analysis.columns import Ints
from kernels.analysis.layouts import ComposedLayout
from kernels.simt.trace.trace import WARP

MATRIX_SIDE = 8
MATRIX_ROW_BYTES = 16


class Pattern(StrEnum):
    """Elements that the 32 lanes of a warp read at once, from the first of the layout on."""

    COLUMN = "column"
    """Of the first mode 32 neighbours, the second one fixed."""
    ROW = "row"
    """Of the second mode 32 neighbours, the first one fixed."""
    LDMATRIX = "ldmatrix"
    """Four matrices of 8 rows of 16 bytes along the second mode: below one another two by two, then beside (ldmatrix.x4)."""


def wavefronts_of(layout: ComposedLayout, element_bytes: int, pattern: Pattern) -> int | None:
    """The wavefronts that an access of a warp takes, or None where there is no such access. Offsets count elements."""
    table = layout.table()
    table = table.reshape((len(table), -1), order="F")
    if pattern is Pattern.LDMATRIX:
        addresses = _matrix_rows(table, element_bytes)
        return None if addresses is None else _served(addresses, MATRIX_ROW_BYTES)
    line = table[:, 0] if pattern is Pattern.COLUMN else table[0]
    return _served(line[:WARP] * element_bytes, element_bytes)


def _matrix_rows(table: Ints, element_bytes: int) -> Ints | None:
    """The rows of four matrices, one a lane: each must lie together, at a multiple of its 16 bytes."""
    per_row = MATRIX_ROW_BYTES // element_bytes
    rows, columns = 2 * MATRIX_SIDE, 2 * per_row
    if table.shape[0] < rows or table.shape[1] < columns:
        return None
    lane = np.arange(WARP)
    row, column = lane % rows, lane // rows * per_row
    elements = table[row[:, None], column[:, None] + np.arange(per_row)] * element_bytes
    addresses = elements[:, 0]
    apart = (elements != addresses[:, None] + np.arange(per_row) * element_bytes).any()
    return None if apart or (addresses % MATRIX_ROW_BYTES).any() else addresses


def _served(addresses: Ints, bytes_per_lane: int) -> int:
    """Turns of the busiest bank, summed over the phases."""
    words = np.full(WARP, INACTIVE, np.int64)
    words[: len(addresses)] = addresses // WORD_BYTES
    return sum(phase.wavefronts for phase in phases(words.tolist(), bytes_per_lane, "load"))
