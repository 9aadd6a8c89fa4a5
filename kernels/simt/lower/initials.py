"""Initial values: braces, copies, strings, and the scalars of variables in memory."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.libclang import initialiser
from kernels.simt.lower.places import bare, operands
from kernels.simt.lower.strings import string

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

MOST_SCALARS = 1 << 18
"""Of an initial value, also where most of it is 0."""


class Initials:
    """Lowers what a variable, a member or a parameter is initialised with."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def value(self, cursor: Cursor, kind: ir.Type) -> ir.Expression:
        """The value of an initialiser for an object of type `kind`."""
        if cursor.kind is CursorKind.INIT_LIST_EXPR:
            items = deque(operands(cursor))
            if not isinstance(kind, (ir.Struct, ir.Array)):
                return self.value(items[0], kind) if items else build.zero(kind, self._context.location(cursor))
            if len(items) == 1 and self._same(items[0], kind):
                return self.value(items[0], kind)
            return self._aggregate(cursor, items, kind)
        if isinstance(kind, ir.Array):
            return self._array(cursor, kind)
        return self._lowering.expressions.converted(cursor, kind)

    def _same(self, cursor: Cursor, kind: ir.Type) -> bool:
        return cursor.kind is not CursorKind.INIT_LIST_EXPR and self._context.type_or_void(cursor, cursor.type) == kind

    def _array(self, cursor: Cursor, kind: ir.Array) -> ir.Expression:
        location = self._context.location(cursor)
        literal = bare(cursor)
        if literal.kind is CursorKind.UNEXPOSED_EXPR and not operands(literal):
            return build.zero(kind, location)
        if literal.kind is not CursorKind.STRING_LITERAL:
            raise self._context.unsupported(cursor)
        codes = string(literal).encode()
        return ir.Make(tuple(build.constant(code, kind.element) for code in codes), kind, location)

    def _aggregate(self, cursor: Cursor, items: deque[Cursor], kind: ir.Struct | ir.Array) -> ir.Expression:
        """Takes from `items` what one struct or array needs: inner braces may be left out."""
        location = self._context.location(cursor)
        members: list[ir.Expression] = []
        if isinstance(kind, ir.Array):
            while items and len(members) < kind.count:
                members.append(self._member(items, kind.element))
            return ir.Make(tuple(members), kind, location)
        if items and _name(items[0]) is not None:
            return self._by_name(items, kind, location)
        for index, field in enumerate(kind.fields):
            members.append(self._member(items, field.type) if items else self._default(kind, index, location))
        return ir.Make(tuple(members), kind, location)

    def _by_name(self, items: deque[Cursor], kind: ir.Struct, location: ir.Location) -> ir.Expression:
        """`{.x = 1, .z = 2}`; members that are not named have their default."""
        given = {_name(item): list(item.get_children())[-1] for item in items}
        if None in given or any(len(list(item.get_children())) != 2 for item in items):
            raise self._context.refuse(items[0], message("Name each member by itself, in braces of its own: {{.a = {{.b = 1}}}}."))
        items.clear()
        members = (
            self.value(given[field.name], field.type) if field.name in given else self._default(kind, index, location)
            for index, field in enumerate(kind.fields)
        )
        return ir.Make(tuple(members), kind, location)

    def _member(self, items: deque[Cursor], kind: ir.Type) -> ir.Expression:
        item = items[0]
        if _name(item) is not None or (self._context.unit.text_of(item).startswith("[") and len(list(item.get_children())) > 1):
            raise self._context.refuse(item, message("Elements by number are not supported here: give all of them, in order."))
        whole = item.kind in (CursorKind.INIT_LIST_EXPR, CursorKind.STRING_LITERAL) or self._same(item, kind)
        if isinstance(kind, (ir.Struct, ir.Array)) and not whole:
            return self._aggregate(item, items, kind)
        return self.value(items.popleft(), kind)

    def _default(self, kind: ir.Struct, index: int, location: ir.Location) -> ir.Expression:
        field = kind.fields[index]
        default = self.member_default(kind, index)
        return self.value(default, field.type) if default is not None else build.zero(field.type, location)

    def member_default(self, kind: ir.Struct, index: int) -> Cursor | None:
        """The initialiser that a member's declaration gives."""
        declaration = self._context.types.members(kind)[index]
        return operands(declaration)[-1] if self.has_default(declaration) else None

    def has_default(self, declaration: Cursor) -> bool:
        """Whether a member's declaration initialises it."""
        text = self._context.unit.text_of(declaration) if declaration.kind is CursorKind.FIELD_DECL else ""
        return "=" in text or "{" in text

    def scalars(self, declaration: Cursor, kind: ir.Type) -> tuple[int | float, ...] | None:
        """The initial scalars of a variable in memory, flattened; None where there is no initialiser."""
        found = initialiser(declaration)
        if found is None or self._lowering.constructors.trivial(found):
            return None
        if self._lowering.constructors.runs(found):
            raise self._context.refuse(declaration, message("A variable in memory cannot have a constructor: give its members in braces."))
        values: list[int | float] = []
        if scalar_count(kind) > MOST_SCALARS:
            raise self._context.refuse(
                declaration,
                message(
                    "{name} is too large for an initial value: set it in a loop, or pass it as an argument.", name=declaration.spelling
                ),
            )
        if not flatten(self.value(found, kind), kind, values):
            raise self._context.refuse(
                declaration,
                message("The initial value of {name} is not constant: write numbers, or assign it in a kernel.", name=declaration.spelling),
            )
        return tuple(values)


def flatten(value: ir.Expression, kind: ir.Type, into: list[int | float]) -> bool:
    """Add the scalars of a constant value; whether it is constant throughout."""
    if isinstance(value, ir.Const):
        into.append(value.value)
        return True
    if not isinstance(value, ir.Make):
        return False
    for member in value.members:
        if not flatten(member, build.type_of(member), into):
            return False
    if isinstance(kind, ir.Array):
        into.extend([0] * scalar_count(kind.element) * (kind.count - len(value.members)))
    return True


def scalar_count(kind: ir.Type) -> int:
    """How many scalars an object is made of."""
    if isinstance(kind, ir.Array):
        return kind.count * scalar_count(kind.element)
    return sum(scalar_count(field.type) for field in kind.fields) if isinstance(kind, ir.Struct) else 1


def _name(item: Cursor) -> str | None:
    """The member that an item of a list is for, where it says so: `.x = 1`."""
    first = next(iter(item.get_children()), None)
    named = item.kind is CursorKind.UNEXPOSED_EXPR and first is not None and first.kind is CursorKind.MEMBER_REF
    return str(first.spelling) if named and first is not None else None
