"""Timing of uses of the GPU in the background: one request at a time, its progress polled, with the page's model and words."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from app.core.base.files.atomic_write import write_whole
from app.core.base.lanes import Job, State
from app.core.base.observable import Field
from app.core.results.transfers import UsePicture, use_picture
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.tuner import Surroundings
from kernels.base.arrays import CancelCheck
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Problem, Variant
from kernels.gpu.process import measure_phases
from kernels.measure.cores import HostCores
from kernels.measure.phases import PhaseTimes, phases_csv
from kernels.measure.results import Point
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import failure


@dataclass(frozen=True, slots=True)
class Use:
    """Use of the GPU that is asked for."""

    point: Point
    pinned: bool


class Measure(Protocol):
    """Times the phases of a use in a process of its own. Raises `RunFailed`, and what `check` does."""

    def __call__(self, status: DeviceStatus, point: Point, check: CancelCheck, *, pinned: bool) -> PhaseTimes: ...


@dataclass(frozen=True, slots=True)
class UseProgress:
    """Progress of a request for uses. Counts are uses."""

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
        """Time uses in the lane's thread. What fails is told, and the others go on."""
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


class AnyUseTimer(Protocol):
    """Interface of a timer of uses of the GPU."""

    def start(self, uses: Sequence[Use]) -> None: ...
    def cancel(self) -> None: ...
    def progress(self) -> UseProgress | None: ...
    def drain(self) -> tuple[PhaseTimes, ...]: ...


class UseModel:
    """Follows the ticked rungs and the chosen sizes. `tick` takes over what was timed, and never waits."""

    def __init__(self, session: Session, timing: TimingModel, devices: Field[Mapping[Device, DeviceStatus]], timer: AnyUseTimer) -> None:
        self.session, self.timing, self.devices = session, timing, devices
        self._timer = timer
        self.progress: Field[UseProgress | None] = Field(None)

    @property
    def variant(self) -> Variant | None:
        """The first ticked rung of the GPU, whose uses are measured."""
        return next((variant for variant in self.session.timing.value.variants if variant.device is Device.GPU), None)

    def uses(self) -> tuple[Use, ...]:
        """What is measured: every chosen size with pageable memory, then with pinned memory."""
        variant, choice = self.variant, self.session.timing.value
        if variant is None:
            return ()
        problems = [Problem.square(choice.operation, n) for n in choice.sizes]
        points = [Point(variant.id, problem, choice.parameters[variant.id]) for problem in problems]
        return tuple(Use(point, pinned) for pinned in (False, True) for point in points)

    def refusal(self) -> Message | None:
        """Why nothing can be measured; None where it can."""
        status = self.devices.value.get(Device.GPU)
        if status is not None and not status.ready:
            return status.reason or message("The device is not ready.")
        return message("Tick a rung of the GPU in the ladder.") if self.variant is None else None

    def start(self) -> None:
        """Measure."""
        if self.refusal() is None:
            self._timer.start(self.uses())

    def cancel(self) -> None:
        """Stop; what was measured is kept."""
        self._timer.cancel()

    def tick(self) -> None:
        """Take over what was timed."""
        found = self._timer.drain()
        if found:
            known = self.timing.uses.value
            self.timing.uses.value = replace(known, measured=known.measured + found)
        self.progress.value = self._timer.progress()

    def picture(self) -> UsePicture:
        """Picture of the bars."""
        timing = self.timing
        return use_picture(timing.uses.value, timing.results, self.session.timing.value, timing.counted.value)

    def export(self, path: Path) -> Message | None:
        """Write the phases of all bars that are shown, as CSV. Returns why that could not be."""
        return write_whole(path, phases_csv([row.bar.times for row in self.picture().rows]))


def progress_words(progress: UseProgress) -> Message:
    """Where a request is, or how it ended."""
    done, total = progress.done, progress.total
    if progress.state is State.CANCELLED:
        return message("Cancelled. {done} of {total} points are kept.", done=done, total=total)
    if progress.state is State.QUEUED:
        return message("Waiting for the device.")
    if progress.state.ended:
        return message("Done: {done} of {total} points.", done=done, total=total)
    words = message("{done} of {total} points", done=done, total=total)
    now = message("cancelling") if progress.state is State.CANCELLING or progress.use is None else use_words(progress.use)
    return message("{first}, {rest}", first=words, rest=now)


def use_sentence(progress: UseProgress | None) -> Message | None:
    """What a user who looks elsewhere is told; None before the first request."""
    if progress is None:
        return None
    return message("One use of the GPU: {progress}", progress=progress.failure or progress_words(progress))


def failure_words(progress: UseProgress) -> Message | None:
    """Why the request failed, or the last of the uses that did."""
    if progress.failure is not None or not progress.failed:
        return progress.failure
    use, reason = progress.failed[-1]
    return message("{use}: {reason}", use=use_words(use), reason=reason)


def use_words(use: Use) -> Message:
    """Return which use it is: its size and its memory."""
    n = use.point.problem.n
    return message("n = {n}, pinned", n=n) if use.pinned else message("n = {n}", n=n)
