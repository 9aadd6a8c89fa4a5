"""Lvalues: which expressions denote an object that exists, whether finding it has effects, and how to find it once, ahead of something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from clang.cindex import Cursor, CursorKind

from kernels.simt import ir
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import bare, operands, returns_reference

K = CursorKind
STEPS = ("pre++", "pre--")
VARIABLES = (K.VAR_DECL, K.PARM_DECL)
"""Names of structured bindings are `UNEXPOSED_DECL`, and so are templates of variables."""
REFERENCE_CAST = re.compile(r"[^()<]*(<[^()]*>)?[^()<]*&\s*[)>]")
"""`(float4&)x` and `reinterpret_cast<float4&>(x)`, from behind the first bracket."""
PURE = (Known.MATH, Known.CONVERT, Known.BITS)
"""Functions that give a value and do nothing else, where they give one."""
LEAVES = (ir.Const, ir.Special, ir.Location, ir.Variable, ir.Field, ir.Function, ir.Scalar, ir.Struct, ir.Array, ir.Pointer)


def is_lvalue(context: Context, cursor: Cursor) -> bool:
    """Say whether an expression denotes an object that exists already (else it is a value of its own)."""
    cursor = bare(cursor)
    kind = cursor.kind
    if kind is K.DECL_REF_EXPR:
        declaration = cursor.referenced
        if declaration is not None and declaration.hash in context.frame.values and declaration.hash not in context.frame.places:
            return False  # a parameter that stands for its argument
        return declaration is not None and (declaration.kind in VARIABLES or declaration.hash in context.frame.places)
    if kind is K.MEMBER_REF_EXPR:
        member = cursor.referenced  # None where what is named is no member
        return member is not None and not member.is_bitfield() and is_in_object(context, cursor)
    if kind is K.UNARY_OPERATOR:
        return context.unit.unary_operator(cursor) in ("*", *STEPS)
    if kind is K.BINARY_OPERATOR:
        return context.unit.binary_operator(cursor) == "="
    if kind is K.UNEXPOSED_EXPR:
        below = operands(cursor)
        return len(below) == 1 and _same_object(context, cursor, below[0]) and is_lvalue(context, below[0])
    if kind is K.CALL_EXPR:
        return returns_reference(cursor)
    if kind is K.CONDITIONAL_OPERATOR:  # of objects, not of what was read from them
        return all(bare(each).kind is not K.UNEXPOSED_EXPR and is_lvalue(context, each) for each in operands(cursor)[1:])
    return kind in (K.ARRAY_SUBSCRIPT_EXPR, K.COMPOUND_ASSIGNMENT_OPERATOR) or is_reference_cast(context, cursor)


def is_in_object(context: Context, member: Cursor) -> bool:
    """Say whether a member is one of an object that exists already."""
    base = operands(member)
    return not base or base[0].type.get_canonical().kind.name == "POINTER" or is_lvalue(context, base[0])


def _same_object(context: Context, cursor: Cursor, below: Cursor) -> bool:
    """Say whether a conversion gives the object below it, or the part of it that is of a base class."""
    kind, given = context.type_or_void(cursor, cursor.type), context.type_or_void(below, below.type)
    return kind == given or (isinstance(kind, ir.Struct) and isinstance(given, ir.Struct))


def is_reference_cast(context: Context, cursor: Cursor) -> bool:
    """Say whether a cast gives the same object as another type, instead of a converted value."""
    if cursor.kind is K.CXX_REINTERPRET_CAST_EXPR:
        return not isinstance(context.type_or_void(cursor, cursor.type), (ir.Pointer, type(None))) and not isinstance(
            context.type_or_void(cursor, operands(cursor)[-1].type), ir.Pointer
        )
    if cursor.kind not in (K.CSTYLE_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.CXX_CONST_CAST_EXPR):
        return False
    _, _, rest = re.split(r"([(<])", context.unit.text_of(cursor) + "(", maxsplit=1)
    return REFERENCE_CAST.match(rest) is not None


def nodes(node: object) -> Iterator[object]:
    """Walk a node and all nodes below it, in the order of the text."""
    pending: list[Any] = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            pending.extend(reversed(current))
        elif (below := _below(type(current))) is not None:  # type: ignore[arg-type]  # a class is hashable
            yield current
            pending.extend([getattr(current, name) for name in below])


@cache
def _below(kind: type) -> tuple[str, ...] | None:
    """Name what stands below nodes of a kind, the last one first; None for what is no node."""
    if not is_dataclass(kind) or issubclass(kind, LEAVES):
        return None
    return tuple(reversed([each.name for each in fields(kind) if each.name not in ("type", "location")]))


def has_effects(node: ir.Place | ir.Expression) -> bool:
    """Say whether to compute a value, or where a place is, can change anything."""
    return any(isinstance(each, (ir.Assign, ir.Increment, ir.Inlined)) or _acts(each) for each in nodes(node))


def _acts(node: object) -> bool:
    return isinstance(node, ir.Call) and KNOWN.get(node.name) not in PURE


def freeze(place: ir.Place, into: list[ir.Statement]) -> ir.Place:
    """Compute the indices and pointers of a place now, by statements added to `into`."""
    if isinstance(place, ir.Whole):
        return place
    if isinstance(place, ir.Member):
        return replace(place, record=freeze(place.record, into))
    if isinstance(place, ir.Element):
        array = freeze(place.array, into)
        return replace(place, array=array, index=keep(place.index, "index", into))
    return replace(place, pointer=keep_pointer(place.pointer, into))


def settled(place: ir.Place, value: ir.Expression, into: list[ir.Statement]) -> tuple[ir.Place, ir.Expression]:
    """Give a place and the value stored there: computed now, where to find the place has effects, which come after the value's."""
    if not has_effects(place):
        return place, value
    value = keep(value, "value", into)
    return freeze(place, into), value


def with_frozen(place: ir.Place, use: Callable[[ir.Place], ir.Expression], location: ir.Location) -> ir.Expression:
    """Make an expression that uses a place. What has effects in finding the place happens once, before."""
    if not has_effects(place):
        return use(place)
    statements: list[ir.Statement] = []
    used = use(freeze(place, statements))
    return after(statements, used, location)


def after(statements: list[ir.Statement], value: ir.Expression, location: ir.Location) -> ir.Expression:
    """Make a value that is computed after some statements."""
    if not statements:
        return value
    if value.type is None:
        return ir.Inlined(ir.Block((*statements, ir.Evaluate(value, location))), None, None, location)
    result = build.temporary("result", value.type, location)
    return ir.Inlined(ir.Block((*statements, ir.Return(value, location))), result, value.type, location)


def keep_pointer(pointer: ir.Expression, into: list[ir.Statement]) -> ir.Expression:
    """Compute a pointer now; if it is the address of a place, the place is frozen instead."""
    if isinstance(pointer, ir.AddressOf):
        return ir.AddressOf(freeze(pointer.place, into), pointer.type, pointer.location)
    if isinstance(pointer, ir.Cast) and isinstance(pointer.operand.type, ir.Pointer):
        return ir.Cast(keep_pointer(pointer.operand, into), pointer.type, pointer.location)
    return keep(pointer, "pointer", into)


def keep(value: ir.Expression, name: str, into: list[ir.Statement]) -> ir.Expression:
    """Compute a value now, by a statement added to `into`."""
    if isinstance(value, (ir.Const, ir.Special)):
        return value
    location = value.location
    variable = build.temporary(name, build.type_of(value), location)
    into.append(ir.Declare(variable, value, location))
    return ir.Load(ir.Whole(variable), variable.type, location)
