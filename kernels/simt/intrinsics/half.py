"""bfloat16 and TensorFloat-32, which NumPy has no types for: bfloat16 as its bits (uint16), tf32 as a float of fewer bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.simt.intrinsics.rounding import Array, fma


def bfloat16_bits(value: Array) -> Array:
    """Floats rounded to the nearest bfloat16, halves to even: its bits."""
    bits = np.asarray(value, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(value), np.uint16(0x7FFF), rounded.astype(np.uint16))


def bfloat16_value(bits: Array) -> Array:
    """What the bits of a bfloat16 mean, as float."""
    return (np.asarray(bits, np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)


def tf32(value: Array) -> Array:
    """A float as the tensor cores read it for tf32: the 13 low bits dropped."""
    return (np.asarray(value, np.float32).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def functions() -> dict[str, Callable[..., Any]]:
    """The functions of half precision that the prelude does not write in terms of others."""
    return {
        "__hfma": fma,
        "__half_as_ushort": lambda value: np.asarray(value).view(np.uint16),
        "__ushort_as_half": lambda bits: np.asarray(bits).view(np.float16),
    }
