"""Has settings tried in the background: one tuning at a time, its progress and results polled."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

from app.core.base.lanes import Job, State
from app.core.results.measuring import Lent, Loan
from kernels.base.arrays import CancelCheck
from kernels.base.devices import DeviceStatus
from kernels.base.machine import free_memory_bytes
from kernels.base.messages import Message
from kernels.base.spec import Device
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.results import Point, Result
from kernels.measure.sampler import SamplingState, failure
from kernels.measure.store import ResultStore
from kernels.measure.sweep import Bench
from kernels.measure.tuning import Round, Tuning, TuningPlan, remembered

Conditions = Mapping[str, str | int | float]
DEFAULT_BUDGET_S = 60.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Parts of the program that tuning needs: a device's lane, what the device is, the machine's conditions, the history."""

    lend: Callable[[Device, Loan], Job]
    status: Callable[[Device], DeviceStatus]
    """Called in the device's lane, where it may take its time."""
    conditions: Callable[[], Conditions]
    store: ResultStore


@dataclass(frozen=True, slots=True)
class Wish:
    """Request for a tuning. `afresh`: also what the history has is measured."""

    plan: TuningPlan
    budget_s: float = DEFAULT_BUDGET_S
    afresh: bool = False


@dataclass(frozen=True, slots=True)
class TuningProgress:
    """Progress of a tuning. Counts are points of the present round."""

    state: State = State.QUEUED
    part: Round = Round.LOOK
    total: int = 0
    done: int = 0
    point: Point | None = None
    phase: SamplingState | None = None
    seconds_left: float | None = None
    """At most about this long."""
    failure: Message | None = None
    """Why the tuning as a whole failed."""


class Tuner:
    """Asked and polled from one thread; the work is done in the lane of the variant's device."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._job: Job | None = None
        self._watch = _Watch()

    def start(self, wish: Wish) -> None:
        """Begin; an earlier tuning is cancelled."""
        self.cancel()
        watch = _Watch(self._watch.results)
        self._watch = watch
        device = wish.plan.variant.device
        self._job = self._around.lend(device, lambda lent, check: self._tune(wish, watch, lent, check))

    def cancel(self) -> None:
        """Ask the tuning to stop. What is measured is kept."""
        if self._job is not None:
            self._job.cancel()

    def progress(self) -> TuningProgress | None:
        """Where the newest tuning is; None before the first."""
        if self._job is None:
            return None
        state, progress = self._job.state, self._watch.progress
        if state.ended:
            reason = None if self._job.error is None else failure(self._job.error)
            return replace(progress, state=state, point=None, phase=None, seconds_left=None, failure=reason)
        return replace(progress, state=state, seconds_left=self._watch.seconds_left())

    def drain(self) -> tuple[Result, ...]:
        """The results since the last call, in the order found; each is in the history already."""
        results = self._watch.results
        return tuple(results.popleft() for _ in range(len(results)))

    def _tune(self, wish: Wish, watch: _Watch, lent: Lent, check: CancelCheck) -> None:
        """Tune in the lane's thread."""
        device, around = wish.plan.variant.device, self._around
        status, conditions = around.status(device), dict(around.conditions())
        history = around.store.results(wish.plan.problem.operation, str(conditions.get("processor", "")))
        bench = Bench(lent.measurer, status.limits, Protocol(), Estimator(history), conditions, free_memory_bytes(), lent.cores)
        watch.keep_still = lambda: lent.still(check)
        named = {"gpu": status.name} if device is Device.GPU else {}
        known = {} if wish.afresh else remembered(history, wish.plan, {**conditions, **named})
        Tuning(wish.plan, bench, around.store, wish.budget_s, known).run(check, watch)


@dataclass(slots=True)
class _Watch:
    """Told by the lane's thread, which always replaces `progress` by a whole new value; read by the other without a lock."""

    results: deque[Result] = field(default_factory=deque)
    progress: TuningProgress = field(default_factory=TuningProgress)
    started_at: float = 0.0
    keep_still: Callable[[], AbstractContextManager[None]] = nullcontext

    def still(self) -> AbstractContextManager[None]:
        return self.keep_still()

    def began(self, part: Round, total: int) -> None:
        self.progress = replace(self.progress, part=part, total=total, done=0)

    def started(self, point: Point, seconds_left: float) -> None:
        self.started_at = time.monotonic()
        self.progress = replace(self.progress, point=point, phase=None, seconds_left=seconds_left)

    def entered(self, _point: Point, phase: SamplingState) -> None:
        self.progress = replace(self.progress, phase=phase)

    def sampled(self, _point: Point, _taken: int, _at_most: int) -> None:
        """A look is too short to tell its samples."""

    def finished(self, result: Result) -> None:
        self.results.append(result)
        self.progress = replace(self.progress, done=self.progress.done + 1)

    def seconds_left(self) -> float | None:
        """Seconds left, less the time since the point began."""
        left = self.progress.seconds_left
        return None if left is None else max(0.0, left - (time.monotonic() - self.started_at))
