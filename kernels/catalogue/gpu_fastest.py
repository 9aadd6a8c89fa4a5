"""The GPU ladder of multiplications, third part: the fastest in float32, how it is launched, and the library it is measured against."""

from __future__ import annotations

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Launch, Operation, Parameter, Parameters, Preparation, Problem, Variant
from kernels.catalogue.gpu_split_k import SPLIT_MULTIPLICATIONS
from kernels.catalogue.launches import tile_of

DEPTH = 8


STAGES = 4


WARP_TILE = 64
"""Rows and columns of C that a warp has."""


WARP = 32


FLOAT4 = 4


TURNING = (8, 16)
"""Threads of a block of the kernel that turns A, along k and along m; each turns 4 x 4 values."""


MOST_WARPS = 8
"""A block of more has fewer than 255 registers a thread."""


def fastest(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, a warp 64 x 64 of it; before that A is turned, padded to whole tiles."""
    assert problem.operation is Operation.MATMUL
    rows, columns = tile_of(parameters)
    defines = {"TILE_M": rows, "TILE_N": columns, "WIDTH": FLOAT4 if problem.n % FLOAT4 == 0 else 1}
    warps = rows // WARP_TILE * (columns // WARP_TILE)
    down = -(-problem.m // rows)
    shared_floats = STAGES * DEPTH * (rows + columns)
    depth, length = max(-(-problem.k // DEPTH), 1) * DEPTH, down * rows
    along_k, along_m = (FLOAT4 * threads for threads in TURNING)
    turning = Launch((-(-depth // along_k), length // along_m), TURNING, defines)
    return Launch(
        (-(-problem.n // columns), down), (warps * WARP, 1), defines, shared_floats * FLOAT32_BYTES,
        before=Preparation("turn_a", turning, depth, length),
    )  # fmt: skip


def refuse_fastest(parameters: Parameters) -> Message | None:
    """Why a tile cannot be divided among warps like this, or None."""
    rows, columns = tile_of(parameters)
    for name, value in (("tile_rows", rows), ("tile", columns)):
        if value % WARP_TILE:
            return message("{name} must be a multiple of {unit}, not {value}: a warp has {unit} × {unit} results.",
                           name=name, unit=WARP_TILE, value=value)  # fmt: skip
    warps = rows // WARP_TILE * (columns // WARP_TILE)
    if warps > MOST_WARPS:
        return message(
            "{rows} × {columns} results are for {warps} warps of {unit} × {unit}; with more than {limit} warps a block "
            "there are not enough registers for {results} results a thread.",
            rows=rows, columns=columns, warps=warps, unit=WARP_TILE, limit=MOST_WARPS, results=WARP_TILE**2 // WARP,
        )  # fmt: skip
    return None


TILE = Parameter("tile", message("Columns of C a block"), default=128, minimum=64, maximum=512, stops=(64, 128, 256), small=64)


TILE_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=0, minimum=0, maximum=512, stops=(0, 64, 128, 256))
"""0 means as many as columns."""


FAST_MULTIPLICATIONS = (
    Variant(
        "gpu.fastest", Operation.MATMUL, Device.GPU,
        message("Fastest in float32"),
        message(
            "A is turned beforehand; copies fill four stages; the operands of the next k are read while this one is multiplied; "
            "the sums may lie in any register bank."
        ),
        source="gpu/matmul_fastest.cu", entry="matmul_fastest", parameters=(TILE, TILE_ROWS),
        launch=fastest, constraint=refuse_fastest,
        features=frozenset({"shared memory", "tile", "barrier", "registers", "vectorised", "asynchronous copy"}),
    ),
    *SPLIT_MULTIPLICATIONS,
    Variant(
        "gpu.cublas", Operation.MATMUL, Device.GPU,
        message("cuBLAS"),
        message("NVIDIA's own library, called with the operands swapped because it thinks in columns."),
        source="gpu/matmul_cublas.py", entry="multiply", features=frozenset({"library"}), library=True,
    ),
)  # fmt: skip
"""In teaching order."""
