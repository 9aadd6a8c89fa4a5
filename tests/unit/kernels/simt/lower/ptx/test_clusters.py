"""Clusters: ranks, the barrier, other blocks' shared memory, arrivals from afar, copies to several blocks."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.lower.kernel import Unsupported
from tests.launches.simt_launch import launch

COMMON = r"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define CLUSTER_SYNC asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory")
__device__ unsigned rank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ unsigned in_block(unsigned address, unsigned r) {
    unsigned d; asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(address), "r"(r)); return d;
}
"""


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        ("0, 1, 1", "A cluster needs at least 1 block along each axis."),
        ("16, 1, 1", "16 blocks a cluster; more than 8 are not executed here, as not every GPU allows them."),
        ("2147483648, 2, 2", "8589934592 blocks a cluster; more than 8 are not executed here, as not every GPU allows them."),
    ],
)
def test_a_cluster_that_no_gpu_has_is_refused_where_it_stands(size: str, reason: str) -> None:
    with pytest.raises(Unsupported) as refused:
        launch(f"__global__ __cluster_dims__({size}) void k(float* out) {{ out[0] = 1; }}", 1, 1, {"out": np.zeros(1, np.float32)})
    assert [(each.line, str(each.message)) for each in refused.value.diagnostics] == [(1, reason)]


def test_places_in_a_cluster() -> None:
    """Ranks count along x, then y."""
    text = """__global__ __cluster_dims__(2, 2) void k(unsigned* out) {
        unsigned r, x, y, n, c;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
        asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
        asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
        asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(c));
        out[blockIdx.y * gridDim.x + blockIdx.x] = r + 10 * x + 100 * y + 1000 * n + 10000 * c;
    }"""
    trace = launch(text, (4, 2, 1), 1, {"out": np.zeros(8, np.uint32)})
    assert trace.values["out"].tolist() == [4000, 4011, 14000, 14011, 4102, 4113, 14102, 14113]


SHARED = (
    COMMON
    + """
__global__ __cluster_dims__(2, 1, 1) void k(float* out) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = 100 * rank() + t;
    FIRST
    float x;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(x) : "r"(in_block(AT(&s[t]), rank() ^ 1)));
    LAST
    out[blockIdx.x * 32 + t] = x;
}"""
)


def test_another_blocks_shared_memory_is_read() -> None:
    """Each block reads its neighbour's, between two meetings."""
    text = SHARED.replace("FIRST", "CLUSTER_SYNC;").replace("LAST", "CLUSTER_SYNC;")
    trace = launch(text, 4, 32, {"out": np.zeros(128, np.float32)})
    assert findings(trace) == ()
    assert trace.values["out"].tolist() == [100 * (block % 2 ^ 1) + t for block in range(4) for t in range(32)]


def test_the_meeting_orders_the_threads_of_a_block_too() -> None:
    """What one warp stores another one of its block reads behind it."""
    text = SHARED.replace("s[32]", "s[64]").replace("AT(&s[t]), rank() ^ 1", "AT(&s[63 - t]), rank()").replace("* 32 + t", "* 64 + t")
    for meeting, count in (("CLUSTER_SYNC;", 0), ("", 1)):
        trace = launch(text.replace("FIRST", meeting).replace("LAST", ""), 2, 64, {"out": np.zeros(128, np.float32)})
        assert [each.kind for each in findings(trace)] == ["data-race"] * count
    met = launch(text.replace("FIRST", "CLUSTER_SYNC;").replace("LAST", ""), 2, 64, {"out": np.zeros(128, np.float32)})
    assert met.values["out"].tolist() == [100 * block + 63 - t for block in range(2) for t in range(64)]


def test_a_block_that_has_not_begun_has_no_shared_memory() -> None:
    """Without the first meeting there is nothing to be read."""
    trace = launch(SHARED.replace("FIRST", "").replace("LAST", ""), 2, 32, {"out": np.zeros(64, np.float32)})
    assert "out-of-bounds" in {each.kind for each in trace.findings}


