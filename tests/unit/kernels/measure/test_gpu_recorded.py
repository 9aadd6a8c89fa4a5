"""The recorded measurements: complete, verified, and saying what was measured on an H200."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from recording.campaign import FURTHER_SIZES, LARGEST_EXPLORED, SIZES, odd_points, odd_protocol, protocol_for, sweep_points, variants
from recording.ratios import GROUPS, RUNS
from recording.record import LARGEST, missing

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.recording_file import load_recorded, recorded_text
from kernels.measure.result_json import from_record, to_record
from kernels.measure.results import VERIFIED_ROWS, Result, Status
from kernels.mpi.communication_volume import volume

FOLDER = Path(__file__).parents[4] / "resources" / "recorded"


@pytest.fixture(scope="module")
def sweep() -> tuple[Result, ...]:
    return load_recorded(FOLDER / "h200.json")


@pytest.fixture(scope="module")
def odd_sizes() -> tuple[Result, ...]:
    return load_recorded(FOLDER / "odd_sizes" / "h200.json")


def rate(results: tuple[Result, ...], variant_id: str, n: int, tile: int | None = None, **others: int) -> float:
    variant = by_id(variant_id)
    parameters = variant.defaults | ({} if tile is None else {"tile": tile}) | others
    (found,) = (r for r in results if r.point.variant_id == variant_id and r.point.problem.n == n and r.point.parameters == parameters)
    assert found.rate is not None
    return found.rate


def test_every_point_of_the_campaign_is_there_or_its_setting_stopped_before(
    sweep: tuple[Result, ...], odd_sizes: tuple[Result, ...]
) -> None:
    assert missing(sweep_points(variants(), LARGEST), sweep, protocol_for) == []
    assert missing(odd_points(variants()), odd_sizes, odd_protocol) == []
    assert len({result.point for result in sweep}) == len(sweep)


def test_the_library_is_there_at_all_sizes(sweep: tuple[Result, ...]) -> None:
    sizes = {result.point.problem.n for result in sweep if result.point.variant_id == "gpu.cublas" and result.verified}
    assert sizes == {*SIZES, *FURTHER_SIZES}


def test_every_point_is_verified_or_says_why_it_was_not_run(sweep: tuple[Result, ...]) -> None:
    for result in sweep:
        point = result.point
        if result.status is Status.SKIPPED:
            refused = refuse(point.variant, point.problem, point.parameters, Limits(compute_capability=90))
            said = str(result.reason)
            assert refused is not None or "the time budget is 2 s" in said or "cannot be verified" in said, point
            continue
        assert result.verified, point
        assert result.relative_error is not None
        assert result.allowed_error is not None
        assert result.relative_error <= result.allowed_error
        assert len(result.times_ms) >= (1 if result.status is Status.SINGLE else 10 if point.problem.n <= 8192 else 5)
        assert (VERIFIED_ROWS in result.conditions) is (point.problem.n > 8192)


@pytest.mark.parametrize(("file", "gpu"), [("h100x2", "NVIDIA H100 80GB HBM3"), ("h200x2", "NVIDIA H200")])
def test_two_gpus_multiply_beside_one_and_the_library_and_send_while_they_do(file: str, gpu: str) -> None:
    results = load_recorded(FOLDER / "gpus" / f"{file}.json")
    assert all(result.verified for result in results)
    two = [result for result in results if result.point.parameters.get("ranks") == 2]
    sizes = {result.point.problem.n for result in two}
    assert sizes == {4096, 8192, 16384, 32768}
    assert {(r.point.variant_id, r.point.problem.n) for r in results if r not in two} == {
        (variant, n) for variant in ("gpu.cublas", "mpi.gpu-summa") for n in sizes
    }
    assert {result.conditions["gpu"] for result in two} == {f"2 × {gpu}"}
    large = [result for result in results if result.point.problem.n == 32768 and result.median_ms is not None]
    library, both = (min(r.median_ms or 0.0 for r in large if (r in two) == part) for part in (False, True))
    assert library / both >= 1.85
    told = json.loads((FOLDER / "gpus" / f"{file}.timeline.json").read_text(encoding="utf-8"))
    moved = volume("mpi.gpu-summa", Problem.square(Operation.MATMUL, told["n"]), 2)
    assert [rank["sent_bytes"] for rank in told["ranks"]] == list(moved.sent)
    first, *others = told["messages"]
    products = [row for row in told["intervals"] if row["activity"] == "computing" and row["rank"] == first["to"]]
    assert len(products) == len(told["messages"]), "one product for each panel"
    assert first["end_ms"] <= products[0]["start_ms"]
    assert all(products[0]["start_ms"] < message["start_ms"] < message["end_ms"] < products[-1]["start_ms"] for message in others)


def test_the_conditions_name_machine_and_versions(sweep: tuple[Result, ...]) -> None:
    for result in sweep:
        assert result.conditions["gpu"] == "NVIDIA H200"
        assert {"cupy", "nvrtc", "cuda_driver", "cuda_runtime", "nvidia_driver", "compute_capability"} <= result.conditions.keys()


@pytest.mark.parametrize("n", [1024, 2048, 4096, 8192])
def test_the_ladder_climbs(sweep: tuple[Result, ...], n: int) -> None:
    for tile in (8, 16, 32):
        assert rate(sweep, "gpu.naive", n, tile) < rate(sweep, "gpu.tiled", n, tile) < rate(sweep, "gpu.cublas", n)
        if n < 8192:  # where launches of the uncoalesced one become too long
            assert rate(sweep, "gpu.uncoalesced", n, tile) < rate(sweep, "gpu.naive", n, tile)
    assert rate(sweep, "gpu.tiled", n, 32) < rate(sweep, "gpu.vectorized-k8", n) < rate(sweep, "gpu.double-buffered-k8", n)
    assert rate(sweep, "gpu.double-buffered-k8", n) < rate(sweep, "gpu.cublas", n)
    assert 1.5 < rate(sweep, "gpu.transpose-padded", n, 16) / rate(sweep, "gpu.transpose-global", n, 16) < 4


@pytest.mark.parametrize("n", [2048, 4096, 8192])
def test_register_tiles_come_near_the_library(sweep: tuple[Result, ...], n: int) -> None:
    library = rate(sweep, "gpu.cublas", n)
    assert rate(sweep, "gpu.vectorized-k8", n) > 0.6 * library
    assert rate(sweep, "gpu.double-buffered-k8", n) > 0.7 * library


@pytest.mark.parametrize("n", [1024, 2048, 4096, 8192])
def test_bank_conflicts_cost_time_and_swizzling_costs_none(sweep: tuple[Result, ...], n: int) -> None:
    padded = rate(sweep, "gpu.transpose-padded", n, 32)
    assert rate(sweep, "gpu.transpose-shared", n, 32) < 0.7 * padded
    if n <= LARGEST_EXPLORED:
        assert rate(sweep, "gpu.transpose-padded", n, 32, padding=0) < 0.7 * padded
    assert rate(sweep, "gpu.transpose-swizzled", n, 32) > 0.9 * padded


def test_no_rate_passes_what_the_hardware_can_do(sweep: tuple[Result, ...]) -> None:
    float32_peak, memory_peak = 66_900, 4_800
    assert all(rate(sweep, "gpu.cublas", n) < float32_peak for n in SIZES)
    assert max(rate(sweep, "gpu.transpose-padded", 8192, tile) for tile in (4, 8, 16, 32)) < memory_peak


def test_times_are_steady(sweep: tuple[Result, ...]) -> None:
    """All but those that sampling gave up on, which are few."""
    spreads = [result.spread_ms / result.median_ms for result in sweep if result.median_ms and result.spread_ms is not None]
    assert sum(spread > 0.02 for spread in spreads) < 0.01 * len(spreads)
    assert max(spreads) < 0.2


def test_every_kernel_is_right_where_no_tile_divides_the_size(odd_sizes: tuple[Result, ...]) -> None:
    assert {result.point.variant_id for result in odd_sizes} == {variant.id for variant in variants()}
    assert [result.point for result in odd_sizes if not result.verified] == []


def test_a_parameter_that_a_kept_result_lacks_means_its_default(tmp_path: Path) -> None:
    problem = Problem.square(Operation.TRANSPOSE, 64)
    old = Result(Case("gpu.transpose-padded", problem, {"tile": 32}), Status.SINGLE, "2026", (1.0,))
    path = tmp_path / "old.json"
    path.write_text(recorded_text([old]), encoding="utf-8")
    (loaded,) = load_recorded(path)
    assert loaded.point.parameters == from_record(dict(to_record(old))).point.parameters == {"tile": 32, "padding": 1}
    other = replace(old, point=Case("gpu.transpose-padded", problem, {"tile": 32, "padding": 3}))
    assert from_record(dict(to_record(other))).point.parameters == {"tile": 32, "padding": 3}
    retired = replace(old, point=Case("gpu.retired", problem, {"width": 4}))
    assert from_record(dict(to_record(retired))).point.parameters == {"width": 4}


@pytest.mark.parametrize("name", ["h200.json", "odd_sizes/h200.json"])
def test_writing_what_was_loaded_and_loading_it_changes_nothing(name: str, tmp_path: Path) -> None:
    results = load_recorded(FOLDER / name)
    (tmp_path / "again.json").write_text(recorded_text(results), encoding="utf-8")
    again = load_recorded(tmp_path / "again.json")
    assert [one.point for one, other in zip(again, results, strict=True) if one != other] == []


def test_conditions_that_differ_stay_with_their_points(sweep: tuple[Result, ...], tmp_path: Path) -> None:
    first, second = sweep[0], replace(sweep[1], conditions={**sweep[1].conditions, "gpu": "Another"})
    path = tmp_path / "two.json"
    path.write_text(recorded_text([first, second]), encoding="utf-8")
    assert load_recorded(path) == (first, second)


def test_no_points_make_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text(recorded_text([]), encoding="utf-8")
    assert load_recorded(path) == ()


def test_every_rung_is_compared_in_turn_with_its_library_at_every_size() -> None:
    rows = json.loads((FOLDER / "ratios" / "h200.json").read_text(encoding="utf-8"))["rows"]
    wanted = [(rung, library, *size) for library, rungs, sizes in GROUPS for size in sizes for rung in rungs]
    assert [(row["id"], row["library"], row["m"], row["n"], row["k"]) for row in rows] == wanted
    for row in rows:
        assert len(row["ratios"]) == RUNS
        assert row["ratios"] == pytest.approx([base / own for base, own in zip(row["library_ms"], row["ms"], strict=True)], rel=0.03)
        if row["id"] == "gpu.fitted" and row["m"] == row["n"] == row["k"] and row["n"] % 128 == 0:
            assert min(row["ratios"]) >= 1
