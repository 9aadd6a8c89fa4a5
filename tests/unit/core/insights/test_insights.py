"""Sentences appear exactly where the numbers support them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.insights.rules import insights
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from kernels.base.messages import message
from kernels.base.spec import Operation
from kernels.catalogue.catalogue import of
from kernels.measure.results import Result, Status
from tests.measured.timing_results import GPU, measured, refused


def said(*results: Result, provenance: Provenance = Provenance.MEASURED, operation: Operation = Operation.MATMUL) -> str:
    """All sentences about these results, with every variant ticked."""
    choice = replace(Session().timing.value, operation=operation, ticked=frozenset(variant.id for variant in of(operation)))
    return "\n".join(str(insight.sentence) for insight in insights(Results({provenance: results}), choice))


def rate(variant_id: str, n: int, gflops: float) -> Result:
    """A measured multiplication of this speed."""
    return measured(variant_id, n, 2 * n**3 / gflops / 1e6)


def test_nothing_is_said_without_results_or_about_one_curve_alone() -> None:
    assert said() == ""
    assert said(rate("cpu.loop-order", 256, 30.0)) == ""


def test_why_loop_order_beats_blocked_with_n_the_factor_and_the_tile() -> None:
    text = said(rate("cpu.loop-order", 512, 40.0), rate("cpu.blocked", 512, 25.0))
    assert "At n = 512, Loop order, ikj is 1.6 times as fast as Blocked, tile 64." in text
    assert "inner loops of only 64 elements" in text
    assert "B (1 MiB)" in text
    assert "is ahead of" not in text


def test_from_which_n_on_blocked_is_ahead() -> None:
    text = said(
        rate("cpu.loop-order", 512, 40.0), rate("cpu.blocked", 512, 25.0),
        rate("cpu.loop-order", 1024, 20.0), rate("cpu.blocked", 1024, 29.0),
        rate("cpu.loop-order", 2048, 10.0), rate("cpu.blocked", 2048, 30.0),
    )  # fmt: skip
    assert "From n = 1024 on, Blocked, tile 64 is ahead of Loop order, ikj, at n = 2048 by 3.0 times" in text
    assert "all of B (16 MiB)" in text


def test_nearly_equal_times_are_not_called_different() -> None:
    text = said(rate("cpu.loop-order", 512, 26.0), rate("cpu.blocked", 512, 25.0))
    assert text == ""


def test_how_many_times_the_best_is_faster_than_the_first_rung_at_the_largest_shared_n() -> None:
    text = said(rate("cpu.naive", 256, 2.0), rate("cpu.naive", 512, 1.0), rate("cpu.blocked", 512, 30.0), rate("cpu.blocked", 1024, 31.0))
    assert "At n = 512, Blocked, tile 64 is 30 times as fast as Naive, ijk: 30 against 1 GFLOP/s." in text


def test_the_share_of_the_library_names_the_library() -> None:
    text = said(rate("cpu.blocked", 512, 30.0), rate("cpu.numpy", 512, 120.0), rate("cpu.numpy", 1024, 150.0))
    assert "At n = 512, Blocked, tile 64 reaches 25 % of the speed of NumPy" in text


def test_tiles_are_not_compared_with_a_loop_down_columns() -> None:
    down = rate("cpu.loop-order", 512, 40.0)
    point = replace(down.point, parameters={"order": 3})
    assert "Its inner loop streams" not in said(replace(down, point=point), rate("cpu.blocked", 512, 25.0))


def test_the_fall_of_the_naive_loop_needs_columns_larger_than_a_small_first_level_cache() -> None:
    assert "falls from 2 GFLOP/s at n = 256 to 0.5 at n = 1024" in said(rate("cpu.naive", 256, 2.0), rate("cpu.naive", 1024, 0.5))
    assert said(rate("cpu.naive", 128, 2.0), rate("cpu.naive", 256, 0.5)) == ""
    assert said(rate("cpu.naive", 256, 2.0), rate("cpu.naive", 1024, 1.9)) == ""


def test_a_small_gpu_problem_is_explained_by_its_blocks() -> None:
    text = said(rate("gpu.tiled", 256, 500.0), rate("gpu.tiled", 4096, 9000.0))
    assert "n = 256 gives 256 blocks of 256 threads" in text
    assert "n = 16 gives one block of 256 threads" in said(rate("gpu.tiled", 16, 5.0), rate("gpu.tiled", 4096, 9000.0))
    assert said(rate("gpu.tiled", 256, 5000.0), rate("gpu.tiled", 4096, 9000.0)) == ""


def test_the_best_tile_and_what_the_smallest_costs() -> None:
    tiles = {8: 100.0, 32: 20.0, 64: 25.0}
    text = said(*(measured("cpu.blocked", 512, ms, tile=tile) for tile, ms in tiles.items()))
    assert "Blocked at n = 512: of the tiles measured, 32 is fastest with 20 ms. Tile 8 takes 5.0 times as long: inner loops of 8" in text
    gpu = said(*(measured("gpu.tiled", 512, ms, tile=tile) for tile, ms in {4: 9.0, 8: 4.0, 16: 2.0}.items()))
    assert "each value brought in serves only 4 threads" in gpu


def test_a_small_tile_of_a_transposition_is_not_said_to_be_read_again() -> None:
    tiles = {8: 9.0, 16: 4.0, 32: 2.0}
    times = (measured("gpu.transpose-shared", 1000, ms, tile=tile) for tile, ms in tiles.items())
    text = said(*times, operation=Operation.TRANSPOSE)
    assert "Tile 8 takes 4.5 times as long: it starts 15 times as many blocks." in text
    assert "serves" not in text


def test_points_without_a_time_support_nothing() -> None:
    reason = message("It would take too long.")
    wrong = replace(rate("cpu.blocked", 512, 25.0), status=Status.WRONG, reason=reason)
    assert said(rate("cpu.loop-order", 512, 40.0), wrong, refused("cpu.naive", 512, reason)) == ""


def test_each_sentence_knows_whose_times_it_speaks_of_and_machines_are_not_mixed() -> None:
    results = {
        Provenance.MEASURED: (rate("cpu.naive", 512, 1.0), rate("cpu.blocked", 512, 30.0)),
        Provenance.RECORDED: (rate("gpu.naive", 512, 2000.0), rate("gpu.work-per-thread", 512, 4000.0), rate("cpu.naive", 512, 1.0)),
    }
    choice = replace(Session().timing.value, ticked=frozenset(variant.id for variant in of(Operation.MATMUL)))
    found = insights(Results(results), choice)
    assert [(insight.provenance, insight.machine) for insight in found] == [("measured", "Test CPU"), ("recorded", GPU)]


def disturbed(result: Result, **conditions: str | float) -> Result:
    return replace(result, conditions={**result.conditions, **conditions})


def test_a_disturbed_time_is_compared_with_nothing_and_who_disturbed_it_is_told() -> None:
    slow = disturbed(rate("cpu.blocked", 512, 5.0), disturbed_share=0.4, disturbed_by="programs", disturbed_names="stress")
    text = said(rate("cpu.loop-order", 512, 40.0), slow, rate("cpu.naive", 512, 1.0))
    assert "Blocked, tile 64 (disturbed by other programs (stress))" in text
    assert text.count("Blocked") == 1
    assert "prefetcher" not in text
    assert "At n = 512, Loop order, ikj is 40 times as fast as Naive, ijk" in text


def test_a_disturbed_library_is_nobodys_100_percent() -> None:
    library = disturbed(rate("cpu.numpy", 512, 10.0), disturbed_share=1.0, disturbed_by="steal")
    text = said(rate("cpu.blocked", 512, 47.0), library)
    assert "%" not in text
    assert "(disturbed by probably the host of this virtual machine)" in text


def test_samples_in_two_groups_are_told_with_both() -> None:
    text = said(rate("cpu.loop-order", 512, 40.0), disturbed(rate("cpu.blocked", 512, 25.0), mode_low_ms=1.5, mode_high_ms=3.25))
    assert "two groups of samples, about 1.5 and 3.25 ms" in text
    assert "prefetcher" not in text


def test_medians_apart_of_samples_that_overlap_are_said_to_scatter() -> None:
    text = said(rate("cpu.loop-order", 512, 40.0), rate("cpu.naive", 512, 32.0))
    assert "scatter: the middle halves of their samples overlap" in text
    assert text.count("\n") == 0


@pytest.mark.parametrize(("axis", "rung", "values", "named"), [
    ("order", "cpu.loop-order", (0, 1, 2), "Loop order, ijk; Loop order, ikj; Loop order, jik."),
    ("tile", "cpu.blocked", (16, 64), "Blocked, tile 16; Blocked, tile 64."),
])  # fmt: skip
def test_along_a_parameter_all_its_disturbed_values_are_named(axis: str, rung: str, values: tuple[int, ...], named: str) -> None:
    setting: list[dict[str, Any]] = [{axis: value} for value in values]
    results = [disturbed(measured(rung, 512, 9.0, **each), disturbed_share=0.5) for each in setting]
    results.append(disturbed(rate("cpu.naive", 1024, 1.0), disturbed_share=0.5))
    choice = replace(Session().timing.value, ticked=frozenset({rung, "cpu.naive"}), sizes=(512,), axis=axis)
    (sentence,) = (str(insight.sentence) for insight in insights(Results({Provenance.MEASURED: results}), choice))
    assert sentence.startswith("At n = 512, these times were disturbed or scatter; no sentence compares them")
    assert sentence.replace(" (disturbed by the system's scheduler)", "").endswith(named)


def test_one_sentence_tells_of_all_that_scatter() -> None:
    results = [
        disturbed(rate(f"cpu.{name}", 512, 9.0), disturbed_share=0.5) for name in ("naive", "loop-order", "blocked", "unrolled", "simd")
    ]
    assert said(*results).count("\n") == 0
    assert "and 2 more" in said(*results)
