"""How blocks come to the multiprocessors of a device, and how many of them fit there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.core.gpu_view.blocks import (
    FREE,
    assumption_text,
    block_number,
    device_text,
    launch_occupancy,
    schedule,
    shared_bytes,
    used_text,
    wave_text,
    waves_text,
)
from app.core.gpu_view.frame import frame_at
from app.core.session.session import profile_named
from kernels.analysis.occupancy import occupancy, waves
from kernels.simt.base.launch import Filled
from tests.launches.launch_records import launch_of, record_of

H200 = profile_named("h200")
T4 = profile_named("t4")


def test_occupancy_is_of_the_launch_with_its_shared_memory() -> None:
    index = launch_of("gpu.tiled", 64, tile=32)
    assert shared_bytes(index) == 2 * 32 * 32 * 4
    assert launch_occupancy(index, H200, 40) == occupancy("9.0", 1024, 40, 8192)


def test_dynamic_shared_memory_counts() -> None:
    text = "__global__ void k(float* a) { __shared__ float s[8]; extern __shared__ float e[]; s[0] = e[0] = 1; a[0] = s[0]; }"
    index = record_of(text, 32, {"a": Filled(1)}, shared_bytes=1000)
    assert shared_bytes(index) == 32 + 1000
    assert shared_bytes(record_of("__global__ void k(float* a) { a[0] = 1; }", 32, {"a": Filled(1)})) == 0


@pytest.mark.parametrize(("profile", "registers"), [(H200, 32), (T4, 32), (T4, 128)])
def test_every_block_has_one_place_in_one_wave(profile: object, registers: int) -> None:
    index = launch_of("gpu.naive", 1024)
    assert profile in (H200, T4)
    plan = schedule(index, H200 if profile is H200 else T4, registers)
    assert plan.waves == waves(4096, plan.blocks_per_sm, plan.profile.sms)
    assert plan.waves is not None
    placed = np.concatenate([plan.places(wave).ravel() for wave in range(plan.waves.count)])
    assert sorted(placed[placed != FREE].tolist()) == list(range(4096))
    assert all(
        plan.wave_of(block) == wave for wave in range(plan.waves.count) for block in plan.places(wave).ravel().tolist() if block != FREE
    )


def test_blocks_are_dealt_one_to_each_multiprocessor_in_turn() -> None:
    plan = schedule(launch_of("gpu.tiled", 64), replace(T4, sms=5), 32)
    held = [[each for each in row if each != FREE] for row in plan.places(0).tolist()]
    assert held == [[0, 5, 10, 15], [1, 6, 11], [2, 7, 12], [3, 8, 13], [4, 9, 14]]


def test_waves_in_words() -> None:
    large = schedule(launch_of("gpu.naive", 1024), H200, 32)
    assert str(assumption_text(large)).startswith(f"With {large.registers} registers a thread.")  # not assumed where the compiler told them
    assert str(waves_text(large)) == "4 waves; the last is 88 % full"
    assert str(wave_text(large, 0)) == "Wave 1 of 4, full"
    assert str(wave_text(large, 3)) == "Wave 4 of 4, the last"
    assert str(used_text(large)) == "97 % of the places of all waves are used."
    assert str(device_text(large)) == f"{H200.name}: 132 SMs, 8 blocks on each at a time"
    small = schedule(launch_of("gpu.tiled", 64), H200, 32)
    assert str(waves_text(small)) == "1 wave; it uses 16 of 132 SMs"
    assert str(wave_text(small, 0)) == "The only wave"
    assert used_text(small) is None


def test_a_tail_that_leaves_multiprocessors_idle_says_how_many() -> None:
    plan = schedule(launch_of("gpu.transpose-global", 256, tile=16), T4, 32)
    assert plan.waves is not None
    assert (plan.waves.full, plan.waves.tail) == (1, 96)
    assert str(waves_text(plan)) == "2 waves; the last is 60 % full"
    nearly = schedule(launch_of("gpu.transpose-global", 212, tile=16), T4, 32)
    assert nearly.waves is not None
    assert (nearly.waves.full, nearly.waves.tail) == (1, 36)
    assert str(waves_text(nearly)) == "2 waves; the last fills 36 of 40 SMs"


def test_a_block_that_fits_on_no_multiprocessor_has_no_waves() -> None:
    plan = schedule(launch_of("gpu.tiled", 64, tile=32), H200, 255)
    assert plan.waves is None
    assert "registers" in str(waves_text(plan))


def test_blocks_are_numbered_along_x_first() -> None:
    index = launch_of("gpu.tiled", 64)
    frame = frame_at(index, index.steps - 1)
    assert block_number(index, frame) == 15
