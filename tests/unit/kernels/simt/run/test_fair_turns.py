"""Threads that wait for others in a loop let them go first; a loop that no one can end is told as a deadlock, with who waits for whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.base.architectures import ARCHITECTURES, Gpu
from kernels.simt.base.launch import Budget, Fill, Filled, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.generate.waiting_loops import may_wait
from kernels.simt.lower import lower
from kernels.simt.trace.trace import Finding, Trace
from tests.launches.simt_launch import launch

MODES = pytest.mark.parametrize("mode", list(Mode))
LOCK = """__global__ void add(int* lock, int* count)
{
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(lock, 0, 1) != 0) { }
        __threadfence();
        *count = *count + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
"""


def zeros(count: int) -> Filled:
    return Filled(count, Fill.ZEROS)


def deadlock(trace: Trace) -> tuple[Finding, ...]:
    """The findings, all of which are deadlocks, told long before the budget ends."""
    assert {each.kind for each in trace.findings} == {"deadlock"}
    assert len(trace.rows.site) < 200
    return trace.findings


@MODES
def test_a_warp_that_spins_on_a_flag_lets_the_warp_go_that_sets_it(mode: Mode) -> None:
    text = """__global__ void f(volatile int* flag, int* out)
    {
        if (threadIdx.x < 32) { while (flag[0] == 0); out[threadIdx.x] = flag[1]; }
        else if (threadIdx.x == 32) { flag[1] = 7; __threadfence_block(); flag[0] = 1; }
    }"""
    for seed in range(4):
        trace = launch(text, 1, 64, {"flag": zeros(2), "out": Filled(32)}, mode=mode, seed=seed)
        assert trace.findings == ()
        assert (trace.values["out"].view(np.int32) == 7).all()


@MODES
def test_blocks_wait_for_the_flags_of_later_blocks(mode: Mode) -> None:
    text = """__global__ void f(volatile int* flag, int* out)
    {
        if (threadIdx.x == 0) {
            int next = blockIdx.x + 1;
            if (next < gridDim.x) while (flag[next] == 0) __nanosleep(100);
            out[blockIdx.x] = next < gridDim.x ? out[next] + 1 : 0;
            __threadfence();
            flag[blockIdx.x] = 1;
        }
    }"""
    trace = launch(text, 5, 32, {"flag": zeros(5), "out": zeros(5)}, mode=mode)
    assert trace.findings == ()
    assert trace.values["out"].view(np.int32).tolist() == [4, 3, 2, 1, 0]


def test_blocks_that_were_not_chosen_are_executed_where_a_chosen_one_waits_for_them() -> None:
    text = """__global__ void f(unsigned* arrived, int* out)
    {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x);
        out[blockIdx.x] = 1;
    }"""
    trace = launch(text, 4, 1, {"arrived": zeros(1), "out": zeros(4)}, blocks=(0,))
    assert trace.findings == ()
    assert len(trace.blocks) == 4
    assert trace.values["out"].view(np.int32).tolist() == [1, 1, 1, 1]


@MODES
def test_a_block_that_spins_keeps_its_own_shared_and_local_memory(mode: Mode) -> None:
    text = """__global__ void f(volatile int* flag, int* out)
    {
        __shared__ int s[32];
        int mine[4], *p = mine;
        s[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
        for (int i = 0; i < 4; ++i) p[(i + threadIdx.x) % 4] = blockIdx.x;
        if (threadIdx.x == 0 && blockIdx.x == 0) while (*flag == 0);
        if (threadIdx.x == 0 && blockIdx.x == 1) *flag = 1;
        out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x] + 1000 * p[threadIdx.x % 4];
    }"""
    trace = launch(text, 2, 32, {"flag": zeros(1), "out": Filled(64)}, mode=mode)
    assert trace.findings == ()
    assert trace.values["out"].view(np.int32).tolist() == [*range(32), *range(1100, 1132)]


@MODES
def test_a_spin_while_others_wait_at_a_barrier_is_a_deadlock_at_both_lines(mode: Mode) -> None:
    text = """__global__ void f(volatile int* flag)
    {
        if (threadIdx.x == 0)
            while (*flag == 0);
        __syncthreads();
        if (threadIdx.x == 32)
            *flag = 1;
    }"""
    (found,) = deadlock(launch(text, 1, 64, {"flag": zeros(1)}, mode=mode))
    assert found.other is not None
    assert (found.location.line, found.other.line, found.threads) == (4, 5, ((0, 0, 0), (32, 0, 0)))
    assert "barrier of line 5" in str(found.message)


@MODES
def test_two_locks_taken_in_opposite_order_are_a_deadlock_of_two_warps(mode: Mode) -> None:
    text = """__global__ void f(int* a)
    {
        if (threadIdx.x % 32) return;
        int one = threadIdx.x / 32, other = 1 - one;
        while (atomicExch(a + one, 1) == 1);
        __nanosleep(10);
        while (atomicExch(a + other, 1) == 1);
        atomicExch(a + other, 0);
        atomicExch(a + one, 0);
    }"""
    found = deadlock(launch(text, 1, 64, {"a": zeros(2)}, mode=mode))[0]
    assert found.other is not None
    if mode is Mode.WARP:
        assert (found.location.line, found.other.line, found.count) == (7, 7, 2)
        assert {found.threads[0][0], found.threads[1][0]} == {0, 32}


@MODES
def test_a_lock_that_its_holder_does_not_free_is_a_deadlock_with_where_the_holder_ended(mode: Mode) -> None:
    text = LOCK.replace("        atomicExch(lock, 0);\n", "")
    found = deadlock(launch(text, 1, 64, {"lock": zeros(1), "count": zeros(1)}, mode=mode))[0]
    assert found.other is not None
    assert (found.location.line, found.other.line) == (4, 6)
    assert "has ended after line 6" in str(found.message)


@MODES
def test_lanes_of_one_warp_that_spin_for_each_other_are_a_deadlock(mode: Mode) -> None:
    text = LOCK.replace("threadIdx.x % 32 == 0", "true")
    (found,) = deadlock(launch(text, 1, 64, {"lock": zeros(1), "count": zeros(1)}, mode=mode))
    assert found.other is not None
    assert (found.location.line, found.other.line, found.threads) == (4, 5, ((1, 0, 0), (0, 0, 0)))


@MODES
def test_blocks_that_a_gpu_has_no_room_for_are_told(mode: Mode) -> None:
    text = """__global__ void f(unsigned* arrived)
    {
        extern __shared__ char big[];
        if (threadIdx.x == 0) {
            atomicAdd(arrived, 1);
            while (atomicAdd(arrived, 0) < gridDim.x);
        }
    }"""
    options: dict[str, Any] = {"shared_bytes": 200 * 1024, "shared_limit": 227 * 1024, "budget": Budget(30.0)}
    found = launch(text, 133, 32, {"arrived": zeros(1)}, mode=mode, **options).findings
    assert [each.kind for each in found] == ["deadlock"]
    assert "132" in str(found[0].message)
    assert launch(text, 132, 32, {"arrived": zeros(1)}, mode=mode, **options).findings == ()
    small = Gpu(ARCHITECTURES["9.0"], 3)
    assert launch(text, 3, 32, {"arrived": zeros(1)}, mode=mode, gpu=small, **options).findings == ()
    (told,) = launch(text, 4, 32, {"arrived": zeros(1)}, mode=mode, gpu=small, **options).findings
    assert "room for 3 of these blocks" in str(told.message)


def test_a_loop_that_gives_up_by_itself_is_no_deadlock() -> None:
    text = """__global__ void f(volatile int* flag, int* out)
    {
        int tries = 0;
        while (true) { if (*flag != 0) break; __nanosleep(20); if (++tries == 50) break; }
        *out = tries;
    }"""
    trace = launch(text, 1, 1, {"flag": zeros(1), "out": Filled(1)}, mode=Mode.WARP)
    assert trace.findings == ()
    assert trace.values["out"].view(np.int32).tolist() == [50]


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("while (*p == 0);", True),
        ("while (atomicCAS(p, 0, 1) != 0);", True),
        ("do { n = *p; } while (n < 3);", True),
        ("bool done = false; while (!done) if (atomicCAS(p, 0, 1) == 0) { atomicExch(p, 0); done = true; }", True),
        ("for (;;) { if (p[n] == 1) break; }", True),
        ("__nanosleep(8);", True),
        ("int old = *p, seen; do { seen = old; old = atomicCAS(p, seen, seen + n); } while (seen != old);", False),
        ("int low = 0, high = n; while (low < high) { int m = (low + high) / 2; if (p[m] < n) low = m + 1; else high = m; }", False),
        ("for (int e = p[0]; e < p[1]; ++e) n += e;", False),
        ("while (n > 0) { n = p[n]; }", False),
        ("for (int i = 0; i < n; ++i) p[i] = i;", False),
        ("while (n < 100) n += 3;", False),
    ],
)
def test_loops_that_wait_are_told_from_those_that_end_by_themselves(body: str, waits: bool) -> None:
    unit = parse(f"__global__ void f(int* p, int n) {{ {body} }}")
    assert may_wait(lower(unit, "f").body) == waits


@MODES
@pytest.mark.parametrize("seed", range(3))
def test_warps_and_blocks_take_a_lock_in_turn(mode: Mode, seed: int) -> None:
    trace = launch(LOCK, 3, 128, {"lock": zeros(1), "count": zeros(1)}, mode=mode, seed=seed)
    assert trace.findings == ()
    assert trace.values["count"].view(np.int32).tolist() == [12]
