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
Matrix = npt.NDArray[np.float32]
"""Zeros and ones: row i has the bits of the state that follow from bit i of the state before."""


def step(state: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """The state after one number; the last axis has the five words."""
    mixed = state[..., 0] ^ (state[..., 0] >> np.uint32(2))
    last = state[..., 4]
    new = (last ^ (last << np.uint32(4))) ^ (mixed ^ (mixed << np.uint32(1)))
    return np.concatenate([state[..., 1:], new[..., None]], axis=-1)


@cache
def _power(exponent: int) -> Matrix:
    """The matrix of 2 to the power of `exponent` steps."""
    if exponent:
        half = _power(exponent - 1)
        return np.mod(half @ half, 2)
    return _bits(step(_words(np.eye(BITS, dtype=np.uint8))))


def _bits(state: npt.NDArray[np.uint32]) -> Matrix:
    bytes_ = np.ascontiguousarray(state).astype("<u4").view(np.uint8).reshape(len(state), -1)
    return np.unpackbits(bytes_, axis=1, bitorder="little").astype(np.float32)


def _words(bits: npt.NDArray[np.generic]) -> npt.NDArray[np.uint32]:
    packed = np.packbits(bits.astype(np.uint8), axis=1, bitorder="little")
    return packed.view("<u4").astype(np.uint32)


def skipped(state: npt.NDArray[np.uint32], sequences: npt.NDArray[np.uint64], steps: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
    """The states (each a row) after so many sequences and so many steps more."""
    bits = _bits(state)
    for counts, first in ((sequences, SEQUENCE), (steps, 0)):
        for bit in range(int(counts.max(initial=np.uint64(0))).bit_length()):
            chosen = (counts >> np.uint64(bit)) & np.uint64(1) != 0
            if chosen.any():
                bits[chosen] = np.mod(bits[chosen] @ _power(first + bit), 2)
    return _words(bits)


def _skip(context: Context, *given: Value) -> tuple[Vector, ...]:
    state = np.stack([context.vector(each).astype(np.uint32) for each in given[:WORDS]], axis=1)
    sequences, steps = (context.vector(np.asarray(each, None if np.ndim(each) else np.uint64)).astype(np.uint64) for each in given[WORDS:])
    quiet = ~context.active
    return tuple(skipped(state, np.where(quiet, np.uint64(0), sequences), np.where(quiet, np.uint64(0), steps)).T)


def functions() -> dict[str, Function]:
    """Return the functions of random numbers that are not written in CUDA C."""
    return {"__tilescope_xorwow_skip": _skip}
