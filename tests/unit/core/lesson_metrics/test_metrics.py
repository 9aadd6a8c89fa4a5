"""Counts that lessons speak of, against numbers that can be worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.core.base.files.fields import Table
from app.core.gpu_view.subject import subject_of_draft
from app.core.lesson_metrics.answer import answer, answer_metrics
from app.core.lesson_metrics.metric import SubjectQuestion, Value
from app.core.lesson_metrics.read import metric_from
from app.core.lesson_metrics.rounding import fused, summed
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.base.messages import Message


def found(**fields: Any) -> Value | Message:
    """The answer to a metric as a file writes it."""
    return answer(metric_from(Table(fields)))


@pytest.mark.parametrize("n", [37, 64])
def test_each_element_of_c_is_stored_by_one_access(n: int) -> None:
    assert found(launch="gpu.naive", n=n, tile=16, count="accesses", operation="store") == n * n


def test_a_naive_thread_reads_two_values_for_each_k() -> None:
    assert found(launch="gpu.naive", n=37, tile=16, count="accesses", operation="load") == 2 * 37**3


def test_a_kernel_without_such_an_access_is_told_so() -> None:
    assert str(found(launch="gpu.naive", n=16, tile=16, count="ways", space="shared")) == "matmul_naive.cu makes no such access."


@pytest.mark.parametrize(
    ("count", "runs"),
    [("runs", 3), ("runs_host_first", 3), ("runs_warps_together", 3), ("runs_blocks_in_order", 0), ("runs_blocks_together", 3)],
)
def test_recorded_orders_are_counted_by_what_holds_of_them(count: str, runs: int) -> None:
    assert found(recorded="gpu.hello", blocks=32, threads_x=1, threads_y=1, count=count) == runs


def test_orders_that_nobody_recorded_are_not_guessed() -> None:
    assert isinstance(found(recorded="gpu.hello", blocks=31, threads_x=1, threads_y=1, count="runs"), Message)


def test_findings_name_the_threads_and_lanes_that_they_concern() -> None:
    text = 'extern "C" __global__ void past(float* out) { out[threadIdx.x] = 1.0f; }'
    settings = LaunchSettings("past", block=(40, 1, 1), arguments={"out": "38"})
    subject = subject_of_draft(Draft("past.cu", text, text, settings), profile_named(DEFAULT_PROFILE))
    asked: list[dict[str, Any]] = [{"count": count} for count in ("out_of_bounds", "finding_threads", "finding_lanes")]
    asked += [{"count": "finding_lanes", "name": kind} for kind in ("out-of-bounds", "data-race")]
    metrics = tuple(metric_from(Table({"launch": "past", **each}), {"past"}) for each in asked)
    past = frozenset({6, 7})
    assert answer_metrics(SubjectQuestion(subject, metrics)).values == (1, 2, past, past, frozenset())


REVERSAL = """extern "C" __global__ void turned(const float* in, float* out) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    BARRIER
    out[threadIdx.x] = s[63 - threadIdx.x];
}"""


@pytest.mark.parametrize(("barrier", "turns", "wrong"), [("", 2, 32), ("__syncthreads();", 0, 0)])
def test_the_schedule_that_breaks_a_race_is_counted(barrier: str, turns: int, wrong: int) -> None:
    """Where one warp goes first it reads 32 values that are not there yet."""
    text = REVERSAL.replace("BARRIER", barrier)
    settings = LaunchSettings("turned", block=(64, 1, 1), arguments={"in": "64:arange", "out": "64"})
    subject = subject_of_draft(Draft("turned.cu", text, text, settings), profile_named(DEFAULT_PROFILE))
    names = ("breaking_turns", "wrong_elements", "schedules_tried", "working_turns")
    metrics = tuple(metric_from(Table({"launch": "turned", "count": name}), {"turned"}) for name in names)
    values = answer_metrics(SubjectQuestion(subject, metrics)).values
    assert values[:2] == (turns, wrong)
    assert [isinstance(each, float) and each > turns for each in values[2:]] == [bool(turns)] * 2


def test_a_launch_without_findings_names_no_lanes() -> None:
    assert found(launch="gpu.naive", n=16, tile=16, count="finding_lanes") == frozenset()


def test_a_profiler_counted_the_sectors_of_each_tile_once_a_block() -> None:
    assert found(recorded="gpu.tiled", n=256, tile=16, count="counted_load_sectors") == 2 * 256**3 / 16 / 8


def test_recorded_occupancies_are_shares() -> None:
    assert found(recorded="gpu.register-tiled-k8", n=1024, count="counted_occupancy_limit") == 0.25


def test_counters_that_nobody_recorded_are_not_guessed() -> None:
    assert isinstance(found(recorded="gpu.tiled", n=512, tile=16, count="counted_registers"), Message)


def test_memory_takes_longer_the_farther_it_is() -> None:
    cycles = [found(setting="gpu.naive", n=16, count=f"{name}_latency") for name in ("shared", "l2", "dram")]
    known = [each for each in cycles if isinstance(each, float)]
    assert len(known) == 3
    assert 0 < known[0] < known[1] < known[2]


def test_the_processor_beside_the_gpu_has_times_where_uses_were_recorded() -> None:
    times = [found(recorded="gpu.tiled", n=n, count="best_cpu_ms") for n in (1024, 4096)]
    known = [each for each in times if isinstance(each, float)]
    assert len(known) == 2
    assert 0 < known[0] < known[1]
    assert isinstance(found(recorded="gpu.tiled", n=1000, count="best_cpu_ms"), Message)


def test_fusing_rounds_once_where_two_operations_round_twice() -> None:
    a = np.array([[np.float32(1 + 2**-12), np.float32(-1)]])
    b = np.array([[np.float32(1 + 2**-12)], [np.float32(1 + 2**-11)]])
    assert fused(a, b)[0, 0] == 0  # the first product is rounded when it is added to 0
    assert fused(a[:, ::-1], b[::-1])[0, 0] == np.float32(2**-24)
    assert summed(a[:, ::-1], b[::-1])[0, 0] == 0


def test_the_same_order_with_fused_operations_is_another_result() -> None:
    share = found(setting="gpu.naive", n=64, count="fusing_changes")
    assert isinstance(share, float)
    assert 0.5 < share < 1
