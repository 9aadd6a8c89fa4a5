"""GPU ladder of transpositions with their launches. The last entry is what the others are measured against."""

from __future__ import annotations

from dataclasses import replace

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Launch, Operation, Output, Parameter, Parameters, Problem, Variant
from kernels.catalogue.launches import FLOAT4, GPU_TILE, PADDING, ROWS, refuse_swizzle, thread_per_element, thread_per_element_by_columns

WARP_TILE = replace(GPU_TILE, small=32)
"""Shown with one warp a row, so that a column of the tile lies in one bank, or with padding in 32."""
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
    """Return the launch with a block for each tile, which has `padding` more columns in shared memory."""
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


SHARED_TILE = Parameter("tile", message("Tile size"), default=32, minimum=1, maximum=64, stops=(8, 16, 32, 64))
SHARING_ROWS = Parameter("rows", message("Block height"), default=8, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
"""Threads along y that share a tile's rows."""
FLOAT4_TILE = Parameter("tile", message("Tile size"), default=64, minimum=32, maximum=64, stops=(32, 64))

_GLOBAL = (
    Variant(
        "gpu.transpose-global", Operation.TRANSPOSE, Device.GPU,
        message("Global memory, coalesced reads"),
        message("Each thread moves one element: a warp reads neighbours in a row and writes them a whole row apart."),
        source="gpu/transpose_global.cu", entry="transpose_global", parameters=(GPU_TILE, ROWS), launch=thread_per_element,
        features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.transpose-global-writes", Operation.TRANSPOSE, Device.GPU,
        message("Global memory, coalesced writes"),
        message("The same with x and y exchanged: a warp reads values a whole row apart and writes neighbours."),
        source="gpu/transpose_global_writes.cu", entry="transpose_global_writes", parameters=(GPU_TILE, ROWS),
        launch=thread_per_element_by_columns, features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.transpose-direct-map", Operation.TRANSPOSE, Device.GPU,
        message("Direct mapping"),
        message("Thread t of the grid takes element t of A: a block is a strip of a row, and fills no sector that it writes."),
        source="gpu/transpose_direct_map.cu", entry="transpose_direct_map", parameters=(GPU_TILE,), launch=tile_threads,
        features=frozenset({"global memory"}),
    ),
)  # fmt: skip
_SHARED = (
    Variant(
        "gpu.transpose-row-first", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory, row first"),
        message("The tile in shared memory is read as it was written: each thread gets its own element back and writes it uncoalesced."),
        source="gpu/transpose_row_first.cu", entry="transpose_row_first", parameters=(WARP_TILE,), launch=tile_of_transpose,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
    Variant(
        "gpu.transpose-shared", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory"),
        message(
            "The tile is turned inside shared memory, so reads and writes are both coalesced; "
            "but a column of the tile lies in few banks, and its values come one after the other."
        ),
        source="gpu/transpose_shared.cu", entry="transpose_shared", parameters=(WARP_TILE,), launch=tile_of_transpose,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
    Variant(
        "gpu.transpose-padded", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory, padded"),
        message(
            "The tile is turned inside shared memory, so reads and writes are both coalesced; "
            "one column of padding keeps the banks apart."
        ),
        source="gpu/transpose_padded.cu", entry="transpose_padded", parameters=(WARP_TILE, PADDING),
        launch=padded_tile_of_transpose, features=frozenset({"shared memory", "tile", "padding", "barrier"}),
    ),
    Variant(
        "gpu.transpose-swizzled", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory, swizzled"),
        message("Each row of the tile is kept in another order, x ^ y, so that its columns are spread over all banks without padding."),
        source="gpu/transpose_swizzled.cu", entry="transpose_swizzled", parameters=(WARP_TILE,), launch=tile_of_transpose,
        constraint=refuse_swizzle, features=frozenset({"shared memory", "tile", "swizzle", "barrier"}),
    ),
)  # fmt: skip
_FAST = (
    Variant(
        "gpu.transpose-elements", Operation.TRANSPOSE, Device.GPU,
        message("Several elements a thread"),
        message("A block of few rows of threads moves a square tile in steps: each thread has several reads on their way at once."),
        source="gpu/transpose_elements.cu", entry="transpose_elements", parameters=(SHARED_TILE, SHARING_ROWS),
        launch=tile_of_several_elements, constraint=refuse_height,
        features=frozenset({"shared memory", "tile", "padding", "barrier", "unrolling"}),
    ),
    Variant(
        "gpu.transpose-vectorized", Operation.TRANSPOSE, Device.GPU,
        message("Vectorised"),
        message("Four floats with each read and write: a thread turns 4 × 4 elements in registers, the squares change places in the tile."),
        source="gpu/transpose_vectorized.cu", entry="transpose_vectorized", parameters=(FLOAT4_TILE,), launch=tile_of_float4s,
        constraint=refuse_swizzle, features=frozenset({"shared memory", "tile", "swizzle", "barrier", "vectorised"}),
    ),
    Variant(
        "gpu.transpose-in-place", Operation.TRANSPOSE, Device.GPU,
        message("In place"),
        message("A square matrix is turned where it lies: a block reads a tile and its mirror image, and writes each where the other was."),
        source="gpu/transpose_in_place.cu", entry="transpose_in_place", parameters=(SHARED_TILE, SHARING_ROWS),
        launch=pair_of_tiles, constraint=refuse_height, output=Output.IN_PLACE,
        features=frozenset({"shared memory", "tile", "padding", "barrier"}),
    ),
    Variant(
        "gpu.transpose-copy", Operation.TRANSPOSE, Device.GPU,
        message("Copy"),
        message("Nothing is turned: every element is read and written once, in the order of memory. No transposition can do with less."),
        source="gpu/transpose_copy.cu", entry="transpose_copy", launch=row_of_copies, library=True, output=Output.COPY,
        features=frozenset({"global memory", "vectorised"}),
    ),
)  # fmt: skip
GPU_TRANSPOSITIONS = (*_GLOBAL, *_SHARED, *_FAST)
"""In teaching order."""
