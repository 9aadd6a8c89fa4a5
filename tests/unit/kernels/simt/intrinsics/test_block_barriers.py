"""Barriers and pipelines of libcu++, bulk copies and clusters by their C++ names: what they order, what they copy, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import Argument, Mode
from kernels.simt.lower.kernel import Unsupported
from tests.launches.simt_launch import launch

BARRIER = """#include <cuda/barrier>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out, int n) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    int sum = 0;
    for (int i = 0; i < n; i += 64) {
        cuda::memcpy_async(block, s, in + i, sizeof(int) * 64, bar);
        cuda::barrier<cuda::thread_scope_block>::arrival_token token = bar.arrive();
        bar.wait(std::move(token));
        sum += s[63 - threadIdx.x];
        bar.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}"""
PIPELINE = """#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out, int n) {
    constexpr int stages = 2;
    __shared__ int s[stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ cg::block_tile_memory<64> memory;
    auto block = cg::this_thread_block(memory);
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0, tiles = n / 64;
    for (int done = 0, ahead = 0; done < tiles; ++done) {
        for (; ahead < tiles && ahead < done + stages; ++ahead) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[ahead % stages], in + ahead * 64, cuda::aligned_size_t<16>(sizeof(int) * 64), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[done % stages][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}"""
OWN = """#include <cuda/pipeline>
__global__ void k(const int* in, int* out, int n) {
    __shared__ int s[2][64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    for (int i = 0; i < 2; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i][threadIdx.x], &in[i * 64 + threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
    }
    int sum = 0;
    for (int i = 0; i < n / 64; ++i) {
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        sum += s[i % 2][threadIdx.x];
        pipe.consumer_release();
        pipe.producer_acquire();
        if (i + 2 < n / 64) cuda::memcpy_async(&s[i % 2][threadIdx.x], &in[(i + 2) * 64 + threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
    }
    out[63 - threadIdx.x] = sum;
}"""


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("text", [BARRIER, PIPELINE, OWN])
def test_what_is_copied_is_there_when_it_was_waited_for(text: str, mode: Mode) -> None:
    data = np.arange(320, dtype=np.int32) ** 2
    trace = launch(text, 1, 64, {"in": data, "out": np.zeros(64, np.int32), "n": 320}, mode=mode)
    assert trace.findings == ()
    assert np.array_equal(trace.values["out"], data.reshape(5, 64)[:, ::-1].sum(axis=0))


@pytest.mark.parametrize(
    ("text", "old", "new", "kind"),
    [
        (BARRIER, "bar.wait(std::move(token));", "", "uninitialised-read"),
        (PIPELINE, "pipe.consumer_wait();", "", "uninitialised-read"),
        (OWN, "pipeline_consumer_wait_prior<1>", "pipeline_consumer_wait_prior<2>", "uninitialised-read"),
    ],
)
def test_what_nobody_waited_for_is_found(text: str, old: str, new: str, kind: str) -> None:
    trace = launch(text.replace(old, new), 1, 64, {"in": np.zeros(320, np.int32), "out": np.zeros(64, np.int32), "n": 320})
    assert kind in {each.kind for each in trace.findings}


@pytest.mark.parametrize(("count", "kind", "line"), [("32", "uninitialised-read", 15), ("block.size() + 1", "deadlock", 14)])
def test_a_barrier_for_other_threads_than_arrive_opens_too_early_or_never(count: str, kind: str, line: int) -> None:
    text = BARRIER.replace("block.size())", f"{count})")
    trace = launch(text, 1, 64, {"in": np.zeros(64, np.int32), "out": np.zeros(64, np.int32), "n": 64})
    assert (kind, line) in {(each.kind, each.location.line) for each in trace.findings}


ROLES = """#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out, int n) {
    constexpr int stages = 2;
    __shared__ int s[stages][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    bool produces = threadIdx.x < 32;
    auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
    int tiles = n / 32, sum = 0;
    for (int i = 0; produces && i < tiles; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i % stages][threadIdx.x], in + i * 32 + threadIdx.x, sizeof(int), pipe);
        pipe.producer_commit();
    }
    for (int i = 0; !produces && i < tiles; ++i) {
        pipe.consumer_wait();
        sum += s[i % stages][63 - threadIdx.x];
        pipe.consumer_release();
    }
    if (!produces) out[threadIdx.x - 32] = sum;
}"""
BULK = """#include <cuda/barrier>
namespace cde = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(const int* in, int* out) {
    __shared__ alignas(128) int s[256];
    __shared__ barrier bar;
    if (threadIdx.x == 0) { init(&bar, blockDim.x); cde::fence_proxy_async_shared_cta(); }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(s, in, sizeof(s), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(s));
    } else
        token = bar.arrive();
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(out, s, sizeof(s));
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}"""
CLUSTER = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(const int* in, int* out) {
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    cluster.sync();
    const int* there = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[cluster.thread_rank()] = there[31 - threadIdx.x] + cluster.num_blocks();
    cluster.sync();
}"""


@pytest.mark.parametrize("mode", list(Mode))
def test_producers_and_consumers_hand_over_stages(mode: Mode) -> None:
    data = np.arange(160, dtype=np.int32) ** 2
    arguments: dict[str, Argument] = {"in": data, "out": np.zeros(32, np.int32), "n": 160}
    trace = launch(ROLES, 1, 64, arguments, mode=mode)
    assert findings(trace) == ()
    assert np.array_equal(trace.values["out"], data.reshape(5, 32)[:, ::-1].sum(axis=0))


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [("pipe.consumer_wait();", "", "uninitialised-read"), ("pipe.consumer_release();", "", "deadlock")],
)
def test_a_stage_that_is_not_waited_for_is_found(old: str, new: str, kind: str) -> None:
    arguments: dict[str, Argument] = {"in": np.zeros(160, np.int32), "out": np.zeros(32, np.int32), "n": 160}
    trace = launch(ROLES.replace(old, new), 1, 64, arguments)
    assert kind in {each.kind for each in findings(trace)}


def test_bulk_copies_by_their_names() -> None:
    arguments: dict[str, Argument] = {"in": np.arange(256, dtype=np.int32), "out": np.zeros(256, np.int32)}
    trace = launch(BULK, 1, 64, arguments)
    assert findings(trace) == ()
    assert np.array_equal(trace.values["out"], np.arange(1, 257))
    late = launch(BULK.replace("    cde::fence_proxy_async_shared_cta();\n    __sync", "    __sync"), 1, 64, arguments)
    assert "asynchronous-access" in {each.kind for each in findings(late)}


def test_blocks_of_a_cluster_read_each_others_shared_memory() -> None:
    arguments: dict[str, Argument] = {"in": np.arange(64, dtype=np.int32), "out": np.zeros(64, np.int32)}
    trace = launch(CLUSTER, 2, 32, arguments)
    assert findings(trace) == ()
    assert np.array_equal(trace.values["out"], np.arange(63, -1, -1) + 2)
    early = launch(CLUSTER.replace("cluster.sync();", "", 1), 2, 32, arguments)
    assert "out-of-bounds" in {each.kind for each in findings(early)}


@pytest.mark.parametrize(("body", "said"), [
    ("__shared__ cuda::barrier<cuda::thread_scope_device> bar; bar.arrive_and_wait();", "of another scope is not executed"),
    ("__shared__ cuda::pipeline<cuda::thread_scope_system> pipe; pipe.producer_acquire();", "of another scope is not executed"),
    ("__shared__ cuda::barrier<cuda::thread_scope_block, int> bar; bar.arrive_and_wait();", "with a function of completion"),
])  # fmt: skip
def test_what_is_not_executed_is_refused_in_words(body: str, said: str) -> None:
    with pytest.raises(Unsupported, match=f":3:.*{said}"):
        launch(f"#include <cuda/pipeline>\n__global__ void k(int* out) {{\n    {body}\n    out[0] = 1;\n}}", 1, 32, {"out": np.zeros(1)})
