"""The GPU ladder of multiplications, third part: the fastest in float32, and the library."""

from __future__ import annotations

from kernels import fast_launches
from kernels.messages import message
from kernels.spec import Device, Operation, Parameter, Variant

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
        launch=fast_launches.fastest, constraint=fast_launches.refuse_fastest,
        features=frozenset({"shared memory", "tile", "barrier", "registers", "vectorised", "asynchronous copy"}),
    ),
    Variant(
        "gpu.cublas", Operation.MATMUL, Device.GPU,
        message("cuBLAS"),
        message("NVIDIA's own library, called with the operands swapped because it thinks in columns."),
        source="gpu/matmul_cublas.py", entry="multiply", features=frozenset({"library"}), library=True,
    ),
)  # fmt: skip
"""In teaching order."""
