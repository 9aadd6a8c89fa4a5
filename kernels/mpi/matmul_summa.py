"""C = A B by SUMMA: every rank keeps a block of A, B and C.

The ranks stand in a grid of p x q, P = pq. For one panel of
k after the other, the ranks that have it send their piece
of A along their row of the grid and their piece of B along
their column; everyone adds one product to its block of C:

           A panel -->            B panel
        [ * > > ]               [ *  *  * ]
        [ * > > ]      and      [ v  v  v ]     v: downwards
        [ * > > ]               [ v  v  v ]

A rank receives MK/p + KN/q floats, as by blocks, but most
of them from its neighbours: rank 0 is not asked for all,
and nobody ever holds a whole strip of A or B. It is how
ScaLAPACK multiplies. One rank keeps everything.
Next rung: the same on GPUs, which send while they multiply
(matmul_gpu_summa.py).
"""

from __future__ import annotations

import numpy as np
from mpi4py.MPI import Intracomm

from kernels.cpu.matrix import Matrix
from kernels.mpi.parts import collect, grid, hand_out, panels, parts


def multiply(
    comm: Intracomm, A: Matrix, B: Matrix, C: Matrix,
    M: int, N: int, K: int,
) -> None:  # fmt: skip
    # A, B and C are there on rank 0 only
    p, q = grid(comm.size)
    i, j = divmod(comm.rank, q)
    my_row, my_column = comm.Split(i, j), comm.Split(j, i)
    rows, columns = parts(M, p), parts(N, q)
    k_of_A, k_of_B = parts(K, q), parts(K, p)
    a = hand_out(comm, A, rows, k_of_A)
    b = hand_out(comm, B, k_of_B, columns)
    height, width = a.shape[0], b.shape[1]
    c = np.zeros((height, width), np.float32)

    for k, end, ja, ib in panels(k_of_A, k_of_B):
        a_panel = np.empty((height, end - k), np.float32)
        b_panel = np.empty((end - k, width), np.float32)
        if j == ja:
            first = k_of_A[ja][0]
            a_panel[:] = a[:, k - first : end - first]
        if i == ib:
            first = k_of_B[ib][0]
            b_panel[:] = b[k - first : end - first]
        my_row.Bcast(a_panel, ja)
        my_column.Bcast(b_panel, ib)
        c += a_panel @ b_panel  # on one thread

    collect(comm, C, c, rows, columns)
    my_row.Free()
    my_column.Free()
