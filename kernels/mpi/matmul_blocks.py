"""C = A B by blocks: rows of A and columns of B.

The P-1 workers stand in a grid of p x q. Each gets one of p
shares of the rows of A and one of q shares of the columns
of B, and returns one block of C:

             B0  B1
        A0 [  1   2 ]        p = 3, q = 2, P = 7
        A1 [  3   4 ]
        A2 [  5   6 ]

A worker receives MK/p + KN/q floats, pq = P-1: now both
parts shrink with more ranks. (If P-1 is prime, q is 1, and
nothing is won.) Columns do not lie together in memory; a
derived datatype tells MPI where they are: K pieces, each a
row of B further. Alone, rank 0 does the work.
Next rung: send while multiplying (matmul_overlap.py).
"""

from __future__ import annotations

from itertools import product

import numpy as np
from mpi4py.MPI import FLOAT, Intracomm

from kernels.cpu.matrix import Matrix
from kernels.mpi.parts import grid, parts


def multiply(
    comm: Intracomm, A: Matrix, B: Matrix, C: Matrix,
    M: int, N: int, K: int,
) -> None:  # fmt: skip
    # A, B and C are there on rank 0 only
    if comm.size == 1:
        np.matmul(A, B, out=C)
        return

    p, q = grid(comm.size - 1)
    rows, columns = parts(M, p), parts(N, q)
    places = list(product(rows, columns))
    if comm.rank > 0:
        (i, end_i), (j, end_j) = places[comm.rank - 1]
        a = np.empty((end_i - i, K), np.float32)
        b = np.empty((K, end_j - j), np.float32)
        comm.Recv(a, 0)
        comm.Recv(b, 0)
        comm.Send(a @ b, 0)  # on one thread
        return

    for worker, place in enumerate(places, 1):
        (i, end_i), (j, end_j) = place
        strip = FLOAT.Create_vector(K, end_j - j, N)
        strip.Commit()
        comm.Send(A[i:end_i], worker)
        comm.Send([B.reshape(-1)[j:], 1, strip], worker)
        strip.Free()
    for worker, place in enumerate(places, 1):
        (i, end_i), (j, end_j) = place
        block = FLOAT.Create_vector(end_i - i, end_j - j, N)
        block.Commit()
        corner = C.reshape(-1)[i * N + j :]
        comm.Recv([corner, 1, block], worker)
        block.Free()
