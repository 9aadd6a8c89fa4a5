"""Nodes of the representation, with constants folded as C computes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kernels.simt import ir

SHIFTS = (ir.Binary.SHIFT_LEFT, ir.Binary.SHIFT_RIGHT)
COMPARISONS = (
    ir.Binary.LESS,
    ir.Binary.LESS_EQUAL,
    ir.Binary.GREATER,
    ir.Binary.GREATER_EQUAL,
    ir.Binary.EQUAL,
    ir.Binary.NOT_EQUAL,
)
INTEGERS = (ir.Kind.SIGNED, ir.Kind.UNSIGNED)
FLOATS: dict[int, type[np.floating]] = {2: np.float16, 4: np.float32, 8: np.float64}


def type_of(expression: ir.Expression) -> ir.Type:
    """Give the type of an expression that has a value."""
    assert expression.type is not None
    return expression.type


def target_of(pointer: ir.Expression) -> ir.Type:
    """Give the type of what a pointer points to; the pointer is none to void."""
    kind = pointer.type
    assert isinstance(kind, ir.Pointer)
    assert kind.target is not None
    return kind.target


def constant(value: int | float, kind: ir.Type) -> ir.Const:
    """Make a constant, brought into the range of its type."""
    if not isinstance(kind, ir.Scalar):
        return ir.Const(0, kind)
    if kind.kind is ir.Kind.BOOL:
        return ir.Const(bool(value), kind)
    if kind.kind is ir.Kind.FLOAT:
        return ir.Const(_rounded(value, kind), kind)
    low = int(value) & ((1 << 8 * kind.size) - 1)
    signed = kind.kind is ir.Kind.SIGNED and low >> (8 * kind.size - 1)
    return ir.Const(low - (1 << 8 * kind.size) if signed else low, kind)


def _rounded(value: int | float, kind: ir.Scalar) -> float:
    if kind.brain:
        return float(value)  # brain floats are rounded where they are executed
    with np.errstate(all="ignore"):
        return float(FLOATS[kind.size](value))


def zero(kind: ir.Type, location: ir.Location) -> ir.Expression:
    """Make the value-initialized object of a type."""
    if isinstance(kind, ir.Struct):
        return ir.Make(tuple(zero(field.type, location) for field in kind.fields), kind, location)
    return ir.Make((), kind, location) if isinstance(kind, ir.Array) else constant(0, kind)


def cast(operand: ir.Expression, kind: ir.Type, location: ir.Location) -> ir.Expression:
    """Convert a value; as it is where its type is the one already."""
    if operand.type == kind:
        return operand
    if isinstance(operand.type, ir.Pointer) and kind == ir.BOOL:
        return ir.BinaryOp(ir.Binary.NOT_EQUAL, operand, ir.Const(0, operand.type), ir.BOOL, location)
    if isinstance(operand, ir.Const) and isinstance(kind, ir.Scalar) and _exact(operand.value, kind):
        return constant(operand.value, kind)
    if isinstance(operand, ir.Const) and isinstance(kind, ir.Pointer):
        return ir.Const(operand.value, kind)
    return ir.Cast(operand, kind, location)


def _exact(value: int | float, kind: ir.Scalar) -> bool:
    """Say whether the conversion is the same for everyone. A float outside the range of an integer type is not C's to convert, and an
    integer of more than 53 bits is not rounded twice: these are left to the one who executes them."""
    if isinstance(value, int) and kind.kind is ir.Kind.FLOAT and abs(value) > 1 << 53:
        return False
    if kind.brain or not isinstance(value, float) or kind.kind in (ir.Kind.FLOAT, ir.Kind.BOOL):
        return not kind.brain
    return math.isfinite(value) and constant(math.trunc(value), kind).value == math.trunc(value)


def unary(operator: ir.Unary, operand: ir.Expression, kind: ir.Type, location: ir.Location) -> ir.Expression:
    """Make a unary operation; of a constant, its result."""
    if isinstance(operand, ir.Const):
        if operator is ir.Unary.NOT:
            return constant(not operand.value, ir.BOOL)
        if operator is ir.Unary.NEGATE:
            return constant(-operand.value, kind)
        return constant(~int(operand.value), kind)
    return ir.UnaryOp(operator, operand, kind, location)


def binary(operator: ir.Binary, left: ir.Expression, right: ir.Expression, kind: ir.Type, location: ir.Location) -> ir.Expression:
    """Make a binary operation; of two integer constants, its result where C defines one."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        folded = _fold(operator, left, right, kind)
        if folded is not None:
            return folded
    return ir.BinaryOp(operator, left, right, kind, location)


def _fold(operator: ir.Binary, left: ir.Const, right: ir.Const, kind: ir.Type) -> ir.Const | None:
    """Compute an operation on integers only: floats keep theirs, which are counted and rounded where they are executed."""
    operand = left.type
    if not (isinstance(operand, ir.Scalar) and operand.kind in (*INTEGERS, ir.Kind.BOOL)):
        return None
    a, b = int(left.value), int(right.value)
    if operator in COMPARISONS:
        return constant(_compare(operator, a, b), ir.BOOL)
    if operator in SHIFTS:
        if not 0 <= b < 8 * operand.size:
            return None
        return constant(a << b if operator is ir.Binary.SHIFT_LEFT else a >> b, kind)
    if operator in (ir.Binary.DIVIDE, ir.Binary.REMAINDER):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return constant(quotient if operator is ir.Binary.DIVIDE else a - quotient * b, kind)
    return constant(_arithmetic(operator, a, b), kind)


