"""The real runs that the stage shows: asks for one when the choice asks for another, keeps the last few to compare."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.core.base.observable import Field
from app.core.session.session import Session, Workspace
from app.core.timelines.recorder import Recorder, RecordingProgress
from app.core.timelines.sentences import SHARING
from kernels.base.limits import Limits, refuse
from kernels.base.machine_conditions import free_memory_bytes
from kernels.base.messages import Message
from kernels.base.reference import refuse_verification
from kernels.base.spec import Device, Problem
from kernels.catalogue.case import Case
from kernels.measure.real_run import RunTimeline, refuse_recording

DEFAULT_SIZES = {Device.CPU: 1024, Device.MPI: 512}

KEPT = 4
QUIET_S = 0.4
"""How long nothing must have been changed before the run that follows from it is begun."""


class ExecutionTimelines:
    """Runs of the shown variant, while `watched` is True. `tick` does all that is to be done, and never waits."""

    def __init__(self, session: Session, recorder: Recorder, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._recorder = recorder
        self._clock = clock
        self._sizes = dict(DEFAULT_SIZES)
        self._considered: Case | None = None
        self._changed_at = 0.0
        self._settled: Case | None = None
        """What was asked for last, or refused."""
        self.chosen = Field(value=False)
        """Whether real runs are to be shown also of kernels that can be animated."""
        self.watched = Field(value=False)
        """Whether the stage shows real runs in place of an animation; nothing is run where nobody looks."""
        self.offered = Field(value=False)
        """Whether `chosen` makes a difference: the shown kernel can be animated and also seen in a real run."""
        self.shown = Field(session.stage.value.variant.id)
        """The variant whose runs are shown."""
        self.n: Field[int] = Field(DEFAULT_SIZES[Device.CPU])
        """Rows and columns of the matrices of the run."""
        self.status: Field[RecordingProgress | None] = Field(None)
        self.refusal: Field[Message | None] = Field(None)
        """Why what is chosen cannot be run."""
        self.kept: Field[tuple[RunTimeline, ...]] = Field(())
        """The newest first; settings are kept once each."""
        session.stage.subscribe(lambda _choice: self._show_size())
        for field in (session.stage, session.draft_editor.on_stage, session.workspace, self.chosen):
            field.subscribe(lambda _changed: self._look())
        self._show_size()
        self._look()

    @property
    def wanted(self) -> Case | None:
        """The run that the choice asks for; None where the variant has neither threads of ours nor ranks.

        It shares out its work as the stage does. Block sizes are small there, as the matrices are: those are as the variant is timed.
        """
        stage = self._session.stage.value
        variant = stage.variant
        if self._session.draft_editor.shown is not None or refuse_recording(variant) is not None:
            return None
        timed = self._session.timing.value.parameters[variant.id]
        parameters = {name: stage.parameters[name] if name in SHARING else value for name, value in timed.items()}
        return Case(variant.id, Problem.square(variant.operation, self.n.value), parameters)

    @property
    def comparable(self) -> tuple[RunTimeline, ...]:
        """Kept runs that can stand on one time axis with the shown variant: same device, same operation."""
        shown = self._session.stage.value.variant
        return tuple(
            each for each in self.kept.value if (each.point.variant.device, each.point.variant.operation) == (shown.device, shown.operation)
        )

    @property
    def ranked(self) -> bool:
        """Whether the shown variant runs on ranks, and not on threads."""
        return self._session.stage.value.variant.device is Device.MPI

    @property
    def available(self) -> bool:
        """Whether there is something to see of what is on the stage."""
        return self.wanted is not None

    def toggle(self) -> None:
        """Show real runs, or the animation again."""
        self.chosen.value = not self.chosen.value

    def show(self, n: int) -> None:
        """Show real runs of n x n matrices; 0: the animation, where there is one."""
        self.chosen.value = n > 0 and not self.ranked
        if n:
            self.choose_size(n)

    @property
    def settled(self) -> bool:
        """Whether nothing is to come that is wanted."""
        wanted, status = self.wanted, self.status.value
        if not self.watched.value or wanted is None:
            return True
        if wanted != self._settled:
            return False
        return self.refusal.value is not None or (status is not None and status.state.ended)

    def choose_size(self, n: int) -> Message | None:
        """Run with n x n matrices; returns why that cannot be."""
        wanted = self.wanted
        problem = Problem.square(self._session.operation, n)
        if wanted is None:
            return None
        reason = _refuse(Case(wanted.variant_id, problem, wanted.parameters))
        if reason is None:
            self._sizes[wanted.variant.device] = self.n.value = n
        return reason

    def again(self) -> None:
        """Run at once what is chosen, also if it has been run before."""
        wanted = self.wanted
        if wanted is not None:
            self._considered = wanted
            self._ask(wanted)

    def cancel(self) -> None:
        """Give up the run that is under way."""
        self._recorder.cancel()

    def forget_earlier(self) -> None:
        """Keep only the newest run."""
        self.kept.value = self.kept.value[:1]

    def tick(self) -> None:
        """Ask for what is wanted, and take over what has come."""
        self._consider()
        status = self._recorder.progress()  # before the recording is taken over: none is there that the status does not say
        recording = self._recorder.poll()
        self.status.value = status
        if recording is not None:
            others = tuple(each for each in self.kept.value if each.point != recording.point)
            self.kept.value = (recording, *others)[:KEPT]

    def _consider(self) -> None:
        wanted = self.wanted if self.watched.value else None
        if wanted != self._considered:
            self._considered, self._changed_at = wanted, self._clock()
            if wanted != self._settled and self._running:
                self._settled = None
                self.cancel()  # a run that is not wanted any more keeps the cores from the one that is
        elif wanted is not None and wanted != self._settled and self._clock() - self._changed_at >= QUIET_S:
            self._ask(wanted)

    @property
    def _running(self) -> bool:
        status = self._recorder.progress()
        return status is not None and not status.state.ended

    def _ask(self, wanted: Case) -> None:
        self._settled = wanted
        self.refusal.value = _refuse(wanted)
        if self.refusal.value is None:
            self._recorder.ask(wanted)
        else:
            self.cancel()

    def _look(self) -> None:
        """Ranks cannot be animated: their real run is what the stage shows."""
        self.shown.value = self._session.stage.value.variant.id
        self.offered.value = self.available and not self.ranked
        shown = self.chosen.value or self.ranked
        self.watched.value = shown and self.available and self._session.workspace.value is Workspace.STAGE

    def _show_size(self) -> None:
        self.n.value = self._sizes.get(self._session.stage.value.variant.device, self.n.value)


def _refuse(point: Case) -> Message | None:
    free = free_memory_bytes()
    limits = Limits(memory_bytes=free)
    return refuse(point.variant, point.problem, point.parameters, limits) or refuse_verification(point.problem, free)
