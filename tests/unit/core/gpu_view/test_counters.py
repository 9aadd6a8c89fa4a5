"""The counters of a launch: sums over steps, what the whole launch counts, and what the blocks that were traced stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.core.base.i18n import compact
from app.core.execution.execute import execute
from app.core.gpu_view.counters import FLOPS, INTENSITY, REUSED, LaunchCounters, counters_at, coverage
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import extent_text
from kernels.analysis.reuse import Mode
from tests.launches.launch_records import launch_of


def some_blocks(index: LaunchIndex, *blocks: int) -> LaunchIndex:
    """The same launch with only these blocks executed."""
    subject = replace(index.subject, launch=replace(index.subject.launch, blocks=blocks))
    record = execute(subject)
    assert isinstance(record, LaunchRecord), record
    return LaunchIndex(subject, record)


def whole(index: LaunchIndex) -> dict[str, tuple[int | float, bool]]:
    return {str(row.title): (row.value, row.estimated) for row in LaunchCounters(index).whole}


def test_a_tiled_product_counts_as_its_mock_up_says() -> None:
    found = whole(launch_of("gpu.tiled", 64))
    assert found["Global requests"] == (1152, False)
    assert found["Sectors, 32 B"] == (4608, False)
    assert found["Bytes moved"] == (147_456, False)
    assert found["Shared wavefronts"] == (17_408, False)
    assert found["Bank conflicts"] == (0, False)
    assert found["Barriers"] == (128, False)
    assert found["FLOPs"] == (524_288, False)
    assert found["FLOP per byte"][0] == pytest.approx(3.556, abs=1e-3)


def test_a_transposed_tile_of_32_conflicts_31_times_a_row() -> None:
    index = launch_of("gpu.transpose-shared", 32, tile=32)
    found = whole(index)
    assert found["Shared wavefronts"][0] == 32 + 32 * 32
    assert found["Without conflicts"][0] == 64
    assert found["Bank conflicts"][0] == 31 * 32
    assert "FLOPs" not in found


def test_steps_add_up_to_what_is_so_far_and_to_the_whole() -> None:
    index = launch_of("gpu.tiled", 16, tile=4)
    sums: dict[str, int] = {}
    for step in range(index.steps):
        for row in counters_at(index, frame_at(index, step, 0.0)):
            if str(row.title) == "Barriers":
                continue
            sums[str(row.title)] = sums.get(str(row.title), 0) + row.this_step
            assert row.so_far == sums[str(row.title)]
    last = {str(row.title): row for row in counters_at(index, frame_at(index, index.steps - 1, 0.0))}
    totals = index.record.counts[Mode.AS_WRITTEN].totals
    assert sums["Shared wavefronts"] == totals.shared_load_wavefronts + totals.shared_store_wavefronts
    assert sums["Sectors, 32 B"] == totals.global_load_sectors + totals.global_store_sectors
    assert last["Barriers"].so_far == last["Barriers"].whole_run == totals.barriers


def test_barriers_are_counted_where_they_are_passed() -> None:
    index = launch_of("gpu.tiled", 8, tile=4)
    passed = [{str(r.title): r.so_far for r in counters_at(index, frame_at(index, s, 0.0))}["Barriers"] for s in range(index.steps)]
    assert passed[0] == 0
    assert (np.diff(passed) >= 0).all()
    first_of_tile = index.record.bands[1].start
    assert passed[first_of_tile - 1 : first_of_tile + 1] == [0, 1]


def test_blocks_of_each_kind_stand_for_the_whole_grid() -> None:
    sampled, full = some_blocks(launch_of("gpu.naive", 40), 0, 2, 6, 8), launch_of("gpu.naive", 40)
    assert coverage(sampled.trace).weights == (4.0, 2.0, 2.0, 1.0)
    estimated, exact = whole(sampled), whole(full)
    for name in ("Global requests", "Sectors, 32 B", "Bytes moved", "FLOPs"):
        assert estimated[name] == (exact[name][0], True)
    assert estimated["FLOP per byte"][0] == pytest.approx(exact["FLOP per byte"][0])


def test_one_block_stands_for_all() -> None:
    index = some_blocks(launch_of("gpu.tiled", 64), 5)
    covered = coverage(index.trace)
    assert (covered.traced, covered.blocks, covered.weights) == (1, 16, (16.0,))
    assert whole(index)["Sectors, 32 B"] == (4608, True)
    assert whole(index)["FLOPs"] == (524_288, True)
    assert "1 of 16 blocks" in str(covered.words)
    assert coverage(launch_of("gpu.tiled", 64).trace).words is None


def test_blocks_that_a_cluster_brings_with_it_are_counted_as_traced() -> None:
    index = launch_of("gpu.wgmma-clusters-bf16", 256)
    assert len(index.subject.launch.blocks or ()) == 2
    for said in (extent_text(index.trace), coverage(index.trace).words):
        assert str(said).startswith("4 of 8 blocks traced")


def test_intensity_after_register_reuse_is_named_and_never_lower() -> None:
    rows = {row.title: row for row in LaunchCounters(launch_of("gpu.naive", 16)).whole}
    assert rows[REUSED].value >= rows[INTENSITY].value
    assert rows[FLOPS].value == 2 * 16**3
    assert "after register reuse (model)" in str(REUSED)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999_999, "999\u202f999"),
        (541_065_216, "541\u202fM"),
        (2_147_483_648, "2.15\u202fG"),
        (999_999_999, "1.00\u202fG"),
        (3.556, "3.56"),
        (-2_000_000, "\u22122.00\u202fM"),
    ],
)
def test_large_numbers_keep_three_figures(value: float, text: str) -> None:
    assert compact(value) == text
