"""Several names for the parts of one object: `auto [x, y] = point;`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.types import REFERENCES

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

DECLARATION = CursorKind.UNEXPOSED_DECL
"""What libclang calls the declaration, and each name in it."""


def is_binding(cursor: Cursor) -> bool:
    return bool(cursor.kind is DECLARATION and cursor.spelling.startswith("["))


class Bindings:
    """Lowers structured bindings."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def declare(self, declaration: Cursor, into: list[ir.Statement]) -> None:
        """`auto [x, y] = value;` names the parts of a copy, `auto& [x, y]` those of the object itself."""
        value = list(declaration.get_children())[-1]
        if declaration.type.get_canonical().kind in REFERENCES:
            self.bind(declaration, self._lowering.variables.bound(value, declaration, into), into)
        elif isinstance(self._context.type(declaration), ir.Array):
            self.bind(declaration, self._lowering.places.lower(_named(value)), into)
        else:
            self._bind_copy(declaration, self._lowering.initials.value(value, self._context.type(declaration)), into)

    def bind(self, declaration: Cursor, place: ir.Place, into: list[ir.Statement]) -> None:
        """Give the names the parts of `place`, copied unless the declaration is a reference."""
        kind = build.place_type(place)
        if declaration.type.get_canonical().kind in REFERENCES:
            self._name(declaration, place)
        elif isinstance(kind, ir.Array):
            self._bind_copy(declaration, self._elements(place, kind, declaration), into)
        else:
            self._bind_copy(declaration, self._lowering.expressions.load(place, declaration), into)

    def _bind_copy(self, declaration: Cursor, value: ir.Expression, into: list[ir.Statement]) -> None:
        location = self._context.location(declaration)
        variable = ir.Variable(declaration.spelling, build.type_of(value), ir.Space.REGISTER, location)
        into.append(ir.Declare(variable, value, location))
        self._name(declaration, ir.Whole(variable))

    def _elements(self, array: ir.Place, kind: ir.Array, cursor: Cursor) -> ir.Expression:
        """The value of an array."""
        location = self._context.location(cursor)
        parts = (ir.Element(array, ir.Const(index, ir.I32), kind.element, location) for index in range(kind.count))
        if isinstance(kind.element, ir.Array):
            return ir.Make(tuple(self._elements(part, kind.element, cursor) for part in parts), kind, location)
        return ir.Make(tuple(ir.Load(part, kind.element, location) for part in parts), kind, location)

    def _name(self, declaration: Cursor, place: ir.Place) -> None:
        kind, location = build.place_type(place), self._context.location(declaration)
        parts: list[ir.Place]
        if isinstance(kind, ir.Array):
            parts = [ir.Element(place, ir.Const(index, ir.I32), kind.element, location) for index in range(kind.count)]
        else:
            parts = [ir.Member(place, each, location) for each in build.fields_of(kind)]
        names = (child for child in declaration.get_children() if child.kind is DECLARATION)
        for name, part in zip(names, parts, strict=True):
            self._context.frame.places[name.hash] = build.renamed(part, self._context.location(name), name.spelling)


def _named(value: Cursor) -> Cursor:
    """The array that is copied, below what libclang puts around it."""
    while value.kind is CursorKind.UNEXPOSED_EXPR:
        value = next(iter(value.get_children()))
    return value
