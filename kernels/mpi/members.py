"""Listening to ranks: their answers come in any order, and one that is gone or hangs is noticed in a few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from socket import socket
from typing import Any

import psutil

from kernels.measure.runner import CancelCheck, RunFailed
from kernels.messages import Message, message
from kernels.mpi.channel import Channel

POLL_S = 0.05
SILENCE_S = 6.0
"""A rank that has not beaten for so long hangs: it beats every second, whatever it multiplies."""


class RankEnded(RunFailed):
    """A rank is gone."""


@dataclass(slots=True)
class Member:
    """One rank as the program sees it: its answers come from `work`, its beats from `pulse`."""

    work: Channel
    pulse: Channel
    process: psutil.Process
    heard: float = field(default_factory=time.monotonic)


def answers(members: Sequence[Member], check: CancelCheck, longest: Callable[[], Message | None]) -> list[dict[str, Any]]:
    """What each member answers. Raises `RunFailed` when one is gone, is silent or complains, or `longest` gives a reason."""
    given: dict[int, dict[str, Any]] = {}
    for member in members:
        member.heard = time.monotonic()  # nobody listened meanwhile
    while len(given) < len(members):
        check()
        gone = _listen(members, given)
        _complain(given)
        if gone:
            raise RankEnded(_ended(gone, len(members)))
        silent = [rank for rank, member in enumerate(members) if time.monotonic() - member.heard > SILENCE_S]
        reason = hangs(silent, len(members)) if silent else longest()
        if reason is not None:
            raise RunFailed(reason)
    return [given[rank] for rank in range(len(members))]


def _listen(members: Sequence[Member], given: dict[int, dict[str, Any]]) -> list[int]:
    """Take what has come within a moment; returns the ranks that are gone."""
    ends = {member.pulse.socket: (rank, member.pulse) for rank, member in enumerate(members)}
    ends |= {member.work.socket: (rank, member.work) for rank, member in enumerate(members) if rank not in given}
    gone: set[int] = set()
    for ready in wait(list(ends), POLL_S):
        assert isinstance(ready, socket)
        rank, channel = ends[ready]
        try:
            words = channel.hear()
        except (EOFError, OSError):
            gone.add(rank)
            continue
        members[rank].heard = time.monotonic()
        if channel is members[rank].work:
            given[rank] = words
    return sorted(gone)


def _complain(given: dict[int, dict[str, Any]]) -> None:
    for rank, words in given.items():
        if "failed" in words:
            raise RunFailed(message("Rank {rank}: {error}", rank=rank, error=words["failed"]))


def _ended(gone: list[int], count: int) -> Message:
    names = ", ".join(map(str, gone))
    return message("The run was stopped: of {count} ranks, number {ranks} ended before it had answered.", count=count, ranks=names)


def hangs(silent: list[int], count: int) -> Message:
    """What to say of ranks that do not beat any more."""
    names = ", ".join(map(str, silent))
    return message(
        "The run was stopped: of {count} ranks, number {ranks} gave no sign of life for {seconds} s.",
        count=count, ranks=names, seconds=SILENCE_S,
    )  # fmt: skip
