"""What memory held after each row that wrote, collected while a launch executes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.trace import Written

_ROW_BYTES = 16


class History:
    """The rows in the order executed, with their bytes."""

    def __init__(self) -> None:
        self._rows = array("q")
        self._ends = array("q", [0])
        self._held = bytearray()

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        return len(self._held) + len(self._rows) * _ROW_BYTES

    def add(self, row: int, leaves: Sequence[npt.NDArray[Any]]) -> None:
        """For each leaf of what a lane writes, what memory holds in the active lanes; all leaves are of one type."""
        self._held += (leaves[0] if len(leaves) == 1 else np.stack(leaves, axis=1)).tobytes()
        self._rows.append(row)
        self._ends.append(len(self._held))

    def finish(self) -> Written:
        """As a trace has it, without a copy: nothing can be added any more."""
        return Written(np.frombuffer(self._rows, np.int64), np.frombuffer(self._ends, np.int64), np.frombuffer(self._held, np.uint8))
