"""Addresses of shared memory in a cluster: the rank of the block is their upper byte, of the own block's too; and what becomes of a matrix
descriptor that is made of one."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.rounding import bfloat16_bits
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch

ASKED = r"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__device__ unsigned rank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ unsigned in_block(unsigned address, unsigned r) {
    unsigned d; asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(address), "r"(r)); return d;
}
__global__ CLUSTER void k(unsigned* out) {
    __shared__ unsigned s[4];
    s[threadIdx.x] = 10 * blockIdx.x + threadIdx.x;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    unsigned own = AT(s), x;
    ASK
    out[blockIdx.x * 4 + threadIdx.x] = x;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}"""
OTHER = "(own & 0xFFFFFF | (rank() ^ 1) << 24)"


@pytest.mark.parametrize(
    ("ask", "first", "second"),
    [
        ("x = own >> 24;", 0, 1),
        ("x = in_block(own, 1) >> 24;", 1, 1),
        ("x = in_block(in_block(own, 1), rank()) == own;", 1, 1),
        (f"x = in_block(own, rank() ^ 1) == {OTHER};", 1, 1),
        ('asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(x) : "r"(own));', 0, 1),
        (f'asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(x) : "r"({OTHER}));', 1, 0),
        (f'asm volatile("ld.shared::cluster.u32 %0, [%1 + 4];" : "=r"(x) : "r"({OTHER}));', 11, 1),
        ('asm volatile("ld.shared::cluster.u32 %0, [%1 + 4];" : "=r"(x) : "r"(own & 0xFFFFFF));', 1, 1),
        ('asm volatile("ld.shared.u32 %0, [%1 + 4];" : "=r"(x) : "r"(own));', 1, 11),
        ("x = ((unsigned*)__cvta_shared_to_generic(own))[2];", 2, 12),
        (f"x = ((unsigned*)__cvta_shared_to_generic({OTHER}))[2];", 12, 2),
        ("x = __cvta_shared_to_generic(own) == s;", 1, 1),
    ],
)
def test_the_upper_byte_is_the_rank(ask: str, first: int, second: int) -> None:
    text = ASKED.replace("CLUSTER", "__cluster_dims__(2)").replace("ASK", ask)
    trace = launch(text, 4, 4, {"out": np.zeros(16, np.uint32)})
    assert trace.values["out"].reshape(2, 2, 4)[0].tolist() == [[first] * 4, [second] * 4]
    assert findings(trace) == ()


def test_without_a_cluster_there_is_none() -> None:
    trace = launch(ASKED.replace("CLUSTER", "").replace("ASK", "x = own >> 24;"), 4, 4, {"out": np.zeros(16, np.uint32)})
    assert not trace.values["out"].any()


MULTIPLIED = r"""
#define AT(p) ADDRESS
__global__ __cluster_dims__(2) void k(float* out, const uint4* image) {
    __shared__ __align__(1024) uint4 s[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) s[i] = image[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {};
    unsigned long long more = (unsigned long long)(NEXT_K >> 4) << 16 | (unsigned long long)(NEXT_ROWS >> 4) << 32 | MODE << 62;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(AT(s) >> 4 | more), "l"(AT(s + 512) >> 4 | more));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) out[(blockIdx.x * 4 + i) * 128 + t] = d[i];
}"""
WITH_RANK, WITHOUT = "(unsigned)__cvta_generic_to_shared(p)", "((unsigned)__cvta_generic_to_shared(p) & 0x3FFFF)"
NO_SWIZZLE, SWIZZLE = {"NEXT_K": "1024", "NEXT_ROWS": "128", "MODE": "0ull"}, {"NEXT_K": "16", "NEXT_ROWS": "1024", "MODE": "1ull"}


def multiplied(address: str, layout: dict[str, str]) -> tuple[Trace, bool]:
    """A launch of one cluster, and whether both blocks computed the same."""
    text = MULTIPLIED.replace("ADDRESS", address)
    for name, value in layout.items():
        text = text.replace(name, value)
    numbers = np.random.default_rng(19).integers(-8, 9, 8192).astype(np.float32)
    trace = launch(text, 2, 128, {"out": np.zeros(1024, np.float32), "image": bfloat16_bits(numbers).view(np.uint32)})
    first, second = trace.values["out"].reshape(2, 512)
    assert first.any()
    return trace, bool(np.array_equal(first, second))


def test_a_rank_in_a_matrix_descriptor_reads_elsewhere_and_is_told() -> None:
    trace, same = multiplied(WITH_RANK, NO_SWIZZLE)
    assert not same
    (found,) = findings(trace)
    assert (found.kind, found.location.line) == ("asynchronous-access", 12)
    assert "0x3FFFF" in str(found.message)


@pytest.mark.parametrize(("address", "layout"), [(WITHOUT, NO_SWIZZLE), (WITHOUT, SWIZZLE), (WITH_RANK, SWIZZLE)])
def test_a_rank_that_is_taken_off_or_lies_where_nothing_reads_it_is_not(address: str, layout: dict[str, str]) -> None:
    """With a swizzle the offset from 8 steps of k to the next is not used."""
    trace, same = multiplied(address, layout)
    assert same
    assert findings(trace) == ()
