"""`new` and `delete`: of kernels, on the device's heap; the heirs of `Context` have heaps of their own."""

from __future__ import annotations

import re

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import operands
from kernels.simt.lower.dispatch import lowers_rvalue, lowers_statement, rvalue
from kernels.simt.lower.initializers import initial_value, is_trivial, runs_constructor
from kernels.simt.lower.lvalues import after, keep, keep_pointer
from kernels.simt.lower.objects import construct
from kernels.simt.lower.types import VOID

K = CursorKind
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
_ARRAY = re.compile(r"(?:::\s*)?new\b(?:\s*\([^)]*\))?[^({\[;,)]*\[")


def makes_array(context: Context, cursor: Cursor) -> bool:
    """Say whether it is `new T[n]`."""
    return _ARRAY.match(context.unit.text_from(cursor)) is not None


@lowers_rvalue(K.CXX_NEW_EXPR)
def lower_new(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `new T`, `new T(...)` and `new T[n]`: null where the heap is full, and then nothing is constructed."""
    made = context.new(cursor)
    if made is not None:
        return made
    location, pointer, statements = context.location(cursor), context.type(cursor), list[ir.Statement]()
    assert isinstance(pointer, ir.Pointer)
    assert pointer.target is not None
    below, target = operands(cursor), pointer.target
    context.refuse_destructor(cursor, target)
    count: ir.Expression = ir.Const(1, SIZE)
    array = makes_array(context, cursor)
    if array:
        count = keep(build.cast(rvalue(context, below.pop(0)), SIZE, location), "count", statements)
    elif len(below) > 1:
        raise context.refuse(cursor, message("new at a place is not supported: assign the members there."))
    size = build.binary(ir.Binary.MULTIPLY, count, ir.Const(size_of(target), SIZE), SIZE, location)
    call = ir.Call("malloc", (size,), VOID, location)
    address = keep_pointer(build.cast(call, pointer, location), statements)
    begun = _begun(context, cursor, below, address, count if array else None)
    if begun:
        there = ir.BinaryOp(ir.Binary.NOT_EQUAL, address, ir.Const(0, pointer), ir.BOOL, location)
        statements.append(ir.If(there, ir.Block(tuple(begun)), None, location))
    return after(statements, address, location)


def _begun(
    context: Context, cursor: Cursor, below: list[Cursor], address: ir.Expression, count: ir.Expression | None
) -> list[ir.Statement]:
    """Give the new objects their values."""
    location, target, statements = context.location(cursor), build.target_of(address), list[ir.Statement]()
    if not below or is_trivial(context, below[-1]):
        return statements
    given = below[-1]

    def begin(place: ir.Place, into: list[ir.Statement]) -> None:
        if runs_constructor(context, given):
            construct(context, given, place, into)
        elif count is None:
            into.append(ir.Store(place, initial_value(context, given, target), location))
        else:
            into.append(ir.Store(place, build.zero(target, location), location))

    def each(index: ir.Expression) -> tuple[ir.Statement, ...]:
        inner: list[ir.Statement] = []
        begin(build.deref(build.offset(address, index, location), location), inner)
        return tuple(inner)

    if count is None:
        begin(build.deref(address, location), statements)
    elif given.kind is K.INIT_LIST_EXPR and operands(given):
        raise context.refuse(cursor, message("Values for an array that is made by new are not supported: set them in a loop."))
    else:
        statements.append(build.counted(count, location, each))
    return statements


@lowers_statement(K.CXX_DELETE_EXPR)
def lower_delete(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `delete p` and `delete[] p`."""
    if context.delete(cursor, into):
        return
    location = context.location(cursor)
    pointer = rvalue(context, operands(cursor)[-1])
    if isinstance(pointer.type, ir.Pointer) and pointer.type.target is not None:
        context.refuse_destructor(cursor, pointer.type.target)
    into.append(ir.Evaluate(ir.Call("free", (build.cast(pointer, VOID, location),), None, location), location))
