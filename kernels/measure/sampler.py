"""Sampler of one point in this process: predict, compile, run and verify, warm up, sample, and take again what was disturbed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol as Interface

from kernels.base.arrays import CancelCheck, Cancelled
from kernels.base.messages import Message, message
from kernels.base.reference import ReferenceCache, Verification, verified_rows
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.disturbance_watch import Watch
from kernels.measure.estimate import Estimator, duration, probe
from kernels.measure.protocol import Protocol, most_samples
from kernels.measure.real_run import RunProgress, RunTimeline, record
from kernels.measure.results import VERIFIED_ROWS, Result, Status
from kernels.measure.runner import PreparedRun, RunFailed, Runner, RunRefused
from kernels.measure.samples import Samples

Clock = Callable[[], float]
"""Seconds since some fixed moment."""
SLICE_S = 0.25
"""So long the rest of the program is kept still at a time; then it may draw, and show how far this is."""
PREDICTED = "predicted_ms"
"""Of the conditions of a point that was skipped for its time: how long one run was predicted to take."""
SHORT_MS = 20.0
"""After such a pause a shorter run is done without being timed, once or for `WARM_UP_S`."""
WARM_UP_S, MOST_WARM_UPS = 0.03, 1000
"""So long short runs come before the first that are timed: a core that has rested has not its speed at once. No more runs than so many."""


class SamplingState(StrEnum):
    """State of a measurement: what is being done for a point."""

    WAITING = "waiting"
    """For another point that is being measured: on one machine one is at a time."""
    TURN = "turn"
    """The same, for another program that measures."""
    PROBING = "probing"
    COMPILING = "compiling"
    RUNNING = "running"
    VERIFYING = "verifying"
    SAMPLING = "sampling"


class Observer(Interface):
    """Is told how a point gets on, in the measuring thread."""

    def entered(self, point: Case, phase: SamplingState) -> None:
        """A phase of `point` begins."""

    def sampled(self, point: Case, taken: int, at_most: int) -> None:
        """`taken` samples of `point` are there; no more than about `at_most` will be taken."""

    def still(self) -> AbstractContextManager[None]:
        """Keeps all that could disturb a sample from happening until the context is left."""


class Unobserved:
    """Shows nothing of what happens within a point."""

    def entered(self, point: Case, phase: SamplingState) -> None:
        """Not shown."""

    def sampled(self, point: Case, taken: int, at_most: int) -> None:
        """Not shown."""

    def still(self) -> AbstractContextManager[None]:
        return nullcontext()


@dataclass(frozen=True, slots=True)
class MeasureRequest:
    """A point that is to be measured, and how."""

    point: Case
    protocol: Protocol
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)
    """Of the machine; the runner adds its own and the protocol follows."""
    predicted_ms: float | None = None
    """Of one run; None where nothing is known of the variant."""


class Measurer(Interface):
    """Measures the points of one device, in this process or another."""

    def measure(self, request: MeasureRequest, check: CancelCheck, observer: Observer) -> Result:
        """Measure one point. Whatever goes wrong with it is in the result; only `Cancelled` is raised."""

    def record(self, point: Case, runs: int, check: CancelCheck, tell: Callable[[RunProgress], None]) -> RunTimeline:
        """Run a point, and tell all that was seen of it. Raises `RunFailed`, and `Cancelled` where `check` does."""

    def forget(self) -> None:
        """Free what is kept from one point to the next."""

    def close(self) -> None:
        """End what was started for it. The next measurement starts it again."""


@dataclass
class Sampler:
    """Measures by a runner of this process. `watch` is None for a device that no other program can disturb."""

    runner: Runner
    watch: Watch | None = None
    clock: Clock = time.perf_counter
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    references: ReferenceCache = field(default_factory=lambda: ReferenceCache(Protocol().seed))

    def measure(self, request: MeasureRequest, check: CancelCheck, observer: Observer) -> Result:
        """Measure one point. Whatever goes wrong with it is in the result; only `Cancelled` is raised."""
        result = unmeasured(request, self.now())
        if self.references.seed != request.protocol.seed:
            self.references = ReferenceCache(request.protocol.seed)
        try:
            predicted_ms = self._predicted_ms(request, check, observer)
            if predicted_ms is not None and predicted_ms / 1000 > request.protocol.budget_s:
                conditions = {**result.conditions, PREDICTED: predicted_ms}
                return replace(result, reason=_too_long(predicted_ms, request.protocol), conditions=conditions)
            return self._run(result, request.protocol, check, observer)
        except Cancelled:
            raise
        except RunRefused as refused:
            return replace(result, reason=refused.reason)
        except Exception as error:
            # A kernel or driver may raise anything; the other points go on.
            return replace(result, status=Status.FAILED, reason=failure(error))

    def record(self, point: Case, runs: int, check: CancelCheck, tell: Callable[[RunProgress], None]) -> RunTimeline:
        """Run a point, and tell all that was seen of it. Raises `RunFailed`, and `Cancelled` where `check` does."""
        return record(point, self.runner, self.references, check, tell, runs)

    def close(self) -> None:
        """Close nothing: nothing was started."""

    def forget(self) -> None:
        """Drop the matrices of the last problem, which are kept for the next variant."""
        self.references = ReferenceCache(self.references.seed)

    def _predicted_ms(self, request: MeasureRequest, check: CancelCheck, observer: Observer) -> float | None:
        """Milliseconds of one run, as earlier results or runs of small problems tell; None where they do not."""
        if request.predicted_ms is not None:
            return request.predicted_ms
        observer.entered(request.point, SamplingState.PROBING)
        estimator = Estimator()
        probe(request.point, self.runner, estimator, check)
        return estimator.predict_ms(request.point)

    def _run(self, result: Result, protocol: Protocol, check: CancelCheck, observer: Observer) -> Result:
        point = result.point
        observer.entered(point, SamplingState.COMPILING)
        with self.runner.prepare(point, self.references.inputs(point.problem), check) as prepared:
            observer.entered(point, SamplingState.RUNNING)
            prepared.poison()
            first_ms = prepared.sample(check)
            observer.entered(point, SamplingState.VERIFYING)
            verdict = self._verify(point, prepared, check)
            result = replace(result, relative_error=verdict.relative_error, allowed_error=verdict.allowed_error)
            if verdict.reason is not None:
                result = replace(result, status=Status.WRONG, reason=verdict.reason)
            elif first_ms / 1000 * protocol.least_runs > protocol.budget_s:
                result = replace(result, status=Status.SINGLE, times_ms=(first_ms,), reason=_single(first_ms, protocol))
            else:
                observer.entered(point, SamplingState.SAMPLING)
                result = self._sample(result, prepared, protocol, check, observer)
            # Only now: a runner may learn from its first runs how to do the later ones.
            return replace(result, conditions={**result.conditions, **prepared.conditions(), **_verified_part(point, protocol)})

    def _verify(self, point: Case, prepared: PreparedRun, check: CancelCheck) -> Verification:
        reference = self.references.reference(point.problem, check, point.variant.output)
        return reference.judging(point.variant, point.problem, point.parameters).verify(prepared.output(), check)

    def _sample(self, result: Result, prepared: PreparedRun, protocol: Protocol, check: CancelCheck, observer: Observer) -> Result:
        samples, spent_s = Samples(protocol, self.watch, threads_of(prepared)), 0.0
        while samples.rule is None:
            with nullcontext() if self.watch is None else observer.still():
                spent_s = self._slice(samples, prepared, spent_s, check)
            observer.sampled(result.point, samples.taken, most_samples(samples.times_ms, protocol))
        conditions = {**result.conditions, **samples.conditions()}
        return replace(result, status=Status.MEASURED, times_ms=samples.times_ms, conditions=conditions)

    def _slice(self, samples: Samples, prepared: PreparedRun, spent_s: float, check: CancelCheck) -> float:
        """Samples while nothing else moves, for a moment or until there are enough. Returns the seconds that all slices have taken."""
        self._warm_up(samples, prepared, check)
        samples.begin()
        start = self.clock()
        while samples.rule is None and self.clock() - start < SLICE_S:
            check()
            samples.add(lambda: prepared.sample(check), lambda: spent_s + self.clock() - start)
        samples.end(spent_s + self.clock() - start)
        return spent_s + self.clock() - start

    def _warm_up(self, samples: Samples, prepared: PreparedRun, check: CancelCheck) -> None:
        """Runs that are not timed: as many as the protocol says; on cores, short ones before the first sample for a while."""
        least, start = samples.warm_ups(SHORT_MS), self.clock()
        rested = self.watch is not None and least > 0 and not samples.taken
        for done in range(1, max(least, MOST_WARM_UPS if rested else 0) + 1):
            run_ms = prepared.sample(check)
            if done >= least and (run_ms >= SHORT_MS or self.clock() - start >= WARM_UP_S):
                return


def _too_long(predicted_ms: float, protocol: Protocol) -> Message:
    """The reason to skip a point whose single run is predicted to pass the budget."""
    return message(
        "About {duration} for one run; the time budget is {budget} s.",
        duration=duration(predicted_ms / 1000), budget=protocol.budget_s,
    )  # fmt: skip


def unmeasured(request: MeasureRequest, moment: datetime) -> Result:
    """The result of a point before anything is known of it, with its conditions."""
    conditions = {**request.conditions, **asdict(request.protocol)}
    return Result(request.point, Status.SKIPPED, moment.isoformat(timespec="seconds"), conditions=conditions)


def failure(error: Exception) -> Message:
    """What to tell the user about an error that a runner raised."""
    if isinstance(error, RunFailed):
        return error.reason
    if isinstance(error, MemoryError):
        return message("The run failed: there is not enough memory.")
    return message("The run failed: {error}", error=str(error) or type(error).__name__)


def threads_of(prepared: PreparedRun) -> int:
    """The threads or ranks that a run has, as its conditions tell."""
    conditions = prepared.conditions()
    count = conditions.get("threads", conditions.get("ranks", 1))
    return count if isinstance(count, int) else 1


def _verified_part(point: Case, protocol: Protocol) -> dict[str, int]:
    """How many rows of the output were verified, where it was not all."""
    rows = verified_rows(point.problem, protocol.seed)
    return {} if rows is None else {VERIFIED_ROWS: len(rows)}


def _single(first_ms: float, protocol: Protocol) -> Message:
    return message(
        "Run once: {runs} runs would take about {duration}; the time budget is {budget} s.",
        runs=protocol.least_runs, duration=duration(first_ms / 1000 * protocol.least_runs), budget=protocol.budget_s,
    )  # fmt: skip
