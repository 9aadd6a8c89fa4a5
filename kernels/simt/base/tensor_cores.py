"""What a tensor core computes: d = a b + c in the order, width and rounding of compute capability 9.0.

Of f16, bf16 and tf32 some products are added at once (`TERMS`), together with the sum so far:

1. Products are exact.
2. All terms are aligned to the largest exponent among them and cut off (to zero) 25 bits below it. The exponent of a product is the sum of
   its factors' exponents: that it may be 2 or more does not count.
3. What is left is added exactly, and rounded once: to f32 by cutting off (to zero), to f16 to the nearest, halves to even.

Where there are more terms, the sum of the first is what the next are added to, by ascending k. A fused multiply-add a step does f64, and
whole numbers are exact. Any NaN gives the one with all bits set but the sign.

A sum that is rounded or cut off to 0 is 0 without a sign.

Measured, on an H200 (most of it on an H100 too): 12 instructions of mma.sync, 6 of wgmma under each of 4 swizzles, with 200 to 10,000
random operand sets of up to 8 sorts each (few or many powers of two apart, any, subnormal, with products about the least number that a sum
can be, cancelling, with infinities, NaN and zeros of both signs, single ones), 254 million sums: none differs from this model
(`tests/witnesses/tensor_core_record.py`). The largest errors recorded with the times of three rungs are this model's in all six digits;
with 8 terms, or 24 or 26 bits, some are not (`tests/witnesses/test_tensor_cores.py`). Literature: Fasi, Higham, Mikaitis and Pranesh 2021;
Xie et al., MMA-Sim, arXiv:2511.10909; Khattak and Mikaitis, arXiv:2512.07004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.rounding import bfloat16_value, fma, tf32

Array = npt.NDArray[Any]
Doubles = npt.NDArray[np.float64]

TERMS = {"f16": 16, "bf16": 16, "tf32": 8}
"""Products that are added at once, by the PTX type of A and B, where the instruction has as many."""
WMMA_TF32_TERMS = 4
"""The same in wmma 16 x 16 x 8 of tf32, which the compiler makes two instructions of 4 steps."""
KEPT_BITS = 25
"""Bits below the largest exponent that take part in a sum."""
_LEAST_EXPONENT = {"f16": -14, "bf16": -126, "tf32": -126}
"""Exponent of the subnormals of A and B."""
_LEAST_SUM_EXPONENT = {np.float16: -14, np.float32: -126}
_LEAST_ALIGNED = -133
"""What is smaller is aligned as if it had this exponent."""
_OF_ZERO = -2000
"""An exponent that no other is below."""
_STORED = {"f16": np.float16, "bf16": np.uint16, "tf32": np.float32, "s8": np.int8, "u8": np.uint8, "f64": np.float64}
_NAN: dict[type, npt.NDArray[Any]] = {np.float16: np.array(0x7FFF, np.uint16), np.float32: np.array(0x7FFFFFFF, np.uint32)}
_OVERFLOW = 2.0**128


def product(a: Array, b: Array, c: Array, kind: str, terms: int | None = None, *, saturate: bool = False) -> Array:
    """d = a b + c, of matrices ... x m x k, ... x k x n and ... x m x n, with `kind` as PTX names the type of A and B.

    `a` and `b` are values, or bits as unsigned integers of the same size (bf16 always). `c` is of the type that sums have (half, float,
    double or int), and so is the result; whole numbers wrap around, or stop at their limits with `saturate` (.satfinite). `terms` products
    are added at once, if not the usual number.
    """
    left, right = (np.asarray(each).view(_STORED[kind]) for each in (a, b))
    if kind in ("s8", "u8"):
        total = left.astype(np.int64) @ right.astype(np.int64) + c
        limits = np.iinfo(c.dtype)
        return np.asarray((np.clip(total, limits.min, limits.max) if saturate else total).astype(c.dtype))
    with np.errstate(all="ignore"):
        if kind == "f64":
            return _by_steps(left, right, c)
        for first in range(0, left.shape[-1], terms or TERMS[kind]):
            part = slice(first, first + (terms or TERMS[kind]))
            c = _at_once(_floats(left[..., part], kind), _floats(right[..., part, :], kind), c, _LEAST_EXPONENT[kind])
    return c


def _by_steps(left: Array, right: Array, c: Array) -> Array:
    """A fused multiply-add for each k, as the instructions for double precision."""
    for step in range(left.shape[-1]):
        c = fma(left[..., :, step, None], right[..., None, step, :], c)
    return c


def _floats(stored: Array, kind: str) -> npt.NDArray[np.float32]:
    if kind == "bf16":
        return np.asarray(bfloat16_value(stored))
    return np.asarray(tf32(stored)) if kind == "tf32" else stored.astype(np.float32)


def _at_once(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32], c: Array, least: int) -> Array:
    """All products of a and b and c in one sum."""
    if not (np.isfinite(left).all() and np.isfinite(right).all() and np.isfinite(c).all()):
        return _special(left, right, c, least)
    columns, rows = (np.ascontiguousarray(np.moveaxis(each, axis, 0)) for each, axis in ((left, -1), (right, -2)))
    top = (_exponents(columns, least)[..., None] + _exponents(rows, least)[..., None, :]).max(axis=0)
    np.maximum(top, _exponents(c.astype(np.float32), _LEAST_SUM_EXPONENT[c.dtype.type]), out=top)
    np.maximum(top, _LEAST_ALIGNED, out=top)
    unit = _power_of_two(top - KEPT_BITS)
    products = columns.astype(np.float64)[..., None] * rows[..., None, :]
    products *= 1 / unit
    total: Doubles = np.trunc(products, out=products).sum(axis=0)
    total += np.trunc(c / unit)
    return _rounded(total * unit, c.dtype.type)


def _power_of_two(exponents: npt.NDArray[np.int16]) -> Doubles:
    return (exponents.astype(np.int64) + 1023 << 52).view(np.float64)


def _exponents(values: npt.NDArray[np.float32], least: int) -> npt.NDArray[np.int16]:
    """The exponents of floats of a type whose subnormals have `least`."""
    exponents = ((values.view(np.int32) >> 23 & 0xFF) - 127).astype(np.int16)
    np.maximum(exponents, least, out=exponents)
    exponents[values == 0] = _OF_ZERO
    return exponents


def _rounded(total: Doubles, dtype: type[np.generic]) -> Array:
    """A sum as a half, to the nearest, or as a float, cut off; what is too large for a float is infinite all the same.

    What becomes 0 so has no sign.
    """
    if dtype is np.float16:
        rounded: Array = total.astype(np.float16)
    else:
        nearest = total.astype(np.float32)
        size = np.abs(total)
        too_large = (np.abs(nearest) > size) & (size < _OVERFLOW)
        rounded = (nearest.view(np.int32) - too_large).view(np.float32)
    rounded[(rounded == 0) & (total != 0)] = 0
    return rounded


def _special(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32], c: Array, least: int) -> Array:
    """The sum where some terms are infinite or no numbers: those decide by the rules of IEEE 754."""
    exact = left.astype(np.float64) @ right.astype(np.float64) + c
    left, right, c = (np.where(np.isfinite(each), each, 0).astype(each.dtype) for each in (left, right, c))
    result = np.where(np.isfinite(exact), _at_once(left, right, c, least), exact.astype(c.dtype))
    nan = _NAN[c.dtype.type]
    return np.asarray(np.where(np.isnan(exact), nan, result.view(nan.dtype)).view(c.dtype))
