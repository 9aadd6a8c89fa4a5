"""C = A B by rows, sending while multiplying.

B travels in panels of rows. All panels are sent off at once
by calls that do not wait; a rank multiplies with a panel as
soon as that one has come, while the next is on its way:

      B panels  |--0--|--1--|--2--|--3--|
      multiply        |--0--|--1--|--2--|--3--|

As much is received as by rows, MK/P + KN floats. What can
be won is at most the shorter of the two lines. Between
machines the network moves the data; on one machine the same
cores copy it that should multiply, and less is won.
Next rung: nobody needs all of B (matmul_summa.py).
"""

from __future__ import annotations

import numpy as np
from mpi4py.MPI import Intracomm

from kernels.cpu.matrix import Matrix
from kernels.mpi.parts import parts, sizes

PANELS = 8


def multiply(
    comm: Intracomm, A: Matrix, B: Matrix, C: Matrix,
    M: int, N: int, K: int,
) -> None:  # fmt: skip
    # A, B and C are there on rank 0 only
    shares = parts(M, comm.size)
    first, last = shares[comm.rank]
    rows = np.empty((last - first, K), np.float32)
    result = np.zeros((last - first, N), np.float32)
    if comm.rank > 0:
        B = np.empty((K, N), np.float32)

    comm.Scatterv([A, sizes(shares, K)], rows)
    panels = parts(K, PANELS)
    coming = [comm.Ibcast(B[k:end]) for k, end in panels]
    for i, (k, end) in enumerate(panels):
        coming[i].Wait()
        result += rows[:, k:end] @ B[k:end]  # on one thread
    comm.Gatherv(result, [C, sizes(shares, N)])
