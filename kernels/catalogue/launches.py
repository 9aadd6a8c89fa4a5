"""Launches that several CUDA kernels share, blocks and threads from the problem and the parameters, and their common parameters."""

from __future__ import annotations

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Launch, Operation, Parameter, Parameters, Problem

FLOAT4 = 4
"""Floats in a load of 16 bytes."""


def tile_of(parameters: Parameters) -> tuple[int, int]:
    """Rows and columns of a block's tile of C."""
    return parameters["tile_rows"] or parameters["tile"], parameters["tile"]


def thread_per_element(problem: Problem, parameters: Parameters) -> Launch:
    """One thread an element, `tile` threads along x, which runs along the row, and `rows` along y. Uses no shared memory."""
    return _threads_per_element(problem.n, problem.m, parameters)


def thread_per_element_by_columns(problem: Problem, parameters: Parameters) -> Launch:
    """Return the launch with a thread for each element, x along the column."""
    return _threads_per_element(problem.m, problem.n, parameters)


def tile_of_c(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C; a tile of A and one of B in shared memory."""
    assert problem.operation is Operation.MATMUL
    return _tiles(problem, {"TILE": parameters["tile"]}, 2 * parameters["tile"] ** 2)


def greeting(problem: Problem, parameters: Parameters) -> Launch:
    """A row of blocks."""
    assert problem.operation is Operation.HELLO
    return Launch((parameters["blocks"], 1), (parameters["threads_x"], parameters["threads_y"]), {})


def refuse_swizzle(parameters: Parameters) -> Message | None:
    """Why x ^ y is no exchange of places within a row of the tile, or None."""
    tile = parameters["tile"]
    return None if tile & (tile - 1) == 0 else message(
        "{name} must be a power of two, not {value}: x ^ y would leave the row.", name="tile", value=tile
    )  # fmt: skip


def _threads_per_element(along_x: int, along_y: int, parameters: Parameters) -> Launch:
    tile = parameters["tile"]
    rows = parameters["rows"] or tile
    return Launch((-(-along_x // tile), -(-along_y // rows)), (tile, rows), {"TILE": tile, "ROWS": rows})


def _tiles(problem: Problem, defines: dict[str, int], shared_floats: int) -> Launch:
    tile = defines["TILE"]
    return Launch(_grid(problem, tile), (tile, tile), defines, shared_floats * FLOAT32_BYTES)


def _grid(problem: Problem, tile: int) -> tuple[int, int]:
    return -(-problem.n // tile), -(-problem.m // tile)


GPU_TILE = Parameter("tile", message("Tile size"), default=16, minimum=1, maximum=64, stops=(4, 8, 16, 32, 64))
ROWS = Parameter("rows", message("Block height"), default=0, minimum=0, maximum=1024, stops=(0, 1, 2, 4, 8, 16, 32))
"""Threads along y; 0 means as many as along x."""
PADDING = Parameter("padding", message("Padding"), default=1, minimum=0, maximum=32, stops=(0, 1, 2, 3, 4, 8))
REGISTER_TILE = Parameter("tile", message("Tile size"), default=128, minimum=64, maximum=256, stops=(64, 128, 256), small=64)
REGISTER_ROWS = Parameter("tile_rows", message("Rows of the tile"), default=0, minimum=0, maximum=256, stops=(0, 64, 128, 256))
"""0 means as many as columns."""
REGISTER_CAP = Parameter("registers", message("Registers a thread, at most"), 128, 0, 255, stops=(0, 64, 96, 128, 168, 255))
"""0 means as many as the compiler wants."""
RESULTS = Parameter("results", message("Results a thread, along each side"), default=8, minimum=4, maximum=8, stops=(4, 8))
RESULT_ROWS = Parameter("result_rows", message("Rows of results a thread"), default=16, minimum=4, maximum=16, stops=(8, 16))
STAGES = Parameter("stages", message("Stages"), default=3, minimum=2, maximum=4, stops=(2, 3, 4))
BLOCKS = Parameter("blocks", message("Blocks"), default=2, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
THREADS_X = Parameter("threads_x", message("Threads along x"), default=4, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
THREADS_Y = Parameter("threads_y", message("Threads along y"), default=2, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
