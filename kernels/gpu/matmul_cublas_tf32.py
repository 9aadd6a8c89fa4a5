"""C = A B by cuBLAS on tensor cores: the 100 % line in TF32.

The call is the one of the float32 line, B first and A second
because cuBLAS thinks in columns. One word differs: the math
mode, which allows the library to shorten the elements of A
and B to 11 bits. A, B and C stay float32 in memory, and sums
are float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# CUBLAS_TF32_TENSOR_OP_MATH, as cublas_api.h has it
TF32_TENSOR_OP_MATH = 3


def multiply(A: Any, B: Any, C: Any) -> None:
    """C (M x N) = A (M x K) times B (K x N), as CuPy arrays."""
    from cupy.cuda import cublas
    from cupy.cuda.device import get_cublas_handle

    M, K = A.shape
    N = B.shape[1]
    handle = get_cublas_handle()
    cublas.setMathMode(handle, TF32_TENSOR_OP_MATH)
    alpha = np.array(1, np.float32)
    beta = np.array(0, np.float32)
    cublas.sgemm(
        handle,
        cublas.CUBLAS_OP_N, cublas.CUBLAS_OP_N,
        N, M, K,
        alpha.ctypes.data,
        B.data.ptr, N,
        A.data.ptr, max(K, 1),
        beta.ctypes.data,
        C.data.ptr, N,
    )  # fmt: skip
