"""Times told as comparisons: with a library, a baseline, one worker, the smallest size."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.results.curves import Provenance, Series
from app.core.results.known_results import Results
from app.core.results.quantities import (
    Baseline,
    Quantity,
    Rung,
    Smallest,
    efficiency_percent,
    expected_growth,
    growth,
    percent_of_library,
    speed_up,
    workers_of,
)
from app.core.results.query import chart_n, select
from app.core.results.reference_lines import reference_lines_of
from app.core.results.relative_times import Medians, series_of
from app.core.session.session import SIZE_AXIS, Session, TimingChoice
from app.core.timing.model import TimingModel, baseline_of, other_axis, points_of, quantities_of, quantity_of
from kernels.base.messages import Message
from kernels.base.spec import Operation
from kernels.measure.results import Result
from kernels.measure.rows import row_of
from tests.measured.timing_results import measured, selected, wholes

EVERYTHING = frozenset(Provenance)
THREADED = (
    measured("cpu.numpy", 256, 8.0, threads=1), measured("cpu.numpy", 256, 5.0, threads=2), measured("cpu.numpy", 256, 2.5, threads=4),
)  # fmt: skip
GROWING = (measured("cpu.naive", 128, 1.0), measured("cpu.naive", 256, 9.0), measured("cpu.naive", 512, 100.0))


def lines(*results: Result, axis: str, quantity: Quantity, baseline: Baseline | None = None) -> tuple[Series, ...]:
    given = {Provenance.MEASURED: results}
    return series_of(selected(given), axis, quantity, Results(given), baseline)


def values(line: Series) -> list[tuple[int, float | None]]:
    return [(point.x, point.value) for point in line.points]


def test_the_formulas() -> None:
    assert speed_up(2.0, 8.0) == 4.0
    assert percent_of_library(8.0, 2.0) == 25.0
    assert efficiency_percent(2.5, 8.0, 4) == 80.0
    assert growth(9.0, 1.0) == 9.0
    assert expected_growth(Operation.MATMUL, 256, 128) == 8.0
    assert expected_growth(Operation.TRANSPOSE, 256, 128) == 4.0


def test_ranks_come_before_threads_and_nothing_is_not_parallel() -> None:
    assert workers_of({"threads": 2, "ranks": 4}) == ("ranks", 4)
    assert workers_of({"tile": 8, "threads": 2}) == ("threads", 2)
    assert str(workers_of({"tile": 8})) == "It has neither threads nor ranks."


def test_efficiency_over_threads() -> None:
    (line,) = lines(*THREADED, axis="threads", quantity=Quantity.EFFICIENCY)
    assert values(line) == [(1, 100.0), (2, 80.0), (4, 80.0)]
    assert line.points[1].low == pytest.approx(80.0 / 1.5)


def test_without_a_time_of_one_thread_there_is_no_efficiency_but_a_reason() -> None:
    (line,) = lines(*THREADED[1:], axis="threads", quantity=Quantity.EFFICIENCY)
    assert line.drawn == ()
    assert str(line.points[0].reason) == "Not timed with threads = 1 at n = 256."


def test_a_speed_up_over_the_smallest_value() -> None:
    (line,) = lines(*THREADED, axis="threads", quantity=Quantity.SPEED_UP)
    assert values(line) == [(1, 1.0), (2, 1.6), (4, 3.2)]


def test_a_speed_up_over_a_rung_takes_its_fastest_result_with_the_named_parameters() -> None:
    naive = measured("cpu.naive", 256, 40.0)
    over_numpy = lines(naive, *THREADED, axis=SIZE_AXIS, quantity=Quantity.SPEED_UP, baseline=Rung("cpu.numpy"))
    assert [values(line) for line in over_numpy if line.key.variant_id == "cpu.naive"] == [[(256, 2.5 / 40)]]
    alone = lines(naive, *THREADED, axis=SIZE_AXIS, quantity=Quantity.SPEED_UP, baseline=Rung("cpu.numpy", (("threads", 1),)))
    assert [values(line) for line in alone if line.key.variant_id == "cpu.naive"] == [[(256, 8.0 / 40)]]


def test_a_missing_baseline_is_a_reason_in_words() -> None:
    (line,) = lines(*GROWING, axis=SIZE_AXIS, quantity=Quantity.SPEED_UP, baseline=Rung("cpu.blocked"))
    assert line.drawn == ()
    assert line.refused == ()
    assert str(line.points[0].reason) == "The baseline, Blocked, was not timed at n = 128."


def test_a_baseline_of_another_provenance_or_host_does_not_count() -> None:
    blocked, other = measured("cpu.blocked", 256, 1.0), measured("cpu.blocked", 256, 1.0, machine="Other CPU")
    here, naive = Provenance.MEASURED, row_of(measured("cpu.naive", 256, 4.0))
    for known in ({Provenance.RECORDED: (blocked,)}, {Provenance.MEASURED: (other,)}):
        assert isinstance(Medians(Results(known)).baseline(here, naive, Rung("cpu.blocked")), Message)
    assert Medians(Results({here: (blocked,)})).baseline(here, naive, Rung("cpu.blocked")) == 1.0


def test_a_gpu_compares_with_the_processor_of_its_host() -> None:
    here, gpu = Provenance.MEASURED, row_of(measured("gpu.tiled", 256, 0.5))
    assert Medians(Results({here: (measured("cpu.naive", 256, 4.0),)})).baseline(here, gpu, Rung("cpu.naive")) == 4.0


def test_growth_is_relative_to_the_smallest_n_beside_what_the_work_does() -> None:
    (line,) = lines(*GROWING, axis=SIZE_AXIS, quantity=Quantity.GROWTH)
    assert values(line) == [(128, 1.0), (256, 9.0), (512, 100.0)]
    (growth,) = reference_lines_of(Operation.MATMUL, (line,), (128, 256, 512, 1024), SIZE_AXIS, Quantity.GROWTH, Smallest(SIZE_AXIS))
    assert growth.points == ((128, 1.0), (256, 8.0), (512, 64.0), (1024, 512.0))


def test_reference_lines_of_parallel_quantities() -> None:
    drawn = lines(*THREADED, axis="threads", quantity=Quantity.SPEED_UP)
    (ideal,) = reference_lines_of(Operation.MATMUL, drawn, (), "threads", Quantity.SPEED_UP, Smallest("threads"))
    assert ideal.points == ((1, 1.0), (2, 2.0), (4, 4.0))
    assert reference_lines_of(Operation.MATMUL, drawn, (), "threads", Quantity.SPEED_UP, Rung("cpu.naive")) == ()
    assert reference_lines_of(Operation.MATMUL, drawn, (), "tile", Quantity.SPEED_UP, Smallest("tile")) == ()
    assert reference_lines_of(Operation.MATMUL, (), (1, 2), "threads", Quantity.EFFICIENCY, Smallest("threads")) == ()


@pytest.fixture
def choice() -> TimingChoice:
    return replace(Session().timing.value, ticked=frozenset({"cpu.numpy", "cpu.blocked"}), sizes=(256, 512))


def test_every_parameter_of_the_ticked_rungs_is_an_axis(choice: TimingChoice) -> None:
    assert set(choice.axes) == {SIZE_AXIS, "tile", "threads"}
    assert replace(choice, ticked=frozenset({"cpu.naive"})).axes == (SIZE_AXIS,)
    assert choice.parameter("rows") is None
    both = replace(choice, ticked=frozenset({"cpu.blocked", "gpu.tiled"})).parameter("tile")
    assert both is not None
    assert (both.minimum, both.maximum, both.stops) == (1, 4096, (4, 8, 16, 32, 64, 128, 256, 512))


def test_a_sweep_over_threads(choice: TimingChoice) -> None:
    over = replace(choice, axis="threads", swept={"threads": (1, 2)})
    tile = choice.parameters["cpu.blocked"]["tile"]
    assert sorted((p.variant_id, p.problem.n, p.parameters.get("threads"), p.parameters.get("tile")) for p in points_of(over)) == [
        ("cpu.blocked", 512, None, tile), ("cpu.numpy", 512, 1, None), ("cpu.numpy", 512, 2, None)
    ]  # fmt: skip


def test_results_over_threads_are_found_at_the_n_that_has_most(choice: TimingChoice) -> None:
    results = Results({Provenance.MEASURED: (*THREADED, measured("cpu.numpy", 512, 20.0))})
    assert chart_n(results, choice, "threads") == 256
    assert wholes(select(results, choice, "threads", EVERYTHING)[Provenance.MEASURED]) == THREADED


def test_unticking_the_last_rung_with_the_axis_goes_back_to_n(choice: TimingChoice) -> None:
    session = Session()
    session.timing.value = replace(choice, axis="threads", ticked=frozenset({"cpu.numpy", "cpu.naive"}))
    numpy = next(variant for variant in choice.variants if variant.id == "cpu.numpy")
    session.tick(numpy, ticked=False)
    assert session.timing.value.axis == SIZE_AXIS


def test_the_small_chart_has_the_other_axis(choice: TimingChoice) -> None:
    assert other_axis(choice) == "tile"
    assert other_axis(replace(choice, axis="threads")) == SIZE_AXIS
    assert other_axis(replace(choice, ticked=frozenset({"cpu.numpy"}))) == "threads"
    assert other_axis(replace(choice, ticked=frozenset({"cpu.naive"}))) is None


def test_the_baseline_without_a_choice(choice: TimingChoice) -> None:
    first = choice.variants[0]
    assert baseline_of(choice, SIZE_AXIS, "") == Rung(first.id, tuple(choice.parameters[first.id].items()))
    assert baseline_of(choice, "threads", "") == Smallest("threads")
    assert baseline_of(choice, "threads", "cpu.naive") == Rung("cpu.naive")
    assert baseline_of(choice, "threads", "cpu.transpose-naive") == Smallest("threads")
    assert baseline_of(replace(choice, ticked=frozenset()), SIZE_AXIS, "") == Smallest(SIZE_AXIS)


def test_no_speed_up_is_told_over_another_amount_of_work(choice: TimingChoice) -> None:
    """Along n the smallest value of a rung is another problem: a "speed-up" over it fell from 1 to a millionth."""
    model, none = TimingModel(), replace(choice, ticked=frozenset())
    model.quantity.value = Quantity.SPEED_UP
    assert Quantity.SPEED_UP not in quantities_of(none, SIZE_AXIS, "")
    assert quantity_of(model, none) is Quantity.RATE
    assert quantity_of(model, choice) is Quantity.SPEED_UP
    assert Quantity.SPEED_UP in quantities_of(none, SIZE_AXIS, "cpu.naive")
    assert Quantity.SPEED_UP in quantities_of(none, "threads", "")
