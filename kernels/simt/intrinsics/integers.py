"""The integer functions of CUDA on arrays of lanes, and those that reinterpret bits.

Each takes NumPy arrays or scalars of the exact types that CUDA declares; results are cast to the declared type by the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.rounding import Array, from_integer, narrow, to_integer

Function = Callable[..., Any]
_SWAPS = ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F))


def bits_of(value: Array, size: int) -> Array:
    """The value's bits as an unsigned integer of `size` bytes."""
    return np.asarray(value).view(f"u{size}")


def bit_length(value: Array) -> Array:
    """Bits up to the highest that is set; 0 for 0."""
    wide = np.asarray(value).astype(np.uint64)
    high, low = (wide >> np.uint64(32)).astype(np.float64), (wide & np.uint64(0xFFFFFFFF)).astype(np.float64)
    return np.where(high > 0, np.frexp(high)[1] + 32, np.frexp(low)[1])


def count_leading_zeros(value: Array, size: int) -> Array:
    return 8 * size - bit_length(bits_of(value, size))


def find_first_set(value: Array, size: int) -> Array:
    """The place of the lowest bit that is set, from 1; 0 for 0."""
    bits = bits_of(value, size)
    return bit_length(bits & (~bits + bits.dtype.type(1)))


def reverse_bits(value: Array, size: int) -> Array:
    bits = np.asarray(bits_of(value, size).byteswap())
    for shift, pattern in _SWAPS:
        by, mask = bits.dtype.type(shift), bits.dtype.type(pattern & ((1 << 8 * size) - 1))
        bits = ((bits >> by) & mask) | ((bits & mask) << by)
    return bits


def high_half(a: Array, b: Array, dtype: npt.DTypeLike) -> Array:
    """The upper half of the product of two 32-bit integers."""
    product: Array = np.asarray(a).astype(dtype) * np.asarray(b).astype(dtype)
    return np.asarray(product >> np.dtype(dtype).type(32)).astype(np.uint32)


def high_half_64(a: Array, b: Array, signed: bool) -> Array:
    """The upper half of the product of two 64-bit integers, from products of 32-bit halves."""
    x, y, mask, half = np.asarray(a).astype(np.uint64), np.asarray(b).astype(np.uint64), np.uint64(0xFFFFFFFF), np.uint64(32)
    x_high, x_low, y_high, y_low = x >> half, x & mask, y >> half, y & mask
    middle = x_high * y_low + ((x_low * y_low) >> half)
    other = x_low * y_high + (middle & mask)
    high = x_high * y_high + (middle >> half) + (other >> half)
    if not signed:
        return np.asarray(high)
    zero = np.uint64(0)
    return np.asarray(high - np.where(np.asarray(a) < 0, y, zero) - np.where(np.asarray(b) < 0, x, zero))


def multiply_24(a: Array, b: Array, dtype: npt.DTypeLike) -> Array:
    """The low 32 bits of the product of the low 24 bits."""
    eight = np.dtype(dtype).type(8)
    x, y = ((np.asarray(each).astype(dtype) << eight) >> eight for each in (a, b))
    return np.asarray(x * y)


def permute_bytes(x: Array, y: Array, selector: Array) -> Array:
    """Pick four bytes: each of the selector's four low hexadecimal digits names a byte of y:x (its top bit: that byte's sign, eight
    times).
    """
    both = bits_of(x, 4).astype(np.uint64) | (bits_of(y, 4).astype(np.uint64) << np.uint64(32))
    digits = bits_of(selector, 4).astype(np.uint64)
    result = np.zeros_like(both & digits)
    for place in range(4):
        digit = (digits >> np.uint64(4 * place)) & np.uint64(15)
        byte = (both >> ((digit & np.uint64(7)) << np.uint64(3))) & np.uint64(255)
        sign = (byte >> np.uint64(7)) * np.uint64(255)
        result |= np.where(digit > 7, sign, byte) << np.uint64(8 * place)
    return result.astype(np.uint32)


