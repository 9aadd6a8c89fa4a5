"""A step of a CPU kernel as a table of what it reads and writes."""

from __future__ import annotations

import math

from app.core.frames import Frame
from app.core.frames_index import TraceIndex
from app.core.table import Table
from kernels.cpusim.trace import WRITE
from kernels.messages import message

_TITLES = (message("Matrix"), message("Row"), message("Column"), message("Access"), message("Value"))
_READ, _WRITTEN = message("read"), message("written")


def access_table(index: TraceIndex, frame: Frame) -> Table:
    """One row for each element that the step touches, in the order in which it does."""
    touched = index.elements_of(frame.step, frame.step + 1)
    names = index.trace.arrays
    columns = (touched.matrix, touched.row, touched.column, touched.kind, touched.value)
    rows = tuple(
        (names[matrix], str(row), str(column), _WRITTEN if kind == WRITE else _READ, "" if math.isnan(value) else f"{value:.6g}")
        for matrix, row, column, kind, value in zip(*(each.tolist() for each in columns), strict=True)
    )
    return Table(_TITLES, rows)
