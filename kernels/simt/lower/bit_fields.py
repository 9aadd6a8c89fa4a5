"""Bit-fields: read from the words that hold them, and written into these with what lies around kept, by shifts and masks.

A bit-field in an object is a `Member` of its own type that no struct has as a field: it is loaded and stored here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.bit_fields import BitField, Bits, Part
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.lvalues import freeze, keep


def bit_field(context: Context, place: ir.Place) -> BitField | None:
    """Find the bit-field that a place is; None for any other."""
    return context.types.bits(ir.place_type(place.record)).get(place.field.name) if isinstance(place, ir.Member) else None


def load_bits(context: Context, place: ir.Place, found: BitField) -> ir.Expression:
    """Load a bit-field: of each word that holds a part, all."""
    assert isinstance(place, ir.Member)
    location = place.location
    words = [ir.Load(_word(context, place, part), part.word.type, location) for part in found.parts]
    return _extended(_joined(list(zip(found.parts, words, strict=True)), location), found.bits, location)


def store_bits(context: Context, place: ir.Place, found: BitField, value: ir.Expression, into: list[ir.Statement]) -> ir.Expression:
    """Store a value, of the type of the bit-field, and give what is there afterwards."""
    assert isinstance(place, ir.Member)
    location = place.location
    given = keep(build.cast(value, _wide(found.bits.type), location), "bits", into)
    fixed = freeze(place, into)
    assert isinstance(fixed, ir.Member)
    for part in found.parts:
        word = _word(context, fixed, part)
        around = None if _is_whole(part) else ir.Load(word, part.word.type, location, around=True)
        into.append(ir.Store(word, _merged(part, given, around, location), location))
    return _extended(given, found.bits, location)


def packed(context: Context, kind: ir.Struct, values: Sequence[ir.Expression], location: ir.Location) -> tuple[ir.Expression, ...]:
    """Give the values of a struct's fields, from those of what is declared in it: bit-fields become the words that hold them."""
    bits = context.types.bits(kind)
    if not bits:
        return tuple(values)
    named = {field: value for (field, _), value in zip(context.types.members(kind), values, strict=True)}
    words = {field: named.get(field) or build.zero(field.type, location) for field in kind.fields}
    for field, value in named.items():
        found = bits.get(field.name)
        for part in found.parts if found is not None else ():
            given = build.cast(value, _wide(part.word.type), location)
            words[part.word] = _merged(part, given, words[part.word], location)
    return tuple(words[field] for field in kind.fields)


def refuse_bits(context: Context, place: ir.Place, cursor: Cursor) -> None:
    """Refuse a bit-field where an object is meant that has an address."""
    if isinstance(place, ir.Member) and bit_field(context, place) is not None:
        text = message("{name} is a bit-field, which has no address: assign it in a statement of its own.", name=place.field.name)
        raise context.refuse(cursor, text)


def _word(context: Context, place: ir.Member, part: Part) -> ir.Place:
    if context.types.union(ir.place_type(place.record)) is not None:
        return build.union_member(place.record, part.word, place.location, place.text)
    return ir.Member(place.record, part.word, place.location, place.text)


def _wide(kind: ir.Type) -> ir.Scalar:
    return ir.U64 if isinstance(kind, ir.Scalar) and kind.size == 8 else ir.U32


def _is_whole(part: Part) -> bool:
    assert isinstance(part.word.type, ir.Scalar)
    return part.width == 8 * part.word.type.size


def _joined(parts: Sequence[tuple[Part, ir.Expression]], location: ir.Location) -> ir.Expression:
    """Join what was read of words to the bits of one value, of which those above are 0."""
    kind = ir.U64 if any(part.at + part.width > 32 or _wide(part.word.type) == ir.U64 for part, _ in parts) else ir.U32
    total: ir.Expression | None = None
    for part, word in parts:
        bits = _shifted(build.cast(word, kind, location), ir.Binary.SHIFT_RIGHT, part.low, location)
        bits = _shifted(_masked(bits, (1 << part.width) - 1, location), ir.Binary.SHIFT_LEFT, part.at, location)
        total = bits if total is None else build.binary(ir.Binary.OR, total, bits, kind, location)
    assert total is not None
    return total


def _merged(part: Part, value: ir.Expression, around: ir.Expression | None, location: ir.Location) -> ir.Expression:
    """Put the bits of a value that a word holds between those around them."""
    kind = build.type_of(value) if _wide(part.word.type) == ir.U32 else ir.U64
    mask = ((1 << part.width) - 1) << part.low
    bits = build.cast(_shifted(value, ir.Binary.SHIFT_RIGHT, part.at, location), kind, location)
    bits = _masked(_shifted(bits, ir.Binary.SHIFT_LEFT, part.low, location), mask, location)
    if around is not None:
        assert isinstance(part.word.type, ir.Scalar)
        others = _masked(build.cast(around, kind, location), ~mask & ((1 << 8 * part.word.type.size) - 1), location)
        bits = build.binary(ir.Binary.OR, others, bits, kind, location)
    return build.cast(bits, part.word.type, location)


def _extended(value: ir.Expression, bits: Bits, location: ir.Location) -> ir.Expression:
    """Give the lowest bits of a value as a number of the bit-field's type."""
    kind = build.type_of(value)
    assert isinstance(kind, ir.Scalar)
    if bits.type.kind is not ir.Kind.SIGNED:
        return build.cast(_masked(value, (1 << bits.width) - 1, location), bits.type, location)
    signed, free = ir.Scalar(ir.Kind.SIGNED, kind.size), 8 * kind.size - bits.width
    high = build.cast(_shifted(value, ir.Binary.SHIFT_LEFT, free, location), signed, location)
    return build.cast(_shifted(high, ir.Binary.SHIFT_RIGHT, free, location), bits.type, location)


def _masked(value: ir.Expression, mask: int, location: ir.Location) -> ir.Expression:
    kind = build.type_of(value)
    return build.binary(ir.Binary.AND, value, build.constant(mask, kind), kind, location)


def _shifted(value: ir.Expression, direction: ir.Binary, by: int, location: ir.Location) -> ir.Expression:
    return build.binary(direction, value, ir.Const(by, ir.I32), build.type_of(value), location) if by else value
