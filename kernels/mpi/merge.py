"""Records of what each rank did in a run, and the one timeline that is made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kernels.measure.real_run import Activity, Intervals, Messages, MpiTimeline, Numbers


class TimedCall(NamedTuple):
    """Call of MPI, or of a product, with its times in nanoseconds of its rank's clock, and the line of the kernel that made it."""

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
    calls: Sequence[TimedCall]
    halves: Sequence[Half]
    products: Sequence[TimedCall] | None = None
    """Of a rank whose calls go on while it multiplies, as on a GPU; None: it multiplies between its calls."""

    @staticmethod
    def of(words: dict[str, Any]) -> Record:
        """Return the record from JSON, which knows no tuples of ours."""
        calls = [TimedCall(*call) for call in words["calls"]]
        halves = [Half(*half) for half in words["halves"]]
        products = None if words["products"] is None else [TimedCall(*call) for call in words["products"]]
        return Record(**{**words, "calls": calls, "halves": halves, "products": products})


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
    moves = [_moves(rank, record, shifts[rank], ready[rank]) for rank, record in enumerate(records)]
    rows = [row for rank, record in enumerate(records) for row in _intervals(rank, record, shifts[rank], moves[rank], end)]
    beside = [move for record, own in zip(records, moves, strict=True) if record.products is not None for move in own]
    return MpiTimeline(
        tuple(record.host for record in records), tuple(record.clock_error for record in records),
        Intervals(*_columns(rows)), Messages(*_columns(sorted(messages, key=lambda message: message[3]))),
        Intervals(*_columns(beside)),
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


_Row = tuple[int, int, int, int, int]
"""Rank, activity, from, to, line."""


def _moves(rank: int, record: Record, shift: int, ready: dict[int, list[int]]) -> list[_Row]:
    """The calls of the rank: each waits until the last of the others is ready too, and communicates from then on."""
    rows = []
    for number, call in enumerate(record.calls):
        first, last = call.start + shift, call.end + shift
        met = max(first, max((moment for moment in ready[number] if moment <= last), default=first))
        rows += [(rank, Activity.WAITING, first, met, call.line), (rank, Activity.COMMUNICATING, met, last, call.line)]
    return [row for row in rows if row[2] < row[3]]


def _intervals(rank: int, record: Record, shift: int, moves: Sequence[_Row], end: int) -> Iterator[_Row]:
    """What the rank did from 0 to `end`, without gaps. Where it does two things at once, it computes."""
    start, stop = record.start + shift, record.end + shift
    if record.products is None:
        yield from _filled(rank, Activity.WAITING, 0, start, ())
        yield from _filled(rank, Activity.COMPUTING, start, stop, moves)
        yield from _filled(rank, Activity.WAITING, stop, end, ())
        return
    cursor = 0
    for product in record.products:
        first, last = max(product.start + shift, cursor), product.end + shift
        yield from _filled(rank, Activity.WAITING, cursor, first, moves)
        yield from _filled(rank, Activity.COMPUTING, first, last, ())
        cursor = max(cursor, last)
    yield from _filled(rank, Activity.WAITING, cursor, end, moves)


def _filled(rank: int, otherwise: Activity, low: int, high: int, moves: Sequence[_Row]) -> Iterator[_Row]:
    """The moves from `low` to `high`, and between them what is done otherwise."""
    for _, activity, first, last, line in moves:
        first, last = max(first, low), min(last, high)
        if first < last:
            if low < first:
                yield rank, otherwise, low, first, 0
            yield rank, activity, first, last, line
            low = last
    if low < high:
        yield rank, otherwise, low, high, 0


def _columns(rows: Sequence[tuple[int, ...]]) -> list[Numbers]:
    return list(np.array(rows, np.int64).reshape(-1, 5).T)
