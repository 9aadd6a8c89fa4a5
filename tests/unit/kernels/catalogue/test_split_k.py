"""The model that chooses a tile and how k is split."""

from __future__ import annotations

import pytest

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import find
from kernels.catalogue.gpu_split_k import CHOICES, chosen


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_every_choice_is_a_setting_of_the_rung_before(choice: object) -> None:
    variant = find("gpu.split-k")
    assert variant is not None
    assert refuse(variant, Problem.square(Operation.MATMUL, 1000), getattr(choice, "parameters"), Limits()) is None  # noqa: B009


def test_a_round_more_costs_the_work_of_a_block() -> None:
    choice = CHOICES[-1]
    within, beyond = (choice.expected_us(Problem(Operation.MATMUL, 128, 128 * tiles, 1024), 132) for tiles in (132, 133))
    assert within - choice.start_us == pytest.approx(beyond - within)
    assert choice.expected_us(Problem(Operation.MATMUL, 128, 128, 1024), 132) == within


@pytest.mark.parametrize(("m", "n", "k", "rows", "columns", "cluster"), [
    (256, 256, 256, 16, 32, 1),
    (512, 512, 512, 32, 64, 1),
    (1000, 1000, 1000, 64, 128, 2),
    (1536, 1536, 1536, 64, 64, 2),
    (128, 128, 8192, 16, 32, 8),
    (4096, 4096, 4096, 128, 128, 1),
])  # fmt: skip
def test_small_products_take_small_tiles_and_deep_ones_are_split(m: int, n: int, k: int, rows: int, columns: int, cluster: int) -> None:
    choice = chosen(Problem(Operation.MATMUL, m, n, k), 132)
    assert (choice.rows, choice.columns, choice.cluster) == (rows, columns, cluster)


def test_fewer_multiprocessors_choose_otherwise() -> None:
    problem = Problem.square(Operation.MATMUL, 1000)
    assert chosen(problem, 132) != chosen(problem, 66)
    assert chosen(problem, 1).cluster == 1
