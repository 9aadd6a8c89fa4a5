"""What the chunks of a multi-threaded run tell: how busy each thread was, why it was idle, and how evenly the work was shared out."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.measure.real_run import Chunks

Numbers = npt.NDArray[np.int64]
Times = npt.NDArray[np.float64]


class Cause(IntEnum):
    """Cause of idle time: why a thread works on no chunk."""

    START = 0
    """Before its first one: it is being woken, or does what the kernel does before its loops."""
    HANDING_OUT = 1
    """Between two chunks of a loop: the next one is claimed, and both are logged."""
    BARRIER = 2
    """Between two loops: it waits until all have ended the first of them."""
    END = 3
    """After its last one, until the run has ended."""


class Idle(NamedTuple):
    """Idle times, when threads worked on no chunk: one entry each time, by thread and time."""

    thread: Numbers
    cause: Numbers
    start_ms: Times
    end_ms: Times


@dataclass(frozen=True, slots=True)
class ThreadShare:
    """Share of one thread in the work. `busy_ms` and `idle_ms` add up to the time of the run."""

    thread: int
    chunks: int
    iterations: int
    busy_ms: float
    idle_by_cause_ms: tuple[float, ...]
    """By the number of the cause."""

    @property
    def idle_ms(self) -> float:
        """For whatever cause."""
        return sum(self.idle_by_cause_ms)


@dataclass(frozen=True, slots=True)
class LoopShare:
    """One loop, from its first chunk's start to its last one's end."""

    loop: int
    start_ms: float
    end_ms: float
    chunks: int
    busy_ms: tuple[float, ...]
    """By thread."""

    @property
    def imbalance(self) -> float:
        """Longest busy time over the mean: 1 where all threads are busy equally long, their number where one does it all."""
        return imbalance(self.busy_ms)


@dataclass(frozen=True, slots=True)
class Shares:
    """A run in numbers."""

    elapsed_ms: float
    threads: tuple[ThreadShare, ...]
    loops: tuple[LoopShare, ...]
    handing_out_us: float | None
    """Mean microseconds from a chunk's end to the start of the same thread's next one in the loop; None where there was no next."""
    left_out: int
    """Chunks that the log had no room for: their time counts as idle."""

    @property
    def busy_ms(self) -> float:
        """Busy time of all threads together."""
        return sum(share.busy_ms for share in self.threads)

    @property
    def idle_part(self) -> float:
        """The part of all threads' time in which they worked on no chunk."""
        whole = self.elapsed_ms * len(self.threads)
        return 1 - self.busy_ms / whole if whole else 0.0

    @property
    def imbalance(self) -> float:
        """Longest busy time of a thread over the mean."""
        return imbalance([share.busy_ms for share in self.threads])

    @property
    def cores_kept_busy(self) -> float:
        """How many threads worked on a chunk, on average over the run."""
        return self.busy_ms / self.elapsed_ms if self.elapsed_ms else 0.0

    @property
    def speedup_bound(self) -> float:
        """Bound of the speed-up of these chunks, shared out like this, over one thread: every loop takes as long as its busiest thread,
        and handing out, barriers and starting take no time.
        """
        longest = sum(max(loop.busy_ms) for loop in self.loops)
        return self.busy_ms / longest if longest else float(len(self.threads))


def shares(chunks: Chunks) -> Shares:
    """The analysis of a run."""
    elapsed, found = elapsed_ms(chunks), idle(chunks)
    lengths, iterations = chunks.end_ms - chunks.start_ms, chunks.last - chunks.first
    threads = tuple(
        ThreadShare(
            thread,
            int((chunks.thread == thread).sum()),
            int(iterations[chunks.thread == thread].sum()),
            float(lengths[chunks.thread == thread].sum()),
            _by_cause(found, thread),
        )
        for thread in range(chunks.threads)
    )
    loops = tuple(_loop_share(chunks, loop, lengths) for loop in np.unique(chunks.loop).tolist())
    between = (found.end_ms - found.start_ms)[found.cause == Cause.HANDING_OUT]
    return Shares(elapsed, threads, loops, float(between.mean()) * 1000 if between.size else None, chunks.left_out)


def elapsed_ms(chunks: Chunks) -> float:
    """How long the run took. Two clocks measure it and its chunks: never less than until the last chunk's end."""
    return max(chunks.elapsed_ms, float(chunks.end_ms.max(initial=0.0)))


def idle(chunks: Chunks) -> Idle:
    """Return when which thread worked on no chunk, and why."""
    elapsed = elapsed_ms(chunks)
    order = np.lexsort((chunks.loop, chunks.end_ms, chunks.start_ms, chunks.thread))  # chunks may take no time
    thread, loop, start, end = (column[order] for column in (chunks.thread, chunks.loop, chunks.start_ms, chunks.end_ms))
    first = np.flatnonzero(np.diff(thread, prepend=-1))
    last = np.flatnonzero(np.diff(thread, append=-1))
    later = np.setdiff1d(np.arange(len(thread)), first)
    without = np.setdiff1d(np.arange(chunks.threads), thread)
    cause = np.where(loop[later] == loop[later - 1], Cause.HANDING_OUT, Cause.BARRIER)
    parts = (
        (thread[first], np.full(len(first), Cause.START), np.zeros(len(first)), start[first]),
        (thread[later], cause, end[later - 1], start[later]),
        (thread[last], np.full(len(last), Cause.END), end[last], np.full(len(last), elapsed)),
        (without, np.full(len(without), Cause.END), np.zeros(len(without)), np.full(len(without), elapsed)),
    )
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    by_time = np.lexsort((columns[2], columns[0]))
    return Idle(*(column[by_time] for column in columns))


def _by_cause(found: Idle, thread: int) -> tuple[float, ...]:
    lengths = found.end_ms - found.start_ms
    return tuple(float(lengths[(found.thread == thread) & (found.cause == cause)].sum()) for cause in Cause)


def _loop_share(chunks: Chunks, loop: int, lengths: Times) -> LoopShare:
    mine = chunks.loop == loop
    busy = np.bincount(chunks.thread[mine], lengths[mine], chunks.threads)
    return LoopShare(loop, float(chunks.start_ms[mine].min()), float(chunks.end_ms[mine].max()), int(mine.sum()), tuple(busy.tolist()))


def imbalance(busy: tuple[float, ...] | list[float]) -> float:
    """The longest busy time of a thread over the mean of all."""
    mean = sum(busy) / len(busy)
    return max(1.0, max(busy) / mean) if mean else 1.0
