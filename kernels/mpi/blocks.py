"""A matrix on rank 0, shared out in blocks to a grid of ranks, and put together again."""

from __future__ import annotations

import numpy as np
from mpi4py.MPI import Intracomm

from kernels.cpu.matrix import Matrix
from kernels.mpi.parts import Part


def hand_out(comm: Intracomm, matrix: Matrix, rows: list[Part], columns: list[Part]) -> Matrix:
    """This rank's block of the matrix on rank 0; blocks are numbered along the rows of the grid."""
    places = [(row, column) for row in rows for column in columns]
    if comm.rank == 0:
        for rank, ((i, end_i), (j, end_j)) in enumerate(places[1:], 1):
            comm.Send(np.ascontiguousarray(matrix[i:end_i, j:end_j]), rank)
        return matrix[: rows[0][1], : columns[0][1]]
    (i, end_i), (j, end_j) = places[comm.rank]
    block = np.empty((end_i - i, end_j - j), np.float32)
    comm.Recv(block, 0)
    return block


def collect(comm: Intracomm, matrix: Matrix, block: Matrix, rows: list[Part], columns: list[Part]) -> None:
    """Put every rank's block into the matrix on rank 0."""
    if comm.rank > 0:
        comm.Send(block, 0)
        return
    places = [(row, column) for row in rows for column in columns]
    matrix[: block.shape[0], : block.shape[1]] = block
    for rank, ((i, end_i), (j, end_j)) in enumerate(places[1:], 1):
        received = np.empty((end_i - i, end_j - j), np.float32)
        comm.Recv(received, rank)
        matrix[i:end_i, j:end_j] = received
