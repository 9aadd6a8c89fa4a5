"""How far the clocks of the ranks are apart.

Processes of one machine read the same clock. That of another machine is compared with rank 0's by messages to and fro: the
answer was given somewhere between question and answer, and the quickest exchange says so most sharply.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from mpi4py import MPI

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
    """By how much the answer may be wrong, and how much this clock is ahead of the other rank's."""
    asked = clock()
    comm.send(None, rank)
    theirs = comm.recv(source=rank)
    answered = clock()
    return -(-(answered - asked) // 2), (asked + answered) // 2 - theirs