def _compare(operator: ir.Binary, a: int, b: int) -> bool:
    order = {
        ir.Binary.LESS: a < b,
        ir.Binary.LESS_EQUAL: a <= b,
        ir.Binary.GREATER: a > b,
        ir.Binary.GREATER_EQUAL: a >= b,
        ir.Binary.EQUAL: a == b,
    }
    return order.get(operator, a != b)


def _arithmetic(operator: ir.Binary, a: int, b: int) -> int:
    results = {
        ir.Binary.ADD: a + b,
        ir.Binary.SUBTRACT: a - b,
        ir.Binary.MULTIPLY: a * b,
        ir.Binary.AND: a & b,
        ir.Binary.OR: a | b,
    }
    return results.get(operator, a ^ b)


def offset(pointer: ir.Expression, index: ir.Expression, location: ir.Location) -> ir.Expression:
    """Add an index to a pointer. Into an array of one dimension it is the address of another element of it; not into a row of a larger
    array, because pointers do run from row to row."""
    if isinstance(index, ir.Const) and index.value == 0:
        return pointer
    if isinstance(pointer, ir.AddressOf) and isinstance(pointer.place, ir.Element) and not isinstance(pointer.place.array, ir.Element):
        place = pointer.place
        if isinstance(place.index, ir.Const) and place.index.value == 0:
            return ir.AddressOf(ir.Element(place.array, index, place.type, location), pointer.type, location)
        if place.index.type == index.type:
            total = binary(ir.Binary.ADD, place.index, index, type_of(index), location)
            return ir.AddressOf(ir.Element(place.array, total, place.type, location), pointer.type, location)
    return ir.Offset(pointer, index, type_of(pointer), location)


def negated(index: ir.Expression, location: ir.Location) -> ir.Expression:
    """Negate an index, in 64 bits where its type is unsigned."""
    kind = index.type
    if isinstance(kind, ir.Scalar) and (kind.kind is not ir.Kind.SIGNED or kind.size < 4):
        index = cast(index, ir.I64, location)
    return unary(ir.Unary.NEGATE, index, type_of(index), location)


def deref(pointer: ir.Expression, location: ir.Location, text: str = "") -> ir.Place:
    """Give what a pointer points to: the place itself where the pointer is the address of one."""
    if isinstance(pointer, ir.AddressOf) and ir.place_type(pointer.place) == target_of(pointer):
        return renamed(pointer.place, location, text)
    return ir.Deref(pointer, target_of(pointer), location, text)


def renamed(place: ir.Place, location: ir.Location, text: str) -> ir.Place:
    """Give the same place, written elsewhere in other words."""
    return place if isinstance(place, ir.Whole) else replace(place, location=location, text=text)


def address_of(place: ir.Place, location: ir.Location) -> ir.Expression:
    """Take the address of a place: of what a pointer points to, the pointer."""
    if isinstance(place, ir.Deref):
        return place.pointer
    return ir.AddressOf(place, ir.Pointer(ir.place_type(place)), location)


def union_member(union: ir.Place, field: ir.Field, location: ir.Location, text: str = "") -> ir.Place:
    """Give the bytes of a union as one of its members."""
    pointer = cast(address_of(union, location), ir.Pointer(field.type), location)
    return ir.Deref(pointer, field.type, location, text)


def fields_of(record: ir.Type) -> tuple[ir.Field, ...]:
    """Give the fields of a struct."""
    assert isinstance(record, ir.Struct)
    return record.fields


def temporary(name: str, kind: ir.Type, location: ir.Location) -> ir.Variable:
    """Make a variable that has no name in the text."""
    return ir.Variable(name, kind, ir.Space.REGISTER, location)


def counted(count: ir.Expression, location: ir.Location, body: Callable[[ir.Expression], tuple[ir.Statement, ...]]) -> ir.Loop:
    """Make a loop over as many indices, as one would write it."""
    kind = type_of(count)
    counter = temporary("index", kind, location)
    index = ir.Load(ir.Whole(counter), kind, location)
    start = ir.Block((ir.Declare(counter, ir.Const(0, kind), location),))
    test = binary(ir.Binary.LESS, index, count, ir.BOOL, location)
    step = ir.Block((ir.Store(ir.Whole(counter), ir.Const(1, kind), location, ir.Binary.ADD),))
    return ir.Loop(start, test, step, ir.Block(body(index)), test_last=False, location=location)


def root(place: ir.Place) -> ir.Variable | None:
    """Find the variable that a place is a part of; None behind a pointer."""
    while not isinstance(place, ir.Whole):
        if isinstance(place, ir.Deref):
            return None
        place = place.array if isinstance(place, ir.Element) else place.record
    return place.variable
