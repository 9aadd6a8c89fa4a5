"""What holds for every comparison of times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.quantities import Quantity, efficiency_percent, expected_growth, growth, percent_of_library, speed_up
from app.core.results.relative_times import series_of
from app.core.session.session import SIZE_AXIS
from kernels.base.spec import Operation
from tests.measured.timing_results import measured, selected

times = st.floats(1e-3, 1e6)
sizes = st.integers(1, 8192)


@given(times, times)
def test_a_speed_up_turned_round_is_its_inverse(one: float, other: float) -> None:
    assert speed_up(one, other) * speed_up(other, one) == pytest.approx(1)
    assert percent_of_library(one, other) == pytest.approx(100 * speed_up(one, other))
    assert growth(one, other) == pytest.approx(speed_up(other, one))


@given(times, st.integers(1, 1024))
def test_work_that_is_shared_out_without_loss_is_fully_efficient(alone: float, workers: int) -> None:
    assert efficiency_percent(alone / workers, alone, workers) == pytest.approx(100)
    assert efficiency_percent(alone, alone, workers) == pytest.approx(100 / workers)


@given(sizes, sizes, sizes, st.sampled_from([Operation.MATMUL, Operation.TRANSPOSE]))
def test_expected_growth_goes_on_from_where_it_came(first: int, second: int, third: int, operation: Operation) -> None:
    steps = expected_growth(operation, second, first) * expected_growth(operation, third, second)
    assert steps == pytest.approx(expected_growth(operation, third, first))


@given(st.dictionaries(st.integers(1, 64), times, min_size=1), st.floats(0.1, 10))
def test_comparisons_do_not_depend_on_the_unit_of_time(by_threads: dict[int, float], unit: float) -> None:
    def drawn(factor: float, quantity: Quantity) -> list[float | None]:
        results = tuple(measured("cpu.numpy", 256, factor * ms, threads=threads) for threads, ms in by_threads.items())
        known = {Provenance.MEASURED: results}
        (line,) = series_of(selected(known), "threads", quantity, Results(known))
        return [point.value for point in line.points]

    for quantity in (Quantity.SPEED_UP, Quantity.EFFICIENCY, Quantity.GROWTH, Quantity.PERCENT):
        assert drawn(unit, quantity) == [None if value is None else pytest.approx(value) for value in drawn(1.0, quantity)]
    assert drawn(1.0, Quantity.SPEED_UP)[0] == pytest.approx(1)


@given(st.dictionaries(sizes, times, min_size=1))
def test_growth_begins_with_1_and_never_below_0(by_n: dict[int, float]) -> None:
    known = {Provenance.MEASURED: tuple(measured("cpu.naive", n, ms) for n, ms in by_n.items())}
    (line,) = series_of(selected(known), SIZE_AXIS, Quantity.GROWTH, Results(known))
    assert line.points[0].value == pytest.approx(1)
    assert all(point.value is not None and point.value > 0 for point in line.points)
