"""Measuring in the background: one queue for each device, requests in, progress and results out."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field, replace
from datetime import UTC, datetime
from typing import Self, TypeVar

from app.core.base.job_queues import Job, JobQueue, JobState, Request, RequestProgress
from kernels.base.arrays import CancelCheck
from kernels.base.devices import DeviceStatus
from kernels.base.machine_conditions import free_memory_bytes
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.cores import HostCores
from kernels.measure.estimate import Estimator, Overhead
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import Clock, Measurer, SamplingState, failure
from kernels.measure.store import ResultStore
from kernels.measure.sweep import Bench, run_sweep

Conditions = Mapping[str, str | int | float]
Still = Callable[[CancelCheck], AbstractContextManager[None]]
"""Keeps the rest of the program still, as soon as it can be, until the context is left."""


@dataclass(frozen=True, slots=True)
class Lent:
    """Means lent to other work in a device's queue: its measurer, the cores to hold while they are to be undisturbed, and stillness."""

    measurer: Measurer
    cores: HostCores
    still: Still


Loan = Callable[[Lent, CancelCheck], None]
"""Work in a device's queue that is not a sweep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsProgress(RequestProgress):
    """Progress of work on points, which it counts."""

    total: int = 0
    done: int = 0
    """Points that have ended, whatever came out."""
    not_possible: int = 0
    """Those of `done` that have no verified time."""
    point: Case | None = None
    """The point being measured."""
    phase: SamplingState | None = None
    samples: int = 0
    samples_at_most: int = 0
    seconds_left: float | None = None
    """About this long; None while unknown."""

    def over(self) -> Self:
        """The same without a point that is measured."""
        return replace(self, point=None, phase=None, samples=0, samples_at_most=0, seconds_left=None)


@dataclass(frozen=True, slots=True)
class QueueProgress(PointsProgress):
    """Progress of one device with one request."""

    device: Device
    request: int


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of all queues that have had something to do."""

    queues: tuple[QueueProgress, ...] = ()
    overheads: Mapping[Device, Overhead] = field(default_factory=dict)
    """What points take beside their runs, as the last ones took it, also where nothing of them is told any more."""

    @property
    def busy(self) -> bool:
        """Whether anything is running or queued."""
        return any(not queue.state.ended for queue in self.queues)

    @property
    def wanted(self) -> bool:
        """Whether anything is running or queued that nobody has cancelled."""
        return any(queue.state in (JobState.QUEUED, JobState.RUNNING) for queue in self.queues)

    @property
    def rounded(self) -> Progress:
        """The same progress with whole seconds, for whoever draws what has changed."""
        return replace(self, queues=tuple(
            each if each.seconds_left is None else replace(each, seconds_left=float(math.ceil(each.seconds_left))) for each in self.queues
        ))  # fmt: skip

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the slowest queue has finished its present request; None where that is not known."""
        return max((queue.seconds_left for queue in self.queues if not queue.state.ended and queue.seconds_left is not None), default=None)


class MeasuringService:
    """Has points measured: a background thread for each device hands them, one by one, to what measures it, and takes the results.

    No method but `shutdown` waits for a measurement, so a window may call `progress` and `drain` from a timer.

    `measurers` makes what measures each device, `status` tells what a device allows or why it cannot be used, `conditions` the machine's
    part of the conditions; all are called in the device's queue, where they may take their time. `still` is entered while samples are
    taken. `at_end` is called when all have ended.
    """

    def __init__(
        self,
        store: ResultStore,
        measurers: Mapping[Device, Callable[[], Measurer]],
        status: Callable[[Device], DeviceStatus],
        conditions: Callable[[], Conditions],
        clock: Clock = time.perf_counter,
        at_end: Callable[[], None] = lambda: None,
        still: Still = lambda _check: nullcontext(),
        cores: HostCores | None = None,
    ) -> None:
        self._store, self._at_end, self._still = store, at_end, still
        self._status = status
        self._conditions = conditions
        self._clock = clock
        self.cores = cores or HostCores()
        """Held by whatever is measured."""
        self._finished: deque[Result] = deque()
        self._requests = itertools.count(1)
        self._lock = threading.Lock()
        self._queues = {device: _DeviceQueue(JobQueue(device.value), make) for device, make in measurers.items()}

    def start(self, points: Sequence[Case], protocol: Protocol | None = None) -> int:
        """Queue points for measuring, in this order on each device; returns the request's id. KeyError: no such device."""
        by_device = {point.variant.device: self._queues[point.variant.device] for point in points}
        with self._lock:
            request = next(self._requests)
            for device, queue in by_device.items():
                mine = tuple(point for point in points if point.variant.device is device)
                self._submit(queue, _Part(device, request, mine, protocol or Protocol(), self._finished, self._clock))
        return request

    def cancel(self, request: int) -> None:
        """Ask a request to stop. Its finished points are kept."""
        with self._lock:
            for queue in self._queues.values():
                for part in queue.parts:
                    if part.job is not None and part.progress.request == request:
                        part.job.cancel()

    def lend(self, device: Device, work: Loan) -> Job:
        """Do `work` in the device's queue, after what is queued there. The job's error says why the device could not be used."""
        queue = self._queues[device]
        return queue.jobs.submit(lambda check: self._lend(queue, device, work, check))

    @property
    def busy(self) -> bool:
        """Whether anything is measured, or waits to be: sweeps, and what the queues were lent for."""
        return any(queue.jobs.busy for queue in self._queues.values())

    def progress(self) -> Progress:
        """Where everything stands now."""
        with self._lock:
            return Progress(
                tuple(self._queue_progress(queue) for queue in self._queues.values() if queue.parts),
                {device: replace(queue.overhead) for device, queue in self._queues.items() if queue.overhead.last},
            )

    def forget_ended(self) -> None:
        """Let progress tell nothing any more of what has ended."""
        with self._lock:
            for queue in self._queues.values():
                queue.parts = [part for part in queue.parts if not part.progress.state.ended]

    def drain(self) -> list[Result]:
        """The results finished since the last call, in the order finished; each is in the store already."""
        return [self._finished.popleft() for _ in range(len(self._finished))]

    def shutdown(self, timeout: float) -> tuple[Message, ...]:
        """Cancel everything and wait for it, at most `timeout` seconds in all. Returns what could not be interrupted."""
        for queue in self._queues.values():
            queue.jobs.close()
        end = time.monotonic() + timeout
        stuck = [queue for queue in self._queues.values() if not queue.jobs.join(max(0.0, end - time.monotonic()))]
        for device_queue in self._queues.values():
            if device_queue not in stuck and device_queue.made is not None:
                device_queue.made.close()
        if not stuck:
            self._at_end()
        points = (self._queue_progress(queue).point for queue in stuck if queue.parts)
        return tuple(
            message("{variant} at n = {n} could not be interrupted.", variant=point.variant_id, n=point.problem.n)
            for point in points
            if point is not None
        )

    def _submit(self, queue: _DeviceQueue, part: _Part) -> None:
        # The last part that has ended stays, so that its outcome can be shown until something new runs.
        queue.parts = [old for old in queue.parts if not old.progress.state.ended]
        part.job = queue.jobs.submit(lambda check: self._measure(queue, part, check))
        queue.parts.append(part)

    def _measure(self, queue: _DeviceQueue, part: _Part, check: CancelCheck) -> None:
        conditions = dict(self._conditions())
        status = self._status(part.device)
        if not status.ready:
            self._refuse(part, Status.SKIPPED, None if status.reason is None else _with_remedy(status.reason, status), conditions)
            return
        try:
            measurer = queue.measurer()
        except Exception as error:
            self._refuse(part, Status.FAILED, failure(error), conditions)
            return
        asked = {point.variant_id for point in part.points}  # reading a long history for all would keep the sample waiting
        history = itertools.chain.from_iterable(self._store.rows(str(conditions.get("processor", "")), asked))
        bench = Bench(
            measurer, status.limits, part.protocol, Estimator(history), conditions, free_memory_bytes(), self.cores, self._clock,
            queue.overhead,
        )  # fmt: skip
        part.keep_still = lambda: self._still(check)
        try:
            run_sweep(part.points, bench, self._store, check, part)
        finally:
            measurer.forget()

    def _lend(self, queue: _DeviceQueue, device: Device, work: Loan, check: CancelCheck) -> None:
        status = self._status(device)
        if not status.ready:
            reason = status.reason or message("The device is not ready.")
            raise RunFailed(_with_remedy(reason, status))
        measurer = queue.measurer()
        try:
            work(Lent(measurer, self.cores, self._still), check)
        finally:
            measurer.forget()

    def _refuse(self, part: _Part, status: Status, reason: Message | None, conditions: Conditions) -> None:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        for point in part.points:
            result = Result(point, status, created, reason=reason, conditions=conditions)
            self._store.append(result)
            part.finished(result)

    def _queue_progress(self, queue: _DeviceQueue) -> QueueProgress:
        """Parts that waited for one another count together; how long those take that still wait is not known."""
        parts = [part.progress for part in queue.parts]
        unfinished = [part for part in parts if not part.state.ended]
        now = unfinished[0] if unfinished else parts[-1]
        cancelled = not unfinished and any(part.state is JobState.CANCELLED for part in parts)
        return replace(
            now,
            state=JobState.CANCELLED if cancelled else now.state,
            total=sum(part.total for part in parts),
            done=sum(part.done for part in parts),
            not_possible=sum(part.not_possible for part in parts),
            seconds_left=None if len(unfinished) > 1 else now.seconds_left,
        )


