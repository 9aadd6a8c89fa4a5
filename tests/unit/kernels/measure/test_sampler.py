"""One point: refused, predicted, run, verified, sampled."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import numpy as np
import pytest

from kernels.base.arrays import Cancelled, Matrix, never
from kernels.base.limits import Limits
from kernels.base.messages import message
from kernels.base.reference import error_bound
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.disturbance_sentences import Cause
from kernels.measure.disturbance_watch import Reading, Watch
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import MOST_WARM_UPS, Sampler, SamplingState
from kernels.measure.sweep import Bench, measure_point
from tests.devices.fake_runner import FakeClock, FakeRunner, copies_half, per_flop

SMALL = Case("cpu.naive", Problem.square(Operation.MATMUL, 32), {})
TRANSPOSE = Case("cpu.transpose-naive", Problem.square(Operation.TRANSPOSE, 32), {})


class Log:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.phases: list[SamplingState] = []
        self.counts: list[tuple[int, int]] = []

    def entered(self, _point: Case, phase: SamplingState) -> None:
        self.phases.append(phase)

    def sampled(self, _point: Case, taken: int, at_most: int) -> None:
        self.counts.append((taken, at_most))

    def still(self) -> AbstractContextManager[None]:
        return nullcontext()


def bench(runner: FakeRunner, **changes: object) -> Bench:
    plain = Bench(Sampler(runner, clock=runner.clock), Limits(), Protocol(), Estimator(), {"processor": "P"}, clock=runner.clock)
    return replace(plain, **changes)  # type: ignore[arg-type]


def measure(point: Case, runner: FakeRunner, log: Log | None = None, **changes: object) -> Result:
    return measure_point(point, bench(runner, **changes), never, log or Log())


def test_a_steady_kernel_is_sampled_the_least_number_of_times() -> None:
    runner, log = FakeRunner(FakeClock()), Log()
    result = measure(SMALL, runner, log)
    assert result.status is Status.MEASURED
    assert result.times_ms == (1.0,) * 5
    assert result.reason is None
    assert result.relative_error is not None
    assert result.relative_error < error_bound(32) == result.allowed_error
    assert runner.samples == 1 + 1 + 5
    assert runner.open == 0
    assert [count for count, _ in log.counts] == [5]
    assert log.phases == [
        SamplingState.WAITING,
        SamplingState.PROBING,
        SamplingState.COMPILING,
        SamplingState.RUNNING,
        SamplingState.VERIFYING,
        SamplingState.SAMPLING,
    ]


def test_an_algorithm_that_mixes_all_elements_is_allowed_its_larger_error() -> None:
    point = Case("cpu.strassen", Problem.square(Operation.MATMUL, 128), {"crossover": 32, "mc": 24, "kc": 32, "nc": 64})
    assert point.error_growth is not None
    assert point.error_growth > 2
    result = measure(point, FakeRunner(FakeClock()))
    assert result.verified
    assert result.allowed_error == point.error_growth * error_bound(128)


def test_the_conditions_name_machine_device_protocol_and_rule() -> None:
    conditions = measure(SMALL, FakeRunner(FakeClock())).conditions
    assert conditions["processor"] == "P"
    assert conditions["device_name"] == "Fake"
    assert conditions["min_samples"] == 5
    assert conditions["seed"] == 0
    assert conditions["stopped_by"] == "spread"


def test_the_first_run_and_the_warm_up_are_not_among_the_samples() -> None:
    runner = FakeRunner(FakeClock(), lambda _point, run: 100.0 if run < 2 else 1.0)
    assert measure(SMALL, runner).times_ms == (1.0,) * 5


def test_an_unsteady_kernel_stops_at_the_most_samples_or_at_the_time() -> None:
    quick = measure(SMALL, FakeRunner(FakeClock(), lambda _point, run: 1.0 + run % 2))
    assert len(quick.times_ms) == 50
    assert quick.conditions["stopped_by"] == "count"
    slow = measure(SMALL, FakeRunner(FakeClock(), lambda _point, run: 100.0 + 100 * (run % 2)))
    assert 2000 <= sum(slow.times_ms) <= 2200
    assert slow.conditions["stopped_by"] == "time"


def test_half_a_transposition_is_found_although_the_memory_held_the_answer() -> None:
    result = measure(TRANSPOSE, FakeRunner(FakeClock(), compute=copies_half))
    assert result.status is Status.WRONG
    assert "C[16][0] is NaN" in str(result.reason)
    assert result.times_ms == ()
    assert result.median_ms is None


def test_a_point_that_cannot_work_is_skipped_before_anything_runs() -> None:
    runner = FakeRunner(FakeClock())
    for point, words in (
        (Case("cpu.blocked", SMALL.problem, {"tile": 0}), "tile must be at least 1, not 0."),
        (Case("cpu.naive", Problem(Operation.MATMUL, 1, 1, 1 << 16), {}), "cannot be verified"),
    ):
        result = measure(point, runner)
        assert result.status is Status.SKIPPED
        assert words in str(result.reason)
    assert "main memory" in str(measure(SMALL, runner, host_bytes=1000).reason)
    assert "GiB" in str(measure(SMALL, runner, limits=Limits(memory_bytes=1000)).reason)
    assert runner.prepared == []


def test_a_run_predicted_over_the_budget_is_skipped_with_its_estimate() -> None:
    runner = FakeRunner(FakeClock(), per_flop(1.0))
    result = measure(Case("cpu.naive", Problem.square(Operation.MATMUL, 4480), {}), runner)
    assert result.status is Status.SKIPPED
    assert str(result.reason) == "About 3 min for one run; the time budget is 60 s."
    assert [point.problem.n for point in runner.prepared] == [128, 256, 512]


def test_an_earlier_result_is_trusted_instead_of_probing() -> None:
    estimator = Estimator([replace(measure(SMALL, FakeRunner(FakeClock())), times_ms=(61_000.0,))])
    runner = FakeRunner(FakeClock())
    assert measure(SMALL, runner, estimator=estimator).status is Status.SKIPPED
    assert runner.prepared == []


def test_a_full_sampling_over_the_budget_becomes_one_run() -> None:
    runner = FakeRunner(FakeClock(), lambda _point, _run: 10_001.0)
    result = measure(SMALL, runner)
    assert result.status is Status.SINGLE
    assert result.times_ms == (10_001.0,)
    assert result.verified
    assert str(result.reason) == "Run once: 6 runs would take about 60 s; the time budget is 60 s."
    assert runner.samples == 1
    assert len(measure(SMALL, FakeRunner(FakeClock(), lambda _point, _run: 10_000.0)).times_ms) == 5


def test_an_error_of_the_runner_is_the_result_s_reason() -> None:
    for error, words in (
        (RunFailed(message("The driver has gone.")), "The driver has gone."),
        (MemoryError(), "The run failed: there is not enough memory."),
        (ValueError("bad"), "The run failed: bad"),
        (ZeroDivisionError(), "The run failed: ZeroDivisionError"),
    ):

        def fail(_inputs: Mapping[str, Matrix], _output: Matrix, error: Exception = error) -> None:
            raise error

        runner = FakeRunner(FakeClock(), compute=fail)
        result = measure(SMALL, runner)
        assert (result.status, str(result.reason)) == (Status.FAILED, words)
        assert runner.open == 0


def test_cancelling_raises_and_frees_the_device() -> None:
    runner, calls = FakeRunner(FakeClock()), iter(range(100))

    def cancel_later() -> None:
        if next(calls) > 6:
            raise Cancelled

    with pytest.raises(Cancelled):
        measure_point(SMALL, bench(runner), cancel_later, Log())
    assert runner.open == 0
    assert 0 < runner.samples < 7


def test_a_product_of_matrices_that_do_not_divide_by_anything() -> None:
    point = Case("cpu.naive", Problem(Operation.MATMUL, 7, 5, 3), {})
    assert measure(point, FakeRunner(FakeClock())).verified
    off_by_one = FakeRunner(FakeClock(), compute=lambda inputs, output: np.copyto(output[:-1], (inputs["A"] @ inputs["B"])[:-1]))
    assert "C[6][0] is NaN" in str(measure(point, off_by_one).reason)


def test_the_conditions_are_those_at_the_end() -> None:
    conditions = measure(SMALL, FakeRunner(FakeClock())).conditions
    assert conditions["runs_so_far"] == 7


class Quiet(Watch):
    """A watch of cores on which nothing happens."""

    def look(self) -> Reading:
        return Reading(0.0, 0.0, 0.0, 0.0)

    def waits(self) -> dict[str, float]:
        return {}

    def delays(self, wall_s: float, before: Mapping[str, float], after: Mapping[str, float], threads: int) -> bool:
        return False

    def causes(self, before: Reading, after: Reading, threads: int) -> frozenset[Cause]:
        return frozenset()


class Resting(Log):
    """A core rests before it is kept still for samples."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self.clock, self.rested = clock, -1.0

    def still(self) -> AbstractContextManager[None]:
        self.rested = self.rested if self.rested >= 0 else self.clock()
        return nullcontext()


def measured_after_a_rest(run_ms: float) -> tuple[Result, int]:
    """What is measured, and in how many runs, where a core that has rested is half as fast for 30 ms."""
    clock = FakeClock()
    log = Resting(clock)
    runner = FakeRunner(clock, lambda _point, _run: run_ms * (2 if log.rested >= 0 and clock() - log.rested < 0.03 else 1))
    sampler = Sampler(runner, watch=Quiet(), clock=clock)
    return measure_point(SMALL, bench(runner, measurer=sampler), never, log), runner.samples


def test_a_core_that_has_rested_works_before_the_first_sample() -> None:
    result, _ = measured_after_a_rest(1.0)
    assert set(result.times_ms) == {1.0}


def test_longer_runs_are_done_once_before_they_are_timed() -> None:
    result, runs = measured_after_a_rest(25.0)
    assert runs == 1 + 1 + len(result.times_ms)


def test_the_shortest_runs_come_to_an_end_before_they_are_timed_too() -> None:
    result, runs = measured_after_a_rest(1e-6)
    assert runs == 1 + MOST_WARM_UPS + len(result.times_ms)
