"""What an execution may take, looked at in every loop."""

from __future__ import annotations

import time

from kernels.base.messages import Message, message
from kernels.simt.base.types import Location
from kernels.simt.machine.lanes import Masks
from kernels.simt.machine.log import AccessLog

TICKS = 64
"""Rounds of loops between two looks at the budget."""
_MIB = 1 << 20


class BudgetExceeded(Exception):
    """End of a launch that has used up its budget."""

    def __init__(self, location: Location, reason: Message) -> None:
        super().__init__(str(reason))
        self.location = location
        self.reason = reason


class Meter:
    """Compares what was taken with what is allowed. `held` are bytes of memory taken before."""

    def __init__(self, seconds: float, rows: int, most_bytes: int, held: int, log: AccessLog, masks: Masks) -> None:
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._rows = rows
        self._bytes = most_bytes
        self._held = held
        self._log = log
        self._masks = masks

    def check(self, location: Location) -> int:
        """Rounds until the next look. Raises BudgetExceeded."""
        log = self._log
        if time.monotonic() > self._deadline:
            raise BudgetExceeded(location, message("Stopped here after {seconds} seconds.", seconds=self._seconds))
        if log.count > self._rows:
            raise BudgetExceeded(location, message("Stopped here after {rows} recorded accesses.", rows=self._rows))
        if self._held + log.bytes + self._masks.bytes > self._bytes:
            raise BudgetExceeded(location, message("Stopped here: the trace takes more than {limit} MiB.", limit=self._bytes // _MIB))
        return TICKS
