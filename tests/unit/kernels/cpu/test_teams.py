"""Schedules: every iteration is worked on once, by whom the schedule says, and the log tells when; barriers hold."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.cpu import teams
from kernels.cpu.atomics import Words
from kernels.cpu.matrix import aligned_matrix
from kernels.cpu.teams import DYNAMIC, GUIDED, STATIC, new_team, next_chunk, wait_for_all
from kernels.jit.compile import serving
from kernels.jit.team_run import cores_in_order, team_run, thread_team

Range = tuple[int, int]


def taken(schedule: int, chunk: int, threads: int, total: int) -> list[list[Range]]:
    """What each thread gets when they take turns."""
    team = new_team(schedule, chunk, threads, 10_000)
    ranges: list[list[Range]] = [[] for _ in range(threads)]
    busy = set(range(threads))
    while busy:
        for thread in sorted(busy):
            first, last = next_chunk(team, thread, total)
            if first == last:
                busy.discard(thread)
            else:
                ranges[thread].append((first, last))
    return ranges


@given(st.sampled_from([STATIC, DYNAMIC, GUIDED]), st.integers(0, 9), st.integers(1, 7), st.integers(0, 200))
@settings(deadline=None)
def test_every_iteration_is_worked_on_once(schedule: int, chunk: int, threads: int, total: int) -> None:
    ranges = sorted(piece for pieces in taken(schedule, chunk, threads, total) for piece in pieces)
    assert [index for first, last in ranges for index in range(first, last)] == list(range(total))


def test_static_parts_are_equal_and_in_order() -> None:
    assert taken(STATIC, 0, 4, 10) == [[(0, 2)], [(2, 5)], [(5, 7)], [(7, 10)]]
    assert taken(STATIC, 2, 2, 10) == [[(0, 2), (4, 6), (8, 10)], [(2, 4), (6, 8)]]


def test_dynamic_chunks_have_the_size_asked_for() -> None:
    assert taken(DYNAMIC, 4, 2, 10) == [[(0, 4), (8, 10)], [(4, 8)]]
    assert all(last - first == 1 for pieces in taken(DYNAMIC, 0, 3, 9) for first, last in pieces)


def test_guided_chunks_shrink_to_the_smallest() -> None:
    pieces = sorted(piece for part in taken(GUIDED, 5, 2, 100) for piece in part)
    sizes = [last - first for first, last in pieces]
    assert sizes[:4] == [50, 25, 12, 6]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes[:-1]) >= 5


def compiled_two_loops(team: Words, thread: int, hits: Words, early: Words) -> None:
    """Counts each iteration of one loop, waits, and reads in a second loop what the others wrote in the first."""
    first, last = next_chunk(team, thread, len(hits))
    while first < last:
        for index in range(first, last):
            hits[index] += 1
        first, last = next_chunk(team, thread, len(hits))
    wait_for_all(team)
    first, last = next_chunk(team, thread, len(hits))
    while first < last:
        for index in range(first, last):
            if hits[len(hits) - 1 - index] != 1:
                early[0] += 1
        first, last = next_chunk(team, thread, len(hits))


@pytest.mark.parametrize("schedule", [STATIC, DYNAMIC, GUIDED])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_that_run_at_once_share_the_work_and_wait_for_each_other(schedule: int, threads: int) -> None:
    import numba

    import kernels.jit.teams_numba  # noqa: F401

    kernel: Any = numba.njit(nogil=True)(compiled_two_loops)
    serve = numba.njit(nogil=True)(serving(cast(FunctionType, compiled_two_loops), {"compiled_two_loops": kernel}))
    hits, early = np.zeros(20_011, np.int64), np.zeros(1, np.int64)
    team = new_team(schedule, 3, threads, 100)

    def take_part(thread: int) -> None:
        serve(team, thread, hits, early)

    with thread_team(threads, take_part, lambda: end(team)) as members:
        for _ in range(3):
            teams.reset(team)
            hits[:] = 0
            take_part(0)
            assert members.error is None
            assert (hits == 1).all()
            assert early[0] == 0, "the barrier let somebody through"
        time.sleep(0.05)  # by now the others sleep
        teams.reset(team)
        take_part(0)
        assert (hits == 2).all()
    rows = team[teams.PLACES + threads * teams.PLACE_WORDS :].reshape(-1, teams.LOG_WORDS)[: min(team[teams.LOGGED], 100)]
    assert (rows[:, 5] >= rows[:, 4]).all()
    assert (rows[:, 4] > 0).all()
    assert set(rows[:, 1]) <= {0, 1}


def end(team: Words) -> None:
    """What ends a team that serves."""
    team[teams.ENDED] = 1


def test_a_team_keeps_what_one_of_it_raises_and_leaves_no_thread() -> None:
    def fail(thread: int) -> None:
        if thread == 1:
            raise ValueError("one of us")
        done.append(thread)

    before = threading.active_count()
    done: list[int] = []
    with thread_team(3, fail, lambda: None) as members:
        pass
    assert isinstance(members.error, ValueError)
    assert done == [2]
    assert threading.active_count() == before


def test_a_thread_that_fails_lets_nobody_wait_for_it() -> None:
    def kernel(*arguments: Any) -> None:
        team, thread = arguments[-2:]
        if thread == 1:
            raise MemoryError
        while not team[teams.ABANDONED]:
            time.sleep(0.001)

    point = Case("cpu.transpose-parallel", Problem(Operation.TRANSPOSE, 4, 4), {"tile": 4, "threads": 2, "schedule": 0, "chunk": 0})
    operands = {"A": aligned_matrix((4, 4)), "C": aligned_matrix((4, 4))}
    with team_run(kernel, operands, (4,), point, {}) as run, pytest.raises(MemoryError):
        run.sample(lambda: None)


def test_each_physical_core_comes_before_its_siblings(tmp_path: Path) -> None:
    for core, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        folder = tmp_path / f"cpu{core}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings + "\n")
    assert cores_in_order({0, 1, 2, 3}, tmp_path) == [0, 1, 2, 3]
    assert cores_in_order({0, 2, 3}, tmp_path) == [0, 3, 2]
    assert cores_in_order({5, 4}, tmp_path / "nowhere") == [4, 5]
