"""Why a measured counter differs from the predicted one: which rule explains it, and when none does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from app.core.predictions.predicted_and_measured import UNEXPLAINED, compare
from app.core.predictions.prediction import Prediction, predict
from app.core.predictions.question import Compared
from kernels.analysis.device_profiles import profiles
from kernels.analysis.occupancy import occupancy
from kernels.base.spec import Problem
from kernels.catalogue.catalogue import by_id

H200 = next(profile for profile in profiles() if profile.id == "h200")


@cache
def predicted(name: str, n: int) -> Prediction:
    variant = by_id(name)
    found = predict(variant, Problem.square(variant.operation, n), variant.defaults, H200)
    assert isinstance(found, Prediction), str(found)
    return found


def row(prediction: Prediction, counter: str, measured: float, **more: float) -> Compared:
    return next(each for each in compare(prediction, {counter: measured, **more}) if each.id == counter)


def test_equal_counts_need_no_reason() -> None:
    prediction = predicted("gpu.naive", 64)
    found = row(prediction, "global_load_requests", prediction.written["global_load_requests"])
    assert (found.reason, found.explained) == (None, True)
    assert row(prediction, "global_load_requests", prediction.written["global_load_requests"] + 1).reason == UNEXPLAINED


@pytest.mark.usefixtures("tools")
def test_joined_loads_are_those_of_the_machine_code() -> None:
    prediction = predicted("gpu.tiled", 64)
    written = prediction.written["shared_load_requests"]
    found = row(prediction, "shared_load_requests", written * 5 / 8)
    assert found.predicted == written * 5 / 8
    assert str(found.reason).startswith("merged loads:")
    other = row(prediction, "shared_load_requests", written * 4 / 8)
    assert (other.reason, other.explained) == (UNEXPLAINED, False)


def test_predicated_instructions_count_in_every_warp_at_most() -> None:
    prediction = predicted("gpu.transpose-shared", 45)
    least, most = prediction.written["shared_store_requests"], prediction.at_most["shared_store_requests"]
    assert least < most
    assert str(row(prediction, "shared_store_requests", most).reason).startswith("predicated instructions:")
    assert row(prediction, "shared_store_requests", most + 1).reason == UNEXPLAINED


def test_arbitration_adds_a_little_to_the_hardware_counter_alone() -> None:
    prediction = predicted("gpu.transpose-padded", 64)
    expected, by_line = (prediction.compiled[name] for name in ("shared_load_wavefronts", "shared_wavefronts_by_line"))
    lost = row(prediction, "shared_load_wavefronts", expected + 5, shared_wavefronts_by_line=by_line)
    assert str(lost.reason).startswith("arbitration:")
    for measured, lines in ((expected + 5, by_line + 5), (2 * expected, by_line), (expected - 1, by_line)):
        assert row(prediction, "shared_load_wavefronts", measured, shared_wavefronts_by_line=lines).reason == UNEXPLAINED


def test_caches_explain_less_traffic_below_them_and_a_little_more_is_other_traffic() -> None:
    prediction = predicted("gpu.naive", 64)
    sectors = prediction.compiled["l2_read_sectors"]
    assert str(row(prediction, "l2_read_sectors", sectors / 4).reason) == "cache hits: the L1 cache served 75 % of the sectors"
    assert str(row(prediction, "l2_read_sectors", sectors + 10).reason).startswith("other traffic:")
    assert row(prediction, "l2_read_sectors", 2 * sectors).reason == UNEXPLAINED
    assert str(row(prediction, "dram_write_bytes", 0.0).reason).startswith("cache:")
    assert str(row(prediction, "dram_read_bytes", prediction.compiled["dram_read_bytes"] + 64).reason).startswith("other traffic:")
    assert row(prediction, "dram_read_bytes", 1e9).reason == UNEXPLAINED


def test_occupancy_is_reached_from_below_only() -> None:
    prediction = predicted("gpu.naive", 64)
    possible = prediction.compiled["occupancy_limit"]
    assert row(prediction, "occupancy", possible / 2).explained
    assert row(prediction, "occupancy", possible + 5).reason == UNEXPLAINED


def test_asynchronous_copies_explain_what_is_missing_of_loads_and_stores_and_no_more() -> None:
    prediction = predicted("gpu.async", 64)
    expected, copied = prediction.compiled["shared_store_requests"], prediction.of_launches("copied_requests")
    assert 0 < copied <= expected
    assert str(row(prediction, "shared_store_requests", expected - copied).reason).startswith("asynchronous copies:")
    assert row(prediction, "shared_store_requests", expected - copied - 1).reason == UNEXPLAINED


def test_a_counter_that_leaves_out_ldmatrix_is_said_to_and_no_other_compiler_is_blamed() -> None:
    prediction = predicted("gpu.mma-bf16", 128)
    loads, copied = (prediction.of_launches(name) for name in ("matrix_load_requests", "copied_requests"))
    assert loads == prediction.compiled["shared_load_requests"] == prediction.written["shared_load_requests"] > 0 < copied
    said = (f"ldmatrix: this counter leaves out its {round(loads)} requests", "; asynchronous copies count here in part")
    assert str(row(prediction, "shared_load_requests", 0.0, registers=1.0).reason) == said[0]
    assert str(row(prediction, "shared_load_requests", copied, registers=1.0).reason) == "".join(said)
    assert row(prediction, "shared_load_requests", copied + 1).reason == UNEXPLAINED


def test_sectors_whose_halves_are_copied_apart_are_said_to_count_again() -> None:
    """As Nsight Compute counted of both rungs with padded rows on an H200, at 256 with what prepares them 94,208 and 81,920."""
    for variant, counted in (("gpu.mma-padded-bf16", 94208), ("gpu.mma-padded-tf32", 81920)):
        prediction = predicted(variant, 256)
        again = round(counted - prediction.compiled["global_load_sectors"])
        said = f"asynchronous copies: {again} sectors count again, whose halves go to two 64-byte parts of shared memory"
        assert str(row(prediction, "global_load_sectors", counted).reason) == said
        assert row(prediction, "global_load_sectors", counted + again / 2).reason == UNEXPLAINED
    assert all(each.counted.written.parted_sectors == 0 for each in predicted("gpu.mma-swizzled-bf16", 256).launches)


def test_what_engines_move_has_counters_of_its_own() -> None:
    """As Nsight Compute counted on an H200: no load of shared memory, and of global memory those that round A and B."""
    found = predicted("gpu.wgmma-clusters-bf16", 256).written
    assert (found["shared_load_requests"], found["shared_load_wavefronts"]) == (0, 0)
    assert found["operand_wavefronts"] == found["shared_wavefronts_by_line"] == 6144
    assert (found["global_load_requests"], found["global_load_sectors"]) == (1024, 32768)
    a_bricks, b_shares = 8192, 8192  # of a share both blocks of a cluster receive what one asks the L2 cache for
    assert found["l2_read_sectors"] == found["global_load_sectors"] + a_bricks + b_shares
    assert found["bulk_load_sectors"] == a_bricks + 2 * b_shares


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize(("n", "requests", "sectors"), [(256, 2561, 40961), (1024, 40961, 655363)])
def test_stores_in_pieces_are_those_of_the_machine_code(n: int, requests: int, sectors: int, tmp_path: Path) -> None:
    """As Nsight Compute counted on an H200 when bricks lay behind a pointer to bytes: 16 at a time in the text, 4 in machine code."""
    variant = by_id("gpu.wgmma-clusters-bf16")
    behind_bytes = {
        "uint4* brick = (uint4*)T": "char* brick = (char*)T",
        "(BRICK / 16);": "BRICK;",
        "brick[y * 8 + x]": "*(uint4*)(brick + y * 128 + x * 16)",
    }
    text = variant.source_text
    for whole, pieces in behind_bytes.items():
        assert text.count(whole) == 1
        text = text.replace(whole, pieces)
    source = tmp_path / "pieces.cu"
    source.write_text(text, encoding="utf-8")
    prediction = predict(replace(variant, source=str(source)), Problem.square(variant.operation, n), variant.defaults, H200)
    assert isinstance(prediction, Prediction)
    for counter, measured in (("global_store_requests", requests), ("global_store_sectors", sectors)):
        assert prediction.compiled[counter] == measured
        assert str(row(prediction, counter, measured).reason).startswith("split accesses:")
    assert row(prediction, "global_store_sectors", 1.01 * sectors).reason == UNEXPLAINED
    assert predicted(variant.id, n).compiled["global_store_requests"] == predicted(variant.id, n).written["global_store_requests"]


def test_what_tensor_cores_reach_is_not_predicted() -> None:
    prediction = predicted("gpu.wmma-tf32", 64)
    assert str(row(prediction, "flops", prediction.compiled["flops"] + 7).reason).startswith("tensor cores:")


def test_the_far_half_of_the_second_level_counts_twice() -> None:
    prediction = predicted("gpu.transpose-padded", 1024)
    sectors = prediction.compiled["l2_write_sectors"]
    assert str(row(prediction, "l2_write_sectors", 1.5 * sectors).reason).startswith("two partitions:")
    assert row(prediction, "l2_write_sectors", 2 * sectors).reason == UNEXPLAINED


@pytest.mark.usefixtures("tools")
def test_other_registers_tell_of_another_compiler_and_its_occupancy() -> None:
    prediction = predicted("gpu.transpose-padded", 64)
    here, requests = prediction.compiled["registers"], prediction.written["shared_load_requests"]
    assert str(row(prediction, "registers", here + 100).reason).startswith("other machine code:")
    assert str(row(prediction, "shared_load_requests", requests / 3, registers=here + 2).reason).startswith("other machine code:")
    for measured, there in ((requests / 3, here), (requests * 3, here + 2)):
        assert row(prediction, "shared_load_requests", measured, registers=there).reason == UNEXPLAINED
    launch = prediction.launches[0]
    share = 100 * occupancy("9.0", launch.threads, 100, launch.launch.shared_bytes).occupancy
    assert str(row(prediction, "occupancy_limit", share, registers=100.0).reason).startswith("other machine code:")
    assert row(prediction, "occupancy_limit", share, registers=here).reason == UNEXPLAINED


def test_a_matrix_that_a_launch_before_left_is_read_from_memory() -> None:
    prediction = predicted("gpu.fastest", 64)
    read = prediction.compiled["dram_read_bytes"]
    rows, columns = prediction.launches[-1].launch.prepared["T"]
    assert str(row(prediction, "dram_read_bytes", read + 4 * rows * columns + 32 * 4096).reason).startswith("emptied caches:")
    assert row(prediction, "dram_read_bytes", read + 4 * rows * columns + 32 * 4096 + 1).reason == UNEXPLAINED
