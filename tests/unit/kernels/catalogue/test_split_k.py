"""The model that chooses a tile and how k is split."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.gpu_split_k import (
    AROUND,
    CHOICES,
    GATHERED,
    PART,
    SET_UP_BYTES_A_US,
    SET_UP_US,
    SPREAD,
    Choice,
    chosen,
    in_groups,
    spread_out,
)

WIDE = Choice(128, 256, 16, 1, 1, 2, 30.0, (0.8, 0.8, 0.8), turned=True, part=16)


@pytest.mark.parametrize("choice", [*CHOICES, *GATHERED, *SPREAD], ids=str)
def test_every_choice_is_a_setting_of_the_rung_before(choice: object) -> None:
    variant = by_id("gpu.split-k")
    assert refuse(variant, Problem.square(Operation.MATMUL, 1000), getattr(choice, "parameters"), Limits()) is None  # noqa: B009


@pytest.mark.parametrize(("choice", "blocks"), [
    (Choice(64, 256, 16, 1, 1, 4, 5.0, (0.7, 0.6, 0.6)), (265, 0)),
    (Choice(128, 128, 16, 1, 2, 4, 5.0, (0.7, 0.6, 0.6)), (264, 2)),
])  # fmt: skip
def test_a_tile_more_costs_a_round_or_a_part_of_one_where_the_last_tiles_are_shared(choice: Choice, blocks: tuple[int, int]) -> None:
    full, beyond = (Problem(Operation.MATMUL, choice.rows, choice.columns * tiles, 1024) for tiles in (264, 265))
    assert choice.blocks(full, 132) == (264, 0)
    assert choice.blocks(beyond, 132) == blocks
    work = choice.expected_us(full, 132) - choice.start_us
    alone, shared = 1024 + AROUND, 1024 / choice.cluster + AROUND + PART * choice.slices
    one_more = alone if choice.cluster == 1 else shared
    assert choice.expected_us(beyond, 132) - choice.start_us == pytest.approx(work * (1 + one_more / (2 * alone)))


def test_clusters_that_nearly_fill_the_last_round_run_in_pairs() -> None:
    choice = Choice(128, 128, 16, 1, 2, 4, 0.0, (0.7, 0.6, 0.6))
    work = {tiles: choice.expected_us(Problem(Operation.MATMUL, 128, 128 * tiles, 1024), 132) for tiles in (264, 324, 328)}
    one = (512 + AROUND + PART) / (2 * (1024 + AROUND))
    assert work[324] / work[264] == pytest.approx(1 + one)
    assert work[328] / work[264] == pytest.approx(1 + 2 * one)


def test_what_is_reached_depends_on_what_rows_are_whole_of() -> None:
    choice = Choice(64, 64, 8, 2, 1, 4, 0.0, (0.8, 0.4, 0.2))
    work = [choice.expected_us(Problem(Operation.MATMUL, 64, n, 512), 132) for n in (64, 62, 60, 61, 63)]
    assert work == pytest.approx([work[0], 2 * work[0], work[0], 4 * work[0], 4 * work[0]])


def test_setting_up_costs_more_where_rows_of_b_are_padded_too() -> None:
    choice = Choice(128, 128, 16, 1, 1, 4, 5.0, (0.7, 0.7, 0.7), turned=True, padded=True)
    plain = replace(choice, turned=False, padded=False)
    cost = {n: choice.expected_us(Problem(Operation.MATMUL, 128, n, 1024), 132)
            - plain.expected_us(Problem(Operation.MATMUL, 128, n, 1024), 132) for n in (999, 1000)}  # fmt: skip
    assert cost[1000] == pytest.approx(SET_UP_US + 8 * 128 * 1024 / SET_UP_BYTES_A_US)
    assert cost[999] == pytest.approx(SET_UP_US + 8 * 1128 * 1024 / SET_UP_BYTES_A_US)
    only_a = replace(choice, padded=False).setting_up_us(Problem(Operation.MATMUL, 128, 999, 1024))
    assert only_a == pytest.approx(SET_UP_US + 8 * 128 * 1024 / SET_UP_BYTES_A_US)


def test_rows_of_b_alone_are_padded_where_they_are_not_whole_float4s() -> None:
    choice = Choice(128, 128, 16, 2, 1, 4, 5.0, (0.7, 0.7, 0.7), padded=True)
    cost = {n: choice.setting_up_us(Problem(Operation.MATMUL, 128, n, 1024)) for n in (999, 1000)}
    assert cost == {1000: 0.0, 999: pytest.approx(SET_UP_US + 8 * 1000 * 1024 / SET_UP_BYTES_A_US)}
    groups = replace(choice, padded=False, groups=3)
    assert groups.setting_up_us(Problem(Operation.MATMUL, 128, 999, 1024)) == SET_UP_US, "what counts copies no operand"


def test_groups_fill_the_multiprocessors_and_leave_each_block_four_steps() -> None:
    choice = Choice(64, 64, 8, 2, 2, 4, 5.0, (0.7, 0.7, 0.7))
    assert [each.groups for each in in_groups(choice, Problem(Operation.MATMUL, 256, 256, 8192), 132)] == [2, 3, 4, 8, 12]
    assert [each.groups for each in in_groups(choice, Problem(Operation.MATMUL, 256, 256, 640), 132)] == [2, 3, 4]
    assert not list(in_groups(choice, Problem(Operation.MATMUL, 256, 256, 0), 132))


def test_the_last_tiles_are_spread_where_a_round_is_whole_by_two_blocks_to_as_many_as_run_at_once() -> None:
    choice = WIDE
    last = {116: [2, 3], 8: [*range(2, 17)], 0: [2, 3]}
    for tiles, groups in last.items():
        problem = Problem(Operation.MATMUL, 128, 256 * (132 + tiles), 4096)
        assert [each.groups for each in spread_out(choice, problem, 132)] == groups
    assert not list(spread_out(choice, Problem(Operation.MATMUL, 128, 256 * 131, 4096), 132))


def test_spread_over_all_places_the_last_tiles_take_the_share_of_a_round_that_they_are() -> None:
    choice, k = replace(WIDE, start_us=0.0, groups=2, spread=True), 1 << 16
    work = {tiles: choice.expected_us(Problem(Operation.MATMUL, 128, 256 * tiles, k), 132) for tiles in (132, 248)}
    setting_up = choice.setting_up_us(Problem(Operation.MATMUL, 128, 256, k))
    assert (work[248] - setting_up) / (work[132] - setting_up) == pytest.approx(1 + 8 / 9, rel=0.01)


def test_groups_share_k_as_blocks_of_a_cluster_do() -> None:
    choice, problem = Choice(64, 64, 8, 2, 1, 4, 0.0, (0.7, 0.7, 0.7)), Problem(Operation.MATMUL, 256, 256, 8192)
    four = replace(choice, groups=4)
    assert four.blocks(problem, 132) == (0, 64)
    steps = 8192 / 4 + AROUND + 2 * PART
    work = choice.rows * choice.columns * steps / (0.7 * 128 * 1980.0)
    assert four.expected_us(problem, 132) == pytest.approx(SET_UP_US + work)


def test_blocks_of_a_cluster_have_a_tile_each_or_one_together() -> None:
    choice = Choice(32, 64, 8, 4, 8, 3, 5.0, (0.5, 0.4, 0.4))
    alone, sharing = choice.blocks(Problem(Operation.MATMUL, 32, 64 * 600, 64), 66)
    assert alone % 8 == 0
    assert alone + sharing // 8 == 600


@pytest.mark.parametrize(("m", "n", "k", "results", "sharing"), [
    (256, 256, 256, 16 * 32, 1),
    (512, 512, 512, 32 * 64, 1),
    (1000, 1000, 1000, 128 * 64, 1),
    (128, 128, 8192, 32 * 64, 16),
    (4096, 4096, 4096, 128 * 256, 2),
    (2048, 2048, 2048, 128 * 256, 1),
])  # fmt: skip
def test_small_products_take_small_tiles_and_deep_ones_are_split(m: int, n: int, k: int, results: int, sharing: int) -> None:
    choice = chosen(Problem(Operation.MATMUL, m, n, k), 132)
    assert (choice.rows * choice.columns, choice.sharing) == (results, sharing)


def test_fewer_multiprocessors_choose_otherwise() -> None:
    problem = Problem.square(Operation.MATMUL, 700)
    assert chosen(problem, 132) != chosen(problem, 66)
    alone, sharing = chosen(problem, 1).blocks(problem, 1)
    assert sharing < alone / 10


@pytest.mark.parametrize(("m", "n", "cluster", "at_once"), [
    (416, 428, 2, 1),  # 98 blocks: while the kernel before runs, clusters would gather three blocks on a multiprocessor
    (512, 1024, 2, 2),  # 256
    (4096, 4096, 2, 3),  # as many as there are registers for
    (256, 256, 8, 2),  # 128, and 120 of clusters of eight have a multiprocessor each
    (192, 320, 8, 1),  # 120
])  # fmt: skip
def test_no_more_blocks_run_at_once_than_the_share_of_a_multiprocessor(m: int, n: int, cluster: int, at_once: int) -> None:
    choice, problem = Choice(64, 64, 8, 2, cluster, 4, 4.0, (0.7, 0.7, 0.7)), Problem(Operation.MATMUL, m, n, 4096)
    assert choice.at_once(problem, 132) == at_once


def test_clusters_without_a_place_each_take_as_long_as_two() -> None:
    choice = Choice(64, 64, 8, 2, 8, 4, 0.0, (0.7, 0.7, 0.7))
    most, one_more = (choice.expected_us(Problem(Operation.MATMUL, 64, 64 * clusters, 4096), 132) for clusters in (15, 16))
    assert one_more == pytest.approx(2 * most)


def test_the_launch_asks_for_so_much_shared_memory_that_no_more_run_at_once() -> None:
    launch = by_id("gpu.fitted").launch
    assert launch is not None
    problem = Problem(Operation.MATMUL, 416, 428, 3992)
    choice = chosen(problem, 132)
    room = launch(problem, {"multiprocessors": 132}).dynamic_shared_bytes + 1024
    assert 233472 // room == choice.at_once(problem, 132)
