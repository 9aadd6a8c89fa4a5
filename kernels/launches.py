"""How many blocks of how many threads each CUDA kernel is launched with, from the problem and the parameters."""

from __future__ import annotations

from kernels.spec import FLOAT32_BYTES, Launch, Operation, Parameters, Problem


def _blocks(problem: Problem, parameters: Parameters, shared_floats: int) -> Launch:
    tile = parameters["tile"]
    rows = problem.m
    columns = problem.n
    grid = (-(-columns // tile), -(-rows // tile))
    return Launch(grid, (tile, tile), {"TILE": tile}, shared_floats * FLOAT32_BYTES)


def thread_per_element(problem: Problem, parameters: Parameters) -> Launch:
    """One thread an element, in square blocks; x runs along the row. Uses no shared memory."""
    return _blocks(problem, parameters, 0)


def tile_of_c(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of C; a tile of A and one of B in shared memory."""
    assert problem.operation is Operation.MATMUL
    return _blocks(problem, parameters, 2 * parameters["tile"] ** 2)


def tile_of_transpose(problem: Problem, parameters: Parameters) -> Launch:
    """One block a tile of A, kept in shared memory with one column of padding."""
    assert problem.operation is Operation.TRANSPOSE
    return _blocks(problem, parameters, parameters["tile"] * (parameters["tile"] + 1))
