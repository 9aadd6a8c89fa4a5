"""Groups of the threads that are together, and atomic objects, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.analysis.races import races
from kernels.simt.base.launch import Mode
from tests.launches.simt_launch import launch

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
ATOMICS = "#include <cuda/atomic>\n"
GIVEN = np.random.default_rng(4).integers(-50, 50, 128).astype(np.int32)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_filter_that_counts_once_for_each_group(mode: Mode) -> None:
    text = f"""{GROUPS}__global__ void k(const int* in, int* out, int* count) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {{
        auto g = cg::coalesced_threads();
        int at;
        if (g.thread_rank() == 0) at = atomicAdd(count, g.size());
        out[g.shfl(at, 0) + g.thread_rank()] = in[i];
    }}
}}"""
    found = launch(text, 2, 64, {"in": GIVEN, "out": np.zeros(128, np.int32), "count": np.zeros(1, np.int32)}, mode=mode)
    assert found.findings == ()
    kept = np.sort(GIVEN[GIVEN > 0])
    assert found.values["count"].tolist() == [len(kept)]
    np.testing.assert_array_equal(np.sort(found.values["out"][: len(kept)]), kept)


IN_GROUP = [
    ("g.thread_rank()", lambda v: np.arange(len(v))),
    ("g.size()", lambda v: np.full(len(v), len(v))),
    ("g.shfl(v, 2)", lambda v: np.full(len(v), v[2])),
    ("g.shfl_down(v, 1)", lambda v: np.append(v[1:], v[-1])),
    ("g.shfl_up(v, 2)", lambda v: np.append(v[:2], v[:-2])),
    ("g.any(v > 40)", lambda v: np.full(len(v), (v > 40).any())),
    ("g.all(v > -50)", lambda v: np.full(len(v), (v > -50).all())),
    ("g.ballot(v > 0)", lambda v: np.full(len(v), sum(1 << k for k, each in enumerate(v > 0) if each))),
    ("cg::reduce(g, v, cg::plus<int>())", lambda v: np.full(len(v), v.sum())),
    ("cg::reduce(g, v, cg::greater<int>())", lambda v: np.full(len(v), v.max())),
]


@pytest.mark.parametrize(("value", "expected"), IN_GROUP, ids=[case[0] for case in IN_GROUP])
def test_what_a_group_of_some_lanes_computes(value: str, expected: Any) -> None:
    text = f"""{GROUPS}__global__ void k(const int* in, int* out) {{
    int v = in[threadIdx.x];
    if (threadIdx.x % 3 == 1) {{ cg::coalesced_group g = cg::coalesced_threads(); g.sync(); out[threadIdx.x] = {value}; }}
}}"""
    found = launch(text, 1, 64, {"in": GIVEN[:64], "out": np.zeros(64, np.int32)})
    assert found.findings == ()
    for warp in (slice(0, 32), slice(32, 64)):
        chosen = np.arange(64)[warp][np.arange(64)[warp] % 3 == 1]
        np.testing.assert_array_equal(found.values["out"][chosen], np.asarray(expected(GIVEN[chosen])).astype(np.int32))


OBJECTS = [
    ("int", np.int32, "a.fetch_add(v);", lambda v: v.sum()),
    ("int", np.int32, "a -= v;", lambda v: -v.sum()),
    ("int", np.int32, "a.fetch_max(v, cuda::memory_order_relaxed);", lambda v: max(v.max(), 0)),
    ("int", np.int32, "a.fetch_min(v);", lambda v: min(v.min(), 0)),
    ("unsigned", np.uint32, "a.fetch_xor(v);", lambda v: np.bitwise_xor.reduce(v.astype(np.uint32))),
    ("unsigned", np.uint32, "++a; a++;", lambda v: 2 * len(v)),
    ("float", np.float32, "a.fetch_add(v);", lambda v: v.sum()),
    ("double", np.float64, "a += v;", lambda v: v.sum()),
    ("long long", np.int64, "a.fetch_add(v);", lambda v: v.sum()),
    ("double", np.float64, "double e = a.load(); while (!a.compare_exchange_weak(e, e > v ? e : v)) {}", lambda v: max(v.max(), 0)),
    ("int", np.int32, "int e = a; while (!a.compare_exchange_strong(e, e + 1, cuda::memory_order_acq_rel)) {}", lambda v: len(v)),
    ("float", np.float32, "a.store(3);", lambda _: 3),
    ("int", np.int32, "a.exchange(7);", lambda _: 7),
]  # fmt: skip


@pytest.mark.parametrize(("c_type", "dtype", "statement", "expected"), OBJECTS, ids=[f"{case[0]} {case[2]}" for case in OBJECTS])
@pytest.mark.parametrize("scope", ["device", "system"])
def test_an_atomic_object(c_type: str, dtype: Any, statement: str, expected: Any, scope: str) -> None:
    made = f"cuda::atomic_ref<{c_type}, cuda::thread_scope_{scope}> a(*out);"
    text = f"{ATOMICS}__global__ void k(const int* in, {c_type}* out) {{ int v = in[blockIdx.x * 64 + threadIdx.x]; {made} {statement} }}"
    found = launch(text, 2, 64, {"in": GIVEN, "out": np.zeros(1, dtype)})
    assert found.findings == ()
    assert races(found) == ()
    assert found.values["out"][0] == dtype(expected(GIVEN))


def test_an_object_of_the_device_and_one_of_a_block() -> None:
    text = f"""{ATOMICS}__device__ cuda::atomic<int, cuda::thread_scope_device> total;
__global__ void k(int* out) {{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> mine;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    mine.fetch_add(2);
    total++;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = mine.load();
}}"""
    found = launch(text, 2, 64, {"out": np.zeros(2, np.int32)})
    assert found.values["out"].tolist() == [128, 128]
    assert races(found) == ()


@pytest.mark.parametrize(
    ("first", "second", "raced"),
    [
        ("atomicAdd_block(p, 1)", "atomicAdd_block(p, 1)", True),
        ("atomicAdd_block(p, 1)", "atomicMax(p, 1)", True),
        ("atomicAdd(p, 1)", "atomicExch_system(p, 1)", False),
        ("atomicAdd_block(p + blockIdx.x, 1)", "atomicAdd_block(p + blockIdx.x, 1)", False),
        ("atomicAdd_block(p + blockIdx.x, 1)", "atomicAdd(p + blockIdx.x, 1)", False),
    ],
)
def test_the_scope_says_who_is_excluded(first: str, second: str, raced: bool) -> None:
    text = f"__global__ void k(int* p) {{\nif (threadIdx.x < 40)\n{first};\nelse\n{second};\n}}"
    found = races(launch(text, 2, 64, {"p": np.zeros(2, np.int32)}))
    assert bool(found) is raced
    assert all("own block only" in str(each.message) for each in found)
