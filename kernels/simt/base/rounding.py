"""Exactly rounded arithmetic and conversions: fused multiply-add, directed rounding, floats to integers as the hardware does it.

All functions take NumPy arrays or scalars of exact types and are called where floating-point warnings are off. NumPy has no bfloat16 and no
TensorFloat-32: bfloat16 is its bits (uint16), tf32 a float of fewer bits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_SPLITTER = 134217729.0  # 2**27 + 1: halves a double's significand
_SAFE_EXPONENT = 400
"""Doubles of exponents within this have exact double-double products and sums."""


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum of two doubles, and what rounding took away, exactly."""
    high = a + b
    part = high - a
    return high, (a - (high - part)) + (b - part)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded product of two doubles and what rounding took away, exactly where neither overflows nor underflows."""
    high = a * b
    a_high, b_high = (_SPLITTER * a) - (_SPLITTER * a - a), (_SPLITTER * b) - (_SPLITTER * b - b)
    a_low, b_low = a - a_high, b - b_high
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


def add_to_odd(a: Array, b: Array) -> Array:
    """The sum of two doubles, rounded to the neighbour with an odd last bit where it is inexact: to be rounded once more to fewer bits."""
    high, low = two_sum(np.asarray(a, np.float64), np.asarray(b, np.float64))
    bits = np.asarray(high).view(np.int64)
    away = np.where((low > 0) == (high > 0), 1, -1)
    inexact = (low != 0) & np.isfinite(low) & ((bits & 1) == 0)
    return (bits + np.where(inexact, away, 0)).view(np.float64)


def fma(a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once, in the operands' type (half, float or double)."""
    dtype = np.result_type(a, b, c)
    if dtype == np.float64:
        return _fma_double(a, b, c)
    product = np.asarray(a, np.float64) * np.asarray(b, np.float64)  # exact
    return np.asarray(add_to_odd(product, np.asarray(c, np.float64)).astype(dtype))


def _fma_double(a: Array, b: Array, c: Array) -> Array:
    a, b, c = np.broadcast_arrays(a, b, c)
    product, product_low = two_product(a, b)
    low_sum, low_rest = two_sum(c, product_low)
    high, high_rest = two_sum(product, low_sum)
    result = np.array(high + add_to_odd(low_rest, high_rest))
    safe = np.ones(a.shape, np.bool_)
    for value in (a, b, c, product):
        safe &= (np.abs(np.frexp(value)[1]) < _SAFE_EXPONENT) & np.isfinite(value) & (value != 0)
    rest = ~safe
    result[rest] = [_fma_exact(*each) for each in zip(a[rest].tolist(), b[rest].tolist(), c[rest].tolist(), strict=True)]
    return result


def _fma_exact(a: float, b: float, c: float) -> float:
    if not (isfinite(a) and isfinite(b)) or a == 0 or b == 0:
        return a * b + c
    if not isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact)
    except OverflowError:
        return inf if exact > 0 else -inf


def directed(rounded: Array, above: Array, mode: str) -> Array:
    """The result rounded up ("u"), down ("d") or to zero ("z"), from the one rounded to nearest and the sign of (exact - rounded)."""
    up = (above > 0) & ((mode == "u") | ((mode == "z") & (rounded < 0)))
    down = (above < 0) & ((mode == "d") | ((mode == "z") & (rounded > 0)))
    limit = np.asarray(rounded).dtype.type
    lifted = np.where(up, np.nextafter(rounded, limit(np.inf)), rounded)
    return np.asarray(np.where(down, np.nextafter(rounded, limit(-np.inf)), lifted))


def fma_directed(a: Array, b: Array, c: Array, mode: str) -> Array:
    """a * b + c of floats, rounded as `mode` says."""
    product = np.asarray(a, np.float64) * np.asarray(b, np.float64)  # exact
    high, low = two_sum(product, np.asarray(c, np.float64))
    rounded = fma(a, b, c)
    result = directed(rounded, np.sign((high - rounded) + low), mode)
    if mode != "d":
        return result
    cancelled = (high == 0) & (np.signbit(product) != np.signbit(c))
    return np.where(cancelled, -np.abs(result), result)


