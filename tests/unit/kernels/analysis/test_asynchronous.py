"""What tensor cores and copies in bulk may see too early or too late."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.trace.trace import Finding
from tests.launches.simt_launch import launch

PRODUCT = """
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void k(float* out, const float* x) {
    __shared__ __align__(1024) unsigned short a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) a[i] = i;
    if (t < 128) b[t] = t;
    FENCE
    __syncthreads();
    unsigned long long da = AT(a) >> 4 | 8ull << 16 | 16ull << 32, db = AT(b) >> 4 | 8ull << 16 | 16ull << 32;
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(da), "l"(db));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    EARLY
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    LATE
    for (int i = 0; i < 4; ++i) out[i * 128 + t] = d[i];
}"""
FENCE = 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");'


def found(fence: str = FENCE, early: str = "", late: str = "") -> tuple[Finding, ...]:
    text = PRODUCT.replace("FENCE", fence).replace("EARLY", early).replace("LATE", late)
    return findings(launch(text, 1, 128, {"out": np.zeros(512, np.float32), "x": np.zeros(512, np.float32)}))


def test_a_fence_shows_the_tensor_cores_what_threads_wrote() -> None:
    assert found(late="a[t] = 0;") == ()


@pytest.mark.parametrize("fence", ["", "__threadfence_block();"])
def test_without_the_fence_of_proxies_they_may_not_see_it(fence: str) -> None:
    told = found(fence)
    assert {each.kind for each in told} == {"asynchronous-access"}
    assert [(each.location.line, None if each.other is None else each.other.line) for each in told] == [(13, 6), (13, 7)]


def test_what_is_read_must_not_be_overwritten_before_the_wait() -> None:
    (told,) = found(early="a[t] = 0;")
    assert told.kind == "asynchronous-access"
    assert told.location.line == 16


def test_a_copy_out_of_shared_memory_needs_the_fence_too() -> None:
    text = """
__global__ void k(float* out) {
    __shared__ __align__(128) float s[64];
    s[threadIdx.x] = threadIdx.x;
    FENCE
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
            :: "l"(out), "r"((unsigned)__cvta_generic_to_shared(s)) : "memory");
}"""
    for fence, kinds in ((FENCE, set()), ("", {"asynchronous-access"})):
        told = findings(launch(text.replace("FENCE", fence), 1, 64, {"out": np.zeros(64, np.float32)}))
        assert {each.kind for each in told} == kinds
