"""How register tiles are launched, and that what cannot be quotes the inequality that it violates."""

from __future__ import annotations

import pickle

import pytest

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.gpu_register_tiles import RegisterTile, most_registers

SQUARE = Problem.square(Operation.MATMUL, 256)
CHOICE = {"tile": 128, "tile_rows": 0, "results": 8, "registers": 128}


def test_a_register_tile_has_a_thread_for_each_square_of_results() -> None:
    launch = RegisterTile(8)(Problem(Operation.MATMUL, 100, 300, 7), CHOICE)
    assert (launch.grid, launch.block) == ((3, 1), (16, 16))
    assert launch.defines == {"TILE_M": 128, "TILE_N": 128, "DEPTH": 8, "RESULTS": 8, "REGISTERS": 128}


def test_rows_and_columns_of_a_tile_may_differ() -> None:
    launch = RegisterTile(8)(Problem(Operation.MATMUL, 100, 300, 7), CHOICE | {"tile": 64, "tile_rows": 256})
    assert (launch.grid, launch.block) == ((5, 1), (8, 32))
    assert (launch.defines["TILE_M"], launch.defines["TILE_N"]) == (256, 64)


@pytest.mark.parametrize(("depth", "stages", "setting", "floats"), [
    (8, 1, {}, 2 * 8 * 128),
    (16, 2, {}, 2 * 2 * 16 * 128),
    (8, 2, {"tile": 64, "tile_rows": 128}, 2 * 8 * (64 + 128)),
])  # fmt: skip
def test_shared_memory_holds_the_tiles_of_every_stage(depth: int, stages: int, setting: dict[str, int], floats: int) -> None:
    assert RegisterTile(depth, stages)(SQUARE, CHOICE | setting).static_shared_bytes == 4 * floats


@pytest.mark.parametrize(("threads", "most"), [(64, 255), (256, 255), (257, 168), (512, 128), (1024, 64)])
def test_without_a_cap_a_thread_may_have_its_part_of_what_a_block_has(threads: int, most: int) -> None:
    assert most_registers(threads) == most


def test_no_cap_is_compiled_as_that_part() -> None:
    assert RegisterTile(16)(SQUARE, CHOICE | {"results": 4, "registers": 0}).defines["REGISTERS"] == 64


def test_a_launch_equals_its_copy_from_another_process() -> None:
    tile = RegisterTile(8, stages=2, swizzled=True)
    assert pickle.loads(pickle.dumps(tile)) == tile != RegisterTile(16, stages=2, swizzled=True)


@pytest.mark.parametrize(("variant_id", "setting", "reason"), [
    ("gpu.vectorized-k8", {}, None),
    ("gpu.vectorized-k8", {"tile": 64}, None),
    ("gpu.vectorized-k16", {"tile": 64, "results": 4}, None),
    ("gpu.vectorized-k16", {"tile": 128, "tile_rows": 256}, None),
    ("gpu.register-tiled-k8", {"results": 6, "tile": 66}, "66 × 8 / 1 = 528 loads of a step; 121 threads cannot share them equally."),
    ("gpu.vectorized-k8", {"results": 6}, "results must be a multiple of 4, not 6: values are read as float4."),
    ("gpu.vectorized-k8", {"tile": 100}, "tile must be a multiple of results: 100 = 12 × 8 + 4."),
    ("gpu.vectorized-k8", {"tile_rows": 100}, "tile_rows must be a multiple of results: 100 = 12 × 8 + 4."),
    ("gpu.conflict-free-k8", {"tile": 128, "tile_rows": 72},
     "tile_rows must be a multiple of the 32 banks, not 72: the swizzle would leave the row."),
    ("gpu.double-buffered-k8", {"tile": 192, "results": 4}, "48 × 48 = 2304 threads a block; this GPU allows 1024."),
    ("gpu.double-buffered-k8", {"tile": 256}, "256 × 256 results of a block fill 65536 registers; a block has 65536 for everything."),
    ("gpu.double-buffered-k8", {"tile": 32}, "tile must be at least 64, not 32."),
    ("gpu.vectorized-k16", {"tile": 128, "results": 4, "registers": 96}, "1024 threads × 96 registers = 98304; a block has 65536."),
    ("gpu.vectorized-k16", {"tile": 128, "tile_rows": 256, "registers": 168}, "512 threads × 168 registers = 86016; a block has 65536."),
    ("gpu.vectorized-k8", {"registers": 16}, "registers must be 0, for no cap, or at least 32, not 16."),
    ("gpu.vectorized-k8", {"tile": 64, "results": 4}, "64 × 8 / 4 = 128 loads of a step; 256 threads cannot share them equally."),
])  # fmt: skip
def test_what_cannot_be_quotes_the_inequality(variant_id: str, setting: dict[str, int], reason: str | None) -> None:
    found = refuse(by_id(variant_id), SQUARE, CHOICE | setting, Limits())
    assert (None if found is None else str(found)) == reason
