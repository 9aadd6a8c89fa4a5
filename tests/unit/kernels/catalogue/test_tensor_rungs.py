"""What is particular to the multiplications on tensor cores: their precision, what they need of a GPU, and their settings."""

from __future__ import annotations

import math
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.occupancy import occupancy
from kernels.base.arrays import never
from kernels.base.limits import Limits, prepared_bytes, refuse, refuse_variant_launch
from kernels.base.messages import Message
from kernels.base.reference import compute_reference, random_inputs, rounding_bound
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.catalogue.gpu_tensor_cores import BF16, TF32
from kernels.nvrtc.headers import header_folders
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value, tf32

SQUARE = Problem.square(Operation.MATMUL, 256)
ROUNDED = [variant for variant in VARIANTS if variant.precision is not None and variant.device is Device.GPU]


@pytest.mark.parametrize("k", [1, 7, 100, 500, 4000])
@pytest.mark.parametrize("variant", [by_id("gpu.wmma-tf32"), by_id("gpu.wmma-bf16")], ids=lambda variant: variant.id)
def test_inputs_rounded_to_the_precision_are_allowed_and_zeros_are_not(variant: Variant, k: int) -> None:
    problem = Problem(Operation.MATMUL, 60, 70, k)
    inputs = random_inputs(problem, k)
    reference = compute_reference(problem, inputs, never)
    judging = reference.judging(variant, problem, variant.defaults)
    assert variant.precision is not None
    rounded = [
        (tf32(matrix) if variant.precision is TF32 else bfloat16_value(bfloat16_bits(matrix))).astype(np.float64)
        for matrix in inputs.values()
    ]
    assert judging.verify((rounded[0] @ rounded[1]).astype(np.float32), never).reason is None
    if k <= 100:  # in long sums the errors that float32 allows cover those of the roundings
        assert reference.verify((rounded[0] @ rounded[1]).astype(np.float32), never).reason is not None
    assert judging.verify(np.zeros((60, 70), np.float32), never).reason is not None


def test_what_rounding_may_change_shrinks_with_the_square_root_of_the_sum() -> None:
    assert rounding_bound(TF32.unit_roundoff, 0) == rounding_bound(TF32.unit_roundoff, 400) == pytest.approx(2**-9, rel=1e-3)
    assert rounding_bound(BF16.unit_roundoff, 40000) == pytest.approx(rounding_bound(BF16.unit_roundoff, 10000) / 2)
    assert rounding_bound(BF16.unit_roundoff, 16384) < 4 / (3 * math.sqrt(16384)) / 5  # what a matrix of zeros is off by


@pytest.mark.parametrize("variant", ROUNDED, ids=lambda variant: variant.id)
def test_each_has_a_library_of_its_precision_and_its_error_is_judged_by_it(variant: Variant) -> None:
    assert [each.id for each in ROUNDED if each.library and each.precision == variant.precision] == [
        f"gpu.cublas-{variant.id.rpartition('-')[2]}"
    ]


@pytest.mark.parametrize(("variant_id", "capability", "reason"), [
    ("gpu.wmma-tf32", 75, "gpu.wmma-tf32 needs compute capability 8.0 or higher; this GPU has 7.5."),
    ("gpu.wmma-tf32", 120, None),
    ("gpu.cublas-bf16", 75, "gpu.cublas-bf16 needs compute capability 8.0 or higher; this GPU has 7.5."),
    ("gpu.wgmma-bf16", 90, None),
    ("gpu.wgmma-bf16", None, None),
    ("gpu.wgmma-bf16", 100, "gpu.wgmma-bf16 uses what compute capability 9.0 alone has; this GPU has 10.0."),
    ("gpu.wgmma-bf16", 80, "gpu.wgmma-bf16 uses what compute capability 9.0 alone has; this GPU has 8.0."),
    ("gpu.tiled", 75, None),
])  # fmt: skip
def test_a_gpu_without_what_a_kernel_uses_is_refused(variant_id: str, capability: int | None, reason: str | None) -> None:
    variant = by_id(variant_id)
    found = refuse(variant, SQUARE, variant.defaults, Limits(compute_capability=capability))
    assert (found and str(found)) == reason


