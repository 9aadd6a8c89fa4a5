"""Timing of uses of the GPU in the background: one request at a time, its progress polled, with the page's model and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, Self

from app.core.base.files.atomic_write import write_whole
from app.core.base.job_queues import Client, JobClient, JobState, Request, RequestProgress
from app.core.base.observable import Field
from app.core.results.gpu_uses import UsePicture, use_picture
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.tuner import MeasuringSetup
from kernels.base.arrays import CancelCheck
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.gpu.process import measure_use
from kernels.measure.cores import HostCores
from kernels.measure.gpu_use_times import UseTimes, uses_csv
from kernels.measure.runner import RunFailed


@dataclass(frozen=True, slots=True)
class Use:
    """Use of the GPU that is asked for."""

    point: Case
    pinned: bool


class Measure(Protocol):
    """Times the parts of a use in a process of its own. Raises `RunFailed`, and what `check` does."""

    def __call__(self, status: DeviceStatus, point: Case, check: CancelCheck, *, pinned: bool) -> UseTimes: ...


@dataclass(frozen=True, slots=True)
class UseProgress(RequestProgress):
    """Progress of a request for uses. Counts are uses."""

    total: int
    done: int = 0
    """Those that have ended, whatever came out."""
    use: Use | None = None
    """The one under way."""
    failed: tuple[tuple[Use, Message], ...] = ()
    """Those without times, and why."""

    def over(self) -> Self:
        """The same without a use under way."""
        return replace(self, use=None)


UseRequest = Request[UseProgress, UseTimes]


class UseTimer(JobClient[UseProgress, UseTimes]):
    """Client of the queue of the GPU, whose process it leaves alone. What is found is in the history already."""

    def __init__(self, around: MeasuringSetup, measure: Measure = measure_use) -> None:
        super().__init__()
        self._around, self._measure = around, measure

    def start(self, uses: Sequence[Use]) -> None:
        """Begin; an earlier request is cancelled."""
        self.submit(
            Request(UseProgress(len(uses)), self._found),
            lambda request: self._around.lend(Device.GPU, lambda lent, check: self._time(tuple(uses), request, lent.cores, check)),
        )

    def _time(self, uses: tuple[Use, ...], request: UseRequest, cores: HostCores, check: CancelCheck) -> None:
        """Time uses in the queue's thread. What fails is told, and the others go on."""
        status, conditions = self._around.status(Device.GPU), dict(self._around.conditions())
        failed: tuple[tuple[Use, Message], ...] = ()
        for done, use in enumerate(uses, 1):
            check()
            request.tell(use=use)
            found = self._times(status, use, cores, check)
            if isinstance(found, Message):
                failed = (*failed, (use, found))
            else:
                known = replace(found, conditions={**conditions, **found.conditions})
                self._around.store.append_use(known)
                request.found(known)
            request.tell(done=done, failed=failed)

    def _times(self, status: DeviceStatus, use: Use, cores: HostCores, check: CancelCheck) -> UseTimes | Message:
        point = use.point
        reason = refuse(point.variant, point.problem, point.parameters, status.limits)
        if reason is not None:
            return reason
        try:
            with cores.hold(check):
                return self._measure(status, point, check, pinned=use.pinned)
        except RunFailed as failed:
            return failed.reason


AnyUseTimer = Client[Sequence[Use], UseProgress, UseTimes]


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
        points = [Case(variant.id, problem, choice.parameters[variant.id]) for problem in problems]
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
        """Write the parts of all bars that are shown, as CSV. Returns why that could not be."""
        return write_whole(path, uses_csv([row.bar.times for row in self.picture().rows]))


def progress_text(progress: UseProgress) -> Message:
    """Where a request is, or how it ended."""
    done, total = progress.done, progress.total
    if progress.state is JobState.CANCELLED:
        return message("Cancelled. {done} of {total} points are kept.", done=done, total=total)
    if progress.state is JobState.QUEUED:
        return message("Waiting for the device.")
    if progress.state.ended:
        return message("Done: {done} of {total} points.", done=done, total=total)
    words = message("{done} of {total} points", done=done, total=total)
    now = message("cancelling") if progress.state is JobState.CANCELLING or progress.use is None else use_text(progress.use)
    return message("{first}, {rest}", first=words, rest=now)


def use_sentence(progress: UseProgress | None) -> Message | None:
    """What a user who looks elsewhere is told; None before the first request."""
    if progress is None:
        return None
    return message("One use of the GPU: {progress}", progress=progress.failure or progress_text(progress))


def failure_text(progress: UseProgress) -> Message | None:
    """Why the request failed, or the last of the uses that did."""
    if progress.failure is not None or not progress.failed:
        return progress.failure
    use, reason = progress.failed[-1]
    return message("{use}: {reason}", use=use_text(use), reason=reason)


def use_text(use: Use) -> Message:
    """Return which use it is: its size and its memory."""
    n = use.point.problem.n
    return message("n = {n}, pinned", n=n) if use.pinned else message("n = {n}", n=n)
