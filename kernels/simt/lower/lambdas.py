"""Lambdas. Of one that is called where its text is known nothing exists when the program runs: a call is inlined, with the names that it
captured. Where a context keeps lambdas, one that is stored, passed on or given back is an object: what it captured, as members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Closure, Context
from kernels.simt.lower.conversions import load
from kernels.simt.lower.cursors import CONSTRUCTOR_WRAPPERS, constructor_call, initializer, is_reference, operands
from kernels.simt.lower.dispatch import add, lowers_rvalue, lvalue, rvalue
from kernels.simt.lower.lvalues import after, freeze, is_lvalue
from kernels.simt.lower.refusals import LAMBDA, Consequence
from kernels.simt.lower.types import is_empty, is_lambda

K = CursorKind
THIS = 0
"""What stands for `this` among the declarations that a lambda captures."""


def hold(context: Context, variable: ir.Variable, value: Cursor, into: list[ir.Statement]) -> bool:
    """Say whether nothing of `variable` has to exist when the program runs: an object without members, or a lambda whose text is known,
    which is noted. What the lambda captures by value is copied now."""
    if not is_lambda(variable.type):
        return is_empty(variable.type)
    known = _known(context, value, into)
    if known is not None:
        context.closures[variable] = known
    return known is not None


def closure(context: Context, cursor: Cursor, into: list[ir.Statement]) -> Closure:
    """Find the lambda that an expression gives: by its text, or in its object."""
    known = _known(context, cursor, into)
    if known is not None:
        return known
    if is_lvalue(context, cursor):
        place = freeze(lvalue(context, cursor), into)
        if isinstance(place, ir.Whole) and place.variable in context.closures:  # by way of std::forward or a cast
            return context.closures[place.variable]
    else:
        variable = build.temporary("lambda", context.type(cursor), context.location(cursor))
        into.append(ir.Declare(variable, rvalue(context, cursor), variable.location))
        context.ends(cursor, variable, into, temporary=True)
        place = ir.Whole(variable)
    return opened(context, place, cursor.type.get_canonical().get_declaration(), cursor)


def opened(context: Context, place: ir.Place, record: Cursor, cursor: Cursor) -> Closure:
    """Give the meaning of the names in the body of a lambda whose object lies at `place`."""
    kind, location = ir.place_type(place), context.location(cursor)
    this: ir.Place | None = None
    places: dict[int, ir.Place] = {}
    captures = _captures(_text(record))
    for field, (capture, name) in zip(build.fields_of(kind), captures, strict=True):
        member: ir.Place = ir.Member(place, field, location, context.text(cursor))
        if isinstance(field.type, ir.Pointer) and (name is None or is_reference(capture.type)):
            member = build.deref(ir.Load(member, field.type, location), location, context.text(cursor))
        if name is None:
            this = member
        else:
            places[name.referenced.hash] = member
    return Closure(this, places, {}, _hashes(captures))


def object_of(context: Context, known: Closure, cursor: Cursor, kind: ir.Type) -> ir.Expression:
    """Make the object of a lambda that is known by its text."""
    members: list[ir.Expression] = []
    statements: list[ir.Statement] = []
    location = context.location(cursor)
    declared = context.types.declaration(cast("ir.Struct", kind))
    captured = zip(known.captures, declared.type.get_canonical().get_fields(), build.fields_of(kind), strict=True)
    for declaration, capture, field in captured:
        place = known.this if declaration == THIS else known.places.get(declaration)
        by_address = isinstance(field.type, ir.Pointer) and (is_reference(capture.type) or declaration == THIS)
        if place is None:
            value = known.values[declaration]
        elif by_address:
            value = context.lambda_object(place, cursor) or build.address_of(place, location)
        else:
            value = context.copied(cursor, place, moved=False) or load(context, place, cursor)
        if by_address and not isinstance(value.type, ir.Pointer):
            variable = build.temporary("captured", build.type_of(value), location)
            statements.append(ir.Declare(variable, value, location))
            value = build.address_of(ir.Whole(variable), location)
        members.append(build.cast(value, field.type, location) if isinstance(field.type, ir.Scalar) else value)
    return after(statements, ir.Make(tuple(members), kind, location), location)


@lowers_rvalue(K.LAMBDA_EXPR)
def lower_lambda(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a lambda to its object."""
    if not context.keeps_lambdas:
        raise context.refuse(cursor, LAMBDA)
    statements: list[ir.Statement] = []
    known = _made(context, cursor, statements)
    return after(statements, object_of(context, known, cursor, context.type(cursor)), context.location(cursor))


