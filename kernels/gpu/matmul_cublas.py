"""C = A B by cuBLAS: the 100 % line.

NVIDIA tunes this library for each of its GPUs. It comes
from Fortran and thinks in columns. The same memory read
column by column is the transposed matrix, so it sees our
row-major A as A^T, and so on. Nothing has to be turned
round: since

    C = A B    is the same as    C^T = B^T A^T,

we hand over B first and A second, and what cuBLAS writes as
the columns of C^T are the rows of our C.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def multiply(A: Any, B: Any, C: Any) -> None:
    """C (M x N) = A (M x K) times B (K x N), as CuPy arrays."""
    from cupy.cuda import cublas
    from cupy.cuda.device import get_cublas_handle

    M, K = A.shape
    N = B.shape[1]
    handle = get_cublas_handle()

    # Plain float32 on the CUDA cores, like the other rungs:
    # tensor cores would round the inputs to TF32.
    cublas.setMathMode(handle, cublas.CUBLAS_DEFAULT_MATH)

    # C = alpha * A B + beta * C. With beta = 0 the old C is
    # not read.
    alpha = np.array(1, np.float32)
    beta = np.array(0, np.float32)

    # The leading dimension is the distance between two columns
    # as cuBLAS sees them: the length of our rows, at least 1.
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
