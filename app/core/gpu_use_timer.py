"""Has uses of the GPU timed in the background: one request at a time, its progress and results polled."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.core.jobs import Job, State
from app.core.tuning.service import Surroundings
from kernels.devices import DeviceStatus
from kernels.gpu.phases import measure_phases
from kernels.limits import refuse
from kernels.measure.cores import HostCores
from kernels.measure.phases import PhaseTimes
from kernels.measure.results import Point
from kernels.measure.runner import CancelCheck, RunFailed
from kernels.measure.sampler import failure
from kernels.messages import Message
from kernels.spec import Device


@dataclass(frozen=True, slots=True)
class Use:
    """One use that is asked for."""

    point: Point
    pinned: bool


class Measure(Protocol):
    """Times the phases of a use in a process of its own. Raises `RunFailed`, and what `check` does."""

    def __call__(self, status: DeviceStatus, point: Point, check: CancelCheck, *, pinned: bool) -> PhaseTimes: ...


@dataclass(frozen=True, slots=True)
class UseProgress:
    """How far a request is. Counts are uses."""

    total: int
    state: State = State.QUEUED
    done: int = 0
    """Those that have ended, whatever came out."""
    use: Use | None = None
    """The one under way."""
    failed: tuple[tuple[Use, Message], ...] = ()
    """Those without times, and why."""
    failure: Message | None = None
    """Why the request as a whole failed."""


class UseTimer:
    """Asked and polled from one thread; the work is done in the lane of the GPU, whose process it leaves alone."""

    def __init__(self, around: Surroundings, measure: Measure = measure_phases) -> None:
        self._around, self._measure = around, measure
        self._job: Job | None = None
        self._watch = _Watch(UseProgress(0))

    def start(self, uses: Sequence[Use]) -> None:
        """Begin; an earlier request is cancelled."""
        self.cancel()
        watch = _Watch(UseProgress(len(uses)), self._watch.found)
        self._watch = watch
        self._job = self._around.lend(Device.GPU, lambda lent, check: self._time(tuple(uses), watch, lent.cores, check))

    def cancel(self) -> None:
        """Ask the request to stop. What is timed is kept."""
        if self._job is not None:
            self._job.cancel()

    def progress(self) -> UseProgress | None:
        """Where the newest request is; None before the first."""
        if self._job is None:
            return None
        state, progress = self._job.state, self._watch.progress
        if not state.ended:
            return replace(progress, state=state)
        return replace(progress, state=state, use=None, failure=None if self._job.error is None else failure(self._job.error))

    def drain(self) -> tuple[PhaseTimes, ...]:
        """The times since the last call, in the order found; each is in the history already."""
        found = self._watch.found
        return tuple(found.popleft() for _ in range(len(found)))

    def _time(self, uses: tuple[Use, ...], watch: _Watch, cores: HostCores, check: CancelCheck) -> None:
        """In the lane's thread. What fails is told, and the others go on."""
        status, conditions = self._around.status(Device.GPU), dict(self._around.conditions())
        for use in uses:
            check()
            watch.begin(use)
            point = use.point
            reason = refuse(point.variant, point.problem, point.parameters, status.limits)
            if reason is not None:
                watch.end(use, reason)
                continue
            try:
                with cores.hold(check):
                    times = self._measure(status, point, check, pinned=use.pinned)
            except RunFailed as failed:
                watch.end(use, failed.reason)
                continue
            known = replace(times, conditions={**conditions, **times.conditions})
            self._around.store.append_phases(known)
            watch.found.append(known)
            watch.end(use)


@dataclass(slots=True)
class _Watch:
    """Told by the lane's thread, which always replaces `progress` by a whole new value; read by the other without a lock."""

    progress: UseProgress
    found: deque[PhaseTimes] = field(default_factory=deque)

    def begin(self, use: Use) -> None:
        self.progress = replace(self.progress, use=use)

    def end(self, use: Use, reason: Message | None = None) -> None:
        failed = self.progress.failed if reason is None else (*self.progress.failed, (use, reason))
        self.progress = replace(self.progress, done=self.progress.done + 1, failed=failed)