def is_of_lambda(function: Cursor) -> bool:
    """Say whether a function is what a lambda is called by."""
    return bool(function.spelling == "operator()" and function.semantic_parent.is_anonymous())


def function_of(record: Cursor) -> Cursor | None:
    """Find the function that a lambda is called by; None where it is a template, or the class none of a lambda."""
    if not record.is_anonymous():
        return None
    return next((each for each in record.get_children() if each.kind is K.CXX_METHOD and each.spelling == "operator()"), None)


def _known(context: Context, cursor: Cursor, into: list[ir.Statement]) -> Closure | None:
    """Find the text of the lambda that an expression gives; None where only its object is known, or its members change."""
    inner = _unwrapped(cursor)
    if inner.kind is K.LAMBDA_EXPR:
        return None if context.keeps_lambdas and _changes(inner) else _made(context, inner, into)
    declaration = inner.referenced if inner.kind is K.DECL_REF_EXPR else None
    if declaration is not None and declaration.hash in context.frame.places:
        place = lvalue(context, inner)
        if isinstance(place, ir.Whole) and place.variable in context.closures:
            return context.closures[place.variable]
        if not context.keeps_lambdas:  # its declaration has been refused
            raise Consequence(context.location(cursor), LAMBDA)
        return None
    if declaration is not None and declaration.kind is K.VAR_DECL and (value := initializer(declaration)) is not None:
        return _known(context, value, into)  # of file scope
    if context.keeps_lambdas:
        return None
    if inner.kind is K.MEMBER_REF_EXPR:  # its type has been refused
        raise Consequence(context.location(cursor), LAMBDA)
    raise context.refuse(cursor, LAMBDA)


def _unwrapped(cursor: Cursor) -> Cursor:
    while True:
        below = operands(cursor)
        if cursor.kind in CONSTRUCTOR_WRAPPERS and len(below) == 1:
            cursor = below[0]
        elif (call := constructor_call(cursor)) is not None and len(list(call.get_arguments())) == 1:
            (cursor,) = call.get_arguments()
        else:
            return cursor


def _changes(cursor: Cursor) -> bool:
    """Say whether a lambda is `mutable`, with something to change: each copy of it goes its own way."""
    record = cursor.type.get_canonical().get_declaration()
    called = (each for each in record.get_children() if each.spelling == "operator()")
    return any(not each.is_const_method() for each in called) and any(True for _ in cursor.type.get_canonical().get_fields())


def _made(context: Context, cursor: Cursor, into: list[ir.Statement]) -> Closure:
    """Make the closure of a lambda where it is written."""
    frame = context.frame
    copies: dict[int, ir.Place] = {}
    this = frame.this
    captures = _captures(cursor)
    for capture, name in captures:
        by_reference = is_reference(capture.type)
        if name is None:
            if capture.type.get_canonical().kind is TypeKind.RECORD and this is not None:
                this = _copied(context, "this", this, cursor, into)
        elif name.kind is K.VARIABLE_REF and name.referenced.location == capture.location:  # [x = value]
            add(context, name.referenced, into)
        elif not by_reference and name.referenced.hash in frame.places:
            copies[name.referenced.hash] = _copied(context, name.spelling, frame.places[name.referenced.hash], name, into)
    return Closure(this, {**frame.places, **copies}, dict(frame.values), _hashes(captures))


def _hashes(captures: list[tuple[Cursor, Cursor | None]]) -> tuple[int, ...]:
    return tuple(THIS if name is None else name.referenced.hash for _, name in captures)


def _captures(cursor: Cursor) -> list[tuple[Cursor, Cursor | None]]:
    """List the members of a lambda's object, each with a name that stands for it, none for `this`. A capture and its name have one
    location."""
    named = list(_names(cursor))
    found: list[tuple[Cursor, Cursor | None]] = []
    for capture in cursor.type.get_canonical().get_fields():
        name = next((each for each in named if each.location == capture.location), None)
        if name is not None:
            named.remove(name)
        found.append((capture, name))
    return found


def _text(record: Cursor) -> Cursor:
    """Find where a lambda is written, by the class that the compiler makes of it."""
    around = record.semantic_parent
    written = (each for each in (around.get_definition() or around).walk_preorder() if each.kind is K.LAMBDA_EXPR)
    return next(each for each in written if each.type.get_canonical().get_declaration() == record)


def _copied(context: Context, name: str, place: ir.Place, cursor: Cursor, into: list[ir.Statement]) -> ir.Place:
    kind = ir.place_type(place)
    if is_empty(kind) or (isinstance(place, ir.Whole) and place.variable in context.closures):
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