def divide_directed(a: Array, b: Array, mode: str) -> Array:
    """a / b of floats, rounded as `mode` says."""
    rounded = np.asarray(a / b)
    rest = np.asarray(a, np.float64) - rounded.astype(np.float64) * np.asarray(b, np.float64)
    above = np.where(np.isfinite(rounded), np.sign(rest) * np.sign(b), -np.sign(rounded) * (np.isfinite(a) & (b != 0)))
    return directed(rounded, above, mode)


def sqrt_directed(a: Array, mode: str) -> Array:
    """The square root of floats, rounded as `mode` says."""
    rounded = np.asarray(np.sqrt(a))
    return directed(rounded, np.sign(np.asarray(a, np.float64) - np.square(rounded, dtype=np.float64)), mode)


_TO_INTEGRAL = {"n": np.rint, "z": np.trunc, "u": np.ceil, "d": np.floor}


def to_integer(value: Array, dtype: npt.DTypeLike, mode: str = "z") -> Array:
    """Floats to integers, rounded to nearest even ("n"), to zero, up or down; out of range gives the nearest integer there is.

    NaN gives 0, or the top bit alone where either side has 64 bits.
    """
    target = np.dtype(dtype)
    limits = np.iinfo(target)
    wide = np.asarray(value, np.float64)
    integral = _TO_INTEGRAL[mode](wide)
    low, high = float(limits.min), float(limits.max)  # of 64 bits, `high` is the power of two above
    inside = (integral > low) & (integral < high)
    result = np.where(inside, integral, 0).astype(target)
    result = np.where(integral >= high, target.type(limits.max), result)
    result = np.where(integral <= low, target.type(limits.min), result)
    has_64_bits = target.itemsize == 8 or np.asarray(value).dtype == np.float64
    of_nan = (limits.min or limits.max // 2 + 1) if has_64_bits else 0
    return np.where(np.isnan(wide), target.type(of_nan), result)


def from_integer(value: Array, dtype: npt.DTypeLike, mode: str = "n") -> Array:
    """Integers to floats, rounded as `mode` says."""
    rounded = np.asarray(value).astype(dtype)
    if mode == "n":
        return rounded
    exact = np.asarray(value).astype(object)
    back = np.vectorize(int, otypes=[object])(rounded.astype(np.float64))
    return directed(rounded, np.sign(exact - back).astype(np.int8), mode)


def narrow(value: Array, dtype: npt.DTypeLike, mode: str = "n") -> Array:
    """Floats to a narrower float type, rounded as `mode` says."""
    rounded = np.asarray(value).astype(dtype)
    if mode == "n":
        return rounded
    return directed(rounded, np.sign(np.asarray(value, np.float64) - rounded.astype(np.float64)), mode)


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


def tf32_bits(value: Array, ties: str) -> Array:
    """The bits of a float rounded to the nearest tf32, of two equally near ones to the one away from zero or the even one."""
    bits = np.asarray(value, np.float32).view(np.uint32)
    half = np.uint32(0x1000) if ties == "away" else np.uint32(0xFFF) + ((bits >> np.uint32(13)) & np.uint32(1))
    special = (bits & np.uint32(0x7F800000)) == np.uint32(0x7F800000)
    return np.where(special, bits, (bits + half) & np.uint32(0xFFFFE000)).astype(np.uint32)


def flushed(value: Array) -> Array:
    """A float, where it is subnormal a zero of its sign."""
    number = np.asarray(value, np.float32)
    return np.where(np.abs(number) < np.finfo(np.float32).smallest_normal, np.copysign(np.float32(0), number), number)


def functions() -> dict[str, Callable[..., Any]]:
    """The functions of half precision that the prelude does not write in terms of others."""
    return {
        "__hfma": fma,
        "__half_as_ushort": lambda value: np.asarray(value).view(np.uint16),
        "__ushort_as_half": lambda bits: np.asarray(bits).view(np.float16),
        "__bfloat16_as_ushort": np.asarray,
        "__ushort_as_bfloat16": np.asarray,
        "ftz.f32": flushed,
        "cvt.rna.tf32.f32": lambda value: tf32_bits(value, "away"),
        "cvt.rn.tf32.f32": lambda value: tf32_bits(value, "even"),
        "cvt.rz.tf32.f32": lambda value: tf32(value).view(np.uint32),
    }
