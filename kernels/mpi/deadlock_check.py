"""Blocking calls of ranks, matched as they meet: who gets through, and who waits for ever.

A send that is not buffered ends when its receiver has called; MPI may buffer small messages, and need not. A collective call ends
when all ranks are in it, as it may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from kernels.base.messages import Message, message
from kernels.base.values import dataclass

MOST_CALLS = 100


class Kind(StrEnum):
    """Kind of a call: what it does."""

    SEND = "send"
    RECEIVE = "receive"
    SENDRECV = "sendrecv"
    """Sends to one rank and receives from another, in whatever order they are ready."""
    SCATTER = "scatter"
    BROADCAST = "broadcast"
    GATHER = "gather"
    BARRIER = "barrier"


COLLECTIVE = (Kind.SCATTER, Kind.BROADCAST, Kind.GATHER, Kind.BARRIER)
PEERS = {Kind.SEND: 1, Kind.RECEIVE: 1, Kind.SENDRECV: 2}
"""How many other ranks a call names."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `to` and `source` are ranks, where the kind has them."""

    kind: Kind
    to: int = -1
    source: int = -1


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of the ranks' calls. `rounds` is how often calls ended together, until nothing more ended; `stuck` are the ranks that had not
    reached their end."""

    rounds: int
    stuck: frozenset[int]


def calls_of(text: str, rank: int, ranks: int) -> tuple[Call, ...] | Message:
    """What a rank calls, from "send right, receive left, broadcast"; the ranks stand in a ring, and may be called by number."""
    calls: list[Call] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        call = _call(part, rank, ranks)
        if call is None or len(calls) == MOST_CALLS:
            return message("'{text}' is no call of a rank.", text=part)
        calls.append(call)
    return tuple(calls)


def exchange(programs: Sequence[Sequence[Call]], *, buffered: bool) -> Outcome:
    """Let all ranks go on as far as they can. `buffered`: every send ends at once."""
    at = [0] * len(programs)
    sent: Counter[tuple[int, int]] = Counter()
    rounds = 0
    while True:
        current = [program[place] if place < len(program) else None for program, place in zip(programs, at, strict=True)]
        ended = _ended(current, sent, buffered=buffered)
        if not ended:
            return Outcome(rounds, frozenset(rank for rank, call in enumerate(current) if call is not None))
        rounds += 1
        for rank in ended:
            at[rank] += 1


def _ended(current: Sequence[Call | None], sent: Counter[tuple[int, int]], *, buffered: bool) -> set[int]:
    """The ranks whose calls end now. `sent` has messages that nobody has received yet, by sender and receiver."""
    first = next((call for call in current if call is not None), None)
    if first is not None and first.kind in COLLECTIVE and all(call == first for call in current):
        return set(range(len(current)))
    ended: set[int] = set()
    waiting = sent.copy()
    for rank, call in enumerate(current):
        if call is None or call.kind not in PEERS:
            continue
        if call.kind is Kind.SEND and buffered:
            sent[rank, call.to] += 1
            ended.add(rank)
        elif call.kind is Kind.RECEIVE and waiting[call.source, rank]:
            sent[call.source, rank] -= 1
            ended.add(rank)
        elif call.kind is Kind.SEND and current[call.to] == Call(Kind.RECEIVE, source=rank):
            ended |= {rank, call.to}
        elif call.kind is Kind.SENDRECV and _partners(current, rank, call):
            ended.add(rank)
    return ended


def _partners(current: Sequence[Call | None], rank: int, call: Call) -> bool:
    """Whether the ranks that a sendrecv names are in their own."""
    to, source = current[call.to], current[call.source]
    if to is None or source is None:
        return False
    return to.kind is source.kind is Kind.SENDRECV and to.source == rank and source.to == rank


def _call(text: str, rank: int, ranks: int) -> Call | None:
    """One call of a rank; None: the text is none."""
    name, *names = text.split()
    numbers = [number for each in names if (number := _rank(each, rank, ranks)) is not None]
    if name not in list(Kind) or not len(numbers) == len(names) == PEERS.get(Kind(name), 0):
        return None
    match Kind(name):
        case Kind.SEND:
            return Call(Kind.SEND, to=numbers[0])
        case Kind.RECEIVE:
            return Call(Kind.RECEIVE, source=numbers[0])
        case kind:
            return Call(kind, *numbers)


def _rank(name: str, rank: int, ranks: int) -> int | None:
    """The rank that a name means, or None."""
    known = {"right": (rank + 1) % ranks, "left": (rank - 1) % ranks}
    number = int(name) if name.isdecimal() and len(name) < 4 else known.get(name)
    return number if number is not None and number < ranks else None
