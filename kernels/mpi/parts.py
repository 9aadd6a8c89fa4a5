"""How rows, columns and ranks are shared out, and a matrix of rank 0 in blocks to a grid of ranks, and back."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kernels.cpu.matrix import Matrix

if TYPE_CHECKING:  # importing it starts MPI, and who only counts needs none
    from mpi4py.MPI import Intracomm

Part = tuple[int, int]
"""First, and one past the last."""


def parts(total: int, count: int) -> list[Part]:
    """`count` ranges that follow each other, as equal as can be: the first ones have one more; some are empty if need be."""
    least, more = divmod(total, count)
    return list(pairwise(i * least + min(i, more) for i in range(count + 1)))


def sizes(shares: list[Part], each: int = 1) -> list[int]:
    """How many elements each part has, where a row has `each`."""
    return [(last - first) * each for first, last in shares]


def panels(one: list[Part], other: list[Part], widest: int | None = None) -> list[tuple[int, int, int, int]]:
    """The ranges that lie in one part of `one` and one of `other`, cut to `widest`: first, one past the last, and which parts."""
    whole = [
        (max(first, start), min(last, end), x, y)
        for x, (first, last) in enumerate(one)
        for y, (start, end) in enumerate(other)
        if max(first, start) < min(last, end)
    ]
    if widest is None:
        return whole
    return [(k, min(k + widest, end), x, y) for first, end, x, y in whole for k in range(first, end, widest)]


def grid(count: int) -> tuple[int, int]:
    """p and q with p q = `count`, as near to a square as can be, p not smaller than q; a prime gives one column."""
    q = next(q for q in range(int(count**0.5), 0, -1) if count % q == 0)
    return count // q, q


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
