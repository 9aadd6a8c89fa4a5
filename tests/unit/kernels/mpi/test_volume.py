"""Shares, grids and what must be moved, from the definitions alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.base.spec import Operation, Problem
from kernels.mpi.communication_volume import layout, per_worker, volume
from kernels.mpi.parts import grid, panels, parts, sizes
from tests.devices.mpi_ranks import IDS


@given(st.integers(0, 200), st.integers(1, 64))
def test_parts_cover_everything_once_and_differ_by_one(total: int, count: int) -> None:
    shares = parts(total, count)
    assert [i for first, last in shares for i in range(first, last)] == list(range(total))
    assert len(shares) == count
    assert max(sizes(shares)) - min(sizes(shares)) <= 1


@given(st.integers(0, 60), st.integers(1, 9), st.integers(1, 9))
def test_panels_follow_each_other_within_one_part_of_each(total: int, one: int, other: int) -> None:
    found = panels(parts(total, one), parts(total, other))
    assert [i for first, last, _, _ in found for i in range(first, last)] == list(range(total))
    for first, last, x, y in found:
        for start, end in (parts(total, one)[x], parts(total, other)[y]):
            assert start <= first < last <= end


@pytest.mark.parametrize(
    ("count", "expected"), [(1, (1, 1)), (2, (2, 1)), (4, (2, 2)), (6, (3, 2)), (7, (7, 1)), (12, (4, 3)), (64, (8, 8))]
)
def test_a_grid_is_as_square_as_can_be(count: int, expected: tuple[int, int]) -> None:
    assert grid(count) == expected


@pytest.mark.parametrize(
    ("variant_id", "ranks", "floats"),
    [
        ("mpi.point-to-point", 5, 24 * 16 / 4 + 16 * 12),
        ("mpi.rows", 4, 24 * 16 / 4 + 16 * 12),
        ("mpi.overlap", 4, 24 * 16 / 4 + 16 * 12),
        ("mpi.blocks", 5, 24 * 16 / 2 + 16 * 12 / 2),
        ("mpi.blocks", 7, 24 * 16 / 3 + 16 * 12 / 2),
        ("mpi.summa", 4, 24 * 16 / 2 + 16 * 12 / 2),
        ("mpi.gpu-summa", 2, 16 * 12 / 2),
        ("mpi.gpu-summa", 4, 24 * 16 / 4 + 16 * 12 / 4),
    ],
)
def test_where_sizes_divide_a_worker_receives_what_the_formula_says(variant_id: str, ranks: int, floats: float) -> None:
    problem = Problem(Operation.MATMUL, m=24, n=12, k=16)
    assert per_worker(variant_id, problem, ranks) == 4 * floats
    assert set(volume(variant_id, problem, ranks).received[1:]) == {4 * floats}


@given(st.sampled_from(IDS), st.integers(1, 64), st.integers(1, 50), st.integers(1, 50), st.integers(0, 50))
def test_what_is_sent_is_received_and_the_output_comes_back(variant_id: str, ranks: int, m: int, n: int, k: int) -> None:
    found = volume(variant_id, Problem(Operation.MATMUL, m, n, k), ranks)
    assert len(found.sent) == len(found.received) == ranks
    assert sum(found.sent) == sum(found.received)
    place = layout(variant_id, ranks)
    if place.placed:  # it stays where it is
        return
    kept = 0 if place.first else parts(m, place.p)[0][1] * parts(n, place.q)[0][1]
    assert sum(found.sent[1:]) >= 4 * (m * n - kept)


@pytest.mark.parametrize("variant_id", IDS)
def test_one_rank_moves_nothing(variant_id: str) -> None:
    found = volume(variant_id, Problem.square(Operation.MATMUL, 9), 1)
    assert (found.sent, found.received) == ((0,), (0,))
