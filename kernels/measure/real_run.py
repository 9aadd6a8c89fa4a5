"""Recorder of a real run: verified first, then run a few times more, of which the median one is kept with all that was seen of it.

Of threads it is seen which iterations each worked on, and when. Of ranks: computing, waiting, communicating, and every message. Only the
calls of MPI are timed; what lies between them is computing. A call is waiting until the last rank that it exchanged something with had made
its own call, and communicating from then on; from its end of the run to the last rank's, a rank waits. A broadcast counts as one message
from its root to each other rank, although MPI passes it on from rank to rank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import IntEnum, StrEnum
from typing import NamedTuple, runtime_checkable
from typing import Protocol as Interface

import numpy as np
import numpy.typing as npt

from kernels.base.arrays import CancelCheck
from kernels.base.machine_conditions import usable_cores
from kernels.base.messages import Message, message
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device, Variant
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.catalogue.source import is_for_a_team
from kernels.measure.runner import PreparedRun, RunFailed, Runner


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """Chunks of one run, and who worked on each: row r is one chunk. Times are in milliseconds from the start of the run."""

    threads: int
    thread: npt.NDArray[np.int64]
    loop: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    """Exclusive."""
    start_ms: npt.NDArray[np.float64]
    end_ms: npt.NDArray[np.float64]
    elapsed_ms: float
    """Of the whole run, starting and ending the threads' work included."""
    left_out: int = 0
    """Chunks beyond what the log holds."""


Numbers = npt.NDArray[np.int64]


class Activity(IntEnum):
    """Activity of a rank: what it spends its time on."""

    COMPUTING = 0
    WAITING = 1
    COMMUNICATING = 2


class Intervals(NamedTuple):
    """Intervals of what the ranks did, one entry each time; an interval without a call of MPI has line 0."""

    rank: Numbers
    activity: Numbers
    start_ns: Numbers
    end_ns: Numbers
    line: Numbers


class Messages(NamedTuple):
    """Messages between ranks, each from when the sender made its call to when the receiver's was over."""

    sender: Numbers
    receiver: Numbers
    bytes: Numbers
    start_ns: Numbers
    end_ns: Numbers


def _no_intervals() -> Intervals:
    return Intervals(*(np.empty(0, np.int64) for _ in Intervals._fields))


@dataclass(frozen=True, slots=True, eq=False)
class MpiTimeline:
    """One run of all ranks. Nanoseconds from when the first of them began; clocks of other hosts are off by up to `clock_error_ns`."""

    hosts: tuple[str, ...]
    clock_error_ns: tuple[int, ...]
    intervals: Intervals
    messages: Messages
    beside: Intervals = field(default_factory=_no_intervals)
    """Calls of ranks that compute meanwhile, on a GPU: whole, although `intervals` has computing where both are done; else none."""

    @property
    def ranks(self) -> int:
        return len(self.hosts)

    @property
    def duration_ns(self) -> int:
        """Time at which the last rank was done."""
        return int(self.intervals.end_ns.max())

    def spent_ns(self, activity: Activity) -> Numbers:
        """How long each rank did this, by rank."""
        return self._spent(self.intervals, activity)

    @property
    def sending_ns(self) -> Numbers:
        """How long the calls beside took without waiting, by rank."""
        return self._spent(self.beside, Activity.COMMUNICATING)

    @property
    def hidden_ns(self) -> Numbers:
        """How much of that the rank computed as well."""
        return self.sending_ns - self.spent_ns(Activity.COMMUNICATING)

    def _spent(self, intervals: Intervals, activity: Activity) -> Numbers:
        mine = intervals.activity == activity
        return _sum(intervals.rank[mine], (intervals.end_ns - intervals.start_ns)[mine], self.ranks)

    @property
    def sent_bytes(self) -> Numbers:
        """Bytes sent, by rank."""
        return _sum(self.messages.sender, self.messages.bytes, self.ranks)

    @property
    def received_bytes(self) -> Numbers:
        """Bytes received, by rank."""
        return _sum(self.messages.receiver, self.messages.bytes, self.ranks)


