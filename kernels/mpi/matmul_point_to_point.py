"""C = A B by a master and its workers.

Rank 0, the master, hands each worker its rows of A and all
of B, one message after the other. The workers multiply; the
master collects their rows of C:

               rows of A, B          rows of C
      master ----------------> 1 ----------------> master
             ----------------> 2 ---------------->
             ----------------> 3 ---------------->

A worker receives MK/(P-1) + KN floats. The master sends all
of them itself, and the last worker waits for all the others
to be served. Alone (P = 1) the master does the work.
Next rung: the same by calls that all ranks make together,
and the master works too (matmul_rows.py).
"""

from __future__ import annotations

import numpy as np
from mpi4py.MPI import Intracomm

from kernels.cpu.matrix import Matrix
from kernels.mpi.parts import parts


def multiply(
    comm: Intracomm, A: Matrix, B: Matrix, C: Matrix,
    M: int, N: int, K: int,
) -> None:  # fmt: skip
    # A, B and C are there on rank 0 only
    if comm.size == 1:
        np.matmul(A, B, out=C)
        return

    shares = parts(M, comm.size - 1)
    if comm.rank == 0:
        for worker, (first, last) in enumerate(shares, 1):
            comm.Send(A[first:last], worker)
            comm.Send(B, worker)
        for worker, (first, last) in enumerate(shares, 1):
            comm.Recv(C[first:last], worker)
    else:
        first, last = shares[comm.rank - 1]
        rows = np.empty((last - first, K), np.float32)
        B = np.empty((K, N), np.float32)
        comm.Recv(rows, 0)
        comm.Recv(B, 0)
        comm.Send(rows @ B, 0)  # on one thread
