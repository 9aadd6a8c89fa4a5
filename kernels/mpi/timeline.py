"""What each rank of one real run did, and when: computing, waiting, communicating, and every message between them.

Only the calls of MPI are timed. What lies between them is computing. A call is waiting until the last rank that it exchanged
something with had made its own call, and communicating from then on; from its end of the run to the last rank's, a rank waits.
A broadcast counts as one message from its root to each other rank, although MPI passes it on from rank to rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


class Activity(IntEnum):
    """What a rank spends its time on."""

    COMPUTING = 0
    WAITING = 1
    COMMUNICATING = 2


class Intervals(NamedTuple):
    """What the ranks did, one entry each time; an interval without a call of MPI has line 0."""

    rank: Numbers
    activity: Numbers
    start_ns: Numbers
    end_ns: Numbers
    line: Numbers


class Messages(NamedTuple):
    """From when the sender made its call to when the receiver's was over."""

    sender: Numbers
    receiver: Numbers
    bytes: Numbers
    start_ns: Numbers
    end_ns: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class MpiTimeline:
    """One run of all ranks. Nanoseconds from when the first of them began; clocks of other hosts are off by up to `clock_error_ns`."""

    hosts: tuple[str, ...]
    clock_error_ns: tuple[int, ...]
    intervals: Intervals
    messages: Messages

    @property
    def ranks(self) -> int:
        return len(self.hosts)

    @property
    def duration_ns(self) -> int:
        """When the last rank was done."""
        return int(self.intervals.end_ns.max())

    def spent_ns(self, activity: Activity) -> Numbers:
        """How long each rank did this, by rank."""
        mine = self.intervals.activity == activity
        lengths = (self.intervals.end_ns - self.intervals.start_ns)[mine]
        return _sum(self.intervals.rank[mine], lengths, self.ranks)

    @property
    def sent_bytes(self) -> Numbers:
        """By rank."""
        return _sum(self.messages.sender, self.messages.bytes, self.ranks)

    @property
    def received_bytes(self) -> Numbers:
        """By rank."""
        return _sum(self.messages.receiver, self.messages.bytes, self.ranks)


def _sum(ranks: Numbers, amounts: Numbers, count: int) -> Numbers:
    total = np.zeros(count, np.int64)
    np.add.at(total, ranks, amounts)
    return total
