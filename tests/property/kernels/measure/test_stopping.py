"""Laws of the stopping rule and of the estimates that it is planned with."""

from __future__ import annotations

import math
import statistics

from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.estimate import Estimator, duration, seconds_for, work
from kernels.measure.protocol import Protocol, Rule, most_samples, stopped_by

times = st.lists(st.floats(1e-4, 1e5), min_size=1, max_size=80)
elapsed = st.floats(0, 100)
protocols = st.builds(
    lambda low, more, spread, seconds: Protocol(min_samples=low, max_samples=low + more, target_spread=spread, max_sampling_s=seconds),
    st.integers(1, 20), st.integers(0, 40), st.floats(0, 0.5), st.floats(0, 10),
)  # fmt: skip
sizes = st.integers(1, 4096)


@settings(deadline=None)
@given(times, protocols, elapsed)
def test_never_before_the_least_and_always_at_the_most(samples: list[float], protocol: Protocol, seconds: float) -> None:
    if len(samples) < protocol.min_samples:
        assert stopped_by(samples, protocol, seconds) is None
    if len(samples) >= protocol.max_samples:
        assert stopped_by(samples, protocol, seconds) is not None


@settings(deadline=None)
@given(times, protocols, elapsed, elapsed)
def test_more_time_never_asks_for_more_samples(samples: list[float], protocol: Protocol, one: float, other: float) -> None:
    if stopped_by(samples, protocol, min(one, other)) is not None:
        assert stopped_by(samples, protocol, max(one, other)) is not None


@settings(deadline=None)
@given(times, protocols, elapsed, st.sampled_from([2.0**-10, 0.5, 2.0, 1024.0]))
def test_the_unit_of_time_does_not_matter(samples: list[float], protocol: Protocol, seconds: float, factor: float) -> None:
    scaled = [factor * time for time in samples]
    assert stopped_by(scaled, protocol, seconds) == stopped_by(samples, protocol, seconds)


@settings(deadline=None)
@given(st.floats(1e-4, 1e5), protocols)
def test_equal_samples_end_at_once_by_their_spread(time: float, protocol: Protocol) -> None:
    assert stopped_by([time] * protocol.min_samples, protocol, 0) is Rule.SPREAD


@settings(deadline=None)
@given(times, protocols, elapsed)
def test_the_spread_rule_means_what_it_says(samples: list[float], protocol: Protocol, seconds: float) -> None:
    rule = stopped_by(samples, protocol, seconds)
    if rule is Rule.SPREAD and len(samples) > 1:
        lower, _, upper = statistics.quantiles(samples, n=4, method="inclusive")
        assert upper - lower <= protocol.target_spread * statistics.median(samples)
    if rule is Rule.TIME:
        assert seconds >= protocol.max_sampling_s


@settings(deadline=None)
@given(times, protocols)
def test_the_samples_announced_are_between_what_is_there_and_the_most(samples: list[float], protocol: Protocol) -> None:
    announced = most_samples(samples, protocol)
    assert min(len(samples), protocol.max_samples) <= announced <= protocol.max_samples
    assert announced >= protocol.min_samples


@settings(deadline=None)
@given(sizes, sizes, st.floats(1e-3, 1e6))
def test_a_prediction_scales_with_the_work(known: int, asked: int, time_ms: float) -> None:
    estimator = Estimator()
    earlier, wanted = (Case("cpu.naive", Problem.square(Operation.MATMUL, n), {}) for n in (known, asked))
    assert estimator.predict_ms(wanted) is None
    estimator.add(earlier, time_ms)
    predicted = estimator.predict_ms(wanted)
    assert predicted is not None
    assert abs(predicted / time_ms / (work(wanted.problem) / work(earlier.problem)) - 1) < 1e-9


@settings(deadline=None)
@given(st.lists(sizes, min_size=1), sizes)
def test_the_nearest_size_predicts(known: list[int], asked: int) -> None:
    estimator = Estimator()
    for n in known:
        problem = Problem.square(Operation.TRANSPOSE, n)
        # Each size at its own rate, so that the prediction shows which one it came from.
        estimator.add(Case("cpu.transpose-naive", problem, {}), n * work(problem))
    wanted = Case("cpu.transpose-naive", Problem.square(Operation.TRANSPOSE, asked), {})
    predicted = estimator.predict_ms(wanted)
    assert predicted is not None
    used = round(predicted / work(wanted.problem))
    assert used in known
    assert max(used / asked, asked / used) <= min(max(n / asked, asked / n) for n in known) + 1e-9


@settings(deadline=None)
@given(st.lists(st.integers(1, 512), min_size=1), st.integers(1, 512))
def test_the_nearest_tile_predicts_even_where_another_one_knows_the_size(known: list[int], asked: int) -> None:
    estimator = Estimator()
    here, elsewhere = (Problem.square(Operation.MATMUL, n) for n in (256, 1024))
    wanted = Case("cpu.blocked", here, {"tile": asked})
    for tile in known:
        nearest = min(known, key=lambda other: abs(math.log2(other / asked)))
        problem = elsewhere if tile == nearest else here
        estimator.add(Case("cpu.blocked", problem, {"tile": tile}), tile * work(problem))
        estimator.predict_ms(wanted)  # what it kept of this must not outlast a nearer tile
    predicted = estimator.predict_ms(wanted)
    assert predicted is not None
    used = round(predicted / work(here))
    assert used in known
    assert abs(math.log2(used / asked)) <= min(abs(math.log2(tile / asked)) for tile in known) + 1e-9  # two can be equally near


@settings(deadline=None)
@given(st.floats(1e-3, 1e7), protocols)
def test_no_point_takes_longer_than_its_budget_and_one_sampling(run_ms: float, protocol: Protocol) -> None:
    seconds = seconds_for(run_ms, protocol)
    assert 0 <= seconds <= 3 * protocol.budget_s + protocol.max_sampling_s
    assert (seconds == 0) == (run_ms / 1000 > protocol.budget_s)


@settings(deadline=None)
@given(st.floats(0, 1e6))
def test_a_duration_is_near_the_seconds(seconds: float) -> None:
    number, unit = str(duration(seconds)).split()
    written = int(number) * {"s": 1, "min": 60, "h": 3600}[unit]
    assert written >= 1
    assert abs(written - seconds) <= max(1, seconds / 2)