@pytest.mark.parametrize(("variant_id", "setting", "reason"), [
    ("gpu.wmma-tf32", {"tile": 100}, "tile must be a multiple of 64, not 100."),
    ("gpu.wmma-bf16", {"depth": 8}, "depth must be a multiple of 16, not 8."),
    ("gpu.wmma-tf32", {"tile": 256, "tile_rows": 256, "depth": 8},
     "256 × 256 of C are 16 warps with 64 × 64 each; with more than 8 a thread has too few registers."),
    ("gpu.wmma-tf32", {"tile_rows": 256}, "58368 bytes of shared memory a block; this GPU allows 49152."),
    ("gpu.wmma-tf32", {"tile_rows": 256, "depth": 8}, None),
    ("gpu.mma-bf16", {"depth": 48}, "depth must be a multiple of 32, not 48."),
    ("gpu.mma-swizzled-tf32", {"depth": 24}, "depth must be a multiple of 16, not 24."),
    ("gpu.mma-bf16", {"tile": 192},
     "depth × 320 = 10240 values of a tile are no multiple of the 192 × 8 that all threads fetch at once."),
    ("gpu.mma-padded-bf16", {"stages": 8, "tile_rows": 256}, "245760 bytes of shared memory a block; this GPU allows 232448."),
    ("gpu.mma-swizzled-bf16", {"stages": 8, "tile_rows": 256}, None),
    ("gpu.wgmma-bf16", {"tile": 192}, "tile must be a multiple of 128, not 192."),
    ("gpu.wgmma-bf16", {"tile_rows": 192},
     "192 × 256 sums need 49152 registers; a block has 65536 for everything, and half of them for sums."),
    ("gpu.wgmma-bf16", {"stages": 5}, "245840 bytes of shared memory a block; this GPU allows 232448."),
])  # fmt: skip
def test_a_setting_that_cannot_work_quotes_what_it_violates(variant_id: str, setting: dict[str, int], reason: str | None) -> None:
    variant = by_id(variant_id)
    found = refuse(variant, SQUARE, {**variant.defaults, **setting}, Limits())
    assert (found and str(found)) == reason


@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 0), (1, 1, 1), (128, 256, 64), (129, 257, 65), (1000, 777, 513)])
def test_bricks_hold_a_and_b_padded_to_whole_tiles(m: int, n: int, k: int) -> None:
    variant, problem = by_id("gpu.wgmma-bf16"), Problem(Operation.MATMUL, m, n, k)
    assert variant.launch is not None
    launch = variant.launch(problem, variant.defaults)
    assert launch.before is not None
    rows, columns = launch.before.rows, launch.before.columns
    across, down = launch.grid
    assert (down - 1) * 128 < m <= down * 128
    assert (across - 1) * 256 < n <= across * 256
    assert rows == down * 128 + across * 256
    assert k <= 2 * columns < max(k, 1) + 64
    steps, bricks = launch.before.launch.grid
    assert steps * bricks * 64 * 64 * 2 == rows * columns * 4 == prepared_bytes(variant, problem, variant.defaults)
    assert refuse_variant_launch(variant, problem, variant.defaults, Limits()) is None


