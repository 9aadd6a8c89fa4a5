"""How many blocks of how many threads each CUDA kernel is launched with, from the problem and the parameters."""

from __future__ import annotations

from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES, Launch, Operation, Parameters, Problem

FLOAT4 = 4
"""Floats in a load of 16 bytes."""


def thread_per_element(problem: Problem, parameters: Parameters) -> Launch:
    """One thread an element, `tile` threads along x, which runs along the row, and `rows` along y. Uses no shared memory."""
    return _threads_per_element(problem.n, problem.m, parameters)


def thread_per_element_by_columns(problem: Problem, parameters: Parameters) -> Launch:
    """The same with x along the column."""
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