def _sum(ranks: Numbers, amounts: Numbers, count: int) -> Numbers:
    total = np.zeros(count, np.int64)
    np.add.at(total, ranks, amounts)
    return total


Seen = Chunks | MpiTimeline
"""What the threads, or the ranks, of one run did."""
RUNS = 5
LONGEST_MS = 3000.0
"""No further run is begun after so many milliseconds of recorded ones."""


@runtime_checkable
class Seeing(Interface):
    """A prepared run that can tell what its threads or ranks do."""

    def look(self, check: CancelCheck) -> Seen:
        """Run exactly once, and tell what was seen of it."""


class RunState(StrEnum):
    """State of a recording: what is being done for it."""

    WAITING = "waiting"
    """For the cores, which something else is being measured on."""
    PREPARING = "preparing"
    """Compiling, or starting ranks."""
    VERIFYING = "verifying"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a recording: `taken` runs of at most `at_most` are there."""

    phase: RunState = RunState.WAITING
    taken: int = 0
    at_most: int = RUNS


@dataclass(frozen=True, slots=True, eq=False)
class RunTimeline:
    """One run, the median of those whose times are `times_ms`, in the order taken."""

    point: Case
    seen: Seen
    times_ms: tuple[float, ...]
    relative_error: float
    allowed_error: float
    conditions: Mapping[str, str | int | float]

    @property
    def elapsed_ms(self) -> float:
        """Duration of the run that is shown, in milliseconds."""
        return elapsed_ms(self.seen)


def elapsed_ms(seen: Seen) -> float:
    """How long a run took."""
    return seen.elapsed_ms if isinstance(seen, Chunks) else seen.duration_ns / 1e6


def refuse_recording(variant: Variant) -> Message | None:
    """Why nothing can be seen of a variant's threads or ranks, or None."""
    if variant.device is Device.MPI or (variant.device is Device.CPU and is_for_a_team(variant)):
        return None
    if variant.device is Device.GPU:
        return message("{variant} runs on the GPU: its threads are animated, and not seen in a real run.", variant=variant.id)
    if variant.library:
        return message("{variant} is a library's routine: what its threads do cannot be seen.", variant=variant.id)
    return message("{variant} runs on one thread: there is nothing to hand out.", variant=variant.id)


def record(
    point: Case, runner: Runner, references: ReferenceCache, check: CancelCheck, tell: Callable[[RunProgress], None], runs: int = RUNS
) -> RunTimeline:
    """Record `point`, of a variant that `refuse_recording` lets pass. Whoever calls has the cores. Raises `RunFailed`, `Cancelled`."""
    cores = usable_cores()  # now: the calling thread may be kept on one of them during the run
    progress = RunProgress(RunState.PREPARING, at_most=runs)
    tell(progress)
    with runner.prepare(point, references.inputs(point.problem), check) as run:
        tell(replace(progress, phase=RunState.VERIFYING))
        run.poison()
        run.sample(check)
        verdict = references.reference(point.problem, check).verify(run.output(), check)
        if verdict.reason is not None or verdict.relative_error is None:
            raise RunFailed(verdict.reason or message("The result is not finite."))
        _look(run, check)
        seen: list[Seen] = []
        while len(seen) < runs and sum(map(elapsed_ms, seen)) < LONGEST_MS:
            tell(replace(progress, phase=RunState.RUNNING, taken=len(seen)))
            check()
            seen.append(_look(run, check))
        conditions = {**run.conditions(), "cores": cores}
    median = sorted(seen, key=elapsed_ms)[len(seen) // 2]
    return RunTimeline(point, median, tuple(map(elapsed_ms, seen)), verdict.relative_error, verdict.allowed_error, conditions)


def _look(run: PreparedRun, check: CancelCheck) -> Seen:
    """Run once more, and see what happened."""
    assert isinstance(run, Seeing)
    return run.look(check)
