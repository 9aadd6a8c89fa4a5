"""Measures one point: refuse or predict, compile, run and verify, warm up, sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol as Interface

from kernels.limits import Limits, refuse
from kernels.measure.cores import HostCores
from kernels.measure.estimate import Estimator, duration, probe
from kernels.measure.protocol import Protocol, most_samples, stopped_by
from kernels.measure.results import VERIFIED_ROWS, Point, Result, Status
from kernels.measure.runner import CancelCheck, Cancelled, PreparedRun, RunFailed, Runner
from kernels.messages import Message, message
from kernels.reference import ReferenceCache, Verdict, refuse_verification
from kernels.spec import Device
from kernels.verified_rows import verified_rows

Clock = Callable[[], float]
"""Seconds since some fixed moment."""


class Phase(StrEnum):
    """What is being done for a point."""

    WAITING = "waiting"
    """For the host's cores, which another lane is using."""
    PROBING = "probing"
    COMPILING = "compiling"
    RUNNING = "running"
    VERIFYING = "verifying"
    SAMPLING = "sampling"


class Observer(Interface):
    """Is told how a point gets on, in the measuring thread."""

    def entered(self, point: Point, phase: Phase) -> None:
        """A phase of `point` begins."""

    def sampled(self, point: Point, taken: int, at_most: int) -> None:
        """`taken` samples of `point` are there; no more than about `at_most` will be taken."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What measuring on one device needs beside the point."""

    runner: Runner
    limits: Limits
    protocol: Protocol
    references: ReferenceCache
    estimator: Estimator
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)
    """Of the machine; the runner adds its own and the protocol follows."""
    host_bytes: int | None = None
    """Free main memory, None if unknown."""
    cores: HostCores = field(default_factory=HostCores)
    clock: Clock = time.perf_counter
    now: Callable[[], datetime] = lambda: datetime.now(UTC)


def measure_point(point: Point, bench: Bench, check: CancelCheck, observer: Observer) -> Result:
    """Measure one point. Whatever goes wrong with it is in the result; only `Cancelled` is raised."""
    result = Result(point, Status.SKIPPED, bench.now().isoformat(timespec="seconds"), conditions=_conditions(bench))
    reason = refuse(point.variant, point.problem, point.parameters, bench.limits) or refuse_verification(
        point.problem, bench.host_bytes, point.error_growth or 1.0
    )
    if reason is not None:
        return replace(result, reason=reason)
    try:
        with _cores(point, bench, check, observer, wanted=point.variant.device is not Device.GPU):
            reason = _too_long(point, bench, check, observer)
            return replace(result, reason=reason) if reason is not None else _run(result, bench, check, observer)
    except Cancelled:
        raise
    except Exception as error:
        # A kernel or driver may raise anything; the other points go on.
        return replace(result, status=Status.FAILED, reason=failure(error))


def failure(error: Exception) -> Message:
    """What to tell the user about an error that a runner raised."""
    if isinstance(error, RunFailed):
        return error.reason
    if isinstance(error, MemoryError):
        return message("The run failed: there is not enough memory.")
    return message("The run failed: {error}", error=str(error) or type(error).__name__)


def _too_long(point: Point, bench: Bench, check: CancelCheck, observer: Observer) -> Message | None:
    """The reason to skip a point whose single run is predicted to pass the budget."""
    if bench.estimator.predict_ms(point) is None:
        observer.entered(point, Phase.PROBING)
        probe(point, bench.runner, bench.estimator, check)
    predicted_ms = bench.estimator.predict_ms(point)
    if predicted_ms is None or predicted_ms / 1000 <= bench.protocol.budget_s:
        return None
    return message(
        "About {duration} for one run; the time budget is {budget} s.",
        duration=duration(predicted_ms / 1000), budget=bench.protocol.budget_s,
    )  # fmt: skip


def _run(result: Result, bench: Bench, check: CancelCheck, observer: Observer) -> Result:
    point = result.point
    observer.entered(point, Phase.COMPILING)
    with bench.runner.prepare(point, bench.references.inputs(point.problem), check) as prepared:
        observer.entered(point, Phase.RUNNING)
        prepared.poison()
        first_ms = prepared.sample(check)
        verdict = _verify(point, prepared, bench, check, observer)
        result = replace(result, relative_error=verdict.relative_error, allowed_error=verdict.allowed_error)
        if verdict.reason is not None:
            result = replace(result, status=Status.WRONG, reason=verdict.reason)
        elif first_ms / 1000 * bench.protocol.least_runs > bench.protocol.budget_s:
            result = replace(result, status=Status.SINGLE, times_ms=(first_ms,), reason=_single(first_ms, bench.protocol))
        else:
            result = _sample(result, prepared, bench, check, observer)
        # Only now: a runner may learn from its first runs how to do the later ones.
        return replace(result, conditions={**result.conditions, **prepared.conditions(), **_verified_part(point, bench)})


def _verify(point: Point, prepared: PreparedRun, bench: Bench, check: CancelCheck, observer: Observer) -> Verdict:
    with _cores(point, bench, check, observer, wanted=point.variant.device is Device.GPU):
        observer.entered(point, Phase.VERIFYING)
        reference = bench.references.reference(point.problem, check, point.variant.output)
        return reference.judging(point.variant, point.problem, point.parameters).verify(prepared.output(), check)


def _verified_part(point: Point, bench: Bench) -> dict[str, int]:
    """How many rows of the output were verified, where it was not all."""
    rows = verified_rows(point.problem, bench.protocol.seed)
    return {} if rows is None else {VERIFIED_ROWS: len(rows)}


def _sample(result: Result, prepared: PreparedRun, bench: Bench, check: CancelCheck, observer: Observer) -> Result:
    point, protocol = result.point, bench.protocol
    observer.entered(point, Phase.SAMPLING)
    for _ in range(protocol.warm_ups):
        prepared.sample(check)
    times: list[float] = []
    begin = bench.clock()
    rule = None
    while rule is None:
        check()
        times.append(prepared.sample(check))
        rule = stopped_by(times, protocol, bench.clock() - begin)
        observer.sampled(point, len(times), most_samples(times, protocol))
    conditions = {**result.conditions, "stopped_by": rule.value}
    return replace(result, status=Status.MEASURED, times_ms=tuple(times), conditions=conditions)


def _single(first_ms: float, protocol: Protocol) -> Message:
    return message(
        "Run once: {runs} runs would take about {duration}; the time budget is {budget} s.",
        runs=protocol.least_runs, duration=duration(first_ms / 1000 * protocol.least_runs), budget=protocol.budget_s,
    )  # fmt: skip


def _cores(point: Point, bench: Bench, check: CancelCheck, observer: Observer, *, wanted: bool) -> AbstractContextManager[None]:
    if not wanted:
        return nullcontext()
    observer.entered(point, Phase.WAITING)
    return bench.cores.hold(check)


def _conditions(bench: Bench) -> dict[str, str | int | float]:
    return {**bench.conditions, **asdict(bench.protocol)}
