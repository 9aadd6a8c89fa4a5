"""Warp mode: warps take turns, so that what is not ordered by a barrier comes out wrong, and what is comes out right in any order."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Mode
from tests.launches.simt_launch import launch

REVERSE = """
__global__ void f(const int* in, int* out)
{
    __shared__ int s[128];
    int i = threadIdx.x;
    s[i] = in[i];
    BARRIER
    out[i] = s[127 - i];
}
"""
DATA = np.arange(1, 129, dtype=np.int32)


def reversed_by(barrier: str, mode: Mode, seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    trace = launch(REVERSE.replace("BARRIER", barrier), 1, 128, {"in": DATA, "out": np.zeros(128, np.int32)}, mode=mode, seed=seed)
    return np.asarray(trace.values["out"])


def test_a_missing_barrier_shows_wrong_numbers_only_when_warps_take_turns() -> None:
    np.testing.assert_array_equal(reversed_by("", Mode.BLOCK), DATA[::-1])
    wrong = reversed_by("", Mode.WARP) != DATA[::-1]
    assert wrong.any()
    assert not wrong.all()
    assert all(warp.all() or not warp.any() for warp in wrong.reshape(-1, 32))


@pytest.mark.parametrize("seed", range(5))
def test_with_its_barrier_the_order_of_warps_does_not_matter(seed: int) -> None:
    np.testing.assert_array_equal(reversed_by("__syncthreads();", Mode.WARP, seed), DATA[::-1])


def test_the_order_of_warps_is_that_of_the_seed() -> None:
    results = {seed: reversed_by("", Mode.WARP, seed).tobytes() for seed in range(12)}
    assert len(set(results.values())) > 1
    assert all(reversed_by("", Mode.WARP, seed).tobytes() == results[seed] for seed in range(3))


@pytest.mark.parametrize("mode", list(Mode))
def test_barriers_that_reduce(mode: Mode) -> None:
    text = """
__global__ void f(int* out)
{
    int i = threadIdx.x;
    int many = __syncthreads_count(i % 3 == 0);
    int all = __syncthreads_and(i < 96), none = __syncthreads_or(i > 200);
    out[i] = many * 100 + all * 10 + none;
}
"""
    trace = launch(text, 1, 96, {"out": np.zeros(96, np.int32)}, mode=mode)
    np.testing.assert_array_equal(trace.values["out"], np.full(96, 3210))
    assert int(trace.rows.epoch.max()) == 3


@pytest.mark.parametrize("mode", list(Mode))
def test_warp_epochs_count_warp_synchronisation(mode: Mode) -> None:
    text = """
__global__ void f(int* out)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = i;
    __syncwarp();
    int v = s[i ^ 1];
    v += __shfl_xor_sync(0xffffffff, v, 2);
    s[i] = v;
    __syncthreads();
    out[i] = v;
}
"""
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.int32)}, mode=mode)
    lanes = np.arange(64)
    np.testing.assert_array_equal(trace.values["out"], (lanes ^ 1) + (lanes ^ 1 ^ 2))
    rows = trace.rows
    for warp in range(2):
        mine = trace.masks[rows.mask, 32 * warp]
        assert np.diff(rows.warp_epoch[mine]).tolist() == [1, 0, 0]
        assert rows.epoch[mine].tolist() == [0, 0, 0, 1]


def test_masks_and_bases_of_one_warp_stand_at_its_place_in_the_block() -> None:
    text = "__global__ void f(int* out) { if (threadIdx.x % 32 < 3) out[threadIdx.x] = 1; }"
    trace = launch(text, 1, 80, {"out": np.zeros(80, np.int32)}, mode=Mode.WARP)
    active = trace.masks[trace.rows.mask]
    assert sorted(np.flatnonzero(row).tolist() for row in active) == [[0, 1, 2], [32, 33, 34], [64, 65, 66]]
    for row in range(3):
        lanes = np.flatnonzero(active[row])
        given = trace.bases[trace.rows.base[row]][lanes] + trace.rows.offset[row]
        np.testing.assert_array_equal(given, trace.allocations[0].address + 4 * lanes)