def _with_remedy(reason: Message, status: DeviceStatus) -> Message:
    return reason if status.remedy is None else message("{reason} {remedy}", reason=reason, remedy=status.remedy)


@dataclass(slots=True)
class _DeviceQueue:
    """A device's queue, what was given to it in order, and what measures it, which is made when it is first needed."""

    jobs: JobQueue
    make: Callable[[], Measurer]
    parts: list[_Part] = field(default_factory=list)
    made: Measurer | None = None
    overhead: Overhead = field(default_factory=Overhead)

    def measurer(self) -> Measurer:
        if self.made is None:
            self.made = self.make()
        return self.made


Q = TypeVar("Q", bound=PointsProgress)


class PointsRequest(Request[Q, Result]):
    """A request that measures points, and is told of each."""

    def __init__(self, progress: Q, results: deque[Result], clock: Clock = time.perf_counter) -> None:
        super().__init__(progress, results)
        self._clock = clock
        self._started = 0.0
        self.keep_still: Callable[[], AbstractContextManager[None]] = nullcontext

    def still(self) -> AbstractContextManager[None]:
        """Keep the rest of the program still."""
        return self.keep_still()

    def started(self, point: Case, seconds_left: float) -> None:
        """A point begins."""
        self._started = self._clock()
        self.tell(point=point, phase=None, samples=0, samples_at_most=0, seconds_left=seconds_left)

    def entered(self, _point: Case, phase: SamplingState) -> None:
        """A phase of the point begins."""
        self.tell(phase=phase)

    def sampled(self, _point: Case, taken: int, at_most: int) -> None:
        """So many samples of the point are there."""
        self.tell(samples=taken, samples_at_most=at_most)

    def finished(self, result: Result) -> None:
        """A point has ended."""
        self.found(result)
        self.tell(done=self._progress.done + 1, not_possible=self._progress.not_possible + (not result.verified))

    @property
    def progress(self) -> Q:
        """Where it is now; the time left runs down while a point is measured."""
        now = super().progress
        left = now.seconds_left
        return now if left is None else replace(now, seconds_left=max(0.0, left - (self._clock() - self._started)))


class _Part(PointsRequest[QueueProgress]):
    """Part of a request: its points on one device."""

    def __init__(
        self, device: Device, request: int, points: tuple[Case, ...], protocol: Protocol, results: deque[Result], clock: Clock
    ) -> None:
        super().__init__(QueueProgress(device, request, total=len(points)), results, clock)
        self.device, self.points, self.protocol = device, points, protocol
