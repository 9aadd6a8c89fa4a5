"""The GPU ladder of multiplications, second part: a thread keeps many results in registers."""

from __future__ import annotations

from kernels import launches
from kernels.gpu.parameters import REGISTER_TILE, RESULTS
from kernels.messages import message
from kernels.spec import Device, Operation, Variant

REGISTER_MULTIPLICATIONS = (
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
)  # fmt: skip
"""In teaching order."""
