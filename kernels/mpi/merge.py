"""Records of what each rank did in a run, and the one timeline that is made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from kernels.measure.real_run import Activity, Intervals, Messages, MpiTimeline, Numbers


class Call(NamedTuple):
    """A call of MPI in nanoseconds of its rank's clock, and the line of the kernel that made it."""

    start: int
    end: int
    line: int


class Half(NamedTuple):
    """Half of a message: what its sender or receiver knows of it. `call` is the number of the call that ended it."""

    call: int
    sender: int
    receiver: int
    bytes: int
    channel: str
    """Messages between the same two ranks on the same channel come in the order in which they were sent."""
    posted: int
    """When this side was ready for it."""


class Record(NamedTuple):
    """Record of what one rank tells of its run. Times are of its own clock; `ahead` is how much rank 0's is ahead of it."""

    host: str
    ahead: int
    clock_error: int
    start: int
    end: int
    calls: Sequence[Call]
    halves: Sequence[Half]

    @staticmethod
    def of(words: dict[str, Any]) -> Record:
        """Return the record from JSON, which knows no tuples of ours."""
        calls = [Call(*call) for call in words["calls"]]
        halves = [Half(*half) for half in words["halves"]]
        return Record(**{**words, "calls": calls, "halves": halves})


_Key = tuple[int, int, str]
_Ends = dict[_Key, list[Half]]


def timeline_of(records: Sequence[Record]) -> MpiTimeline:
    """The timeline of a run, from the record of every rank in order."""
    origin = min(record.start + record.ahead for record in records)
    end = max(record.end + record.ahead for record in records) - origin
    # from a rank's clock to the timeline's
    shifts = [record.ahead - origin for record in records]
    ready: list[dict[int, list[int]]] = [defaultdict(list) for _ in records]
    messages = []
    for out, back in _pairs(records):
        sender, receiver = out.sender, out.receiver
        sent, expected = out.posted + shifts[sender], back.posted + shifts[receiver]
        ready[sender][out.call].append(expected)
        ready[receiver][back.call].append(sent)
        if out.bytes:
            arrived = records[receiver].calls[back.call].end + shifts[receiver]
            messages.append((sender, receiver, out.bytes, sent, max(sent, arrived)))
    rows = chain.from_iterable(_intervals(rank, record, shifts[rank], ready[rank], end) for rank, record in enumerate(records))
    return MpiTimeline(
        tuple(record.host for record in records), tuple(record.clock_error for record in records),
        Intervals(*_columns(list(rows), 5)), Messages(*_columns(sorted(messages, key=lambda message: message[3]), 5)),
    )  # fmt: skip


def _pairs(records: Sequence[Record]) -> Iterator[tuple[Half, Half]]:
    """Yield both halves of every message: what the sender and what the receiver wrote down."""
    sent: _Ends = defaultdict(list)
    received: _Ends = defaultdict(list)
    for rank, record in enumerate(records):
        for half in record.halves:
            ends = sent if half.sender == rank else received
            ends[half.sender, half.receiver, half.channel].append(half)
    for key, halves in sent.items():
        yield from zip(halves, received[key], strict=True)


def _intervals(rank: int, record: Record, shift: int, ready: dict[int, list[int]], end: int) -> Iterator[tuple[int, ...]]:
    """What the rank did from 0 to `end`, without gaps."""

    def did(activity: Activity, first: int, last: int, line: int = 0) -> Iterator[tuple[int, ...]]:
        if first < last:
            yield rank, activity, first, last, line

    cursor = record.start + shift
    yield from did(Activity.WAITING, 0, cursor)
    for number, call in enumerate(record.calls):
        first, last = call.start + shift, call.end + shift
        met = max((moment for moment in ready[number] if moment <= last), default=first)
        met = max(first, met)
        yield from did(Activity.COMPUTING, cursor, first)
        yield from did(Activity.WAITING, first, met, call.line)
        yield from did(Activity.COMMUNICATING, met, last, call.line)
        cursor = last
    yield from did(Activity.COMPUTING, cursor, record.end + shift)
    yield from did(Activity.WAITING, record.end + shift, end)


def _columns(rows: list[tuple[int, ...]], width: int) -> list[Numbers]:
    return list(np.array(rows, np.int64).reshape(-1, width).T)
