"""The GPU ladder of multiplications, first part: from one thread an element to shared memory."""

from __future__ import annotations

from kernels import launches
from kernels.gpu.parameters import GPU_TILE, ROWS
from kernels.messages import message
from kernels.spec import Device, Operation, Variant

SIMPLE_MULTIPLICATIONS = (
    Variant(
        "gpu.naive", Operation.MATMUL, Device.GPU,
        message("Naive"),
        message("One thread for each element of C; every thread reads its whole row of A and column of B from global memory."),
        source="gpu/matmul_naive.cu", entry="matmul_naive", parameters=(GPU_TILE, ROWS), launch=launches.thread_per_element,
        features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.uncoalesced", Operation.MATMUL, Device.GPU,
        message("Uncoalesced"),
        message("The naive kernel with x and y exchanged: neighbours of a warp read and write a whole row apart, each in another sector."),
        source="gpu/matmul_uncoalesced.cu", entry="matmul_uncoalesced", parameters=(GPU_TILE, ROWS),
        launch=launches.thread_per_element_by_columns, features=frozenset({"global memory"}),
    ),
    Variant(
        "gpu.tiled", Operation.MATMUL, Device.GPU,
        message("Shared-memory tiled"),
        message(
            "A block copies one tile of A and one of B into shared memory; "
            "each value is then read by a whole row or column of threads."
        ),
        source="gpu/matmul_tiled.cu", entry="matmul_tiled", parameters=(GPU_TILE,), launch=launches.tile_of_c,
        features=frozenset({"shared memory", "tile", "barrier"}),
    ),
)  # fmt: skip
"""In teaching order."""
