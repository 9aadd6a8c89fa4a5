"""Totals, lines, intensity, the two modes, and all findings in one list."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from kernels.analysis.counts import counts, warp_costs
from kernels.analysis.findings import findings
from kernels.analysis.reuse import Mode, array_of_rows, executed
from kernels.analysis.workload import workload
from kernels.base.messages import message
from kernels.simt.base.types import Location, Scope, Space
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import BarrierEvent, Finding, Site, Trace
from tests.launches.analysis_traces import Recorder, words

OWN = words(*range(32))
TOTALS = {
    "global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors", "global_atomic_requests",
    "shared_load_requests", "shared_store_requests", "shared_atomic_requests", "shared_load_wavefronts", "shared_store_wavefronts",
    "shared_atomic_wavefronts", "shared_operand_wavefronts", "shared_wavefronts_ideal", "shared_barrier_requests", "shared_copied_bytes",
    "barriers", "flops",
}  # fmt: skip


def staged() -> Recorder:
    recorder = Recorder(flops=640)
    recorder.load("a", 3, words(*range(1, 33)))
    recorder.store("s", 3, words(*range(0, 64, 2)))
    recorder.barrier()
    recorder.load("s", 5, OWN)
    recorder.load("s", 5, OWN)
    recorder.atomic("s", 6, OWN)
    recorder.atomic("a", 7, OWN)
    recorder.store("b", 8, OWN)
    return recorder


def test_totals_have_the_names_of_the_command() -> None:
    trace = staged().trace()
    events = (BarrierEvent(0, 2, Location(4, 1), 0), BarrierEvent(0, 2, Location(4, 1), 0, Scope.WARP))
    totals = asdict(counts(replace(trace, barriers=events)).totals)
    assert set(totals) == TOTALS
    assert totals == {
        "global_load_requests": 1, "global_load_sectors": 5, "global_store_requests": 1, "global_store_sectors": 4,
        "global_atomic_requests": 1, "shared_load_requests": 2, "shared_store_requests": 1,
        "shared_atomic_requests": 1, "shared_barrier_requests": 0, "shared_load_wavefronts": 2,
        "shared_store_wavefronts": 2, "shared_atomic_wavefronts": 1, "shared_operand_wavefronts": 0, "shared_wavefronts_ideal": 4,
        "shared_copied_bytes": 0, "barriers": 1, "flops": 640,
    }  # fmt: skip


@pytest.mark.parametrize(("mode", "barriers"), [("block", 8), ("warp", 5)])
def test_a_barrier_to_which_each_warp_comes_by_itself_counts_once(mode: str, barriers: int) -> None:
    recorder = Recorder(threads=96, blocks=2, mode=mode)
    for first in (32, 64):
        recorder.store("s", 3, [None] * first + words(*range(first, 96)))
    trace = recorder.trace()
    came = [(0, 0), (0, 1), (0, 0), (0, 0), (1, 0), (1, 1), (1, 1), (1, 0)]
    events = tuple(BarrierEvent(block, 2, Location(4, 1), mask) for block, mask in came)
    assert counts(replace(trace, barriers=events)).totals.barriers == barriers


def test_lines_say_what_each_line_did() -> None:
    lines = [line.as_object() for line in counts(staged().trace()).lines]
    assert [(line["line"], line["operation"], line["space"]) for line in lines] == [
        (3, "load", "global"), (3, "store", "shared"), (5, "load", "shared"), (6, "atomic", "shared"), (7, "atomic", "global"),
        (8, "store", "global"),
    ]  # fmt: skip
    assert lines[0] == {
        "line": 3, "operation": "load", "space": "global", "requests": 1, "sectors": 5, "bytes_used": 128, "bytes_moved": 160, "ideal": 4,
    }  # fmt: skip
    assert lines[1] == {
        "line": 3, "operation": "store", "space": "shared", "requests": 1, "wavefronts": 2, "wavefronts_hardware": 2, "ideal": 1,
    }  # fmt: skip


def test_two_places_on_a_line_are_one_line() -> None:
    recorder = Recorder()
    recorder.load("a", 3, OWN)
    recorder.load("b", 3, OWN)
    (line,) = counts(recorder.trace()).lines
    assert (line.requests, line.sectors) == (2, 8)


def test_what_has_no_addresses_counts_its_requests_only() -> None:
    recorder = Recorder(threads=64)
    recorder.access("load", "s", 3, words(*range(64)), tile=True)
    (line,) = counts(recorder.trace()).lines
    assert line.as_object() == {"line": 3, "operation": "load", "space": "shared", "requests": 2}


def test_what_tensor_cores_read_by_descriptors_is_no_request_and_its_wavefronts_count_apart() -> None:
    recorder = Recorder()
    recorder.access("load", "s", 4, words(*range(0, 128, 4)), size=16, function="wgmma.m64n128k16.f32.bf16.bf16")
    recorder.load("s", 5, words(*range(32)))
    trace = recorder.trace()
    found, work = counts(trace), workload(trace)
    assert [(line.operation, line.requests, line.wavefronts) for line in found.lines] == [("operand", 0, 4), ("load", 1, 1)]
    totals = found.totals
    assert (totals.shared_load_requests, totals.shared_load_wavefronts, totals.shared_operand_wavefronts) == (1, 1, 4)
    assert (work.operand_requests, work.operand_wavefronts, work.shared_load_at_most) == (1, 4, 1)
    assert work.shared_wavefronts == 5


def test_arithmetic_intensity_is_by_bytes_moved() -> None:
    recorder = Recorder(flops=1280)
    recorder.load("a", 3, words(*range(1, 33)))
    found = counts(recorder.trace())
    assert found.flops_per_byte_moved == 8.0
    assert counts(Recorder().trace()).flops_per_byte_moved is None


@pytest.mark.parametrize(
    ("operation", "function", "size", "barrier"),
    [
        ("atomic", "mbarrier.test_wait.parity", 8, True), ("atomic", "mbarrier.arrive", 8, True), ("store", "mbarrier.init", 8, True),
        ("atomic", "cp.async.mbarrier.arrive.noinc", 8, True), ("atomic", "cp.async.bulk.shared", 8, True),
        ("store", "cp.async.shared.global", 16, False), ("atomic", "red.async.add.u32", 8, True), ("atomic", "atomicExch", 8, False),
    ],
)  # fmt: skip
def test_operations_on_barriers_count_apart_and_meet_no_banks(operation: str, function: str, size: int, barrier: bool) -> None:
    recorder = Recorder()
    recorder.access(operation, "s", 4, words(*[0] * 32), size=size, function=function)
    trace = recorder.trace()
    found, costs = counts(trace), warp_costs(trace)
    (line,) = found.lines
    assert (line.operation, line.requests, line.wavefronts is None) == ("barrier" if barrier else operation, 1, barrier)
    assert found.totals.shared_barrier_requests == barrier
    assert [workload(trace).shared_wavefronts == 0, not costs.degree.any(), not costs.wavefronts.any()] == [barrier] * 3


@pytest.mark.parametrize(
    ("operation", "function"),
    [("load", "cp.async.bulk.global"), ("store", "cp.async.bulk.shared"), ("store", "st.async"), ("atomic", "red.async.add.u32")],
)
def test_what_a_copy_moves_counts_in_bytes_and_takes_no_wavefront(operation: str, function: str) -> None:
    recorder = Recorder()
    recorder.access(operation, "s", 4, words(3), size=16, function=function, piece=True)
    recorder.access("load", "a", 5, words(3), size=16, function=function, piece=True)
    trace = recorder.trace()
    found, costs = counts(trace), warp_costs(trace)
    assert [line.as_object() for line in found.lines] == [
        {"line": 4, "operation": "copy", "space": "shared", "requests": 0, "bytes_moved": 16},
        {"line": 5, "operation": "load", "space": "global", "requests": 0, "sectors": 1, "bytes_used": 16, "bytes_moved": 32, "ideal": 1},
    ]
    kept = {name: value for name, value in asdict(found.totals).items() if value}
    assert kept == {"global_load_sectors": 1, "shared_copied_bytes": 16}
    assert (workload(trace).requests, workload(trace).shared_wavefronts) == (0, 0)
    assert not costs.wavefronts.any()


@pytest.mark.parametrize("function", ["barrier.arrive", "cluster.arrive"])
def test_barriers_that_are_no_words_in_memory_are_no_accesses_to_it(function: str) -> None:
    recorder = Recorder()
    recorder.access("atomic", "s", 4, words(*[0] * 32), size=8, function=function)
    found = counts(recorder.trace())
    assert (found.lines, sum(value for name, value in asdict(found.totals).items() if name.startswith("shared"))) == ((), 0)


def reused_requests(recorder: Recorder) -> int:
    found = counts(recorder.trace(), Mode.REGISTER_REUSE)
    assert found.mode is Mode.REGISTER_REUSE
    return found.totals.shared_load_requests + found.totals.global_load_requests


def test_a_repeated_load_is_kept_in_a_register() -> None:
    recorder = staged()
    assert counts(recorder.trace()).totals.shared_load_requests == 2
    assert counts(recorder.trace(), Mode.REGISTER_REUSE).totals.shared_load_requests == 1


@pytest.mark.parametrize("between", ["store", "atomic", "barrier", "sync_warp"])
def test_a_store_or_a_barrier_in_between_loads_again(between: str) -> None:
    recorder = Recorder()
    recorder.load("s", 3, OWN)
    if between in ("store", "atomic"):
        getattr(recorder, between)("s", 4, words(2000))
    else:
        getattr(recorder, between)()
    recorder.load("s", 5, OWN)
    assert reused_requests(recorder) == 2


def test_a_store_elsewhere_does_not_clear_registers() -> None:
    recorder = Recorder()
    for _ in range(3):
        recorder.load("s", 3, OWN)
        recorder.load("a", 4, OWN)
        recorder.store("b", 5, OWN)
    assert reused_requests(recorder) == 2


def test_global_memory_that_is_written_is_loaded_each_time() -> None:
    recorder = Recorder()
    for _ in range(3):
        recorder.load("a", 3, OWN)
    recorder.store("a", 5, OWN)
    assert reused_requests(recorder) == 3


def test_blocks_and_differing_lanes_share_no_registers() -> None:
    recorder = Recorder()
    recorder.load("s", 3, OWN)
    recorder.load("s", 3, words(*range(16)))
    recorder.load("s", 3, words(*range(1, 33)))
    recorder.next_block()
    recorder.load("s", 3, OWN)
    assert reused_requests(recorder) == 4


def test_warps_run_alone_clear_only_their_own_registers() -> None:
    recorder = Recorder(threads=64, mode="warp")
    recorder.load("s", 3, OWN)
    recorder.store("s", 4, [None] * 32 + words(*range(1000, 1032)))
    recorder.load("s", 3, OWN)
    assert reused_requests(recorder) == 1
    assert reused_requests(replace_mode(recorder, "block")) == 2


def replace_mode(recorder: Recorder, mode: str) -> Recorder:
    recorder.mode = mode
    return recorder


def test_the_array_of_a_row_is_found_by_address_where_the_site_does_not_know() -> None:
    trace = staged().trace()
    known = array_of_rows(trace).tolist()
    blind = replace(trace, sites=tuple(replace(site, allocation=-1) for site in trace.sites))
    assert array_of_rows(blind).tolist() == known
    assert executed(blind, Mode.REGISTER_REUSE).tolist() == executed(trace, Mode.REGISTER_REUSE).tolist()


def seen(kind: FindingKind, line: int, row: int, count: int = 1) -> Finding:
    return Finding(kind, Location(line, 1), (0, 0, 0), ((0, 0, 0),), message("x"), row=row, count=count)


def test_findings_come_once_for_each_line_first_row_first() -> None:
    recorder = Recorder()
    recorder.store("s", 3, OWN)
    recorder.load("s", 5, words(*range(1, 32), 0))
    recorder.findings = (
        seen(FindingKind.BUDGET_EXCEEDED, 9, -1), seen(FindingKind.OUT_OF_BOUNDS, 7, 40),
        seen(FindingKind.OUT_OF_BOUNDS, 7, 12, 5), seen(FindingKind.MISALIGNED_ACCESS, 7, 0),
    )  # fmt: skip
    found = findings(recorder.trace())
    assert [(each.kind, each.location.line, each.row, each.count) for each in found] == [
        ("misaligned-access", 7, 0, 1), ("data-race", 5, 1, 32), ("out-of-bounds", 7, 12, 6), ("budget-exceeded", 9, -1, 1),
    ]  # fmt: skip


def constant_trace() -> Trace:
    recorder = Recorder()
    recorder.load("a", 3, OWN)
    trace = recorder.trace()
    return replace(trace, sites=(Site("load", Space.CONSTANT, 4, 1, Location(3, 1), "c[i]"),))


def test_constant_memory_counts_its_requests_only() -> None:
    found = counts(constant_trace())
    assert found.totals.global_load_requests == 0
    assert [line.as_object() for line in found.lines] == [{"line": 3, "operation": "load", "space": "constant", "requests": 1}]