SENT = (
    COMMON
    + """
__global__ __cluster_dims__(2, 1, 1) void k(float* out, const float* x) {
    __shared__ __align__(128) float s[64];
    __shared__ unsigned long long full, done;
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(AT(&full)) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;\\n fence.mbarrier_init.release.cluster;" :: "r"(AT(&done)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(AT(&full)) : "memory");
    }
    CLUSTER_SYNC;
    if (t == 0 && rank() == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], %3;"
            :: "r"(AT(s)), "l"(x), "r"(AT(&full)), "h"((unsigned short)3) : "memory");
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra L; }" :: "r"(AT(&full)) : "memory");
    out[blockIdx.x * 64 + t] = s[t] + rank();
    if (t == 0)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(in_block(AT(&done), 0)) : "memory");
    if (rank() == 0)
        asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra L; }"
            :: "r"(AT(&done)) : "memory");
    CLUSTER_SYNC;
}"""
)


def test_a_copy_to_both_blocks_and_an_arrival_from_afar() -> None:
    """Rank 0 copies for both; both arrive at a barrier of rank 0."""
    x = np.arange(64, dtype=np.float32)
    trace = launch(SENT, 2, 64, {"out": np.zeros(128, np.float32), "x": x})
    assert findings(trace) == ()
    assert trace.values["out"].tolist() == [*x.tolist(), *(x + 1).tolist()]


MEMORY = """
__global__ void __cluster_dims__(2, 1, 1) k(int* g, int* out) {
    g[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
    BARRIER
    out[blockIdx.x * 32 + threadIdx.x] = g[(blockIdx.x ^ OTHER) * 32 + threadIdx.x];
}"""
MEET = 'asm volatile("barrier.cluster.arrive.aligned;\\nbarrier.cluster.wait.aligned;" ::: "memory");'


@pytest.mark.parametrize(("barrier", "other", "kinds"), [(MEET, 1, set()), ("", 1, {"data-race"}), (MEET, 2, {"data-race"})])
def test_the_barrier_orders_global_memory_for_its_own_cluster(barrier: str, other: int, kinds: set[str]) -> None:
    text = MEMORY.replace("BARRIER", barrier).replace("OTHER", str(other))
    trace = launch(text, 4, 32, {"g": np.zeros(128, np.int32), "out": np.zeros(128, np.int32)})
    assert {each.kind for each in findings(trace)} == kinds


EXCHANGED = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(float* out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    FIRST
    s[t] = t;
    MIDDLE
    float x = s[63 - t];
    LAST
    s[t] = x + 1;
    out[blockIdx.x * 64 + t] = s[t];
}"""
ARRIVE = 'asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");'
RELAXED = 'asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");'
WAIT = 'asm volatile("barrier.cluster.wait.aligned;" ::: "memory");'
SYNC = "cooperative_groups::this_cluster().sync();"


@pytest.mark.parametrize(
    ("first", "middle", "last", "races"),
    [
        ("", MEET, MEET, 0),
        ("", SYNC, SYNC, 0),
        ("", MEET, SYNC, 0),
        ("", ARRIVE + WAIT, "__syncthreads();", 0),
        ("", MEET, "", 1),
        ("", "", MEET, 1),
        ("", ARRIVE + "float own = s[t];" + WAIT, MEET, 0),
        (ARRIVE, WAIT, MEET, 1),
        ("", RELAXED + WAIT, MEET, 1),
    ],
)
def test_the_meeting_orders_plain_accesses_of_one_block(first: str, middle: str, last: str, races: int) -> None:
    """What comes before a thread's arrival is ordered before what comes behind another one's wait, in its own block as in others; what
    stands between arrival and wait is not, nor is anything by an arrival that is relaxed."""
    text = EXCHANGED.replace("FIRST", first).replace("MIDDLE", middle).replace("LAST", last)
    trace = launch(text, 4, 64, {"out": np.zeros(256, np.float32)})
    assert [each.kind for each in findings(trace) if each.kind == "data-race"] == ["data-race"] * races
    if not races:
        assert findings(trace) == ()
        assert trace.values["out"].tolist() == [64.0 - t for _ in range(4) for t in range(64)]
