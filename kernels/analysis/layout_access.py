"""What a warp's access through a layout meets in shared memory: the banks and wavefronts of a column, a row, an ldmatrix."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kernels.analysis.banks import WORD_BYTES, Phase, phases
from kernels.analysis.layouts import ComposedLayout
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

Ints = npt.NDArray[np.int64]

ELEMENT_BYTES = (1, 2, 4, 8, 16)
MATRIX_SIDE = 8
MATRIX_ROW_BYTES = 16
NO_WORD = -1


class Pattern(StrEnum):
    """Elements that the 32 lanes of a warp read at once."""

    COLUMN = "column"
    """Of the first mode 32 neighbours, the second one fixed."""
    ROW = "row"
    """Of the second mode 32 neighbours, the first one fixed."""
    ORDER = "order"
    """32 elements in the order of the numbers of their coordinates."""
    LDMATRIX = "ldmatrix"
    """Four matrices of 8 rows of 16 bytes along the second mode: below one another two by two, then beside (ldmatrix.x4)."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutAccess:
    """Access of a warp: the byte that each lane reads from, -1 for a lane beyond the layout, and how shared memory serves it."""

    addresses: Ints
    bytes_per_lane: int
    phases: tuple[Phase, ...]

    @property
    def wavefronts(self) -> int:
        """Turns of the busiest bank, summed over the phases."""
        return sum(phase.wavefronts for phase in self.phases)

    @property
    def ideal(self) -> int:
        """Wavefronts without a bank conflict."""
        return len(self.phases)


def access(layout: ComposedLayout, element_bytes: int, pattern: Pattern, first: tuple[int, int] = (0, 0)) -> LayoutAccess | Message:
    """The access of a warp from the element at `first`, whose numbers are of the first two modes; a message where there is none.

    Offsets of the layout count elements of `element_bytes` bytes. ValueError for a size that no lane reads.
    """
    if element_bytes not in ELEMENT_BYTES:
        raise ValueError(f"a lane reads 1, 2, 4, 8 or 16 bytes, not {element_bytes}")
    table = layout.table()
    table = table.reshape((len(table), -1), order="F")
    if not (first[0] < table.shape[0] and first[1] < table.shape[1]):
        return message("Element ({row}, {column}) is not in the layout.", row=first[0], column=first[1])
    if pattern is Pattern.LDMATRIX:
        return _matrices(table[first[0] :, first[1] :], element_bytes)
    lines = {Pattern.COLUMN: table[first[0] :, first[1]], Pattern.ROW: table[first[0], first[1] :]}
    elements = lines.get(pattern, table.ravel(order="F")[first[0] + first[1] * len(table) :])
    return _served(elements[:WARP] * element_bytes, element_bytes)


def _matrices(table: Ints, element_bytes: int) -> LayoutAccess | Message:
    """The rows of four matrices, one a lane: they must lie together."""
    per_row = MATRIX_ROW_BYTES // element_bytes
    rows, columns = 2 * MATRIX_SIDE, 2 * per_row
    if table.shape[0] < rows or table.shape[1] < columns:
        return message("ldmatrix.x4 reads {rows} × {columns} elements from here; the layout ends before.", rows=rows, columns=columns)
    lane = np.arange(WARP)
    row, column = lane % rows, lane // rows * per_row
    elements = table[row[:, None], column[:, None] + np.arange(per_row)] * element_bytes
    addresses = elements[:, 0]
    apart = (elements != addresses[:, None] + np.arange(per_row) * element_bytes).any(axis=1)
    crooked = apart | (addresses % MATRIX_ROW_BYTES != 0)
    if crooked.any():
        lane_number = int(np.argmax(crooked))
        place = {"row": int(row[lane_number]), "address": int(addresses[lane_number])}
        if apart[lane_number]:
            return message("ldmatrix reads 16 bytes that lie together: those of row {row}, from byte {address} on, do not.", **place)
        return message("ldmatrix reads from multiples of 16 bytes: row {row} begins at byte {address}.", **place)
    return _served(addresses, MATRIX_ROW_BYTES)


def _served(addresses: Ints, bytes_per_lane: int) -> LayoutAccess:
    padded = np.full(WARP, NO_WORD, np.int64)
    padded[: len(addresses)] = addresses
    words = np.where(padded < 0, NO_WORD, padded // WORD_BYTES)
    return LayoutAccess(padded, bytes_per_lane, phases(words.tolist(), bytes_per_lane, "load"))
