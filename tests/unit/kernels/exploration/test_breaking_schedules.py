"""The schedule that breaks a race, the one that works, and the wrong values from the first to the output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kernels.analysis.races import races
from kernels.exploration.breaking_schedules import Interleavings, interleavings
from kernels.simt.base.launch import Argument, Budget, Fill, Filled, Keep, LaunchRequest
from kernels.simt.base.schedule import Late, Old, Rule, Schedule, Thread
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.machine.memory import variable_key
from kernels.simt.run.execution import execute
from kernels.simt.run.scheduled import follow

REVERSE = """__global__ void reverse(const float* in, float* out)
{
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def search(text: str, grid: int, block: int, arguments: Mapping[str, Argument], **options: Any) -> Interleavings:
    """Look at the first race of a launch."""
    unit = parse(text)
    kernel = lower(unit, unit.kernels[0].name)
    request = LaunchRequest((grid, 1, 1), (block, 1, 1), arguments)
    answer = interleavings(kernel, request, races(execute(kernel, request))[0], text, **options)
    assert isinstance(answer, Interleavings)
    return answer


def test_a_missing_barrier_breaks_where_one_warp_goes_before_the_other() -> None:
    found = search(REVERSE, 1, 64, {"in": Filled(64, Fill.ARANGE), "out": Filled(64)})
    assert found.breaks is not None
    assert len(found.breaks.turns) == 2
    assert found.breaks.schedule.rule is Rule.IN_ORDER
    assert not found.serial
    assert found.count == 32
    assert (found.elements[0].array, found.elements[0].index, found.elements[0].right) == ("out", 0, 63.0)
    assert "2 turns" in str(found.sentence)


def test_the_racing_accesses_come_the_other_way_round() -> None:
    found = search(REVERSE, 1, 64, {"in": Filled(64, Fill.ARANGE), "out": Filled(64)})
    assert found.breaks is not None
    (read, write), (wrong_read, wrong_write) = found.works.racing, found.breaks.racing
    if found.finding.location.line == 4:
        (write, read), (wrong_write, wrong_read) = found.works.racing, found.breaks.racing
    assert write < read
    assert wrong_read < wrong_write


def test_wrong_values_are_followed_from_the_first_load_to_the_output() -> None:
    found = search(REVERSE, 1, 64, {"in": Filled(64, Fill.ARANGE), "out": Filled(64)})
    assert found.breaks is not None
    trace = found.breaks.trace
    lines = [trace.sites[trace.rows.site[each.row]].location.line for each in found.wrong]
    assert lines == [5, 5]
    assert [each.operation for each in found.wrong] == ["load", "store"]
    assert found.wrong[0].lanes == found.wrong[1].lanes == tuple(range(32))


def test_threads_of_one_warp_go_apart() -> None:
    text = REVERSE.replace("63 -", "31 -").replace("[64]", "[32]")
    found = search(text, 1, 32, {"in": Filled(32, Fill.ARANGE), "out": Filled(32)})
    assert found.breaks is not None
    assert len(found.breaks.schedule.parts) > 1
    assert {each.warp for each in found.breaks.turns} == {0}


def test_lost_updates_are_wrong_though_all_go_in_step() -> None:
    found = search("__global__ void count(int* n) { *n = *n + 1; }", 2, 32, {"n": Filled(1, Fill.ZEROS)})
    assert found.serial
    assert found.elements[0].right == 64
    assert found.elements[0].wrong < 64


def test_only_the_blocks_of_the_race_are_executed() -> None:
    text = REVERSE.replace("in[threadIdx", "in[64 * blockIdx.x + threadIdx").replace("out[threadIdx", "out[64 * blockIdx.x + threadIdx")
    found = search(text, 9, 64, {"in": Filled(9 * 64, Fill.ARANGE), "out": Filled(9 * 64)})
    assert len(found.works.trace.blocks) == 1


def test_a_race_that_changes_nothing_is_told_with_how_many_schedules_were_tried() -> None:
    text = "__global__ void set(int* n, int* out) { if (blockIdx.x == 0) *n = 1; else *out = *n * 0; }"
    found = search(text, 2, 1, {"n": Filled(1, Fill.ZEROS), "out": Filled(1)})
    assert found.breaks is None
    assert found.tried > 10
    assert str(found.tried) in str(found.sentence)


def test_the_same_seed_gives_the_same_answer() -> None:
    text = "__global__ void f(int* a) { int i = threadIdx.x; a[(i + 1) % 64] = a[i] + i; }"
    one, other = (search(text, 1, 64, {"a": Filled(64, Fill.ARANGE)}, seed=5) for _ in range(2))
    assert (one.tried, one.elements, one.wrong, one.count) == (other.tried, other.elements, other.wrong, other.count)
    assert one.breaks is not None
    assert other.breaks is not None
    assert one.breaks.turns == other.breaks.turns
    assert np.array_equal(one.breaks.trace.rows.offset, other.breaks.trace.rows.offset)


MESSAGE = """__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42; FENCE
        *flag = 1;
    } else {
        while (*flag == 0); ACQUIRE
        *out = *data;
    }
}
"""
ARRAYS = {"flag": Filled(1, Fill.ZEROS), "data": Filled(1), "out": Filled(1)}


def test_a_store_is_seen_after_the_flag_where_no_fence_stands() -> None:
    found = search(MESSAGE.replace("FENCE", "").replace("ACQUIRE", ""), 2, 1, ARRAYS)
    assert found.breaks is not None
    unordered = found.breaks.trace.unordered
    assert unordered is not None
    assert len(found.breaks.schedule.late) == len(unordered.row) == 1
    assert unordered.made[0] < unordered.row[0]
    assert (found.elements[0].right, found.elements[0].wrong) == (42, -1)
    assert [each.late for each in found.breaks.turns] == [False, False, True]
    assert found.works.trace.unordered is None


def test_an_old_value_is_read_where_the_reader_has_no_fence() -> None:
    text = """#include <cuda/atomic>
    __global__ void pass(int* flag, int* data, int* out) {
        cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
        if (blockIdx.x == 0) {
            *data = 42;
            ready.store(1, cuda::memory_order_release);
        } else {
            while (ready.load(cuda::memory_order_relaxed) == 0);
            *out = *data;
        }
    }"""
    found = search(text, 2, 1, ARRAYS)
    assert found.breaks is not None
    assert found.breaks.trace.unordered is not None
    assert "reads an old value in block (1, 0, 0)" in str(found.sentence)


def follow_late(text: str) -> int:
    """What comes out where block 0's store of the data is seen as late as may be, and its reader reads what is as old as may be."""
    unit = parse(text)
    request = LaunchRequest((2, 1, 1), (1, 1, 1), ARRAYS, keep=Keep.HISTORY)
    late, old = Late(Thread(0, 0), "", 4), Old(Thread(1, 0), "", 8)
    done = follow(lower(unit, "pass"), request, Schedule(Rule.IN_ORDER, late=(late,), old=(old,)))
    return int(done.memory["out"].view(np.int32)[0])


def test_fences_on_both_sides_leave_nothing_late_or_old() -> None:
    fence, narrow = "__threadfence();", "__threadfence_block();"
    given = {each: follow_late(MESSAGE.replace("FENCE", each[0]).replace("ACQUIRE", each[1])) for each in
             [("", ""), (fence, ""), ("", fence), (fence, narrow), (narrow, fence), (fence, fence)]}  # fmt: skip
    assert [pair for pair, out in given.items() if out == 42] == [(fence, fence)]


def test_a_thread_sees_its_own_late_store() -> None:
    text = "__global__ void pass(int* flag, int* data, int* out)\n{\n\n if (blockIdx.x == 0) { data[0] = 7;\n out[0] = data[0]; }\n}"
    assert follow_late(text) == 7


def test_a_schedule_in_which_threads_wait_for_ever_breaks_a_launch() -> None:
    text = """__global__ void f(volatile int* flag, int* out)
    {
        if (threadIdx.x == 0) { *flag = 0; while (*flag == 0); out[0] = 1; }
        if (threadIdx.x == 32) *flag = 1;
    }"""
    found = search(text, 1, 64, {"flag": Filled(1, Fill.ZEROS), "out": Filled(1)})
    assert found.breaks is not None
    assert not found.breaks.ended or not found.works.ended


def test_schedules_begin_with_what_the_host_has_put_into_variables() -> None:
    unit = parse("__constant__ int turn;\n" + REVERSE.replace("63 - threadIdx.x", "turn - threadIdx.x"))
    kernel = lower(unit, unit.kernels[0].name)
    (variable,) = [each for each in kernel.globals if each.name == "turn"]
    content = {variable_key(variable): np.array([63], np.int32).view(np.uint8)}
    request = LaunchRequest((1, 1, 1), (64, 1, 1), {"in": Filled(64, Fill.ARANGE), "out": Filled(64)}, variables=content)
    (finding,) = races(execute(kernel, request))
    found = interleavings(kernel, request, finding)
    assert isinstance(found, Interleavings)
    assert found.breaks is not None
    assert (found.elements[0].array, found.elements[0].right, found.count) == ("out", 63.0, 32)


def test_a_schedule_that_is_stopped_by_the_clock_breaks_nothing() -> None:
    long = REVERSE.replace("    out[", "    for (int i = 0; i < 40; ++i) s[threadIdx.x] += in[threadIdx.x];\n    out[")
    kernel = lower(unit := parse(long), unit.kernels[0].name)
    request = LaunchRequest((1, 1, 1), (64, 1, 1), {"in": Filled(64, Fill.ARANGE), "out": Filled(64)})
    finding = races(execute(kernel, request))[0]
    stopped = replace(request, budget=Budget(seconds=0.0))
    assert not follow(kernel, stopped, Schedule(Rule.IN_ORDER)).possible
    assert "came to no end" in str(interleavings(kernel, stopped, finding))
