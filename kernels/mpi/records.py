"""What one rank writes down of its run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A call of MPI in nanoseconds of its rank's clock, and the line of the kernel that made it."""

    start: int
    end: int
    line: int


class Half(NamedTuple):
    """What the sender or the receiver of a message knows of it. `call` is the number of the call that ended it."""

    call: int
    sender: int
    receiver: int
    bytes: int
    channel: str
    """Messages between the same two ranks on the same channel come in the order in which they were sent."""
    posted: int
    """When this side was ready for it."""


class Record(NamedTuple):
    """What one rank tells of its run. Times are of its own clock; `ahead` is how much rank 0's is ahead of it."""

    host: str
    ahead: int
    clock_error: int
    start: int
    end: int
    calls: Sequence[Call]
    halves: Sequence[Half]

    @staticmethod
    def of(words: dict[str, Any]) -> Record:
        """From JSON, which knows no tuples of ours."""
        calls = [Call(*call) for call in words["calls"]]
        halves = [Half(*half) for half in words["halves"]]
        return Record(**{**words, "calls": calls, "halves": halves})
