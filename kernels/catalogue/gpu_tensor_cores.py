"""GPU ladder of multiplications, fourth part: tensor cores, which round A and B or cut them into parts, and the libraries that round."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.base.spec import FLOAT32_BYTES, Device, Needs, Operation, Parameter, Parameters, Precision, Problem, Variant
from kernels.catalogue import tensor_launches as launches

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
GROUP_TILE = Parameter("tile", message("Columns of C a block"), default=256, minimum=128, maximum=256, stops=(128, 256), small=128)
GROUP_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=128, minimum=64, maximum=256, stops=(64, 128, 192, 256), small=64)
PART_ROWS = Parameter("tile_rows", message("Rows of C a block"), default=128, minimum=64, maximum=128, stops=(64, 128), small=64)
STAGES = Parameter("stages", message("Stages"), default=4, minimum=2, maximum=8, stops=(2, 3, 4, 5, 6), small=2)
MULTIPROCESSORS = Parameter("multiprocessors", message("Multiprocessors"), 132, 2, 1024, stops=(2, 132))
MMA_DEPTH = Parameter("depth", message("Depth of a step"), default=32, minimum=32, maximum=64, stops=(32, 64))
MMA_DEPTH_TF32 = Parameter("depth", message("Depth of a step"), default=16, minimum=16, maximum=32, stops=(16, 32))
MMA_STAGES = Parameter("stages", message("Stages"), default=6, minimum=2, maximum=8, stops=(2, 3, 4, 5, 6), small=3)
MMA = (TILE, TILE_ROWS, MMA_DEPTH, MMA_STAGES)
MMA_TF32 = (TILE, TILE_ROWS, MMA_DEPTH_TF32, MMA_STAGES)
MMA_FEATURES = frozenset({"shared memory", "tile", "barrier", "tensor cores", "asynchronous copy", "packing"})


def operands_in_bf16(problem: Problem) -> tuple[int, int]:
    """A float32 matrix with room for A and B in bfloat16, each from a multiple of 16 bytes on."""
    return 1, (_even_pairs(problem.m * problem.k) + _even_pairs(problem.k * problem.n)) * launches.BF16_BYTES // FLOAT32_BYTES


def truncated_sums(_problem: Problem, _parameters: Parameters) -> float:
    """Tensor cores cut off what a float32 sum cannot hold, where other units round: twice the error of ordinary summation."""
    return 2.0


def sums_of_parts(_problem: Problem, _parameters: Parameters) -> float:
    """Besides sums that are cut off, the three products of small parts are missing, together less than half of a rounding."""
    return 2.5 + 2.0**-6


def _even_pairs(elements: int) -> int:
    return max(-(-elements // 8), 1) * 8


TENSOR_MULTIPLICATIONS = (
    Variant(
        "gpu.wmma-tf32", Operation.MATMUL, Device.GPU,
        message("Tensor cores, TF32"),
        message("A warp multiplies whole tiles with one instruction (wmma); the elements of A and B keep 11 of their 24 bits."),
        source="gpu/matmul_wmma_tf32.cu", entry="matmul_wmma_tf32", parameters=(TILE, TILE_ROWS, DEPTH),
        launch=launches.wmma_tf32, constraint=launches.refuse_wmma_tf32,
        features=frozenset({"shared memory", "tile", "barrier", "double buffering", "tensor cores"}),
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.mma-tf32", Operation.MATMUL, Device.GPU,
        message("Fragments, TF32"),
        message("The instruction itself (mma), of values rounded beforehand, copied past the registers and loaded by ldmatrix."),
        source="gpu/matmul_mma_tf32.cu", entry="matmul_mma_tf32", parameters=MMA_TF32,
        launch=launches.mma_tf32, constraint=launches.refuse_mma_tf32, features=MMA_FEATURES,
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.mma-padded-tf32", Operation.MATMUL, Device.GPU,
        message("Fragments from padded rows, TF32"),
        message("Each row in shared memory is 16 bytes longer, so that the 8 rows of a load meet all banks."),
        source="gpu/matmul_mma_padded_tf32.cu", entry="matmul_mma_padded_tf32", parameters=MMA_TF32,
        launch=launches.mma_padded_tf32, constraint=launches.refuse_mma_tf32, features=MMA_FEATURES | {"padding"},
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.mma-swizzled-tf32", Operation.MATMUL, Device.GPU,
        message("Fragments from swizzled rows, TF32"),
        message("The pieces of a row are exchanged by exclusive or: no bank conflicts and no padding, so a second block fits."),
        source="gpu/matmul_mma_swizzled_tf32.cu", entry="matmul_mma_swizzled_tf32", parameters=MMA_TF32,
        launch=launches.mma_tf32, constraint=launches.refuse_mma_tf32, features=MMA_FEATURES | {"swizzle"},
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.cublas-tf32", Operation.MATMUL, Device.GPU,
        message("cuBLAS, TF32"),
        message("The library, allowed to round A and B to TF32 and to use tensor cores."),
        source="gpu/matmul_cublas_tf32.py", entry="multiply", features=frozenset({"library"}), library=True,
        error_growth=truncated_sums, precision=TF32, needs=AMPERE,
    ),
    Variant(
        "gpu.wmma-bf16", Operation.MATMUL, Device.GPU,
        message("Tensor cores, bfloat16"),
        message("Rounded to bfloat16 on the way into shared memory, a tile of the same bytes holds twice the steps of k."),
        source="gpu/matmul_wmma_bf16.cu", entry="matmul_wmma_bf16", parameters=(TILE, TILE_ROWS, DEPTH),
        launch=launches.wmma_bf16, constraint=launches.refuse_wmma_bf16,
        features=frozenset({"shared memory", "tile", "barrier", "double buffering", "tensor cores"}),
        error_growth=truncated_sums, precision=BF16, needs=AMPERE,
    ),
    Variant(
        "gpu.mma-bf16", Operation.MATMUL, Device.GPU,
        message("Fragments, bfloat16"),
        message("The instruction itself (mma): it is specified which lane holds what, and ldmatrix brings it there."),
        source="gpu/matmul_mma_bf16.cu", entry="matmul_mma_bf16", parameters=MMA,
        launch=launches.mma_bf16, constraint=launches.refuse_mma_bf16, features=MMA_FEATURES,
        error_growth=truncated_sums, precision=BF16, needs=AMPERE,
    ),
    Variant(
        "gpu.mma-padded-bf16", Operation.MATMUL, Device.GPU,
        message("Fragments from padded rows, bfloat16"),
        message("Each row in shared memory is 16 bytes longer, so that the 8 rows of a load meet all banks."),
        source="gpu/matmul_mma_padded_bf16.cu", entry="matmul_mma_padded_bf16", parameters=MMA,
        launch=launches.mma_padded_bf16, constraint=launches.refuse_mma_bf16, features=MMA_FEATURES | {"padding"},
        error_growth=truncated_sums, precision=BF16, needs=AMPERE,
    ),
    Variant(
        "gpu.mma-swizzled-bf16", Operation.MATMUL, Device.GPU,
        message("Fragments from swizzled rows, bfloat16"),
        message("The pieces of a row are exchanged by exclusive or: no bank conflicts and no padding, so a second block fits."),
        source="gpu/matmul_mma_swizzled_bf16.cu", entry="matmul_mma_swizzled_bf16", parameters=MMA,
        launch=launches.mma_bf16, constraint=launches.refuse_mma_bf16, features=MMA_FEATURES | {"swizzle"},
        error_growth=truncated_sums, precision=BF16, needs=AMPERE,
    ),
    Variant(
        "gpu.wgmma-bf16", Operation.MATMUL, Device.GPU,
        message("Hopper's tensor cores, bfloat16"),
        message("A and B are rounded and packed beforehand; a copy engine fills four stages, from which the tensor cores read themselves."),
        source="gpu/matmul_wgmma_bf16.cu", entry="matmul_wgmma_bf16", parameters=(GROUP_TILE, GROUP_ROWS, STAGES),
        launch=launches.wgmma_bf16, constraint=launches.refuse_wgmma,
        features=frozenset({"shared memory", "tile", "tensor cores", "asynchronous copy", "packing"}),
        error_growth=truncated_sums, precision=BF16, needs=HOPPER,
    ),
    Variant(
        "gpu.wgmma-clusters-bf16", Operation.MATMUL, Device.GPU,
        message("Clusters that stay, bfloat16"),
        message(
            "Two blocks share what they fetch, and stay for many tiles; while tensor cores multiply, three warps of each round and pack "
            "what later tiles need."
        ),
        source="gpu/matmul_wgmma_clusters_bf16.cu", entry="matmul_wgmma_clusters_bf16", parameters=(MULTIPROCESSORS,),
        launch=launches.wgmma_clusters_bf16,
        features=frozenset({"shared memory", "tile", "tensor cores", "asynchronous copy", "packing"}),
        error_growth=truncated_sums, precision=BF16, needs=HOPPER,
    ),
    Variant(
        "gpu.cublas-bf16", Operation.MATMUL, Device.GPU,
        message("cuBLAS, bfloat16"),
        message("A and B are rounded to bfloat16 by a small kernel and multiplied by the library: both are timed."),
        source="gpu/matmul_cublas_bf16.py", entry="multiply", features=frozenset({"library"}), library=True,
        error_growth=truncated_sums, precision=BF16, needs=AMPERE, workspace=operands_in_bf16,
    ),
    Variant(
        "gpu.three-parts", Operation.MATMUL, Device.GPU,
        message("Float32 from three bfloat16"),
        message(
            "Each value is cut into three parts without loss; six products of parts are float32's product, added up by CUDA cores in time."
        ),
        source="gpu/matmul_three_parts.cu", entry="matmul_three_parts", parameters=(PART_ROWS, STAGES),
        launch=launches.three_parts, constraint=launches.refuse_three_parts,
        features=frozenset({"shared memory", "tile", "tensor cores", "asynchronous copy", "packing", "registers"}),
        error_growth=sums_of_parts, needs=HOPPER,
    ),
)  # fmt: skip
"""In teaching order."""
