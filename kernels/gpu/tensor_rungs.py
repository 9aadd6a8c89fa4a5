"""The GPU ladder of multiplications, fourth part: tensor cores, which round A and B, and the library in the same precision."""

from __future__ import annotations

from kernels import tensor_launches
from kernels.messages import message
from kernels.spec import Device, Needs, Operation, Parameter, Precision, Variant

TF32 = Precision("TF32", 2.0**-10)
"""11 bits of a float32; whether the others are rounded or cut off, which is twice the error, is left to the hardware and the library."""
BF16 = Precision("bfloat16", 2.0**-8)
"""8 bits, rounded."""
AMPERE = Needs(80)
HOPPER = Needs(90, alone=True)

TILE = Parameter("tile", message("Columns of C a block"), default=128, minimum=64, maximum=256, stops=(64, 128, 256), small=64)
TILE_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=128, minimum=0, maximum=256, stops=(0, 64, 128, 256), small=64)
"""0 means as many as columns."""
DEPTH = Parameter("depth", message("Depth of a step"), default=16, minimum=8, maximum=32, stops=(8, 16, 32))
GROUP_TILE = Parameter("tile", message("Columns of C a block"), default=256, minimum=128, maximum=256, stops=(128, 256))
GROUP_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=128, minimum=64, maximum=256, stops=(64, 128, 192, 256))
STAGES = Parameter("stages", message("Stages"), default=4, minimum=2, maximum=8, stops=(2, 3, 4, 5, 6))

TENSOR_MULTIPLICATIONS = (
    Variant(
        "gpu.wmma-tf32", Operation.MATMUL, Device.GPU,
        message("Tensor cores, TF32"),
        message("A warp multiplies whole tiles with one instruction (wmma); the elements of A and B keep 11 of their 24 bits."),
        source="gpu/matmul_wmma_tf32.cu", entry="matmul_wmma_tf32", parameters=(TILE, TILE_ROWS, DEPTH),
        launch=tensor_launches.wmma_tf32, constraint=tensor_launches.refuse_wmma_tf32,
        features=frozenset({"shared memory", "tile", "barrier", "double buffering", "tensor cores"}),
        error_growth=tensor_launches.truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.cublas-tf32", Operation.MATMUL, Device.GPU,
        message("cuBLAS, TF32"),
        message("The library, allowed to round A and B to TF32 and to use tensor cores."),
        source="gpu/matmul_cublas_tf32.py", entry="multiply", features=frozenset({"library"}), library=True,
        error_growth=tensor_launches.truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.wmma-bf16", Operation.MATMUL, Device.GPU,
        message("Tensor cores, bfloat16"),
        message("Rounded to bfloat16 on the way into shared memory, a tile of the same bytes holds twice the steps of k."),
        source="gpu/matmul_wmma_bf16.cu", entry="matmul_wmma_bf16", parameters=(TILE, TILE_ROWS, DEPTH),
        launch=tensor_launches.wmma_bf16, constraint=tensor_launches.refuse_wmma_bf16,
        features=frozenset({"shared memory", "tile", "barrier", "double buffering", "tensor cores"}),
        error_growth=tensor_launches.truncated_sums, precision=BF16, needs=AMPERE,
    ),
    Variant(
        "gpu.wgmma-bf16", Operation.MATMUL, Device.GPU,
        message("Hopper's tensor cores, bfloat16"),
        message("A and B are rounded and packed beforehand; a copy engine fills four stages, from which the tensor cores read themselves."),
        source="gpu/matmul_wgmma_bf16.cu", entry="matmul_wgmma_bf16", parameters=(GROUP_TILE, GROUP_ROWS, STAGES),
        launch=tensor_launches.wgmma_bf16, constraint=tensor_launches.refuse_wgmma,
        features=frozenset({"shared memory", "tile", "tensor cores", "asynchronous copy", "packing"}),
        error_growth=tensor_launches.truncated_sums, precision=BF16, needs=HOPPER,
        measured_only=message(
            "This kernel is only timed: its tensor cores, barriers and copies are instructions that Hopper alone has, "
            "and they are not interpreted."
        ),
    ),
    Variant(
        "gpu.cublas-bf16", Operation.MATMUL, Device.GPU,
        message("cuBLAS, bfloat16"),
        message("A and B are rounded to bfloat16 by a small kernel and multiplied by the library: both are timed."),
        source="gpu/matmul_cublas_bf16.py", entry="multiply", features=frozenset({"library"}), library=True,
        error_growth=tensor_launches.truncated_sums, precision=BF16, needs=AMPERE, workspace=tensor_launches.operands_in_bf16,
    ),
)  # fmt: skip
"""In teaching order."""
