"""How many blocks of how many threads each CUDA transposition is launched with, from the problem and the parameters."""

from __future__ import annotations

from kernels.launches import FLOAT4
from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES, Launch, Operation, Parameters, Problem

COPY_THREADS = 256
COPY_QUADS = 4
"""float4 that a thread copies."""


def tile_threads(problem: Problem, parameters: Parameters) -> Launch:
    """One block of `tile` x `tile` threads for as many elements of A. Uses no shared memory."""
    tile = parameters["tile"]
    return Launch(_grid(problem, tile), (tile, tile), {"TILE": tile})


def tile_of_transpose(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of A, kept in shared memory."""
    tile = parameters["tile"]
    return Launch(_grid(problem, tile), (tile, tile), {"TILE": tile}, tile * tile * FLOAT32_BYTES)


def padded_tile_of_transpose(problem: Problem, parameters: Parameters) -> Launch:
    """The same with `padding` more columns."""
    tile, padding = parameters["tile"], parameters["padding"]
    shared_bytes = tile * (tile + padding) * FLOAT32_BYTES
    return Launch(_grid(problem, tile), (tile, tile), {"TILE": tile, "PADDING": padding}, shared_bytes)


def tile_of_several_elements(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of A, kept in shared memory with one more column; `rows` rows of threads move it in tile / rows steps."""
    tile, rows = parameters["tile"], parameters["rows"]
    return Launch(_grid(problem, tile), (tile, rows), {"TILE": tile, "ROWS": rows}, tile * (tile + 1) * FLOAT32_BYTES)


def tile_of_float4s(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of A, kept in shared memory; a thread for each square of 4 x 4 elements."""
    tile = parameters["tile"]
    return Launch(_grid(problem, tile), (tile // FLOAT4, tile // FLOAT4), {"TILE": tile}, tile * tile * FLOAT32_BYTES)


def pair_of_tiles(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of A; those on and above the diagonal keep it and its mirror image in shared memory, with one more column each."""
    tile, rows = parameters["tile"], parameters["rows"]
    return Launch(_grid(problem, tile), (tile, rows), {"TILE": tile, "ROWS": rows}, 2 * tile * (tile + 1) * FLOAT32_BYTES)


def row_of_copies(problem: Problem, _parameters: Parameters) -> Launch:
    """A row of blocks, each for the next 4096 elements of A as they lie in memory."""
    elements = COPY_THREADS * COPY_QUADS * FLOAT4
    return Launch((-(-problem.m * problem.n // elements), 1), (COPY_THREADS, 1), {})


def refuse_height(parameters: Parameters) -> Message | None:
    """Why the threads of a block cannot share the rows of its tile equally, or None."""
    tile, rows = parameters["tile"], parameters["rows"]
    if tile % rows == 0:
        return None
    return message(
        "{name} must be a multiple of {other}: {tile} = {quotient} × {results} + {rest}.",
        name="tile", other="rows", tile=tile, quotient=tile // rows, results=rows, rest=tile % rows,
    )  # fmt: skip


def _grid(problem: Problem, tile: int) -> tuple[int, int]:
    assert problem.operation is Operation.TRANSPOSE
    return -(-problem.n // tile), -(-problem.m // tile)
