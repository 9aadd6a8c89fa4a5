"""Messages between threads: where one told another by an atomic or a volatile flag what it did, and what was missing for that to hold."""

from __future__ import annotations

import numpy as np

from kernels.analysis.synchronisation import BLOCK, DEVICE, READ, WRITE, Fences, Operations, Times, without_fence
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
        did not. Where neither told the other, what threads of their two blocks told counts, if a fence is missing there."""
        operations, time, lanes = self._operations, self._time, self._trace.masks.shape[1]
        for share in (1, lanes) if first[0] // lanes != second[0] // lanes else (1,):
            told = np.flatnonzero((operations.thread // share == first[0] // share) & (time > first[1]) & (operations.kind != READ))
            heard = np.flatnonzero((operations.thread // share == second[0] // share) & (time < second[1]) & (operations.kind != WRITE))
            for teller in told.tolist():
                same = heard[(operations.place[heard] == operations.place[teller]) & (time[heard] > time[teller])]
                if len(same):
                    return self._lacking(first, teller, int(same[0]), second)
        return None

    def _lacking(self, first: At, teller: int, hearer: int, second: At) -> Message | None:
        lanes = self._trace.masks.shape[1]
        needed = BLOCK if first[0] // lanes == second[0] // lanes else DEVICE
        flag, wait, fence = self._line(teller), self._line(hearer), FENCES[needed]
        for operation, line in ((teller, flag), (hearer, wait)):
            if self._operations.width[operation] < needed:
                return message("Line {line} passes the message by an atomic of the block's scope, which reaches no other block.", line=line)
        width = self._fences.widest(int(self._operations.thread[teller]), first[1], int(self._time[teller]))
        if width >= needed and self._operations.thread[teller] != first[0]:
            return None
        return without_fence(self._lacking_fence(width, needed, (flag, wait), fence), needed)

    def _lacking_fence(self, width: int, needed: int, lines: tuple[int, int], fence: str) -> Message:
        """Which fence is missing, where the one before the flag is as wide as `width`; `lines` pass and hear the message."""
        flag, wait = lines
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
