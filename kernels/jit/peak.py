"""The most that the processor's cores can compute: fused multiply-adds in registers, measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

from kernels.base.values import dataclass
from kernels.cpu.matrix import Matrix
from kernels.cpu.simd import REGISTER_TILE, panel, rank_one, tile_store, tile_zeros

ROWS, COLUMNS = REGISTER_TILE
DEPTH = 128
"""Steps of k: both panels fit into 32 KiB of L1 beside each other, whatever the width of vectors."""
REPEATS = 4000
SAMPLES = 40
"""Short ones, of which some are not disturbed by other programs."""
Operands = tuple[Matrix, Matrix, Matrix]
"""Packed panels of A and B, and C: one set for each thread."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The fastest of a few runs of a multiplication whose operands never leave L1 and whose sums never leave registers."""

    gflops: float
    threads: int
    lanes: int
    """Floats of a vector register."""


def peak_gflops(threads: int) -> Peak:
    """Measure the peak on so many threads; takes about a fifth of a second, and a second more to compile."""
    import numba

    import kernels.jit.simd_numba  # noqa: F401  # teaches numba what a register tile is
    from kernels.cpu.vector_width import lanes_of_this_processor

    kernel = numba.njit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1], int64)", nogil=True)(multiply_again)
    operands = [(panel(DEPTH, ROWS), panel(DEPTH, COLUMNS), panel(ROWS, COLUMNS)) for _ in range(threads)]
    for a, b, _ in operands:
        a.fill(np.float32(1e-3))
        b.fill(np.float32(1e-3))
    with ThreadPoolExecutor(threads) as pool:
        fastest = min(seconds_together(pool, lambda own: kernel(*own, REPEATS), operands) for _ in range(SAMPLES))
    return Peak(threads * REPEATS * 2 * ROWS * COLUMNS * DEPTH / fastest / 1e9, threads, lanes_of_this_processor())


def seconds_together(pool: ThreadPoolExecutor, work: Callable[[Operands], None], operands: Sequence[Operands]) -> float:
    """Return the seconds from when the first thread has begun until the last is done.

    Each reads the clock: the caller may wake when all is over.
    """
    together = Barrier(len(operands))

    def take_part(own: Operands) -> tuple[float, float]:
        together.wait()
        start = time.perf_counter()
        work(own)
        return start, time.perf_counter()

    starts, ends = zip(*pool.map(take_part, operands), strict=True)
    return float(max(ends) - min(starts))


def multiply_again(a: Matrix, b: Matrix, C: Matrix, repeats: int) -> None:
    """C = a transposed times b, added up `repeats` times; a and b are packed panels."""
    tile = tile_zeros(ROWS, COLUMNS)
    for _ in range(repeats):
        for k in range(DEPTH):
            tile = rank_one(tile, a, b, k)
    tile_store(C, 0, 0, tile, ROWS, COLUMNS)