@pytest.mark.parametrize(("m", "n", "k", "tile", "blocks", "first"), [
    (1, 1, 0, (64, 128), 2, (1, 2 + 2)),
    (1000, 1024, 1024, (64, 128), 128, (16, 16 + 16)),
    (3000, 3000, 3000, (128, 192), 132, (47, 8 * 4 + 9 * 3)),
    (4096, 4096, 4096, (128, 256), 132, (64, 8 * 4 + 9 * 4)),
])  # fmt: skip
def test_clusters_have_the_tile_that_suits_and_what_they_begin_with_is_packed_first(
    m: int, n: int, k: int, tile: tuple[int, int], blocks: int, first: tuple[int, int]
) -> None:
    variant, problem = by_id("gpu.wgmma-clusters-bf16"), Problem(Operation.MATMUL, m, n, k)
    assert variant.launch is not None
    launch = variant.launch(problem, variant.defaults)
    assert (launch.defines["TILE_M"], launch.defines["TILE_N"]) == tile
    assert (launch.grid, launch.block) == ((blocks, 1), (2 * tile[0] + 128, 1))
    assert launch.before is not None
    assert launch.before.launch.grid == first
    down, across, steps = -(-m // (2 * tile[0])), -(-n // tile[1]), max(-(-k // 64), 1)
    bricks = steps * (down * 2 * tile[0] + across * tile[1]) * 128
    counts = prepared_bytes(variant, problem, variant.defaults) - bricks
    assert 0 <= counts - 4 * (down + across + 1) < steps * 128
    assert refuse_variant_launch(variant, problem, variant.defaults, Limits()) is None


@pytest.mark.parametrize(("variant_id", "bytes_", "blocks"), [
    ("gpu.mma-tf32", 98304, 2), ("gpu.mma-padded-tf32", 122880, 1), ("gpu.mma-swizzled-tf32", 98304, 2),
    ("gpu.mma-bf16", 98304, 2), ("gpu.mma-padded-bf16", 122880, 1), ("gpu.mma-swizzled-bf16", 98304, 2),
])  # fmt: skip
def test_padding_leaves_no_room_for_the_second_block(variant_id: str, bytes_: int, blocks: int) -> None:
    variant = by_id(variant_id)
    assert variant.launch is not None
    launch = variant.launch(SQUARE, variant.defaults)
    assert launch.shared_bytes == bytes_
    assert occupancy("9.0", launch.block[0], 255, launch.shared_bytes).blocks_per_sm == blocks


@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 0), (1, 1, 1), (128, 128, 32), (129, 257, 65)])
@pytest.mark.parametrize("variant_id", ["gpu.mma-bf16", "gpu.mma-swizzled-tf32"])
def test_rows_are_rounded_and_turned_for_whole_tiles(variant_id: str, m: int, n: int, k: int) -> None:
    variant, problem = by_id(variant_id), Problem(Operation.MATMUL, m, n, k)
    assert variant.launch is not None
    launch = variant.launch(problem, variant.defaults)
    assert launch.before is not None
    across, down = launch.grid
    assert launch.before.rows == 128 * (down + across)
    assert launch.before.columns * 4 % 64 == 0
    pieces, rows = launch.before.launch.grid
    assert (pieces * 4 * 16, rows * 64) == (launch.before.columns * 4, launch.before.rows)


def test_the_librarys_operands_fit_their_matrix() -> None:
    variant, problem = by_id("gpu.cublas-bf16"), Problem(Operation.MATMUL, 3, 5, 7)
    assert prepared_bytes(variant, problem, {}) == 2 * (24 + 40)
    assert prepared_bytes(variant, Problem(Operation.MATMUL, 3, 5, 0), {}) == 2 * (8 + 8)


def test_headers_are_taken_where_all_are_and_else_it_is_said_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = ModuleSpec("nvidia", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path / "nvidia")]
    monkeypatch.setattr("kernels.nvrtc.tools.find_spec", {"nvidia": spec}.get)
    monkeypatch.setattr("kernels.nvrtc.tools.TOOLKIT", tmp_path / "nowhere")
    (tmp_path / "nvidia" / "cu13" / "include").mkdir(parents=True)
    (tmp_path / "nvidia" / "cu13" / "include" / "mma.h").touch()
    missing = header_folders({})
    assert isinstance(missing, Message)
    assert 'pip install "tilescope[gpu]"' in str(missing)
    toolkit = tmp_path / "toolkit" / "include"
    for name in ("mma.h", "crt/mma.h", "cuda_bf16.h", "cuda_pipeline.h", "cccl/nv/target"):
        (toolkit / name).parent.mkdir(parents=True, exist_ok=True)
        (toolkit / name).touch()
    assert header_folders({"CUDA_PATH": str(tmp_path / "toolkit")}) == (toolkit, toolkit / "cccl")
