"""Vectors over local arrays: `*reinterpret_cast<float4*>(&a[i])` of an array in registers is four of its elements, not memory."""

from __future__ import annotations

from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.addresses import root


def elements(place: ir.Place) -> tuple[ir.Place, ...] | None:
    """The elements of a local array that a vector over it covers; None for any other place."""
    if not (isinstance(place, ir.Deref) and isinstance(place.pointer, ir.Cast) and isinstance(place.type, ir.Struct)):
        return None
    pointer = place.pointer.operand
    if not (isinstance(pointer, ir.AddressOf) and isinstance(pointer.place, ir.Element)):
        return None
    first = pointer.place
    variable = root(first)
    scalars = all(field.type == first.type for field in place.type.fields)
    if variable is None or variable.space is not ir.Space.REGISTER or not scalars or not _fits(first, len(place.type.fields)):
        return None
    return tuple(_element(first, position) for position in range(len(place.type.fields)))


def _fits(first: ir.Element, count: int) -> bool:
    """Whether the elements stay in one row, as far as that can be seen; a vector is aligned, so that a variable index keeps to it."""
    length = build.place_type(first.array)
    assert isinstance(length, ir.Array)
    if isinstance(first.index, ir.Const):
        return int(first.index.value) + count <= length.count
    return length.count % count == 0


def _element(first: ir.Element, position: int) -> ir.Element:
    kind = build.type_of(first.index)
    index = build.binary(ir.Binary.ADD, first.index, build.constant(position, kind), kind, first.location)
    return ir.Element(first.array, index if position else first.index, first.type, first.location, first.text)


def load(parts: tuple[ir.Place, ...], kind: ir.Type, location: ir.Location) -> ir.Expression:
    """The vector as a value."""
    return ir.Make(tuple(ir.Load(part, build.place_type(part), location) for part in parts), kind, location)


def store(parts: tuple[ir.Place, ...], value: ir.Expression, location: ir.Location) -> tuple[ir.Statement, ...]:
    """An assignment to the vector, member by member."""
    kind = build.type_of(value)
    vector = ir.Variable("vector", kind, ir.Space.REGISTER, location)
    members = (ir.Member(ir.Whole(vector), field, location) for field in build.fields_of(kind))
    stores = (ir.Store(part, ir.Load(member, member.field.type, location), location) for part, member in zip(parts, members, strict=True))
    return ir.Declare(vector, value, location), *stores
