"""GPU ladder of multiplications, fourth part: tensor cores, which round A and B, and the library in the same precision.

Also how they are launched, and which of their settings cannot be.
"""

from __future__ import annotations

from kernels.base.messages import Message, message
from kernels.base.spec import (
    FLOAT32_BYTES,
    Device,
    Launch,
    Needs,
    Operation,
    Parameter,
    Parameters,
    Precision,
    Preparation,
    Problem,
    Variant,
)

WARP = 32
WARP_TILE = 64
"""Rows and columns of C that a warp has, with wmma."""
MOST_WARPS = 8
"""A block of more has fewer than 255 registers a thread: the sums alone take 128."""
PAD_B = 8
BF16_BYTES = 2
SIDE = 64
"""Of a brick: rows of A, or columns of B, and steps of k."""
BRICK_BYTES = SIDE * SIDE * BF16_BYTES
PRODUCT_COLUMNS = 128
"""Of one wgmma instruction."""
MOST_SUMS = 32768
"""Of a block with wgmma."""
BARRIER_BYTES = 8
PACKERS = 256


def wmma_tf32(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, a warp 64 x 64 of it; two stages of A and B in shared memory, as float32."""
    return _wmma(problem, parameters, 4, FLOAT32_BYTES)


def wmma_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch of the kernel with wmma and bfloat16 in shared memory."""
    return _wmma(problem, parameters, 8, BF16_BYTES)


def wgmma_bf16(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, a warpgroup 64 rows of it, and a warp that fetches; before that A and B are rounded and cut into bricks."""
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    stages = parameters["stages"]
    defines = {"TILE_M": rows, "TILE_N": columns, "STAGES": stages}
    down, across, steps = -(-problem.m // rows), -(-problem.n // columns), max(-(-problem.k // SIDE), 1)
    length = down * rows + across * columns
    packing = Launch((steps, length // SIDE), (PACKERS, 1), defines)
    return Launch(
        (across, down), (2 * rows + WARP, 1), defines,
        dynamic_shared_bytes=stages * ((rows + columns) // SIDE * BRICK_BYTES + 2 * BARRIER_BYTES),
        before=Preparation("pack_bricks", packing, length, steps * SIDE * BF16_BYTES // FLOAT32_BYTES),
    )  # fmt: skip


def refuse_wmma_tf32(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warps like this, or None."""
    return _refuse_wmma(parameters, 8)


def refuse_wmma_bf16(parameters: Parameters) -> Message | None:
    """Return why a tile cannot be divided among warps like this with fragments of 16 steps of k, or None."""
    return _refuse_wmma(parameters, 16)


def refuse_wgmma(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warpgroups like this, or None."""
    rows, columns = tile_of(parameters)
    reason = _refuse_multiple("tile_rows", rows, SIDE) or _refuse_multiple("tile", columns, PRODUCT_COLUMNS)
    if reason is None and rows * columns > MOST_SUMS:
        return message(
            "{rows} × {columns} sums need {needed} registers; a block has {limit} for everything, and half of them for sums.",
            rows=rows, columns=columns, needed=rows * columns, limit=2 * MOST_SUMS,
        )  # fmt: skip
    return reason


def tile_of(parameters: Parameters) -> tuple[int, int]:
    """Rows and columns of C a block."""
    return parameters["tile_rows"] or parameters["tile"], parameters["tile"]


def operands_in_bf16(problem: Problem) -> tuple[int, int]:
    """A float32 matrix with room for A and B in bfloat16, each from a multiple of 16 bytes on."""
    return 1, (_even_pairs(problem.m * problem.k) + _even_pairs(problem.k * problem.n)) * BF16_BYTES // FLOAT32_BYTES


def truncated_sums(_problem: Problem, _parameters: Parameters) -> float:
    """Tensor cores cut off what a float32 sum cannot hold, where other units round: twice the error of ordinary summation."""
    return 2.0


def _even_pairs(elements: int) -> int:
    return max(-(-elements // 8), 1) * 8


def _wmma(problem: Problem, parameters: Parameters, pad_a: int, element_bytes: int) -> Launch:
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    depth = parameters["depth"]
    shared = 2 * (rows * (depth + pad_a) + depth * (columns + PAD_B)) * element_bytes
    defines = {"TILE_M": rows, "TILE_N": columns, "DEPTH": depth}
    return Launch((-(-problem.n // columns), -(-problem.m // rows)), (_warps(rows, columns) * WARP, 1), defines, shared)


def _refuse_wmma(parameters: Parameters, fragment_depth: int) -> Message | None:
    rows, columns = tile_of(parameters)
    reason = _refuse_multiple("tile_rows", rows, WARP_TILE) or _refuse_multiple("tile", columns, WARP_TILE)
    reason = reason or _refuse_multiple("depth", parameters["depth"], fragment_depth)
    if reason is not None:
        return reason
    warps = _warps(rows, columns)
    if warps > MOST_WARPS:
        return message(
            "{rows} × {columns} of C are {warps} warps with {side} × {side} each; with more than {most} a thread has too few registers.",
            rows=rows, columns=columns, warps=warps, side=WARP_TILE, most=MOST_WARPS,
        )  # fmt: skip
    quads = parameters["depth"] * min(rows, columns) // 4
    if quads % (warps * WARP):
        return message(
            "depth × {side} = {values} values of a tile are no multiple of the {threads} × 4 that all threads fetch at once.",
            side=min(rows, columns), values=4 * quads, threads=warps * WARP,
        )  # fmt: skip
    return None


def _refuse_multiple(name: str, value: int, unit: int) -> Message | None:
    return None if value % unit == 0 else message("{name} must be a multiple of {unit}, not {value}.", name=name, unit=unit, value=value)


def _warps(rows: int, columns: int) -> int:
    return rows // WARP_TILE * (columns // WARP_TILE)


TF32 = Precision("TF32", 2.0**-10)
"""11 bits of a float32; whether the others are rounded or cut off, which is twice the error, is left to the hardware and the library."""
BF16 = Precision("bfloat16", 2.0**-8)
"""8 bits, rounded."""
AMPERE = Needs(80)
HOPPER = Needs(90, alone=True)

TILE = Parameter("tile", message("Columns of C a block"), default=128, minimum=64, maximum=256, stops=(64, 128, 256), small=64)
TILE_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=128, minimum=0, maximum=256, stops=(0, 64, 128, 256), small=64)
"""0 means as many as columns."""
DEPTH = Parameter("depth", message("Depth of a step"), default=16, minimum=8, maximum=32, stops=(8, 16, 32))
GROUP_TILE = Parameter("tile", message("Columns of C a block"), default=256, minimum=128, maximum=256, stops=(128, 256), small=128)
GROUP_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=128, minimum=64, maximum=256, stops=(64, 128, 192, 256), small=64)
STAGES = Parameter("stages", message("Stages"), default=4, minimum=2, maximum=8, stops=(2, 3, 4, 5, 6), small=2)

TENSOR_MULTIPLICATIONS = (
    Variant(
        "gpu.wmma-tf32", Operation.MATMUL, Device.GPU,
        message("Tensor cores, TF32"),
        message("A warp multiplies whole tiles with one instruction (wmma); the elements of A and B keep 11 of their 24 bits."),
        source="gpu/matmul_wmma_tf32.cu", entry="matmul_wmma_tf32", parameters=(TILE, TILE_ROWS, DEPTH),
        launch=wmma_tf32, constraint=refuse_wmma_tf32,
        features=frozenset({"shared memory", "tile", "barrier", "double buffering", "tensor cores"}),
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.cublas-tf32", Operation.MATMUL, Device.GPU,
        message("cuBLAS, TF32"),
        message("The library, allowed to round A and B to TF32 and to use tensor cores."),
        source="gpu/matmul_cublas_tf32.py", entry="multiply", features=frozenset({"library"}), library=True,
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.wmma-bf16", Operation.MATMUL, Device.GPU,
        message("Tensor cores, bfloat16"),
        message("Rounded to bfloat16 on the way into shared memory, a tile of the same bytes holds twice the steps of k."),
        source="gpu/matmul_wmma_bf16.cu", entry="matmul_wmma_bf16", parameters=(TILE, TILE_ROWS, DEPTH),
        launch=wmma_bf16, constraint=refuse_wmma_bf16,
        features=frozenset({"shared memory", "tile", "barrier", "double buffering", "tensor cores"}),
        error_growth=truncated_sums, precision=BF16, needs=AMPERE,
    ),
    Variant(
        "gpu.wgmma-bf16", Operation.MATMUL, Device.GPU,
        message("Hopper's tensor cores, bfloat16"),
        message("A and B are rounded and packed beforehand; a copy engine fills four stages, from which the tensor cores read themselves."),
        source="gpu/matmul_wgmma_bf16.cu", entry="matmul_wgmma_bf16", parameters=(GROUP_TILE, GROUP_ROWS, STAGES),
        launch=wgmma_bf16, constraint=refuse_wgmma,
        features=frozenset({"shared memory", "tile", "tensor cores", "asynchronous copy", "packing"}),
        error_growth=truncated_sums, precision=BF16, needs=HOPPER,
    ),
    Variant(
        "gpu.cublas-bf16", Operation.MATMUL, Device.GPU,
        message("cuBLAS, bfloat16"),
        message("A and B are rounded to bfloat16 by a small kernel and multiplied by the library: both are timed."),
        source="gpu/matmul_cublas_bf16.py", entry="multiply", features=frozenset({"library"}), library=True,
        error_growth=truncated_sums, precision=BF16, needs=AMPERE, workspace=operands_in_bf16,
    ),
)  # fmt: skip
"""In teaching order."""
