"""Random matrices by all cores, with the values that one core would have drawn."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt

from kernels.measure.environment import usable_cores

PIECE = 1 << 22
"""Numbers that are drawn in one go."""


def fill_uniform(matrices: Iterable[npt.NDArray[np.float32]], seed: int) -> None:
    """Fill C-contiguous matrices, one after the other, with the numbers in [-1, 1) that `default_rng(seed)` draws in float32."""
    drawn = 0
    with ThreadPoolExecutor(usable_cores()) as pool:
        for matrix in matrices:
            flat = matrix.reshape(-1)
            list(pool.map(partial(_fill, flat, seed, drawn), range(0, flat.size, PIECE)))
            drawn += flat.size


def _fill(flat: npt.NDArray[np.float32], seed: int, drawn: int, first: int) -> None:
    """Fill a piece, before which so many numbers of the stream belong to other matrices, and `first` to this one."""
    piece, place = flat[first : first + PIECE], drawn + first
    bits = np.random.PCG64(seed)
    bits.advance(place // 2)  # a step of the generator makes two numbers
    random = np.random.Generator(bits)
    if place % 2:
        random.random(dtype=np.float32)
    random.random(out=piece, dtype=np.float32)
    piece *= 2
    piece -= 1
