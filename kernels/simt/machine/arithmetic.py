"""C's arithmetic where NumPy's and Python's differ from it: wraparound, truncating division, shifts, conversions, contraction.

Lane vectors have the exact type of C, so that NumPy wraps them itself. Values that all lanes have are Python ints (brought into range by
`wrapped`), bools, and NumPy scalars for floats. Called where NumPy's warnings are off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Value = Any
_FLOAT_TIE, _FLOAT_TAIL = 1 << 28, (1 << 29) - 1
_SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)


def wrapped(value: int, bits: int, signed: bool) -> int:
    """An int brought into the range of a type."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def i32(value: int) -> int:
    """An int wrapped to 32 bits, signed."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def i64(value: int) -> int:
    """An int wrapped to 64 bits, signed."""
    return ((value + 0x8000000000000000) & 0xFFFFFFFFFFFFFFFF) - 0x8000000000000000


def quotient(a: int, b: int) -> int:
    """a / b of ints, truncated; 0 where b is 0."""
    if not b:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """a % b of ints, with the sign of a; 0 where b is 0."""
    return a - b * quotient(a, b) if b else 0


def quotients(a: Value, b: Value) -> Value:
    """a / b of integer vectors, truncated; 0 where b is 0."""
    if np.issubdtype(np.result_type(a, b), np.unsignedinteger):
        return a // b
    return (a - np.fmod(a, b)) // b


def shift_left(a: int, count: int, bits: int) -> int:
    """a << count of ints, not yet wrapped; 0 for a count that is no bit's."""
    return a << count if 0 <= count < bits else 0


def shift_right(a: int, count: int, bits: int) -> int:
    """a >> count of ints; only the sign is left for a count that is no bit's."""
    return a >> count if 0 <= count < bits else -(a < 0)


def int_to_float(value: int, source: np.dtype[Any], target: np.dtype[Any]) -> Value:
    """An integer rounded once."""
    return np.array(value, source).astype(target)[()]


def float_to_int(value: Value, target: np.dtype[Any]) -> Value:
    """Truncated; saturating at the type's limits; NaN gives 0. Types smaller than int are cut from an int."""
    if target.itemsize < 4:
        return float_to_int(value, np.dtype(f"{target.kind}4")).astype(target)
    limits = np.iinfo(target)
    wide = np.asarray(value, np.float64)
    top = float(limits.max)
    inside = np.where((wide > limits.min) & (wide < top), wide, 0).astype(target)
    result = np.where(wide >= top, target.type(limits.max), np.where(wide <= limits.min, target.type(limits.min), inside))
    return result[()]


def fma32(a: Value, b: Value, c: Value) -> Value:
    """a * b + c of floats, rounded once.

    The product is exact in double precision. The sum is rounded there, and again to float; that can only go wrong where the first
    result lies exactly halfway between floats, or is so small that floats have fewer bits.
    """
    product = np.multiply(a, b, dtype=np.float64)
    total = np.asarray(product + c)
    tie = (total.view(np.int64) & _FLOAT_TAIL) == _FLOAT_TIE
    doubtful = tie | ((np.abs(total) < _SMALLEST_NORMAL) & (total != 0))
    if doubtful.any():
        total = _to_odd(product, np.asarray(c, np.float64), total)
    return total.astype(np.float32)[()]


def _to_odd(a: Value, b: Value, total: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The rounded sum `total` of a and b, moved to the neighbour with an odd last bit where it is inexact and even."""
    part = total - a
    rest = (a - (total - part)) + (b - part)
    bits = total.view(np.int64)
    inexact = (rest != 0) & np.isfinite(rest) & ((bits & 1) == 0)
    return (bits + np.where(inexact, np.where((rest > 0) == (total > 0), 1, -1), 0)).view(np.float64)


def one(value: Value) -> Value:
    """What a function of uniform arguments gave, as one value: Python's for integers and bools."""
    scalar = np.asarray(value).reshape(-1)[0]
    return scalar if scalar.dtype.kind == "f" else scalar.item()
