"""The GPU ladder of multiplications, third part: the fastest in float32, and the library."""

from __future__ import annotations

from kernels.messages import message
from kernels.spec import Device, Operation, Variant

FAST_MULTIPLICATIONS = (
    Variant(
        "gpu.cublas", Operation.MATMUL, Device.GPU,
        message("cuBLAS"),
        message("NVIDIA's own library, called with the operands swapped because it thinks in columns."),
        source="gpu/matmul_cublas.py", entry="multiply", features=frozenset({"library"}), library=True,
    ),
)  # fmt: skip
"""In teaching order."""
