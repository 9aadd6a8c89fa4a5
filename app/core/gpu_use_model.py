"""What the page of one use of the GPU measures, shows and writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from app.core.gpu_use_picture import UsePicture, use_picture
from app.core.gpu_use_timer import Use, UseProgress
from app.core.jobs import State
from app.core.observable import Field
from app.core.session import Session
from app.core.timing import TimingModel
from app.core.whole_file import write_whole
from kernels.devices import DeviceStatus
from kernels.measure.phases import PhaseTimes, phases_csv
from kernels.measure.results import Point
from kernels.messages import Message, message
from kernels.spec import Device, Problem, Variant


class AnyUseTimer(Protocol):
    """What times uses."""

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
        """The bars."""
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
    """Which use it is."""
    n = use.point.problem.n
    return message("n = {n}, pinned", n=n) if use.pinned else message("n = {n}", n=n)
