"""SUMMA on GPUs without one: its panels and events on toy streams, in any order that CUDA allows."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.base.arrays import Matrix
from kernels.base.spec import Operation, Problem
from kernels.mpi.communication_volume import volume
from kernels.mpi.matmul_gpu_summa import multiply
from kernels.mpi.parts import grid, parts
from tests.devices.toy_gpus import Choose, ToyGpu, carry_out

PANEL = 3
SIDES = st.integers(1, 12)


def product(problem: Problem, ranks: int, choose: Choose, *, deaf: bool = False) -> tuple[Matrix, Matrix, list[int], list[int]]:
    """What the ranks leave in C, what they should, and the bytes that each sent and received."""
    p, q = grid(ranks)
    random = np.random.default_rng(problem.m)
    a, b = (random.integers(-4, 5, problem.shapes[name]).astype(np.float32) for name in "AB")
    c = np.full(problem.shapes["C"], np.nan, np.float32)
    rows, columns, k_of_a, k_of_b = parts(problem.m, p), parts(problem.n, q), parts(problem.k, q), parts(problem.k, p)
    gpus = []
    for rank in range(ranks):
        i, j = divmod(rank, q)
        gpu = ToyGpu(rank, ranks, tuple(range(i * q, i * q + q)), tuple(range(j, ranks, q)), deaf)
        blocks = a[slice(*rows[i]), slice(*k_of_a[j])], b[slice(*k_of_b[i]), slice(*columns[j])], c[slice(*rows[i]), slice(*columns[j])]
        multiply(cast(Any, gpu), *blocks, problem.k, PANEL)
        gpus.append(gpu)
    moved = carry_out(gpus, choose)
    sent = [sum(size for (root, _), size in moved.items() if root == rank) for rank in range(ranks)]
    received = [sum(size for (_, member), size in moved.items() if member == rank) for rank in range(ranks)]
    return c, a @ b, sent, received


@given(st.sampled_from([1, 2, 3, 4, 6]), SIDES, SIDES, st.integers(0, 20), st.data())
def test_any_order_of_the_streams_gives_the_product_and_moves_what_the_formula_says(
    ranks: int, m: int, n: int, k: int, data: st.DataObject
) -> None:
    problem = Problem(Operation.MATMUL, m, n, k)
    chosen = data.draw(st.randoms(use_true_random=False))
    found, expected, sent, received = product(problem, ranks, chosen.randrange)
    np.testing.assert_array_equal(found, expected)
    told = volume("mpi.gpu-summa", problem, ranks)
    assert (tuple(sent), tuple(received)) == (told.sent, told.received)


def test_without_the_events_the_first_stream_would_overtake_the_products() -> None:
    """Streams that wait for nothing: panels are overwritten before they are multiplied, and multiplied before they have come."""
    problem = Problem(Operation.MATMUL, 4, 4, 24)
    for choose in (lambda _: 0, lambda count: count - 1):
        assert np.array_equal(*product(problem, 2, choose)[:2])
        assert not np.array_equal(*product(problem, 2, choose, deaf=True)[:2])