def funnel_shift(low: Array, high: Array, shift: Array, left: bool, clamp: bool) -> Array:
    """high:low shifted, its upper (left) or lower (right) half; the shift is taken modulo 32, or is 32 at most (`clamp`)."""
    both = bits_of(low, 4).astype(np.uint64) | (bits_of(high, 4).astype(np.uint64) << np.uint64(32))
    by = bits_of(shift, 4).astype(np.uint64)
    by = np.minimum(by, np.uint64(32)) if clamp else by & np.uint64(31)
    return (((both << by) >> np.uint64(32)) if left else (both >> by)).astype(np.uint32)


def any_of_three(a: Array, b: Array, c: Array, table: Array) -> Array:
    """For each bit the one that the table has for the three bits there: bit 4 a + 2 b + c of it."""
    x, y, z, rule = (bits_of(each, 4) for each in (a, b, c, table))
    result = np.zeros_like(x & y & z & rule)
    for place in range(8):
        wanted = [value if place >> shift & 1 else ~value for value, shift in ((x, 2), (y, 1), (z, 0))]
        holds = np.uint32(0) - ((rule >> np.uint32(place)) & np.uint32(1))
        result = result | (wanted[0] & wanted[1] & wanted[2] & holds)
    return result


def extract_bits(value: Array, start: Array, length: Array, signed: bool) -> Array:
    """`length` bits from bit `start` on, with zeros or with the highest of them in front."""
    first, count = (bits_of(each, 4).astype(np.int64) & 255 for each in (start, length))
    wide = np.asarray(value).astype(np.int64)
    if not signed:
        return np.asarray((wide >> np.minimum(first, 32)) & ((1 << np.minimum(count, 32)) - 1)).astype(np.uint32)
    kept = np.minimum(count, 32 - np.minimum(first, 32))
    cut = (wide >> np.minimum(first, 31)) & ((1 << kept) - 1)
    last = (wide >> np.clip(first + count - 1, 0, 31)) & 1
    return np.where(count == 0, 0, cut - np.where(last == 1, np.int64(1) << kept, 0)).astype(np.int32)


def insert_bits(inserted: Array, value: Array, start: Array, length: Array) -> Array:
    """`value` with its `length` bits from bit `start` on those of another."""
    first, count = (bits_of(each, 4).astype(np.uint64) & np.uint64(255) for each in (start, length))
    one = np.uint64(1)
    mask = ((one << np.minimum(count, np.uint64(32))) - one) << np.minimum(first, np.uint64(32))
    bits = bits_of(inserted, 4).astype(np.uint64) << np.minimum(first, np.uint64(32))
    return np.asarray((bits_of(value, 4).astype(np.uint64) & ~mask) | (bits & mask)).astype(np.uint32)


def average(a: Array, b: Array, up: int) -> Array:
    """(a + b + up) / 2 without overflow, rounded down."""
    return (np.asarray(a).astype(np.int64) + np.asarray(b).astype(np.int64) + up) >> 1


def absolute_difference(a: Array, b: Array, c: Array) -> Array:
    """|a - b| + c."""
    return np.abs(np.asarray(a).astype(np.int64) - np.asarray(b).astype(np.int64)).astype(np.uint32) + np.asarray(c).astype(np.uint32)


def dot_of_bytes(a: Array, b: Array, c: Array, dtype: npt.DTypeLike) -> Array:
    """The four products of the bytes of two words, added to c."""
    total = np.asarray(c).astype(np.int64)
    for shift in (0, 8, 16, 24):
        left, right = ((bits_of(each, 4) >> np.uint32(shift)).astype(np.uint8).astype(dtype) for each in (a, b))
        total = total + left.astype(np.int64) * right.astype(np.int64)
    return total


