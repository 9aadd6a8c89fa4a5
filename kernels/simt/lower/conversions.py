"""Conversions between a place, its value and a value of another type.

A vector over a local array is no memory: `*reinterpret_cast<float4*>(&a[i])` of an array in registers is four of its elements.
"""

from __future__ import annotations

from clang.cindex import Cursor

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.bit_fields import bit_field, load_bits
from kernels.simt.lower.context import Context
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.lvalues import after, with_frozen
from kernels.simt.lower.types import VOID, has_class


def converted(context: Context, cursor: Cursor, kind: ir.Type) -> ir.Expression:
    """Lower an expression to its value as another type, as an assignment converts it."""
    return convert(context, rvalue(context, cursor), kind, cursor)


def condition_of(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower an expression to whether it is true."""
    return converted(context, cursor, ir.BOOL)


def convert(context: Context, value: ir.Expression, kind: ir.Type, cursor: Cursor) -> ir.Expression:
    """Convert a value at `cursor`, or refuse to where no operation does it."""
    source = value.type
    if source == kind:
        return value
    location = context.location(cursor)
    base = to_base(value, kind, location)
    if base is not None:
        if has_class(kind):
            raise context.refuse(cursor, message("A part of an object that is a value is not supported: give the object a name."))
        return base
    if isinstance(source, ir.Struct) or isinstance(kind, ir.Struct) or source is None:
        raise context.unsupported(cursor)
    return build.cast(value, kind, location)


def read(context: Context, cursor: Cursor) -> ir.Expression:
    """Give the value of the object that an lvalue denotes."""
    return load(context, lvalue(context, cursor), cursor)


def load(context: Context, place: ir.Place, cursor: Cursor) -> ir.Expression:
    """Load the value of a place: the lvalue-to-rvalue conversion, of an array the one to a pointer."""
    kind = ir.place_type(place)
    location = context.location(cursor)
    bits = bit_field(context, place)
    if bits is not None:
        return with_frozen(place, lambda found: load_bits(context, found, bits), location)
    if isinstance(kind, ir.Array):
        return decayed(place, location, context.text(cursor))
    made = context.lambda_object(place, cursor)
    if made is not None:
        return made
    loaded = with_frozen(place, lambda found: _loaded(found, kind, location), location)
    return build.cast(loaded, context.type(cursor), location) if kind == VOID else loaded


def _loaded(place: ir.Place, kind: ir.Type, location: ir.Location) -> ir.Expression:
    parts = vector_elements(place)
    return ir.Load(place, kind, location) if parts is None else load_vector(parts, kind, location)


def base_part(place: ir.Place, wanted: ir.Type, location: ir.Location) -> ir.Place | None:
    """Find the part of an object that is of one of its base classes; None where it has none of that type."""
    kind = ir.place_type(place)
    if kind == wanted:
        return place
    for field in kind.fields if isinstance(kind, ir.Struct) else ():
        found = base_part(ir.Member(place, field, location), wanted, location) if not field.name else None
        if found is not None:
            return found
    return None


def to_base(value: ir.Expression, wanted: ir.Type, location: ir.Location) -> ir.Expression | None:
    """Convert an object, or a pointer to one, to its base class; None where that is no base."""
    if isinstance(value.type, ir.Pointer) and isinstance(wanted, ir.Pointer) and isinstance(wanted.target, ir.Struct):
        if not isinstance(value.type.target, ir.Struct) or (isinstance(value, ir.Const) and not value.value):
            return None
        part = base_part(build.deref(value, location), wanted.target, location)
        return None if part is None else build.address_of(part, location)
    if not isinstance(value.type, ir.Struct) or not isinstance(wanted, ir.Struct):
        return None
    held = build.temporary("heir", value.type, location)
    part = base_part(ir.Whole(held), wanted, location)
    return None if part is None else after([ir.Declare(held, value, location)], ir.Load(part, wanted, location), location)


def decayed(place: ir.Place, location: ir.Location, text: str) -> ir.Expression:
    """Convert an array to a pointer to its first element."""
    kind = ir.place_type(place)
    assert isinstance(kind, ir.Array)
    first = ir.Element(place, ir.Const(0, ir.I32), kind.element, location, text)
    return ir.AddressOf(first, ir.Pointer(kind.element), location)


def vector_elements(place: ir.Place) -> tuple[ir.Place, ...] | None:
    """Find the elements of a local array that a vector over it covers; None for any other place."""
    if not (isinstance(place, ir.Deref) and isinstance(place.pointer, ir.Cast) and isinstance(place.type, ir.Struct)):
        return None
    pointer = place.pointer.operand
    if not (isinstance(pointer, ir.AddressOf) and isinstance(pointer.place, ir.Element)):
        return None
    first = pointer.place
    variable = build.root(first)
    scalars = all(field.type == first.type for field in place.type.fields)
    if variable is None or variable.space is not ir.Space.REGISTER or not scalars or not _fits(first, len(place.type.fields)):
        return None
    return tuple(_element(first, position) for position in range(len(place.type.fields)))


def _fits(first: ir.Element, count: int) -> bool:
    """Say whether the elements stay in one row, as far as that can be seen; a vector is aligned, so that a variable index keeps to it."""
    length = ir.place_type(first.array)
    assert isinstance(length, ir.Array)
    if isinstance(first.index, ir.Const):
        return int(first.index.value) + count <= length.count
    return length.count % count == 0


def _element(first: ir.Element, position: int) -> ir.Element:
    kind = build.type_of(first.index)
    index = build.binary(ir.Binary.ADD, first.index, build.constant(position, kind), kind, first.location)
    return ir.Element(first.array, index if position else first.index, first.type, first.location, first.text)


def load_vector(parts: tuple[ir.Place, ...], kind: ir.Type, location: ir.Location) -> ir.Expression:
    """Load a vector over elements."""
    return ir.Make(tuple(ir.Load(part, ir.place_type(part), location) for part in parts), kind, location)


def store_vector(parts: tuple[ir.Place, ...], value: ir.Expression, location: ir.Location) -> tuple[ir.Statement, ...]:
    """Store a vector over elements, one by one."""
    kind = build.type_of(value)
    vector = ir.Variable("vector", kind, ir.Space.REGISTER, location)
    members = (ir.Member(ir.Whole(vector), field, location) for field in build.fields_of(kind))
    stores = (ir.Store(part, ir.Load(member, member.field.type, location), location) for part, member in zip(parts, members, strict=True))
    return ir.Declare(vector, value, location), *stores
