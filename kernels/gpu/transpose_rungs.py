"""The GPU ladder of transpositions. The last entry is what the others are measured against."""

from __future__ import annotations

from kernels import transpose_launches as launches
from kernels.gpu.parameters import GPU_TILE, PADDING, ROWS
from kernels.launches import refuse_swizzle, thread_per_element, thread_per_element_by_columns
from kernels.messages import message
from kernels.spec import Device, Operation, Output, Parameter, Variant

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
        source="gpu/transpose_direct_map.cu", entry="transpose_direct_map", parameters=(GPU_TILE,), launch=launches.tile_threads,
        features=frozenset({"global memory"}),
    ),
)  # fmt: skip
_SHARED = (
    Variant(
        "gpu.transpose-row-first", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory, row first"),
        message("The tile in shared memory is read as it was written: each thread gets its own element back and writes it uncoalesced."),
        source="gpu/transpose_row_first.cu", entry="transpose_row_first", parameters=(GPU_TILE,), launch=launches.tile_of_transpose,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
    Variant(
        "gpu.transpose-shared", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory"),
        message(
            "The tile is turned inside shared memory, so reads and writes are both coalesced; "
            "but a column of the tile lies in few banks, and its values come one after the other."
        ),
        source="gpu/transpose_shared.cu", entry="transpose_shared", parameters=(GPU_TILE,), launch=launches.tile_of_transpose,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
    Variant(
        "gpu.transpose-padded", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory, padded"),
        message(
            "The tile is turned inside shared memory, so reads and writes are both coalesced; "
            "one column of padding keeps the banks apart."
        ),
        source="gpu/transpose_padded.cu", entry="transpose_padded", parameters=(GPU_TILE, PADDING),
        launch=launches.padded_tile_of_transpose, features=frozenset({"shared memory", "tile", "padding", "barrier"}),
    ),
    Variant(
        "gpu.transpose-swizzled", Operation.TRANSPOSE, Device.GPU,
        message("Shared memory, swizzled"),
        message("Each row of the tile is kept in another order, x ^ y, so that its columns are spread over all banks without padding."),
        source="gpu/transpose_swizzled.cu", entry="transpose_swizzled", parameters=(GPU_TILE,), launch=launches.tile_of_transpose,
        constraint=refuse_swizzle, features=frozenset({"shared memory", "tile", "swizzle", "barrier"}),
    ),
)  # fmt: skip
_FAST = (
    Variant(
        "gpu.transpose-elements", Operation.TRANSPOSE, Device.GPU,
        message("Several elements a thread"),
        message("A block of few rows of threads moves a square tile in steps: each thread has several reads on their way at once."),
        source="gpu/transpose_elements.cu", entry="transpose_elements", parameters=(SHARED_TILE, SHARING_ROWS),
        launch=launches.tile_of_several_elements, constraint=launches.refuse_height,
        features=frozenset({"shared memory", "tile", "padding", "barrier", "unrolling"}),
    ),
    Variant(
        "gpu.transpose-vectorized", Operation.TRANSPOSE, Device.GPU,
        message("Vectorised"),
        message("Four floats with each read and write: a thread turns 4 × 4 elements in registers, the squares change places in the tile."),
        source="gpu/transpose_vectorized.cu", entry="transpose_vectorized", parameters=(FLOAT4_TILE,), launch=launches.tile_of_float4s,
        constraint=refuse_swizzle, features=frozenset({"shared memory", "tile", "swizzle", "barrier", "vectorised"}),
    ),
    Variant(
        "gpu.transpose-in-place", Operation.TRANSPOSE, Device.GPU,
        message("In place"),
        message("A square matrix is turned where it lies: a block reads a tile and its mirror image, and writes each where the other was."),
        source="gpu/transpose_in_place.cu", entry="transpose_in_place", parameters=(SHARED_TILE, SHARING_ROWS),
        launch=launches.pair_of_tiles, constraint=launches.refuse_height, output=Output.IN_PLACE,
        features=frozenset({"shared memory", "tile", "padding", "barrier"}),
    ),
    Variant(
        "gpu.transpose-copy", Operation.TRANSPOSE, Device.GPU,
        message("Copy"),
        message("Nothing is turned: every element is read and written once, in the order of memory. No transposition can do with less."),
        source="gpu/transpose_copy.cu", entry="transpose_copy", launch=launches.row_of_copies, library=True, output=Output.COPY,
        features=frozenset({"global memory", "vectorised"}),
    ),
)  # fmt: skip
GPU_TRANSPOSITIONS = (*_GLOBAL, *_SHARED, *_FAST)
"""In teaching order."""
