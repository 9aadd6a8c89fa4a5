"""The GPU ladder of transpositions."""

from __future__ import annotations

from kernels import launches
from kernels.gpu.parameters import GPU_TILE, PADDING, ROWS
from kernels.messages import message
from kernels.spec import Device, Operation, Variant

GPU_TRANSPOSITIONS = (
    Variant(
        "gpu.transpose-global", Operation.TRANSPOSE, Device.GPU,
        message("Global memory"),
        message("Each thread moves one element: a warp reads neighbours in a row and writes them a whole row apart."),
        source="gpu/transpose_global.cu", entry="transpose_global", parameters=(GPU_TILE, ROWS), launch=launches.thread_per_element,
        features=frozenset({"global memory"}),
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
        constraint=launches.refuse_swizzle, features=frozenset({"shared memory", "tile", "swizzle", "barrier"}),
    ),
)  # fmt: skip
"""In teaching order."""
