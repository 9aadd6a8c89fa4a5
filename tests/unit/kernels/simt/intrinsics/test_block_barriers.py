"""Barriers and pipelines of libcu++: what they order, what they copy, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Mode
from kernels.simt.run.execution import NotExecuted
from tests.simt_launch import launch

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


@pytest.mark.parametrize(("count", "line"), [("32", 13), ("block.size() + 1", 13)])
def test_a_barrier_of_other_threads_is_refused_where_it_is_used(count: str, line: int) -> None:
    text = BARRIER.replace("block.size())", f"{count})")
    with pytest.raises(NotExecuted, match="all threads of the block") as refused:
        launch(text, 1, 64, {"in": np.zeros(64, np.int32), "out": np.zeros(64, np.int32), "n": 64})
    assert refused.value.location is not None
    assert refused.value.location.line == line
