"""Has runs recorded in the background: one is asked for at a time, and what was asked for before is given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from app.core.base.lanes import Job, State
from app.core.results.measuring import Lent, Loan
from kernels.base.arrays import CancelCheck
from kernels.base.messages import Message
from kernels.base.spec import Device
from kernels.measure.real_run import RUNS, Progress, RunState, RunTimeline
from kernels.measure.results import Point
from kernels.measure.sampler import failure

Lend = Callable[[Device, Loan], Job]


@dataclass(frozen=True, slots=True)
class Status:
    """Status of the newest request. `reason` says why it failed."""

    request: int
    point: Point
    state: State
    progress: Progress
    reason: Message | None = None


class Recorder:
    """Asked and polled from one thread; the work is done in the lane of the device, which `lend` gives."""

    def __init__(self, lend: Lend) -> None:
        self._lend = lend
        self._requests = 0
        self._newest: _Request | None = None

    def ask(self, point: Point) -> int:
        """Have a run of `point` recorded; returns the request's id. An earlier request is cancelled, and never delivered."""
        self.cancel()
        self._requests += 1
        request = _Request(self._requests, point)
        request.job = self._lend(point.variant.device, lambda lent, check: self._record(request, lent, check))
        self._newest = request
        return request.number

    def cancel(self) -> None:
        """Ask the newest request to stop."""
        if self._newest is not None and self._newest.job is not None:
            self._newest.job.cancel()

    def status(self) -> Status | None:
        """Status of the newest request; None before the first."""
        newest = self._newest
        if newest is None or newest.job is None:
            return None
        reason = None if newest.job.error is None else failure(newest.job.error)
        return Status(newest.number, newest.point, newest.job.state, newest.progress, reason)

    def poll(self) -> RunTimeline | None:
        """The recording of the newest request, once, when it is done. Never waits."""
        newest = self._newest
        if newest is None or newest.job is None or newest.job.state is not State.DONE:
            return None
        recording, newest.recording = newest.recording, None
        return recording

    def _record(self, request: _Request, lent: Lent, check: CancelCheck) -> None:
        """Record a run, in the lane's thread."""
        request.progress = Progress(RunState.WAITING)
        with lent.cores.hold(check):
            request.recording = lent.measurer.record(request.point, RUNS, check, request.tell)


@dataclass(slots=True)
class _Request:
    """Request for a recording. The lane's thread replaces `progress` and `recording`, always by whole new values."""

    number: int
    point: Point
    job: Job | None = None
    progress: Progress = field(default_factory=Progress)
    recording: RunTimeline | None = None

    def tell(self, progress: Progress) -> None:
        self.progress = progress
