"""C = A B by cuBLAS in bfloat16: the 100 % line of the rungs
that round to bfloat16.

These rungs begin with A and B in float32, and so does this
line: a small kernel rounds both into T, then cuBLAS multiplies
what is there. Both belong to the time. The sums, and C, are
float32.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

THREADS = 256
EACH = 4
"""Elements of a thread."""
ROUND = r"""
#include <cuda_bf16.h>

// Four elements a thread: 16 bytes are read, 8 written.
extern "C" __global__ void round_to_bf16(
    const float* from, __nv_bfloat16* to, long long count)
{
    long long thread = blockIdx.x * 256ll + threadIdx.x;
    long long i = 4 * thread;
    if (i + 4 <= count) {
        float4 v = *(const float4*)(from + i);
        __nv_bfloat162 pair[2] = {
            __floats2bfloat162_rn(v.x, v.y),
            __floats2bfloat162_rn(v.z, v.w)};
        *(uint2*)(to + i) = *(uint2*)pair;
    } else
        for (; i < count; ++i)
            to[i] = __float2bfloat16(from[i]);
}
"""


def multiply(A: Any, B: Any, C: Any, T: Any) -> None:
    """C (M x N) = A (M x K) times B (K x N), as CuPy arrays.

    T has room for A and B in bfloat16.
    """
    from cupy.cuda import cublas, runtime
    from cupy.cuda.device import get_cublas_handle

    M, K = A.shape
    N = B.shape[1]
    rounded_a = T.data.ptr
    rounded_b = rounded_a + 16 * max(-(-A.size // 8), 1)
    _round(A, rounded_a)
    _round(B, rounded_b)

    # As in the float32 line the operands are swapped. Each has a
    # type of its own, and so has the arithmetic.
    handle = get_cublas_handle()
    cublas.setMathMode(handle, cublas.CUBLAS_DEFAULT_MATH)
    alpha = np.array(1, np.float32)
    beta = np.array(0, np.float32)
    cublas.gemmEx(
        handle,
        cublas.CUBLAS_OP_N, cublas.CUBLAS_OP_N,
        N, M, K,
        alpha.ctypes.data,
        rounded_b, runtime.CUDA_R_16BF, N,
        rounded_a, runtime.CUDA_R_16BF, max(K, 1),
        beta.ctypes.data,
        C.data.ptr, runtime.CUDA_R_32F, N,
        cublas.CUBLAS_COMPUTE_32F, cublas.CUBLAS_GEMM_DEFAULT,
    )  # fmt: skip


def _round(matrix: Any, place: int) -> None:
    """Write a matrix, rounded, to an address."""
    blocks = -(-matrix.size // (EACH * THREADS))
    if blocks:
        arguments = (matrix, np.intp(place), np.int64(matrix.size))
        _kernel()((blocks,), (THREADS,), arguments)


@cache
def _kernel() -> Any:
    from cupy.cuda import Device

    from kernels.gpu.compiler import Compiler

    compiler = Compiler(int(Device().compute_capability))
    return compiler.kernel(ROUND, "round_to_bf16", {}).function
