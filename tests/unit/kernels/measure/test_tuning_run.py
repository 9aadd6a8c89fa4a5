"""Tuning: a look at all, the best confirmed, resumed from the history, cancelled, never without proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from kernels.base.arrays import Cancelled
from kernels.base.limits import Limits
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from kernels.measure.sweep import Bench
from kernels.measure.tuning import (
    FINALISTS,
    Key,
    Round,
    Tuning,
    TuningPlan,
    is_confirmed,
    key_of,
    plan_tuning,
    ranking,
    refuse_tuning,
    remembered,
    untried,
)
from tests.devices.fake_runner import FakeClock, FakeRunner, copies_half
from tests.measured.sweep_log import SweepLog
from tests.measured.timing_results import measured

N = 16
COST_MS = {4: 8.0, 8: 7.0, 16: 6.0, 32: 5.0, 64: 4.0, 128: 3.0, 256: 2.0, 512: 1.0}


class Log(SweepLog):
    """Remembers rounds too."""

    def __init__(self, stop_after: int = 1000) -> None:
        super().__init__(stop_after)
        self.rounds: list[tuple[Round, int]] = []

    def began(self, part: Round, total: int) -> None:
        self.rounds.append((part, total))


@pytest.fixture
def store() -> Iterator[ResultStore]:
    store = ResultStore.in_memory()
    yield store
    store.close()


@pytest.fixture
def plan() -> TuningPlan:
    variant = by_id("cpu.blocked")
    return plan_tuning(variant, Problem.square(Operation.MATMUL, N), ("tile",), variant.defaults, Limits())


def cost(point: Case, run: int) -> float:
    """Larger tiles are faster; the first run of each point is slow."""
    return COST_MS.get(point.parameters.get("tile", 0), 0.5) * (3.0 if run == 0 else 1.0)


def bench(runner: FakeRunner) -> Bench:
    return Bench(Sampler(runner, clock=runner.clock), Limits(), Protocol(), Estimator(), {"processor": "P"}, clock=runner.clock)


def tune(
    plan: TuningPlan, store: ResultStore, log: Log, runner: FakeRunner, known: Mapping[Key, Result] | None = None
) -> tuple[Result, ...]:
    return Tuning(plan, bench(runner), store, 60.0, known or {}).run(log.check, log)


def test_all_are_looked_at_and_the_best_confirmed(plan: TuningPlan, store: ResultStore) -> None:
    runner, log = FakeRunner(FakeClock(), cost), Log()
    results = tune(plan, store, log, runner)
    assert log.rounds == [(Round.LOOK, 9), (Round.CONFIRM, FINALISTS + 1)]  # the library beside them
    standings = [each for each in ranking(results, Protocol()) if each.result.point.variant_id == "cpu.blocked"]
    assert [each.result.point.parameters["tile"] for each in standings] == [512, 256, 128, 64, 32, 16, 8, 4]
    assert [each.confirmed for each in standings] == [True] * 5 + [False] * 3
    assert all(result.relative_error is not None for result in results)
    assert len(store.results()) == len(log.results) == 9 + 6


def test_a_lucky_look_does_not_win(plan: TuningPlan, store: ResultStore) -> None:
    """The smallest tile is fast when it is looked at, and slow when it is measured."""
    seen: list[int] = []

    def lucky(point: Case, run: int) -> float:
        if point.parameters.get("tile") != 4:
            return cost(point, run)
        seen.append(run)
        return 0.1 if len(seen) <= 4 else 50.0

    results = tune(plan, store, Log(), FakeRunner(FakeClock(), lucky))
    assert len(seen) > 4
    winner = ranking((each for each in results if each.point.variant_id == "cpu.blocked"), Protocol())[0]
    assert winner.result.point.parameters["tile"] == 512


def test_a_look_that_was_disturbed_hides_no_winner(plan: TuningPlan, store: ResultStore) -> None:
    """The fastest tile is slowed down in most of its look, but not in all of it."""
    runs: list[int] = []

    def disturbed(point: Case, run: int) -> float:
        if point.parameters.get("tile") != 512:
            return cost(point, run)
        runs.append(run)
        return 20.0 if len(runs) in (1, 2, 4, 5) else 1.0

    results = tune(plan, store, Log(), FakeRunner(FakeClock(), disturbed))
    winner = ranking((each for each in results if each.point.variant_id == "cpu.blocked"), Protocol())[0]
    assert winner.confirmed
    assert winner.result.point.parameters["tile"] == 512


def test_a_library_whose_look_was_disturbed_is_confirmed_all_the_same(plan: TuningPlan, store: ResultStore) -> None:
    runs: list[int] = []

    def disturbed(point: Case, run: int) -> float:
        if point.variant_id == "cpu.blocked":
            return cost(point, run)
        runs.append(run)
        return 60.0 - 10.0 * len(runs) if len(runs) < 6 else 0.5

    results = Tuning(plan, bench(FakeRunner(FakeClock(), disturbed)), store, 1.0).run(Log().check, Log())
    (library,) = (each for each in results if each.point == plan.library)
    assert is_confirmed(library, Protocol())
    assert library.median_ms == 0.5


def test_settings_that_launch_the_same_are_measured_once(store: ResultStore) -> None:
    """No rows of a block means as many as columns."""
    variant = by_id("gpu.naive")
    plan = plan_tuning(variant, Problem.square(Operation.MATMUL, N), ("rows",), {"tile": 8, "rows": 0}, Limits())
    assert [(twin.point.parameters["rows"], twin.tried.parameters["rows"]) for twin in plan.twins] == [(8, 0)]
    known = remembered([measured("gpu.naive", N, 1.0, tile=8, rows=8)], plan, {})
    assert [result.point.parameters["rows"] for result in known.values()] == [0]
    runner = FakeRunner(FakeClock(), cost)
    results = tune(plan, store, Log(), runner)
    assert not list(untried(plan, results))
    assert 8 not in {point.parameters.get("rows") for point in runner.prepared}


def test_where_one_of_the_best_falls_back_the_next_one_is_confirmed_too(plan: TuningPlan, store: ResultStore) -> None:
    """A tile that is slow from its second measurement on leaves its place to the sixth."""
    runs: list[int] = []

    def falls_back(point: Case, run: int) -> float:
        runs.extend([run] if point.parameters.get("tile") == 512 else [])
        return 90.0 if point.parameters.get("tile") == 512 and len(runs) > 4 else cost(point, run)

    log = Log()
    results = tune(plan, store, log, FakeRunner(FakeClock(), falls_back))
    confirmed = {
        each.result.point.parameters["tile"]
        for each in ranking(results, Protocol())
        if each.confirmed and "tile" in each.result.point.parameters
    }
    assert confirmed == {512, 256, 128, 64, 32, 16}
    assert [part for part, _ in log.rounds] == [Round.LOOK, Round.CONFIRM, Round.CONFIRM]


def test_what_the_history_has_is_not_measured_again(plan: TuningPlan, store: ResultStore) -> None:
    first = FakeRunner(FakeClock(), cost)
    with pytest.raises(Cancelled):
        tune(plan, store, stopped := Log(stop_after=4), first)
    known = remembered(store.results(), plan, {"processor": "P"})
    assert len(known) == len(stopped.results) == 4
    again = FakeRunner(FakeClock(), cost)
    results = tune(plan, store, Log(), again, known=known)
    looked = [point for point in again.prepared if point.problem.n == N]
    assert len(looked) == 5 + FINALISTS + 1
    assert not list(untried(plan, results))


def test_results_of_other_conditions_are_not_taken_over(plan: TuningPlan, store: ResultStore) -> None:
    tune(plan, store, Log(), FakeRunner(FakeClock(), cost))
    assert remembered(store.results(), plan, {"processor": "P"})
    assert not remembered(store.results(), plan, {"processor": "Q"})
    assert not remembered(store.results(), plan, {"processor": "P", "gpu": "G"})


def test_a_wrong_result_is_neither_ranked_nor_confirmed(store: ResultStore) -> None:
    variant = by_id("cpu.transpose-blocked")
    plan = plan_tuning(variant, Problem.square(Operation.TRANSPOSE, N), ("tile",), variant.defaults, Limits())
    log = Log()
    results = tune(plan, store, log, FakeRunner(FakeClock(), compute=copies_half))
    assert {result.status for result in results} == {Status.WRONG}
    assert ranking(results, Protocol()) == ()
    assert [part for part, _ in log.rounds] == [Round.LOOK]


def test_a_confirmation_that_is_wrong_takes_the_place_away(plan: TuningPlan, store: ResultStore) -> None:
    runner = FakeRunner(FakeClock(), cost)
    log = Log()
    right = runner.compute

    def breaks_later(inputs: object, output: object) -> None:
        if log.rounds[-1][0] is Round.LOOK:
            right(inputs, output)  # type: ignore[arg-type]

    runner.compute = breaks_later
    results = {key_of(result.point): result for result in tune(plan, store, log, runner)}
    fastest = next(point for point in plan.points if point.parameters["tile"] == 512)
    assert results[key_of(fastest)].status is Status.WRONG


def test_what_cannot_be_tuned_says_why() -> None:
    assert "computes nothing" in str(refuse_tuning(by_id("gpu.hello"), ("blocks",)))
    assert "has no parameters" in str(refuse_tuning(by_id("gpu.cublas"), ("tile",)))
    assert refuse_tuning(by_id("cpu.numpy"), ("tile",)) == message("{variant} has no parameter {name}.", variant="cpu.numpy", name="tile")
    packed = by_id("cpu.packed")
    assert "combinations" in str(refuse_tuning(packed, [parameter.name for parameter in packed.parameters]))
