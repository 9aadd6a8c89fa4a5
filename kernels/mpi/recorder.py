"""Recorder of one rank: its clock, and a communicator that writes down what passes through it. Importing this starts MPI: only ranks do.

A kernel that uses the communicator knows nothing of that. It understands what the kernels here hand to MPI: an array; [array, count,
datatype]; [array, counts] for parts that differ.

Processes of one machine read the same clock. That of another machine is compared with rank 0's by messages to and fro: the answer was given
somewhere between question and answer, and the quickest exchange says so most sharply.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal, cast

from mpi4py import MPI

from kernels.mpi.merge import Half, TimedCall

EXCHANGES = 50


def ahead_of(comm: MPI.Intracomm, host: str, clock: Callable[[], int] = time.perf_counter_ns) -> tuple[int, int]:
    """What to add to this rank's clock to get rank 0's, and by how much that may be wrong, in nanoseconds. All ranks must call it."""
    hosts = comm.allgather(host)
    others = [rank for rank in range(comm.size) if hosts[rank] != hosts[0]]
    if comm.rank == 0:
        for rank in others:
            comm.send(min(_exchange(comm, rank, clock) for _ in range(EXCHANGES)), rank)
    elif comm.rank in others:
        for _ in range(EXCHANGES):
            comm.recv(source=0)
            comm.send(clock(), 0)
        error, ahead = comm.recv(source=0)
        return ahead, error
    return 0, 0


def _exchange(comm: MPI.Intracomm, rank: int, clock: Callable[[], int]) -> tuple[int, int]:
    """Return by how much the answer may be wrong, and how much this clock is ahead of the other rank's."""
    asked = clock()
    comm.send(None, rank)
    theirs = comm.recv(source=rank)
    answered = clock()
    return -(-(answered - asked) // 2), (asked + answered) // 2 - theirs


Clock = Callable[[], int]


def line_of(source: str) -> int:
    """The line of this file that is being executed; 0 where none is."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename != source:
        frame = frame.f_back
    return frame.f_lineno if frame else 0


class Recorder:
    """Recorder of what one rank did: its calls in order, and its half of every message."""

    def __init__(self, source: str, clock: Clock = time.perf_counter_ns) -> None:
        """`source` is the kernel's file, of which the lines are noted."""
        self._source = source
        self.clock = clock
        self.calls: list[TimedCall] = []
        self.halves: list[Half] = []

    def begin(self) -> tuple[int, int]:
        """The time, and the line of the kernel that is being executed."""
        line = line_of(self._source)
        return self.clock(), line

    def called(self, start: int, line: int) -> int:
        """A call that began at `start` has ended; returns its number."""
        self.calls.append(TimedCall(start, self.clock(), line))
        return len(self.calls) - 1


class TracedComm(MPI.Intracomm):
    """Another name for a communicator. `name` is the same on all its ranks, and no other communicator has it."""

    _recorder: Recorder
    _name: str
    _members: list[int]
    _collectives: int

    def __new__(cls, comm: MPI.Intracomm, recorder: Recorder, name: str = "world", members: list[int] | None = None) -> TracedComm:
        made = super().__new__(cls, comm)
        made._recorder, made._name, made._collectives = recorder, name, 0
        made._members = members or list(range(comm.size))
        return made

    def Send(self, buf: Any, dest: int, tag: int = 0) -> None:
        start, line = self._recorder.begin()
        super().Send(buf, dest, tag)
        self._end(start, line, sent={dest: _bytes(buf)}, channel=f"{self._name}.{tag}")

    def Recv(self, buf: Any, source: int = MPI.ANY_SOURCE, tag: int = 0, status: MPI.Status | None = None) -> None:
        start, line = self._recorder.begin()
        super().Recv(buf, source, tag, status)
        self._end(start, line, received={source: _bytes(buf)}, channel=f"{self._name}.{tag}")

    def Bcast(self, buf: Any, root: int = 0) -> None:
        start, line = self._recorder.begin()
        super().Bcast(buf, root)
        self._end(start, line, **self._from_root(root, _bytes(buf)))

    def Ibcast(self, buf: Any, root: int = 0) -> MPI.Request:
        start, line = self._recorder.begin()
        request = super().Ibcast(buf, root)
        moved = self._from_root(root, _bytes(buf))
        self._recorder.called(start, line)
        return TracedRequest(request, lambda began, at: self._end(began, at, posted=start, **moved), self._recorder)

    def Scatterv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        start, line = self._recorder.begin()
        super().Scatterv(sendbuf, recvbuf, root)
        channel = self._next_channel()
        if self.rank == root:
            self._end(start, line, sent=self._others(_each(sendbuf)), channel=channel)
        else:
            self._end(start, line, received={root: _bytes(recvbuf)}, channel=channel)

    def Gatherv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        start, line = self._recorder.begin()
        super().Gatherv(sendbuf, recvbuf, root)
        channel = self._next_channel()
        if self.rank == root:
            self._end(start, line, received=self._others(_each(recvbuf)), channel=channel)
        else:
            self._end(start, line, sent={root: _bytes(sendbuf)}, channel=channel)

    def Split(self, color: int = 0, key: int = 0) -> TracedComm:
        start, line = self._recorder.begin()
        part = cast(MPI.Intracomm, super().Split(color, key))
        channel = self._next_channel()
        nothing = self._others([0] * self.size)
        self._end(start, line, sent=nothing, received=nothing, channel=channel)
        own = part.group.Translate_ranks(None, self.group)
        return TracedComm(part, self._recorder, f"{channel}/{color}", [self._members[rank] for rank in own])

    def _end(
        self, start: int, line: int, *, channel: str,
        sent: dict[int, int] | None = None, received: dict[int, int] | None = None, posted: int | None = None,
    ) -> None:  # fmt: skip
        """A call has ended; by it these bytes went to, or came from, these ranks of the communicator."""
        call = self._recorder.called(start, line)
        here = self._members[self.rank]
        since = start if posted is None else posted
        halves = self._recorder.halves
        halves += [Half(call, here, self._members[rank], size, channel, since) for rank, size in (sent or {}).items()]
        halves += [Half(call, self._members[rank], here, size, channel, since) for rank, size in (received or {}).items()]

    def _from_root(self, root: int, size: int) -> dict[str, Any]:
        way = {"sent": self._others([size] * self.size)} if self.rank == root else {"received": {root: size}}
        return {**way, "channel": self._next_channel()}

    def _others(self, sizes: list[int]) -> dict[int, int]:
        return {rank: size for rank, size in enumerate(sizes) if rank != self.rank}

    def _next_channel(self) -> str:
        # All ranks of a communicator make its collective calls in the same order.
        self._collectives += 1
        return f"{self._name}#{self._collectives}"


class TracedRequest(MPI.Request):
    """Another name for a request: what it moved is written down when it has been waited for."""

    _finished: Callable[[int, int], None]
    _recorder: Recorder

    def __new__(cls, request: MPI.Request, finished: Callable[[int, int], None], recorder: Recorder) -> TracedRequest:
        made = super().__new__(cls, request)
        made._finished, made._recorder = finished, recorder
        return made

    def Wait(self, status: MPI.Status | None = None) -> Literal[True]:
        start, line = self._recorder.begin()
        super().Wait(status)
        self._finished(start, line)
        return True


def _bytes(buffer: Any) -> int:
    if isinstance(buffer, list):
        _, count, datatype = buffer
        return int(count * datatype.Get_size())
    return int(buffer.nbytes)


def _each(buffer: Any) -> list[int]:
    array, counts = buffer
    return [count * array.itemsize for count in counts]