def join_halves(high: Array, low: Array) -> Array:
    """The double with these upper and lower halves of its bits."""
    return np.asarray((np.asarray(high).astype(np.int64) << 32) | np.asarray(low).view(np.uint32)).view(np.float64)


def as_type(dtype: npt.DTypeLike) -> Function:
    """Return a function that takes the same bits as another type."""
    return lambda value: np.asarray(value).view(dtype)


def _conversions() -> dict[str, Function]:
    """__float2int_rn, __int2float_rz, __double2float_ru and the like."""
    wholes = {"int": np.int32, "uint": np.uint32, "ll": np.int64, "ull": np.uint64}
    floats = {"float": np.float32, "double": np.float64}
    table: dict[str, Function] = {}
    for suffix, mode in {"rn": "n", "rz": "z", "ru": "u", "rd": "d"}.items():
        table[f"__double2float_{suffix}"] = partial(narrow, dtype=np.float32, mode=mode)
        for whole, whole_type in wholes.items():
            for name, float_type in floats.items():
                table[f"__{name}2{whole}_{suffix}"] = partial(to_integer, dtype=whole_type, mode=mode)
                table[f"__{whole}2{name}_{suffix}"] = partial(from_integer, dtype=float_type, mode=mode)
    return table


def _reinterpretations() -> dict[str, Function]:
    return {
        "__int_as_float": as_type(np.float32), "__uint_as_float": as_type(np.float32),
        "__float_as_int": as_type(np.int32), "__float_as_uint": as_type(np.uint32),
        "__longlong_as_double": as_type(np.float64), "__double_as_longlong": as_type(np.int64),
        "__double2hiint": lambda x: np.asarray(x).view(np.int64) >> 32,
        "__double2loint": lambda x: np.asarray(x).view(np.int64).astype(np.int32),
        "__hiloint2double": join_halves,
    }  # fmt: skip


def functions() -> dict[str, Function]:
    """Return every integer function by its CUDA name."""
    table: dict[str, Function] = {"__popc": np.bitwise_count, "__popcll": np.bitwise_count, "abs": np.abs, "labs": np.abs, "llabs": np.abs}
    for suffix, size in (("", 4), ("ll", 8)):
        table[f"__clz{suffix}"] = partial(count_leading_zeros, size=size)
        table[f"__ffs{suffix}"] = partial(find_first_set, size=size)
        table[f"__brev{suffix}"] = partial(reverse_bits, size=size)
    table |= {
        "__mulhi": partial(high_half, dtype=np.int64), "__umulhi": partial(high_half, dtype=np.uint64),
        "__mul64hi": partial(high_half_64, signed=True), "__umul64hi": partial(high_half_64, signed=False),
        "__mul24": partial(multiply_24, dtype=np.int32), "__umul24": partial(multiply_24, dtype=np.uint32),
        "__dp4a": partial(dot_of_bytes, dtype=np.int8), "__byte_perm": permute_bytes,
        "lop3.b32": any_of_three, "bfi.b32": insert_bits,
        "bfe.b32": partial(extract_bits, signed=False), "bfe.s32": partial(extract_bits, signed=True),
        "__sad": absolute_difference, "__usad": absolute_difference,
        "__funnelshift_l": partial(funnel_shift, left=True, clamp=False),
        "__funnelshift_lc": partial(funnel_shift, left=True, clamp=True),
        "__funnelshift_r": partial(funnel_shift, left=False, clamp=False),
        "__funnelshift_rc": partial(funnel_shift, left=False, clamp=True),
        "__hadd": partial(average, up=0), "__uhadd": partial(average, up=0),
        "__rhadd": partial(average, up=1), "__urhadd": partial(average, up=1),
        "umin": np.minimum, "umax": np.maximum, "llmin": np.minimum, "llmax": np.maximum, "ullmin": np.minimum, "ullmax": np.maximum,
    }  # fmt: skip
    return table | _conversions() | _reinterpretations()
