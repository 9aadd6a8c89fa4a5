"""Sweeps: the order of points, and what is kept when one is cancelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from kernels.base.arrays import CancelCheck, Cancelled, Matrix
from kernels.base.limits import Limits
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.estimate import Estimator, Overhead, seconds_for
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from kernels.measure.sweep import Bench, plan, run_sweep
from tests.devices.fake_runner import FakeClock, FakeRun, FakeRunner, per_flop
from tests.measured.sweep_log import SweepLog


@pytest.fixture
def store() -> Iterator[ResultStore]:
    store = ResultStore.in_memory()
    yield store
    store.close()


def squares(*sizes: int) -> list[Problem]:
    return [Problem.square(Operation.MATMUL, n) for n in sizes]


def sweep(points: tuple[Case, ...], runner: FakeRunner, log: SweepLog, store: ResultStore) -> None:
    bench = Bench(Sampler(runner, clock=runner.clock), Limits(), Protocol(), Estimator(), clock=runner.clock)
    run_sweep(points, bench, store, log.check, log)


def test_small_sizes_come_first_and_variants_take_turns() -> None:
    points = plan([("cpu.naive", {}), ("cpu.loop-order", {})], squares(64, 16, 32))
    assert [(point.problem.n, point.variant_id) for point in points] == [
        (16, "cpu.naive"), (16, "cpu.loop-order"),
        (32, "cpu.naive"), (32, "cpu.loop-order"),
        (64, "cpu.naive"), (64, "cpu.loop-order"),
    ]  # fmt: skip


def test_each_tile_is_a_point_for_what_has_a_tile_and_nothing_comes_twice() -> None:
    points = plan([("cpu.blocked", {"tile": 64}), ("cpu.naive", {})], squares(16, 16), "tile", (8, 16, 8))
    assert [(point.variant_id, dict(point.parameters)) for point in points] == [
        ("cpu.blocked", {"tile": 8}),
        ("cpu.naive", {}),
        ("cpu.blocked", {"tile": 16}),
    ]


def test_each_result_is_stored_before_the_next_point_and_reported(store: ResultStore) -> None:
    log = SweepLog()
    sweep(plan([("cpu.naive", {})], squares(8, 16)), FakeRunner(FakeClock()), log, store)
    assert store.results() == log.results
    assert [result.point.problem.n for result in log.results] == [8, 16]
    assert all(result.status is Status.MEASURED for result in log.results)


def test_a_cancelled_sweep_keeps_its_points(store: ResultStore) -> None:
    log = SweepLog(stop_after=2)
    with pytest.raises(Cancelled):
        sweep(plan([("cpu.naive", {})], squares(8, 16, 32, 64)), FakeRunner(FakeClock()), log, store)
    assert [result.point.problem.n for result in store.results()] == [8, 16]


def test_the_time_left_falls_once_the_rate_is_known(store: ResultStore) -> None:
    log = SweepLog()
    sweep(plan([("cpu.naive", {})], squares(64, 96, 128)), FakeRunner(FakeClock(), per_flop(0.01)), log, store)
    assert log.left[0] == 3 * Protocol().max_sampling_s
    expected = [seconds_for(2e-6 * n**3 / 0.01, Protocol()) for n in (96, 128)]
    assert log.left[1:] == pytest.approx([sum(expected), expected[1]])


class SlowToCompile(FakeRunner):
    """Takes three seconds before it runs."""

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[FakeRun]:
        self.clock.advance(3.0)
        with super().prepare(point, inputs, check) as run:
            yield run


def test_the_time_left_has_what_a_point_takes_beside_its_runs(store: ResultStore) -> None:
    log, runner = SweepLog(), SlowToCompile(FakeClock(), per_flop(1.0))
    sweep(plan([("cpu.naive", {})], squares(16, 32, 64)), runner, log, store)
    assert log.left[1] == pytest.approx(6.0, abs=1.0)
    assert log.left[2] == pytest.approx(3.0, abs=1.0)


def test_a_sweep_is_cancelled_also_between_points_that_cannot_run(store: ResultStore) -> None:
    log = SweepLog(stop_after=1)
    with pytest.raises(Cancelled):
        sweep(plan([("cpu.blocked", {"tile": 0})], squares(8, 16)), FakeRunner(FakeClock()), log, store)
    assert [result.status for result in store.results()] == [Status.SKIPPED]


def test_what_a_point_takes_beside_its_runs_is_told_by_those_of_about_its_size() -> None:
    """Verifying large matrices would else be added to each small one."""
    overhead, protocol = Overhead(), Protocol()
    small, large = plan([("cpu.naive", {})], squares(16, 1024))
    for point, beside in ((small, 0.5), (small, 1.5), (large, 40.0)):
        result = Result(point, Status.MEASURED, "", (1.0,), 1e-7, 1e-5)
        overhead.learn(result, seconds_for(1.0, protocol) + beside, protocol)
    assert overhead.of([small]) == pytest.approx(1.0)
    assert overhead.of([small, large]) == pytest.approx(41.0)
    assert Overhead().of([small]) == 0.0
