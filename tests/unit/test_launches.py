from __future__ import annotations

import pytest

from kernels.catalog import VARIANTS, find
from kernels.launches import thread_per_element, tile_of_c, tile_of_transpose
from kernels.limits import Limits, refuse
from kernels.spec import Device, Operation, Problem, Variant

LAUNCHED = [variant for variant in VARIANTS if variant.launch is not None]


def test_x_runs_along_the_columns_and_y_along_the_rows() -> None:
    launch = thread_per_element(Problem(Operation.MATMUL, 33, 65, 7), {"tile": 16})
    assert launch.grid == (5, 3)
    assert launch.block == (16, 16)
    assert launch.defines == {"TILE": 16}


def test_shared_memory_is_what_the_sources_declare() -> None:
    square = Problem.square(Operation.MATMUL, 64)
    assert thread_per_element(square, {"tile": 32}).static_shared_bytes == 0
    assert tile_of_c(square, {"tile": 32}).static_shared_bytes == 2 * 32 * 32 * 4
    assert tile_of_transpose(Problem.square(Operation.TRANSPOSE, 64), {"tile": 32}).static_shared_bytes == 32 * 33 * 4


@pytest.mark.parametrize("variant", LAUNCHED, ids=lambda variant: variant.id)
def test_a_block_of_64_by_64_threads_is_refused_in_words(variant: Variant) -> None:
    reason = refuse(variant, Problem.square(variant.operation, 256), {"tile": 64}, Limits())
    assert str(reason) == "64 × 64 = 4096 threads a block; this GPU allows 1024."


@pytest.mark.parametrize("tile", [1, 4, 8, 16, 32])
@pytest.mark.parametrize("variant", LAUNCHED, ids=lambda variant: variant.id)
def test_blocks_up_to_1024_threads_are_launched(variant: Variant, tile: int) -> None:
    assert refuse(variant, Problem.square(variant.operation, 256), {"tile": tile}, Limits()) is None


def test_a_tile_of_zero_is_refused_before_a_launch_is_computed() -> None:
    variant = find("gpu.tiled")
    assert variant is not None
    assert str(refuse(variant, Problem.square(Operation.MATMUL, 8), {"tile": 0}, Limits())) == "tile must be at least 1, not 0."


def test_a_grid_taller_than_the_gpu_allows_is_refused() -> None:
    variant = find("gpu.naive")
    assert variant is not None
    tall = Problem(Operation.MATMUL, 65536, 1, 1)
    assert str(refuse(variant, tall, {"tile": 1}, Limits())) == "65536 rows of blocks; this GPU allows 65535. A larger tile needs fewer."
    assert refuse(variant, tall, {"tile": 2}, Limits()) is None


def test_every_gpu_variant_is_launched_or_a_library() -> None:
    assert all((variant.launch is None) == variant.library for variant in VARIANTS if variant.device is Device.GPU)
