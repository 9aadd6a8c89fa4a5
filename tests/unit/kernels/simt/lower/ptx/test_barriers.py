"""Barriers in shared memory and copies in bulk: what is waited for, what is pending, who waits for ever."""

from __future__ import annotations

import numpy as np

from kernels.analysis.findings import findings
from kernels.analysis.races import races
from kernels.simt.trace.events import Happening
from tests.launches.simt_launch import launch

COMMON = r"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__device__ void init(unsigned long long* b, int n) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n fence.proxy.async.shared::cta;" :: "r"(AT(b)), "r"(n) : "memory");
}
__device__ void expect(unsigned long long* b, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(AT(b)), "r"(bytes) : "memory");
}
__device__ void arrive(unsigned long long* b) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" :: "r"(AT(b)) : "memory");
}
__device__ void wait(unsigned long long* b, int parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}"
        :: "r"(AT(b)), "r"(parity) : "memory");
}
__device__ void copy(void* to, const void* from, int bytes, unsigned long long* b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(AT(to)), "l"(from), "r"(bytes), "r"(AT(b)) : "memory");
}
"""
LOADED = (
    COMMON
    + """
__global__ void k(float* out, const float* x) {
    __shared__ __align__(128) float s[256];
    __shared__ unsigned long long b;
    if (threadIdx.x == 0) init(&b, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&b, EXPECTED);
        copy(s, x, 1024, &b);
    }
    WAIT
    out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 128];
}"""
)
X = np.arange(256, dtype=np.float32)


def test_a_copy_is_there_when_its_barrier_says_so() -> None:
    """Bytes and one arrival complete the phase; the trace has the rows of the one thread that asked."""
    text = LOADED.replace("WAIT", "wait(&b, 0);").replace("EXPECTED", "1024")
    trace = launch(text, 1, 128, {"out": np.zeros(128, np.float32), "x": X})
    assert trace.findings == ()
    assert trace.values["out"].tolist() == (X[:128] + X[128:]).tolist()
    assert races(trace) == ()
    stored = [row for row, site in enumerate(trace.rows.site) if trace.sites[site].bytes == 128]
    assert {trace.sites[trace.rows.site[row]].function for row in stored} == {"cp.async.bulk.shared"}
    assert {int(trace.masks[trace.rows.mask[row]].sum()) for row in stored} == {1}
    told = [(each.kind, each.value) for each in trace.events if each.kind is not Happening.BARRIER_WAITED]
    assert told == [
        (Happening.BARRIER_INIT, 1), (Happening.BARRIER_EXPECT, 1024), (Happening.BARRIER_ARRIVE, 1), (Happening.COPY_ISSUED, 1024),
        (Happening.COPY_COMPLETED, 1024), (Happening.BARRIER_PHASE, 1),
    ]  # fmt: skip


def test_what_is_read_before_the_wait_is_pending() -> None:
    """Without the wait the target has not been written."""
    text = LOADED.replace("WAIT", "").replace("EXPECTED", "1024")
    trace = launch(text, 1, 128, {"out": np.zeros(128, np.float32), "x": X})
    assert "uninitialised-read" in {each.kind for each in trace.findings}


def test_more_bytes_expected_than_come_are_waited_for_for_ever() -> None:
    """A wrong number of bytes is a deadlock where it is too large; too few complete the phase never, too: the count goes below zero."""
    text = LOADED.replace("WAIT", "wait(&b, 0);").replace("EXPECTED", "2048")
    trace = launch(text, 1, 128, {"out": np.zeros(128, np.float32), "x": X})
    assert {each.kind for each in trace.findings} == {"deadlock"}


RING = (
    COMMON
    + """
__global__ void k(float* out, const float* x, int steps) {
    __shared__ __align__(128) float s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) for (int i = 0; i < 2; ++i) { init(&full[i], 1); init(&empty[i], CONSUMERS); }
    __syncthreads();
    if (t >= 64) {
        for (int i = 0; i < steps && t == 64; ++i) {
            wait(&empty[i % 2], i / 2 & 1 ^ 1);
            expect(&full[i % 2], 256);
            copy(s[i % 2], x + 64 * i, 256, &full[i % 2]);
        }
        return;
    }
    float sum = 0;
    for (int i = 0; i < steps; ++i) {
        wait(&full[i % 2], i / 2 & 1);
        sum += s[i % 2][t];
        RELEASE
    }
    out[t] = sum;
}"""
)
LONG = np.arange(64 * 7, dtype=np.float32)


def test_a_ring_of_stages_between_producer_and_consumers() -> None:
    """Warps take turns; full and empty barriers order everything."""
    text = RING.replace("CONSUMERS", "64").replace("RELEASE", "arrive(&empty[i % 2]);")
    trace = launch(text, 1, 96, {"out": np.zeros(64, np.float32), "x": LONG, "steps": 7})
    assert trace.findings == ()
    assert trace.values["out"].tolist() == LONG.reshape(7, 64).sum(axis=0).tolist()
    assert races(trace) == ()


def test_a_stage_that_is_given_back_too_early_is_a_race() -> None:
    """One warp gives the stage back for all: the other may still read it."""
    text = RING.replace("CONSUMERS", "32").replace("RELEASE", "if (t < 32) arrive(&empty[i % 2]);")
    trace = launch(text, 1, 96, {"out": np.zeros(64, np.float32), "x": LONG, "steps": 7})
    assert "data-race" in {each.kind for each in races(trace)}


def test_copies_out_of_shared_memory_wait_in_groups() -> None:
    """Bytes go to global memory by the time the group is waited for."""
    text = (
        COMMON
        + """
    __global__ void k(float* out) {
        __shared__ __align__(128) float s[64];
        s[threadIdx.x] = threadIdx.x;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(out), "r"(AT(s)), "r"(256) : "memory");
            asm volatile("cp.async.bulk.commit_group;\\n cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }"""
    )
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.float32)})
    assert trace.findings == ()
    assert trace.values["out"].tolist() == list(range(64))


PINGPONG = """
__global__ void k(float* out) {
    __shared__ float s[64];
    int t = threadIdx.x, warp = t / 32;
    for (int i = 0; i < 3; ++i) {
        if (warp < 2) {
            s[t] = i * 100 + t;
            asm volatile("bar.arrive 1, 96;" ::: "memory");
            asm volatile("bar.sync 2, 96;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 96;" ::: "memory");
            out[i * 32 + t % 32] = s[t % 32] + s[t % 32 + 32];
            SECOND
        }
    }
}"""


def test_barriers_with_numbers_join_some_warps() -> None:
    """Two warps fill, one empties: each waits for the others at a barrier of its own."""
    text = PINGPONG.replace("SECOND", 'asm volatile("barrier.cta.sync 2, 96;" ::: "memory");')
    trace = launch(text, 1, 96, {"out": np.zeros(96, np.float32)})
    assert findings(trace) == ()
    assert trace.values["out"].tolist() == [i * 200 + 2 * t + 32 for i in range(3) for t in range(32)]


def test_a_barrier_with_a_number_that_some_never_come_to() -> None:
    """The two warps wait for ever."""
    trace = launch(PINGPONG.replace("SECOND", ""), 1, 96, {"out": np.zeros(96, np.float32)})
    assert "deadlock" in {each.kind for each in trace.findings}
