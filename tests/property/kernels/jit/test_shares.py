"""Laws of the analysis of a multi-threaded run, for any run in which a thread does one thing at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.jit.thread_times import Cause, idle, shares
from kernels.measure.real_run import Chunks
from tests.devices.team_runs import Row, chunks_of


@st.composite
def runs(draw: st.DrawFn) -> Chunks:
    """Any number of chunks a loop and thread, with any pauses; loops are separated by a barrier."""
    threads, rows, barrier = draw(st.integers(1, 5)), [], 0.0
    lengths = st.floats(0, 50)
    for loop in range(draw(st.integers(0, 3))):
        ends = [barrier]
        for thread in range(threads):
            moment = barrier
            for number in range(draw(st.integers(0, 4))):
                start = moment + draw(lengths)
                moment = start + draw(lengths)
                rows.append((thread, loop, number, number + 1, start, moment))
            ends.append(moment)
        barrier = max(ends)
    return chunks_of(threads, draw(st.permutations(rows)), barrier + draw(lengths))


@given(runs())
def test_busy_and_idle_fill_the_time_of_every_thread(chunks: Chunks) -> None:
    for share in shares(chunks).threads:
        assert share.busy_ms + share.idle_ms == pytest.approx(chunks.elapsed_ms)


@given(runs())
def test_imbalance_is_between_one_and_the_number_of_threads(chunks: Chunks) -> None:
    found = shares(chunks)
    for imbalance in (found.imbalance, *(loop.imbalance for loop in found.loops)):
        assert 1 <= imbalance <= chunks.threads * (1 + 1e-9)


@given(runs())
def test_no_run_keeps_more_cores_busy_than_its_bound_and_no_bound_is_above_its_threads(chunks: Chunks) -> None:
    found = shares(chunks)
    assert found.cores_kept_busy <= found.speedup_bound * (1 + 1e-9)
    assert found.speedup_bound <= chunks.threads * (1 + 1e-9)
    assert -1e-9 <= found.idle_part <= 1


@given(runs())
def test_loops_and_threads_count_the_same_chunks_and_times(chunks: Chunks) -> None:
    found = shares(chunks)
    assert sum(loop.chunks for loop in found.loops) == sum(share.chunks for share in found.threads) == len(chunks.thread)
    for share in found.threads:
        assert sum(loop.busy_ms[share.thread] for loop in found.loops) == pytest.approx(share.busy_ms)


@given(runs())
def test_no_thread_is_idle_and_busy_at_a_time(chunks: Chunks) -> None:
    found = idle(chunks)
    for thread in range(chunks.threads):
        mine, busy = found.thread == thread, chunks.thread == thread
        starts = np.concatenate([found.start_ms[mine], chunks.start_ms[busy]])
        ends = np.concatenate([found.end_ms[mine], chunks.end_ms[busy]])
        order = np.lexsort((ends, starts))
        assert starts[order][0] == 0
        assert np.allclose(ends[order][:-1], starts[order][1:])
        assert ends[order][-1] == pytest.approx(chunks.elapsed_ms)


def test_a_run_by_hand() -> None:
    """Thread 0 works 4 ms of 10, thread 1 6 ms, and thread 2 nothing."""
    rows: list[Row] = [
        (0, 0, 0, 2, 0.0, 1.0), (0, 0, 4, 6, 1.5, 3.5), (1, 0, 2, 4, 0.5, 4.5),
        (0, 1, 0, 9, 5.0, 6.0), (1, 1, 9, 12, 5.5, 7.5),
    ]  # fmt: skip
    found = shares(chunks_of(3, rows, 10.0))
    first, second, third = found.threads
    assert (first.chunks, first.iterations, first.busy_ms, first.idle_by_cause_ms) == (3, 13, 4.0, (0.0, 0.5, 1.5, 4.0))
    assert (second.chunks, second.iterations, second.busy_ms, second.idle_by_cause_ms) == (2, 5, 6.0, (0.5, 0.0, 1.0, 2.5))
    assert (third.chunks, third.busy_ms, third.idle_by_cause_ms[Cause.END]) == (0, 0.0, 10.0)
    assert [(loop.start_ms, loop.end_ms, loop.busy_ms) for loop in found.loops] == [
        (0.0, 4.5, (3.0, 4.0, 0.0)),
        (5.0, 7.5, (1.0, 2.0, 0.0)),
    ]
    assert found.loops[0].imbalance == pytest.approx(4 / (7 / 3))
    assert found.imbalance == pytest.approx(6 / (10 / 3))
    assert found.cores_kept_busy == pytest.approx(1.0)
    assert found.speedup_bound == pytest.approx(10 / (4 + 2))
    assert found.handing_out_us == pytest.approx(500)
    assert found.idle_part == pytest.approx(2 / 3)


def test_a_run_without_chunks_is_idle_and_even() -> None:
    found = shares(chunks_of(2, [], 3.0))
    assert [share.idle_ms for share in found.threads] == [3.0, 3.0]
    assert (found.imbalance, found.idle_part, found.handing_out_us, found.loops) == (1.0, 1.0, None, ())


def test_a_clock_that_is_a_little_behind_makes_no_thread_idle_for_less_than_nothing() -> None:
    found = shares(chunks_of(1, [(0, 0, 0, 1, 0.0, 1.0)], 0.999))
    assert found.elapsed_ms == 1.0
    assert found.threads[0].idle_ms == 0
