"""C = A B by rows, with collective calls.

Rank 0 has A and B. Everyone gets a share of the rows of A
(scatter) and all of B (broadcast), and multiplies; rank 0
gathers the rows of C:

          A          B          C
      [ rank 0 ]            [ rank 0 ]
      [ rank 1 ]  x  all =  [ rank 1 ]
      [ rank 2 ]            [ rank 2 ]

Every rank but 0 receives MK/P + KN floats: more ranks make
the first part smaller, but never the second. One rank
keeps everything and sends nothing.
Next rung: cut B as well (matmul_blocks.py).
"""

from __future__ import annotations

import numpy as np
from mpi4py.MPI import Intracomm

from kernels.cpu.matrix import Matrix
from kernels.mpi.parts import parts, sizes


def multiply(
    comm: Intracomm, A: Matrix, B: Matrix, C: Matrix,
    M: int, N: int, K: int,
) -> None:  # fmt: skip
    # A, B and C are there on rank 0 only
    shares = parts(M, comm.size)
    first, last = shares[comm.rank]
    rows = np.empty((last - first, K), np.float32)
    result = np.empty((last - first, N), np.float32)
    if comm.rank > 0:
        B = np.empty((K, N), np.float32)

    comm.Scatterv([A, sizes(shares, K)], rows)
    comm.Bcast(B)
    np.matmul(rows, B, out=result)  # on one thread
    comm.Gatherv(result, [C, sizes(shares, N)])
