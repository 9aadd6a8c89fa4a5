"""The time model: each of its parts limits a launch that is made for it, and waiting is hidden by blocks that are resident together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.predictions.prediction import Prediction, predict
from app.core.predictions.variant_time import TimeModel, model_time
from kernels.analysis.analytical_time import Chain, Task, dram_share, estimate
from kernels.analysis.device_profiles import Profile, profiles
from kernels.analysis.workload import Workload
from kernels.base.messages import Message
from kernels.base.spec import Problem
from kernels.catalogue.catalogue import by_id

H200 = next(profile for profile in profiles() if profile.id == "h200")
assert H200.latencies is not None
SECTOR_CYCLES = 132 * 32 / H200.latencies.l2_bytes_per_clock
NOTHING = Chain(0, 0, 0, 0, 0)
TASK = Task(132 * 4, 4, Workload(), NOTHING, 0.0, 1.0, 1)


@pytest.mark.parametrize(
    ("task", "limit"),
    [
        (replace(TASK, block=Workload(flops=256_000)), "arithmetic"),
        (replace(TASK, instructions=4000.0), "issue"),
        (replace(TASK, block=Workload(shared_load_wavefronts=600, global_lookups=400)), "lsu"),
        (replace(TASK, block=Workload(sectors_read_once=1000 / SECTOR_CYCLES)), "l2"),
        (replace(TASK, matrix_bytes=round(4800e9 / 1.98e9 / 132 * 1000) * 132 * 4), "dram"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_part_takes_its_published_rate(task: Task, limit: str) -> None:
    """Work of 1000 cycles for each of four blocks of one wave."""
    found = estimate(task, replace(H200, l2_bytes=1 << 20))
    assert H200.latencies is not None
    launch_ms = H200.latencies.launch_us / 1e3
    assert found.limit == limit
    assert dict(found.cycles)[limit] == pytest.approx(1000, rel=1e-3)
    assert found.milliseconds == pytest.approx(4000 / 1.98e6 + launch_ms, rel=1e-3)


def test_blocks_that_are_resident_together_hide_what_each_waits_for() -> None:
    waiting = replace(TASK, instructions=400.0, block=Workload(global_load_requests=1), chain=Chain(10, 0, 0, 10, 10))
    alone, four = (estimate(replace(waiting, blocks=132 * n, blocks_per_sm=n), H200) for n in (1, 4))
    assert alone.limit == four.limit == "latency"
    assert four.milliseconds == pytest.approx(alone.milliseconds)
    many = estimate(replace(waiting, blocks=132 * 64, blocks_per_sm=64), H200)
    assert many.limit == "issue"
    assert many.milliseconds < 4 * alone.milliseconds


def test_loads_that_come_while_a_block_works_cost_less_than_those_it_waits_for() -> None:
    work = replace(TASK, blocks=132, blocks_per_sm=1, instructions=8000.0, block=Workload(global_load_requests=1))
    waited, overlapped = (estimate(replace(work, chain=chain), H200) for chain in (Chain(10, 0, 10, 10, 20), Chain(1, 9, 10, 10, 20)))
    assert overlapped.waiting < waited.waiting / 2


def test_a_wave_that_is_not_full_takes_as_long_as_its_fullest_sm() -> None:
    task = replace(TASK, instructions=4000.0)
    full, one_more = (estimate(replace(task, blocks=blocks), H200).milliseconds for blocks in (132 * 4, 132 * 4 + 1))
    assert one_more - full == pytest.approx(1000 / 1.98e6)


@pytest.mark.parametrize("profile", [profile for profile in profiles() if profile.latencies is None], ids=lambda profile: profile.id)
def test_without_published_latencies_there_is_no_model(profile: Profile) -> None:
    found = model_time(predicted("gpu.tiled", 64, profile))
    assert isinstance(found, Message)
    assert profile.name in str(found)


@pytest.mark.parametrize("name", ["gpu.mma-bf16", "gpu.wgmma-bf16", "gpu.three-parts"])
def test_of_tensor_cores_nothing_is_said(name: str) -> None:
    assert "uses tensor cores" in str(model_time(predicted(name, 128, H200)))


def test_the_order_of_the_first_rungs_is_that_of_the_lessons() -> None:
    times = {name: modelled(name, 512) for name in ("gpu.uncoalesced", "gpu.naive", "gpu.tiled")}
    assert times["gpu.uncoalesced"] > 2 * times["gpu.naive"] > 2 * times["gpu.tiled"]


def test_stores_that_are_not_coalesced_cost_more_than_loads_that_are_not() -> None:
    """As measured: every such store takes as much of the L2 cache as a line, a line of loads stays in the first-level cache."""
    times = {name: modelled(f"gpu.transpose-{name}", 1024) for name in ("global", "global-writes", "copy")}
    assert times["global"] > 1.5 * times["global-writes"] > 1.5 * times["copy"]


def test_matrices_leave_the_l2_cache_between_half_of_its_size_and_four_fifths() -> None:
    assert [dram_share(size, 100) for size in (0, 50, 65, 80, 1000)] == pytest.approx([0, 0, 0.5, 1, 1])


def test_k_is_extended_along_a_line_exactly() -> None:
    variant = by_id("gpu.tiled")
    near, far = (predict(variant, Problem.of(variant.operation, 64, 64, k), variant.defaults, H200) for k in (512, 1024))
    assert isinstance(near, Prediction)
    assert isinstance(far, Prediction)
    assert far.written["shared_load_requests"] == 2 * near.written["shared_load_requests"] == 2 * 64 * 64 * 512 // 32 * 2
    assert far.written["flops"] == 2 * 64 * 64 * 1024
    assert far.written["global_store_sectors"] == near.written["global_store_sectors"]


def predicted(name: str, n: int, profile: Profile) -> Prediction:
    variant = by_id(name)
    found = predict(variant, Problem.square(variant.operation, n), variant.defaults, profile)
    assert isinstance(found, Prediction), str(found)
    return found


def modelled(name: str, n: int) -> float:
    found = model_time(predicted(name, n, H200))
    assert isinstance(found, TimeModel), str(found)
    return found.milliseconds
