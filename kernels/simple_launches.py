"""How the multiplications with a column of results a thread, or another layout of shared memory, are launched."""

from __future__ import annotations

from kernels.launches import refuse_swizzle
from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES, Launch, Operation, Parameters, Problem

BANKS = 32
PADDED, SWIZZLED = range(2)
"""Values of the parameter `layout`."""


def conflict_free_tile_of_c(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, the tile of B transposed; its rows are padded, or swizzled, so that a column of it lies in different banks."""
    tile, swizzled = parameters["tile"], parameters["layout"] == SWIZZLED
    padding = 0 if swizzled else max(1, BANKS // tile)
    defines = {"TILE": tile, "PADDING": padding, "SWIZZLE": int(swizzled)}
    return _launch(problem, (tile, tile), (tile, tile), defines, tile * tile + tile * (tile + padding))


def refuse_layout(parameters: Parameters) -> Message | None:
    """Why the tile cannot have this layout, or None."""
    return refuse_swizzle(parameters) if parameters["layout"] == SWIZZLED else None


def column_of_tile(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C, `results` elements of a column a thread; a tile of A and one of B in shared memory."""
    tile, results = parameters["tile"], parameters["results"]
    return _launch(problem, (tile, tile), (tile, tile // results), {"TILE": tile, "RESULTS": results}, 2 * tile * tile)


def refuse_column_of_tile(parameters: Parameters) -> Message | None:
    """Why a column of the tile cannot be divided among threads like this, or None."""
    tile, results = parameters["tile"], parameters["results"]
    return None if tile % results == 0 else message(
        "{name} must be a multiple of {other}: {tile} = {quotient} × {results} + {rest}.",
        name="tile", other="results", tile=tile, quotient=tile // results, results=results, rest=tile % results,
    )  # fmt: skip


def column_a_thread(problem: Problem, parameters: Parameters) -> Launch:
    """A row of `tile` threads a block, each with a column of `results` elements of C; `depth` columns of A in shared memory."""
    tile, results, depth = parameters["tile"], parameters["results"], parameters["depth"]
    defines = {"TILE": tile, "RESULTS": results, "DEPTH": depth}
    return _launch(problem, (tile, results), (tile, 1), defines, depth * results)


def _launch(problem: Problem, part: tuple[int, int], block: tuple[int, int], defines: dict[str, int], shared_floats: int) -> Launch:
    """Blocks that compute `part` (columns, rows) of C each."""
    assert problem.operation is Operation.MATMUL
    grid = -(-problem.n // part[0]), -(-problem.m // part[1])
    return Launch(grid, block, defines, shared_floats * FLOAT32_BYTES)
