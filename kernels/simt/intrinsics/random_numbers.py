"""Skipping ahead in the generator XORWOW, whose state is five words: a step is linear over bits, so that many are a power of its matrix."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

WORDS = 5
BITS = 32 * WORDS
SEQUENCE = 67
"""A sequence has 2 to the power of this many numbers."""
States = npt.NDArray[np.uint32]
"""Each row is the five words of a state. Of a matrix row i is the state that follows from one with nothing but bit i."""


def step(state: States) -> States:
    """The state after one number."""
    mixed = state[:, 0] ^ (state[:, 0] >> np.uint32(2))
    last = state[:, 4]
    new = (last ^ (last << np.uint32(4))) ^ (mixed ^ (mixed << np.uint32(1)))
    return np.concatenate([state[:, 1:], new[:, None]], axis=1)


def _times(state: States, matrix: States) -> States:
    """The states that a matrix makes of these: the sum, bit by bit, of its rows whose bits are set. In whole numbers: small products
    of floats would wait for the threads of a library."""
    result = np.zeros_like(state)
    for bit in range(BITS):
        chosen = np.uint32(0) - ((state[:, bit // 32] >> np.uint32(bit % 32)) & np.uint32(1))
        result ^= chosen[:, None] & matrix[bit]
    return result


@cache
def _power(exponent: int) -> States:
    """The matrix of 2 to the power of `exponent` steps."""
    if exponent:
        half = _power(exponent - 1)
        return _times(half, half)
    basis = np.zeros((BITS, WORDS), np.uint32)
    basis[np.arange(BITS), np.arange(BITS) // 32] = np.uint32(1) << np.arange(BITS, dtype=np.uint32) % np.uint32(32)
    return step(basis)


def skipped(state: States, sequences: npt.NDArray[np.uint64], steps: npt.NDArray[np.uint64]) -> States:
    """The states after so many sequences and so many steps more."""
    result = state.copy()
    for counts, first in ((sequences, SEQUENCE), (steps, 0)):
        for bit in range(int(counts.max(initial=np.uint64(0))).bit_length()):
            chosen = (counts >> np.uint64(bit)) & np.uint64(1) != 0
            if chosen.any():
                result[chosen] = _times(result[chosen], _power(first + bit))
    return result


def _skip(context: Context, *given: Value) -> tuple[Vector, ...]:
    state = np.stack([context.vector(each).astype(np.uint32) for each in given[:WORDS]], axis=1)
    sequences, steps = (context.vector(np.asarray(each, None if np.ndim(each) else np.uint64)).astype(np.uint64) for each in given[WORDS:])
    quiet = ~context.active
    return tuple(skipped(state, np.where(quiet, np.uint64(0), sequences), np.where(quiet, np.uint64(0), steps)).T)


def functions() -> dict[str, Function]:
    """Return the functions of random numbers that are not written in CUDA C."""
    return {"__tilescope_xorwow_skip": _skip}
