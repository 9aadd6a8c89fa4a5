from __future__ import annotations

import pytest

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.catalogue.gpu_transpositions import padded_tile_of_transpose, tile_of_transpose
from kernels.catalogue.launches import thread_per_element, thread_per_element_by_columns, tile_of_c

LAUNCHED = [variant for variant in VARIANTS if variant.launch is not None]
SQUARE = [
    variant for variant in LAUNCHED
    if variant.launch and "tile" in variant.defaults
    and variant.launch(Problem.square(variant.operation, 64), variant.defaults).block == (variant.defaults["tile"],) * 2
]  # fmt: skip
"""Those whose blocks are tile x tile threads."""


def test_x_runs_along_the_columns_and_y_along_the_rows() -> None:
    launch = thread_per_element(Problem(Operation.MATMUL, 33, 65, 7), {"tile": 16, "rows": 0})
    assert launch.grid == (5, 3)
    assert launch.block == (16, 16)
    assert launch.defines == {"TILE": 16, "ROWS": 16}


def test_a_blocks_height_can_differ_from_its_width() -> None:
    problem = Problem(Operation.MATMUL, 33, 65, 7)
    launch = thread_per_element(problem, {"tile": 16, "rows": 4})
    assert (launch.grid, launch.block, launch.defines) == ((5, 9), (16, 4), {"TILE": 16, "ROWS": 4})
    exchanged = thread_per_element_by_columns(problem, {"tile": 16, "rows": 4})
    assert (exchanged.grid, exchanged.block) == ((3, 17), (16, 4))


def test_a_wide_block_is_launched_when_it_is_low() -> None:
    problem = Problem.square(Operation.MATMUL, 256)
    assert refuse(by_id("gpu.naive"), problem, {"tile": 64, "rows": 16}, Limits()) is None
    reason = refuse(by_id("gpu.naive"), problem, {"tile": 64, "rows": 32}, Limits())
    assert str(reason) == "64 × 32 = 2048 threads a block; this GPU allows 1024."


def test_hello_is_launched_as_it_is_told() -> None:
    variant = by_id("gpu.hello")
    parameters = {"blocks": 3, "threads_x": 32, "threads_y": 32}
    problem = Problem.square(Operation.HELLO, 5)
    assert (problem.shapes, problem.bytes, problem.flops) == ({}, 0, 0)
    assert refuse(variant, problem, parameters, Limits()) is None
    assert variant.launch is not None
    assert (variant.launch(problem, parameters).grid, variant.launch(problem, parameters).block) == ((3, 1), (32, 32))
    assert str(refuse(variant, problem, parameters | {"threads_x": 33}, Limits())) == "threads_x must be at most 32, not 33."


def test_shared_memory_is_what_the_sources_declare() -> None:
    square = Problem.square(Operation.MATMUL, 64)
    assert thread_per_element(square, {"tile": 32, "rows": 0}).static_shared_bytes == 0
    assert tile_of_c(square, {"tile": 32}).static_shared_bytes == 2 * 32 * 32 * 4
    turned = Problem.square(Operation.TRANSPOSE, 64)
    assert tile_of_transpose(turned, {"tile": 32}).static_shared_bytes == 32 * 32 * 4
    assert padded_tile_of_transpose(turned, {"tile": 32, "padding": 3}).static_shared_bytes == 32 * 35 * 4


@pytest.mark.parametrize("variant", SQUARE, ids=lambda variant: variant.id)
def test_a_block_of_64_by_64_threads_is_refused_in_words(variant: Variant) -> None:
    reason = refuse(variant, Problem.square(variant.operation, 256), variant.defaults | {"tile": 64}, Limits())
    assert str(reason) == "64 × 64 = 4096 threads a block; this GPU allows 1024."


@pytest.mark.parametrize("tile", [1, 4, 8, 16, 32])
@pytest.mark.parametrize("variant", SQUARE, ids=lambda variant: variant.id)
def test_blocks_up_to_1024_threads_are_launched(variant: Variant, tile: int) -> None:
    assert refuse(variant, Problem.square(variant.operation, 256), variant.defaults | {"tile": tile}, Limits()) is None


def test_a_swizzle_needs_a_power_of_two() -> None:
    reason = refuse(by_id("gpu.transpose-swizzled"), Problem.square(Operation.TRANSPOSE, 64), {"tile": 24}, Limits())
    assert str(reason) == "tile must be a power of two, not 24: x ^ y would leave the row."


def test_a_tile_of_zero_is_refused_before_a_launch_is_computed() -> None:
    variant = by_id("gpu.tiled")
    assert str(refuse(variant, Problem.square(Operation.MATMUL, 8), {"tile": 0}, Limits())) == "tile must be at least 1, not 0."


def test_a_grid_taller_than_the_gpu_allows_is_refused() -> None:
    variant = by_id("gpu.naive")
    tall = Problem(Operation.MATMUL, 65536, 1, 1)
    assert (
        str(refuse(variant, tall, {"tile": 1, "rows": 0}, Limits()))
        == "65536 rows of blocks; this GPU allows 65535. A larger tile needs fewer."
    )
    assert refuse(variant, tall, {"tile": 2, "rows": 0}, Limits()) is None


def test_every_gpu_variant_is_launched_or_a_library() -> None:
    assert all(variant.launch or variant.library for variant in VARIANTS if variant.device is Device.GPU)
