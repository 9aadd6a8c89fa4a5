"""Lambdas: nothing of one exists when the kernel runs. A call is inlined, with the names that the lambda captured."""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Closure, Context
from kernels.simt.lower.conversions import load
from kernels.simt.lower.cursors import CONSTRUCTOR_WRAPPERS, constructor_call, initializer, is_reference, operands
from kernels.simt.lower.dispatch import add, lvalue
from kernels.simt.lower.refusals import LAMBDA, Consequence
from kernels.simt.lower.types import is_empty, is_lambda

K = CursorKind


def hold(context: Context, variable: ir.Variable, value: Cursor, into: list[ir.Statement]) -> None:
    """Note the lambda that `variable` is initialized with; what that captures by value is copied now."""
    if is_lambda(variable.type):
        context.closures[variable] = closure(context, value, into)


def closure(context: Context, cursor: Cursor, into: list[ir.Statement]) -> Closure:
    """Find the lambda that an expression gives."""
    inner = _unwrapped(cursor)
    if inner.kind is K.LAMBDA_EXPR:
        return _made(context, inner, into)
    declaration = inner.referenced if inner.kind is K.DECL_REF_EXPR else None
    if declaration is not None and declaration.hash in context.frame.places:
        variable = build.root(lvalue(context, inner))
        if variable not in context.closures:  # its declaration has been refused
            raise Consequence(context.location(cursor), LAMBDA)
        return context.closures[variable]
    if declaration is not None and declaration.kind is K.VAR_DECL and (value := initializer(declaration)) is not None:
        return closure(context, value, into)  # of file scope
    if inner.kind is K.MEMBER_REF_EXPR:  # its type has been refused
        raise Consequence(context.location(cursor), LAMBDA)
    raise context.refuse(cursor, LAMBDA)


def _unwrapped(cursor: Cursor) -> Cursor:
    while True:
        below = operands(cursor)
        if cursor.kind in CONSTRUCTOR_WRAPPERS and len(below) == 1:
            cursor = below[0]
        elif (call := constructor_call(cursor)) is not None:
            (cursor,) = call.get_arguments()
        else:
            return cursor


def _made(context: Context, cursor: Cursor, into: list[ir.Statement]) -> Closure:
    """Make the closure of a lambda where it is written. A capture and the name that it stands for have one location."""
    frame = context.frame
    named = list(_names(cursor))
    copies: dict[int, ir.Place] = {}
    this = frame.this
    for capture in cursor.type.get_canonical().get_fields():
        name = next((each for each in named if each.location == capture.location), None)
        by_reference = is_reference(capture.type)
        if name is None:
            if capture.type.get_canonical().kind is TypeKind.RECORD and this is not None:
                this = _copied(context, "this", this, cursor, into)
            continue
        named.remove(name)
        if name.kind is K.VARIABLE_REF and name.referenced.location == capture.location:  # [x = value]
            add(context, name.referenced, into)
        elif not by_reference and name.referenced.hash in frame.places:
            copies[name.referenced.hash] = _copied(context, name.spelling, frame.places[name.referenced.hash], name, into)
    return Closure(this, {**frame.places, **copies}, dict(frame.values))


def _copied(context: Context, name: str, place: ir.Place, cursor: Cursor, into: list[ir.Statement]) -> ir.Place:
    kind = build.place_type(place)
    if is_empty(kind):
        return place
    if isinstance(kind, ir.Array):
        reason = message("A lambda that copies an array is not supported: capture {name} by reference, with [&].", name=name)
        raise context.refuse(cursor, reason)
    variable = build.temporary(name, kind, context.location(cursor))
    into.append(ir.Declare(variable, context.copied(cursor, place, moved=False) or load(context, place, cursor), variable.location))
    context.ends(cursor, variable, into)
    return ir.Whole(variable)


def _names(cursor: Cursor) -> Iterator[Cursor]:
    """List the captures that are written, then the variables that the body names."""
    for each in cursor.walk_preorder():
        if each.kind in (K.VARIABLE_REF, K.DECL_REF_EXPR) and each.referenced is not None:
            yield each
