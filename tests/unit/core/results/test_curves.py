"""Results become lines: what is joined, what is kept apart, what is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.results.curves import Provenance, Series
from app.core.results.known_results import OfVariant, Results
from app.core.results.library_percent import library_shares, shares_of
from app.core.results.quantities import Quantity, Share, percent_text, share_of_library
from app.core.results.query import chart_n, select
from app.core.results.relative_times import series_of
from app.core.session.session import SIZE_AXIS, Session, TimingChoice
from app.core.timing.model import TimingModel, about_seconds, points_of
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import of
from kernels.measure.results import Result, Status
from tests.measured.timing_results import GPU, disturbed, measured, refused, selected, wholes

EVERYTHING = frozenset(Provenance)
REASON = message("It would take too long.")


@pytest.fixture
def choice() -> TimingChoice:
    return replace(Session().timing.value, sizes=(256, 512))


def lines(*results: Result, axis: str = SIZE_AXIS, quantity: Quantity = Quantity.TIME) -> tuple[Series, ...]:
    """The lines of measured results."""
    given = {Provenance.MEASURED: results}
    return series_of(selected(given), axis, quantity, Results(given))


def test_a_line_has_its_points_in_ascending_n_with_median_and_range() -> None:
    (line,) = lines(measured("cpu.naive", 512, 8.0), measured("cpu.naive", 256, 1.0))
    assert [(point.x, point.value) for point in line.points] == [(256, 1.0), (512, 8.0)]
    assert line.points[1].low == pytest.approx(8.0 * 0.8)
    assert line.points[1].high == pytest.approx(8.0 * 1.5)


def test_a_rate_is_lowest_where_the_time_is_longest() -> None:
    (line,) = lines(measured("cpu.naive", 512, 8.0), quantity=Quantity.RATE)
    (point,) = line.points
    rate = 2 * 512**3 / 8.0 / 1e6
    assert point.value == pytest.approx(rate)
    assert point.low == pytest.approx(rate / 1.5)
    assert point.high == pytest.approx(rate / 0.8)


def test_the_newest_result_of_a_point_wins_whatever_the_order() -> None:
    old, new = measured("cpu.naive", 256, 2.0), measured("cpu.naive", 256, 1.0, created="2026-02-01T00:00:00+00:00")
    for given in ((new, old), (old, new)):
        assert wholes(Results({Provenance.MEASURED: given}).rows(Provenance.MEASURED)) == (new,)


def test_measured_and_recorded_are_never_one_line() -> None:
    results = {Provenance.MEASURED: (measured("cpu.naive", 256, 1.0),), Provenance.RECORDED: (measured("cpu.naive", 512, 8.0),)}
    found = series_of(selected(results), SIZE_AXIS, Quantity.TIME, Results(results))
    assert [line.key.provenance for line in found] == ["measured", "recorded"]


def test_other_parameters_and_other_machines_are_other_lines() -> None:
    found = lines(
        measured("cpu.blocked", 256, 1.0), measured("cpu.blocked", 512, 8.0, tile=32),
        measured("cpu.blocked", 512, 9.0, machine="Other CPU"),
    )  # fmt: skip
    assert len(found) == 3


def test_over_tiles_a_line_joins_the_tiles() -> None:
    (line,) = lines(measured("cpu.blocked", 512, 2.0, tile=32), measured("cpu.blocked", 512, 1.0, tile=8), axis="tile")
    assert [point.x for point in line.points] == [8, 32]
    assert line.key.parameters == ()


def test_a_refused_gpu_point_stays_on_the_line_of_the_gpu_with_its_reason() -> None:
    (line,) = lines(measured("gpu.tiled", 256, 1.0), refused("gpu.tiled", 512, REASON))
    assert line.key.machine == GPU
    assert [point.x for point in line.drawn] == [256]
    assert [(point.x, point.result.reason, point.value) for point in line.refused] == [(512, REASON, None)]


def test_a_wrong_result_has_no_speed_even_if_it_has_times() -> None:
    wrong = replace(measured("cpu.naive", 256, 1.0), status=Status.WRONG, reason=REASON)
    (line,) = lines(wrong, quantity=Quantity.RATE)
    assert line.drawn == ()
    assert len(line.refused) == 1


def test_a_problem_that_is_not_square_is_on_no_line() -> None:
    result = measured("cpu.naive", 256, 1.0)
    assert lines(replace(result, point=replace(result.point, problem=Problem(Operation.MATMUL, 256, 256, 128)))) == ()


def test_percent_is_of_the_fastest_library_of_the_same_device_at_the_same_n() -> None:
    found = lines(
        measured("cpu.naive", 256, 10.0), measured("cpu.naive", 512, 10.0), measured("cpu.numpy", 256, 5.0, threads=1),
        measured("cpu.numpy", 256, 1.0), measured("gpu.cublas", 256, 0.01), quantity=Quantity.PERCENT,
    )  # fmt: skip
    naive = next(line for line in found if line.key.variant_id == "cpu.naive")
    assert [(point.x, point.value) for point in naive.points] == [(256, pytest.approx(10.0)), (512, None)]
    assert naive.refused == ()


def test_only_ticked_variants_with_the_chosen_parameters_are_selected(choice: TimingChoice) -> None:
    kept, other_tile = measured("cpu.blocked", 256, 1.0), measured("cpu.blocked", 256, 2.0, tile=8)
    unticked = measured("gpu.naive", 256, 1.0)
    results = {Provenance.MEASURED: (kept, other_tile, unticked)}
    assert wholes(select(Results(results), choice, SIZE_AXIS, EVERYTHING)[Provenance.MEASURED]) == (kept,)


def test_what_was_recorded_with_other_parameters_is_shown_with_those(choice: TimingChoice) -> None:
    recorded = (
        measured("cpu.blocked", 256, 1.0, tile=8), measured("cpu.blocked", 512, 1.0, tile=8), measured("cpu.blocked", 512, 1.0, tile=16)
    )  # fmt: skip
    found = select(Results({Provenance.RECORDED: recorded}), choice, SIZE_AXIS, EVERYTHING)
    assert wholes(found[Provenance.RECORDED]) == recorded[:2]


def test_recorded_curves_stand_in_where_nothing_ticked_was_recorded(choice: TimingChoice) -> None:
    recorded = (measured("gpu.naive", 256, 1.0),)
    found = select(Results({Provenance.RECORDED: recorded}), choice, SIZE_AXIS, EVERYTHING)
    assert wholes(found[Provenance.RECORDED]) == recorded
    assert select(Results({Provenance.MEASURED: recorded}), choice, SIZE_AXIS, EVERYTHING)[Provenance.MEASURED] == ()


def test_hidden_provenances_are_not_selected(choice: TimingChoice) -> None:
    results = {Provenance.RECORDED: (measured("cpu.naive", 256, 1.0),)}
    assert select(Results(results), choice, SIZE_AXIS, frozenset({Provenance.MEASURED})) == {Provenance.MEASURED: ()}


def test_the_tile_chart_stands_where_most_tiles_are_known_unless_tiles_are_measured(choice: TimingChoice) -> None:
    tiles = (measured("cpu.blocked", 256, 1.0, tile=t) for t in (8, 16))
    results = Results({Provenance.MEASURED: (*tiles, measured("cpu.blocked", 512, 1.0))})
    assert chart_n(results, choice, "tile") == 256
    assert chart_n(results, replace(choice, axis="tile"), "tile") == 512
    assert chart_n(Results(), choice, "tile") == 512


def test_the_points_of_a_choice(choice: TimingChoice) -> None:
    choice = replace(choice, ticked=frozenset({"cpu.blocked", "cpu.naive"}), swept={"tile": (8, 16)})
    assert [(p.variant_id, p.problem.n) for p in points_of(choice)] == [
        ("cpu.naive", 256), ("cpu.blocked", 256), ("cpu.naive", 512), ("cpu.blocked", 512)
    ]  # fmt: skip
    tiles = points_of(replace(choice, axis="tile"))
    assert [(p.variant_id, p.problem.n, p.parameters.get("tile")) for p in tiles] == [
        ("cpu.naive", 512, None), ("cpu.blocked", 512, 8), ("cpu.blocked", 512, 16)
    ]  # fmt: skip


def test_the_estimate_grows_with_what_is_known_to_be_slow(choice: TimingChoice) -> None:
    one = replace(choice, ticked=frozenset({"cpu.naive"}))
    slow, fast = (Results({Provenance.MEASURED: [measured("cpu.naive", 256, ms)]}) for ms in (1000.0, 1.0))
    assert about_seconds(one, slow) > about_seconds(one, fast) > 0


def test_the_estimate_of_a_long_history_goes_through_none_of_it(choice: TimingChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results({Provenance.MEASURED: [measured("cpu.naive", 256, 1000.0)]})
    before = about_seconds(replace(choice, ticked=frozenset({"cpu.naive"})), results)
    monkeypatch.setattr(OfVariant, "rows", property(lambda _self: pytest.fail("asked for all rows")))
    results.add(Provenance.MEASURED, [replace(measured("cpu.naive", 256, 1.0), created="2027-01-01T00:00:00+00:00")])
    assert about_seconds(replace(choice, ticked=frozenset({"cpu.naive"})), results) < before


def test_the_model_adds_results_and_tells_once() -> None:
    model = TimingModel()
    told: list[object] = []
    model.revision.subscribe(told.append)
    model.add(Provenance.MEASURED, [])
    model.add(Provenance.MEASURED, [measured("cpu.naive", 256, 1.0)])
    model.add(Provenance.MEASURED, [measured("cpu.naive", 512, 8.0)])
    assert len(told) == 2
    assert len(list(model.results.rows(Provenance.MEASURED))) == 2


def test_library_shares_prefer_measured_times_and_the_largest_n() -> None:
    results = {
        Provenance.MEASURED: (
            measured("cpu.naive", 256, 4.0), measured("cpu.numpy", 256, 1.0),
            measured("cpu.naive", 512, 100.0), measured("cpu.numpy", 512, 2.0),
        ),
        Provenance.RECORDED: (
            measured("cpu.naive", 1024, 10.0), measured("cpu.numpy", 1024, 9.0),
            measured("gpu.tiled", 256, 4.0), measured("gpu.cublas", 256, 1.0)
        ),
    }  # fmt: skip
    shares = library_shares(Results(results), Operation.MATMUL)
    assert shares == {"cpu.naive": Share(2.0), "cpu.numpy": Share(100.0), "gpu.tiled": Share(25.0), "gpu.cublas": Share(100.0)}
    assert library_shares(Results(results), Operation.TRANSPOSE) == {}


@pytest.mark.parametrize("uneven", ["cpu.naive", "cpu.numpy"])
def test_a_share_from_a_disturbed_time_is_told_as_about_so_much_wherever_it_is(choice: TimingChoice, uneven: str) -> None:
    calm = measured("cpu.naive", 256, 4.0), measured("cpu.numpy", 256, 1.0)
    results = [disturbed(each) if each.point.variant_id == uneven else each for each in calm]
    assert share_of_library(*results).text == "≈ 25 %"
    known = Results({Provenance.MEASURED: results})
    assert library_shares(known, Operation.MATMUL)["cpu.naive"].text == "≈ 25 %"
    (group,) = shares_of(known, replace(choice, ticked=frozenset(("cpu.naive", "cpu.numpy"))))
    assert {each.key.variant_id: each.share.text for each in group.shares}["cpu.naive"] == "≈ 25 %"
    assert share_of_library(*calm).text == "25 %"


def test_a_variant_that_is_timed_less_far_than_its_library_has_a_share_too() -> None:
    results = {
        Provenance.RECORDED: (
            measured("gpu.tiled", 128, 2.0), measured("gpu.cublas", 128, 1.0),
            measured("gpu.tiled", 256, 4.0), measured("gpu.cublas", 256, 1.0),
            measured("gpu.cublas", 512, 1.0),
        ),
    }  # fmt: skip
    assert library_shares(Results(results), Operation.MATMUL) == {"gpu.tiled": Share(25.0), "gpu.cublas": Share(100.0)}


def test_shares_stand_at_the_largest_size_that_most_variants_reach(choice: TimingChoice) -> None:
    ticked = ("gpu.naive", "gpu.tiled", "gpu.vectorized-k8", "gpu.cublas")
    reach = {"gpu.naive": 1, "gpu.tiled": 2, "gpu.vectorized-k8": 2, "gpu.cublas": 3}
    model = TimingModel()
    model.add(Provenance.RECORDED, [measured(name, n, 1.0) for name in ticked for n in (128, 256, 512)[: reach[name]]])
    (shares,) = shares_of(model.results, replace(choice, ticked=frozenset(ticked), parameters={name: {} for name in ticked}))
    assert (shares.n, shares.library.id, shares.provenance) == (256, "gpu.cublas", Provenance.RECORDED)
    assert {share.key.variant_id for share in shares.shares} == set(ticked) - {"gpu.naive"}


def test_each_library_has_a_group_of_its_own_with_its_own_size(choice: TimingChoice) -> None:
    ticked = ("cpu.blocked", "cpu.numpy", "gpu.tiled", "gpu.cublas", "gpu.wmma-tf32", "gpu.cublas-tf32")
    model = TimingModel()
    model.add(Provenance.MEASURED, [measured(name, 128, 1.0) for name in ticked[:2]])
    model.add(Provenance.RECORDED, [measured(name, 4096, 1.0) for name in ticked])
    defaults = {variant.id: variant.defaults for variant in of(Operation.MATMUL)}
    groups = shares_of(model.results, replace(choice, ticked=frozenset(ticked), parameters=defaults))
    assert [(group.library.id, group.n, group.provenance) for group in groups] == [
        ("cpu.numpy", 128, Provenance.MEASURED), ("gpu.cublas", 4096, Provenance.RECORDED), ("gpu.cublas-tf32", 4096, Provenance.RECORDED),
    ]  # fmt: skip
    assert [len(group.shares) for group in groups] == [2, 2, 2]


@pytest.mark.parametrize(
    ("percent", "text"), [(100.0, "100 %"), (12.4, "12 %"), (9.96, "10 %"), (3.0, "3.0 %"), (0.324, "0.32 %"), (0.0, "0 %")]
)
def test_percentages_have_two_figures_below_ten(percent: float, text: str) -> None:
    assert percent_text(percent) == text
