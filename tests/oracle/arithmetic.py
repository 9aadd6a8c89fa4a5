"""C arithmetic on single values, by Python's integers and NumPy's scalars: no code is shared with the interpreter that it checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from kernels.simt.ir import Binary, Kind, Scalar, Type, Unary
from tests.oracle.memory import FLOATS, Value

COMPARISONS: dict[Binary, Callable[[Value, Value], bool]] = {
    Binary.LESS: lambda a, b: bool(a < b),  # type: ignore[operator]
    Binary.LESS_EQUAL: lambda a, b: bool(a <= b),  # type: ignore[operator]
    Binary.GREATER: lambda a, b: bool(a > b),  # type: ignore[operator]
    Binary.GREATER_EQUAL: lambda a, b: bool(a >= b),  # type: ignore[operator]
    Binary.EQUAL: lambda a, b: bool(a == b),
    Binary.NOT_EQUAL: lambda a, b: bool(a != b),
}


def is_float(kind: Type | None) -> bool:
    return isinstance(kind, Scalar) and kind.kind is Kind.FLOAT


def wrap(value: int, kind: Type) -> int:
    """The value modulo the width of an integer type (a pointer: 64 bits)."""
    if not isinstance(kind, Scalar):
        return value & (1 << 64) - 1
    if kind.kind is Kind.BOOL:
        return int(value != 0)
    bits = 8 * kind.size
    low = value & (1 << bits) - 1
    return low - (1 << bits) if kind.kind is Kind.SIGNED and low >> (bits - 1) else low


def convert(value: Value, kind: Type) -> Value:
    """A scalar as another type. A float beyond an integer's range saturates and NaN becomes 0, as on the GPU (in C it is undefined)."""
    assert not isinstance(value, tuple)
    if is_float(kind):
        assert isinstance(kind, Scalar)
        exact = np.asarray(value, np.uint64 if value >= 0 else np.int64)[()] if isinstance(value, int) else value
        return FLOATS[kind.size](exact)
    if isinstance(kind, Scalar) and kind.kind is Kind.BOOL:
        return int(value != 0)
    if isinstance(value, int):
        return wrap(value, kind)
    assert isinstance(kind, Scalar)
    if math.isnan(value):
        return 0
    bits = 8 * kind.size
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind.kind is Kind.SIGNED else (0, (1 << bits) - 1)
    return low if value < low else high if value > high else int(value)


def unary(operator: Unary, value: Value, kind: Type) -> Value:
    assert not isinstance(value, tuple)
    if operator is Unary.NOT:
        return int(value == 0)
    if operator is Unary.NEGATE and not isinstance(value, int):
        return -value
    assert isinstance(value, int)
    return wrap(-value if operator is Unary.NEGATE else ~value, kind)


def binary(operator: Binary, left: Value, right: Value, kind: Type) -> Value:
    """`left operator right`, where the operands have equal types and `kind` is the result's."""
    if operator in COMPARISONS:
        return int(COMPARISONS[operator](left, right))
    if isinstance(left, int) and isinstance(right, int):
        return wrap(_integer(operator, left, right), kind)
    assert isinstance(left, np.floating)
    assert isinstance(right, np.floating)
    match operator:
        case Binary.ADD:
            result = left + right
        case Binary.SUBTRACT:
            result = left - right
        case Binary.MULTIPLY:
            result = left * right
        case _:
            assert operator is Binary.DIVIDE
            result = left / right
    assert result.dtype == left.dtype
    return result


def _integer(operator: Binary, left: int, right: int) -> int:
    match operator:
        case Binary.ADD:
            return left + right
        case Binary.SUBTRACT:
            return left - right
        case Binary.MULTIPLY:
            return left * right
        case Binary.AND:
            return left & right
        case Binary.OR:
            return left | right
        case Binary.XOR:
            return left ^ right
        case Binary.SHIFT_LEFT:
            return left << right
        case Binary.SHIFT_RIGHT:
            return left >> right
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient if operator is Binary.DIVIDE else left - right * quotient


def fused_multiply_add(a: Value, b: Value, c: Value, size: int) -> Value:
    """a * b + c of floats of `size` bytes, rounded once."""
    assert not any(isinstance(value, tuple) for value in (a, b, c))
    if math.isfinite(a) and math.isfinite(b) and not math.isfinite(c):  # type: ignore[arg-type]
        return c  # however large the product is
    if not (math.isfinite(a) and math.isfinite(b)):  # type: ignore[arg-type]
        return FLOATS[size](a) * FLOATS[size](b) + FLOATS[size](c)
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))  # type: ignore[arg-type]
    if exact == 0:
        return FLOATS[size](np.float64(a) * np.float64(b) + np.float64(c))  # type: ignore[arg-type]
    try:
        double = float(exact)
    except OverflowError:
        return FLOATS[size](math.copysign(math.inf, exact))
    if Fraction(double) != exact and size < 8:  # round to odd, so that rounding again to fewer bits is right
        towards = math.inf if exact > double else -math.inf
        bits = int(np.float64(double).view(np.int64))
        double = double if bits & 1 else math.nextafter(double, towards)
    return FLOATS[size](double)
