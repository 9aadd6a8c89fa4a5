"""Messages between threads: where one told another by an atomic or a volatile flag what it did, and what was missing for that to hold."""

from __future__ import annotations

import numpy as np

from kernels.analysis.synchronisation import BLOCK, DEVICE, READ, WRITE, Fences, Operations, Times
from kernels.base.messages import Message, message
from kernels.simt.base.types import MemoryOrder
from kernels.simt.trace.trace import Trace

FENCES = {BLOCK: "__threadfence_block()", DEVICE: "__threadfence()"}
At = tuple[int, int]
"""A thread, numbered through the grid, and a time."""


class MessagesPassed:
    """The messages of a launch."""

    def __init__(self, trace: Trace, times: Times, operations: Operations) -> None:
        self._trace = trace
        self._operations = operations
        self._time = times.row[operations.row]
        self._fences = Fences.of(trace, times, np.unique(operations.thread), (MemoryOrder.ACQ_REL, MemoryOrder.RELEASE))

    def reason(self, first: At, second: At) -> Message | None:
        """Why the first of two accesses does not come before the second, although its thread told the other's afterwards; None if it
        did not."""
        operations, time = self._operations, self._time
        told = np.flatnonzero((operations.thread == first[0]) & (time > first[1]) & (operations.kind != READ))
        heard = np.flatnonzero((operations.thread == second[0]) & (time < second[1]) & (operations.kind != WRITE))
        for teller in told.tolist():
            same = heard[(operations.place[heard] == operations.place[teller]) & (time[heard] > time[teller])]
            if len(same):
                return self._lacking(first, teller, int(same[0]), second)
        return None

    def _lacking(self, first: At, teller: int, hearer: int, second: At) -> Message:
        lanes = self._trace.masks.shape[1]
        needed = BLOCK if first[0] // lanes == second[0] // lanes else DEVICE
        flag, wait, fence = self._line(teller), self._line(hearer), FENCES[needed]
        for operation, line in ((teller, flag), (hearer, wait)):
            if self._operations.width[operation] < needed:
                return message("Line {line} passes the message by an atomic of the block's scope, which reaches no other block.", line=line)
        width = self._fences.widest(first[0], first[1], int(self._time[teller]))
        if not width:
            return message("Line {line} passes the message, but no fence stands before it: {fence} belongs there.", line=flag, fence=fence)
        if width < needed:
            return message(
                "Line {line} passes the message, but the fence before it is of the block's scope: {fence} is needed.",
                line=flag,
                fence=fence,
            )
        return message(
            "Line {line} hears the message, but orders nothing behind it: {fence}, or an order that acquires, belongs there.",
            line=wait, fence=fence,
        )  # fmt: skip

    def _line(self, operation: int) -> int:
        return int(self._trace.sites[self._trace.rows.site[self._operations.row[operation]]].location.line)
