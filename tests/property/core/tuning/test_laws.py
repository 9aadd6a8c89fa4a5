"""What holds of every tuning plan, and of every tuning within its budget."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.sampler import Sampler, SamplingState
from kernels.measure.store import ResultStore
from kernels.measure.sweep import Bench
from kernels.measure.tuning import LARGEST_PART, PICTURED, Round, Tuning, combinations, key_of, plan_tuning
from tests.devices.fake_runner import FakeClock, FakeRunner

MOST = 600
TUNABLE = [variant for variant in VARIANTS if variant.parameters and variant.operation is not Operation.HELLO]
QUICK = settings(max_examples=40, deadline=None)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Variant, tuple[str, ...]]:
    """A variant, and some of its parameters in any order."""
    variant = draw(st.sampled_from(TUNABLE))
    names = [parameter.name for parameter in variant.parameters]
    over = tuple(draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)))
    assume(combinations(variant, over) <= MOST)
    return variant, over


@QUICK
@given(asked(), st.integers(1, 5000))
def test_every_combination_comes_once_and_is_refused_exactly_where_it_cannot_work(
    asked_for: tuple[Variant, tuple[str, ...]], n: int
) -> None:
    variant, over = asked_for
    problem, limits = Problem.square(variant.operation, n), Limits()
    plan = plan_tuning(variant, problem, over, variant.defaults, limits)
    stops = {parameter.name: parameter.stops for parameter in variant.parameters}
    values = product(*(stops[name] for name in over))
    wanted = {tuple(sorted({**variant.defaults, **dict(zip(over, chosen, strict=True))}.items())) for chosen in values}
    given_points = [*plan.points, *(each.point for each in plan.twins), *(each.point for each in plan.refused)]
    assert {key_of(point)[1] for point in given_points} == wanted
    assert len(given_points) == len(wanted) == plan.combinations
    assert all(refuse(variant, problem, point.parameters, limits) is None for point in plan.points)
    assert all(refuse(variant, problem, each.point.parameters, limits) == each.reason for each in plan.refused)


@QUICK
@given(asked(), st.integers(1, 5000))
def test_no_launch_is_tried_twice_and_none_is_left_out(asked_for: tuple[Variant, tuple[str, ...]], n: int) -> None:
    variant, over = asked_for
    plan = plan_tuning(variant, Problem.square(variant.operation, n), over, variant.defaults, Limits())
    launch = variant.launch
    if launch is None:
        assert plan.twins == ()
        return
    launches = [launch(plan.problem, point.parameters) for point in plan.points]
    assert all(one != other for index, one in enumerate(launches) for other in launches[:index])
    assert all(launch(plan.problem, twin.point.parameters) == launch(plan.problem, twin.tried.parameters) for twin in plan.twins)
    assert all(twin.tried in plan.points for twin in plan.twins)


@QUICK
@given(asked())
def test_the_picture_over_the_first_two_is_tried_before_the_others_leave_their_start(asked_for: tuple[Variant, tuple[str, ...]]) -> None:
    variant, over = asked_for
    plan = plan_tuning(variant, Problem.square(variant.operation, 512), over, variant.defaults, Limits())
    away = [sum(point.parameters[name] != variant.defaults[name] for name in over[PICTURED:]) for point in plan.points]
    assert away == sorted(away)


def test_steps_away_from_the_start_become_finer() -> None:
    variant = next(variant for variant in VARIANTS if variant.id == "cpu.blocked")
    plan = plan_tuning(variant, Problem.square(variant.operation, 512), ("tile",), variant.defaults, Limits())
    assert [point.parameters["tile"] for point in plan.points] == [64, 4, 16, 256, 8, 32, 128, 512]


class Watcher:
    """Remembers when points began and ended."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.began_at: list[float] = []
        self.finished_points: list[Case] = []

    def began(self, part: Round, total: int) -> None:
        """Not looked at here."""

    def started(self, _point: Case, seconds_left: float) -> None:
        assert seconds_left >= 0
        self.began_at.append(self.clock())

    def entered(self, _point: Case, _phase: SamplingState) -> None:
        """Not looked at here."""

    def sampled(self, _point: Case, _taken: int, _at_most: int) -> None:
        """Not looked at here."""

    def still(self) -> AbstractContextManager[None]:
        return nullcontext()

    def finished(self, result: Result) -> None:
        self.finished_points.append(result.point)


@QUICK
@given(asked(), st.floats(0.5, 30), st.lists(st.floats(0.5, 4000), min_size=1, max_size=7))
def test_the_budget_is_kept_and_nothing_refused_is_run(
    asked_for: tuple[Variant, tuple[str, ...]], budget: float, costs: list[float]
) -> None:
    """What has begun is finished, so the end may be later by one look, whose single run takes at most a part of the budget."""
    variant, over = asked_for
    assume(variant.device is not Device.MPI)
    clock = FakeClock()
    runner = FakeRunner(clock, lambda point, _run: costs[hash(key_of(point)) % len(costs)])
    problem = Problem.square(variant.operation, 4)
    plan = plan_tuning(variant, problem, over, variant.defaults, Limits())
    store, watcher = ResultStore.in_memory(), Watcher(clock)
    bench = Bench(Sampler(runner, clock=clock), Limits(), Protocol(), Estimator(), clock=clock)
    begin = clock()
    try:
        Tuning(plan, bench, store, budget).run(lambda: None, watcher)
    finally:
        store.close()
    assert all(at - begin <= budget for at in watcher.began_at)
    assert clock() - begin <= budget + max(max(costs) / 1000, budget / LARGEST_PART + 2 * max(costs) / 1000)
    allowed = {key_of(point) for point in plan.all_points}
    assert {key_of(point) for point in runner.prepared} <= allowed
