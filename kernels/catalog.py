"""The catalogue: every variant in teaching order. To add a kernel, write its source file and add an entry: its number is its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kernels import launches
from kernels.cpu.packed_rungs import PACKED_MULTIPLICATIONS
from kernels.cpu.recursive_rungs import RECURSIVE_MULTIPLICATIONS
from kernels.cpu.rungs import CPU_MULTIPLICATIONS, NUMPY_MULTIPLICATION
from kernels.cpu.transpose_rungs import CPU_TRANSPOSITIONS
from kernels.messages import message
from kernels.mpi.rungs import MPI_RUNGS
from kernels.spec import Device, Operation, Parameter, Variant

GPU_TILE = Parameter("tile", message("Tile size"), default=16, minimum=1, maximum=64, stops=(4, 8, 16, 32, 64))
ROWS = Parameter("rows", message("Block height"), default=0, minimum=0, maximum=1024, stops=(0, 1, 2, 4, 8, 16, 32))
"""Threads along y; 0 means as many as along x."""
PADDING = Parameter("padding", message("Padding"), default=1, minimum=0, maximum=32, stops=(0, 1, 2, 3, 4, 8))
REGISTER_TILE = Parameter("tile", message("Tile size"), default=128, minimum=64, maximum=256, stops=(64, 128))
RESULTS = Parameter("results", message("Results a thread, along each side"), default=8, minimum=4, maximum=8, stops=(4, 8))
BLOCKS = Parameter("blocks", message("Blocks"), default=2, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
THREADS_X = Parameter("threads_x", message("Threads along x"), default=4, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
THREADS_Y = Parameter("threads_y", message("Threads along y"), default=2, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))


def _numbered(entries: Iterable[Variant]) -> tuple[Variant, ...]:
    """The entries with their places in the ladders of their operations."""
    seen = Counter[Operation]()
    numbered = []
    for entry in entries:
        seen[entry.operation] += 1
        numbered.append(replace(entry, rung=seen[entry.operation]))
    return tuple(numbered)


VARIANTS = _numbered((
    *CPU_MULTIPLICATIONS,
    *RECURSIVE_MULTIPLICATIONS,
    *PACKED_MULTIPLICATIONS,
    NUMPY_MULTIPLICATION,
    *MPI_RUNGS,
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
    Variant(
        "gpu.vectorized-k8", Operation.MATMUL, Device.GPU,
        message("Register-tiled, vectorised"),
        message(
            "A thread keeps a square of results in registers, so that each value it reads serves several of them; "
            "loads move four floats at once."
        ),
        source="gpu/matmul_vectorized_k8.cu", entry="matmul_vectorized_k8", parameters=(REGISTER_TILE, RESULTS),
        launch=launches.register_tile, constraint=launches.refuse_register_tile,
        features=frozenset({"shared memory", "tile", "barrier", "registers", "vectorised"}),
    ),
    Variant(
        "gpu.double-buffered-k8", Operation.MATMUL, Device.GPU,
        message("Double-buffered"),
        message("The next tiles are on their way into registers while the threads multiply those in the other stage of shared memory."),
        source="gpu/matmul_double_buffered_k8.cu", entry="matmul_double_buffered_k8", parameters=(REGISTER_TILE, RESULTS),
        launch=launches.double_buffered_register_tile, constraint=launches.refuse_register_tile,
        features=frozenset({"shared memory", "tile", "barrier", "registers", "vectorised", "double buffering"}),
    ),
    Variant(
        "gpu.cublas", Operation.MATMUL, Device.GPU,
        message("cuBLAS"),
        message("NVIDIA's own library, called with the operands swapped because it thinks in columns."),
        source="gpu/matmul_cublas.py", entry="multiply", features=frozenset({"library"}), library=True,
    ),
    *CPU_TRANSPOSITIONS,
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
    Variant(
        "gpu.hello", Operation.HELLO, Device.GPU,
        message("Hello threads"),
        message("Every thread says where it is. Lines of one warp come together; warps and blocks in any order."),
        source="gpu/hello.cu", entry="hello", parameters=(BLOCKS, THREADS_X, THREADS_Y), launch=launches.greeting,
        features=frozenset({"threads"}),
    ),
))  # fmt: skip
_BY_ID = {variant.id: variant for variant in VARIANTS}


def find(variant_id: str) -> Variant | None:
    """The variant with this id, or None."""
    return _BY_ID.get(variant_id)


def of(operation: Operation) -> tuple[Variant, ...]:
    """The variants of one operation in teaching order."""
    return tuple(variant for variant in VARIANTS if variant.operation is operation)
