"""Lvalues: variables, elements, members and what pointers point to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build, registers
from kernels.simt.lower.addresses import has_effects
from kernels.simt.lower.context import Context
from kernels.simt.lower.refusals import Consequence

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

ASSIGNMENTS = (CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,)
STEPS = ("pre++", "pre--")
VARIABLES = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)
"""Names of structured bindings are `UNEXPOSED_DECL`, and so are templates of variables."""
TYPE_PARTS = (CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF, CursorKind.NAMESPACE_REF)


def operands(cursor: Cursor) -> list[Cursor]:
    """The children that are expressions."""
    return [child for child in cursor.get_children() if child.kind not in TYPE_PARTS]


def bare(cursor: Cursor) -> Cursor:
    """Without parentheses."""
    while cursor.kind is CursorKind.PAREN_EXPR:
        (cursor,) = cursor.get_children()
    return cursor


def string_literal(cursor: Cursor) -> Cursor | None:
    """The string literal that an expression is."""
    cursor = bare(cursor)
    while cursor.kind is CursorKind.UNEXPOSED_EXPR and len(operands(cursor)) == 1:
        cursor = bare(operands(cursor)[0])
    return cursor if cursor.kind is CursorKind.STRING_LITERAL else None


class Places:
    """Lowers expressions that denote objects."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def is_place(self, cursor: Cursor) -> bool:
        """Whether an expression denotes an object that exists already (else it is a value of its own)."""
        cursor = bare(cursor)
        kind = cursor.kind
        if kind is CursorKind.DECL_REF_EXPR:
            declaration = cursor.referenced
            return declaration is not None and (declaration.kind in VARIABLES or declaration.hash in self._context.frame.places)
        if kind is CursorKind.MEMBER_REF_EXPR:
            base = operands(cursor)
            return not base or base[0].type.get_canonical().kind.name == "POINTER" or self.is_place(base[0])
        if kind is CursorKind.UNARY_OPERATOR:
            return self._context.unit.unary_operator(cursor) in ("*", *STEPS)
        if kind is CursorKind.BINARY_OPERATOR:
            return self._context.unit.binary_operator(cursor) == "="
        if kind is CursorKind.UNEXPOSED_EXPR:
            below = operands(cursor)
            return len(below) == 1 and self._same_object(cursor, below[0]) and self.is_place(below[0])
        if kind is CursorKind.CALL_EXPR:
            return self._lowering.calls.returns_reference(cursor)
        if kind is CursorKind.CONDITIONAL_OPERATOR:  # of objects, not of what was read from them
            return all(bare(each).kind is not CursorKind.UNEXPOSED_EXPR and self.is_place(each) for each in operands(cursor)[1:])
        return kind in (CursorKind.ARRAY_SUBSCRIPT_EXPR, *ASSIGNMENTS) or self._lowering.expressions.reference_cast(cursor)

    def _same_object(self, cursor: Cursor, below: Cursor) -> bool:
        return self._context.type_or_void(cursor, cursor.type) == self._context.type_or_void(below, below.type)

    def lower(self, cursor: Cursor) -> ir.Place:
        """The place that an lvalue denotes."""
        cursor = bare(cursor)
        match cursor.kind:
            case CursorKind.DECL_REF_EXPR:
                return self.named(cursor, cursor.referenced)
            case CursorKind.MEMBER_REF_EXPR:
                return self._member(cursor)
            case CursorKind.ARRAY_SUBSCRIPT_EXPR:
                return self._subscript(cursor)
            case CursorKind.UNARY_OPERATOR:
                return self._unary(cursor)
            case CursorKind.UNEXPOSED_EXPR:
                return self.lower(operands(cursor)[-1])
            case CursorKind.CALL_EXPR:
                return self._called(cursor)
            case CursorKind.CONDITIONAL_OPERATOR:
                return self._conditional(cursor)
            case CursorKind.BINARY_OPERATOR | CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                return self._lowering.operators.assigned(cursor)
        if self._lowering.expressions.reference_cast(cursor):
            return self._reinterpreted(cursor)
        raise self._context.unsupported(cursor)

    def named(self, cursor: Cursor, declaration: Cursor) -> ir.Place:
        """The object that a name stands for."""
        place = self._context.frame.places.get(declaration.hash)
        if place is not None:
            return place
        if declaration.kind is CursorKind.UNEXPOSED_DECL:  # of auto [x, y] = ...
            raise Consequence(self._context.location(cursor), message("{name} is not known here.", name=declaration.spelling))
        if declaration.kind not in VARIABLES:
            raise self._context.unsupported(cursor)
        return ir.Whole(self._lowering.variables.in_memory(cursor, declaration))

    def address(self, cursor: Cursor) -> ir.Expression:
        """The address of an lvalue; of an array, of its first element."""
        return self.decayed(self.lower(cursor), self._context.location(cursor), self._context.text(cursor))

    def decayed(self, place: ir.Place, location: ir.Location, text: str) -> ir.Expression:
        """An array as a pointer to its first element."""
        kind = build.place_type(place)
        assert isinstance(kind, ir.Array)
        first = ir.Element(place, ir.Const(0, ir.I32), kind.element, location, text)
        return ir.AddressOf(first, ir.Pointer(kind.element), location)

    def _member(self, cursor: Cursor) -> ir.Place:
        declaration = cursor.referenced
        if declaration.kind in VARIABLES:
            return self.named(cursor, declaration)
        base = operands(cursor)
        location, text = self._context.location(cursor), self._context.text(cursor)
        if not base:
            record = self._this(cursor)
        elif isinstance(self._context.type_or_void(base[0], base[0].type), ir.Pointer):
            record = build.deref(self._lowering.expressions.value(base[0]), location, text)
        else:
            record = self.lower(base[0])
        field = self.field(cursor, build.place_type(record))
        parts = registers.elements(record)
        if parts is not None:
            return parts[build.fields_of(build.place_type(record)).index(field)]
        return ir.Member(record, field, location, text)

    def _this(self, cursor: Cursor) -> ir.Place:
        this = self._context.frame.this
        if this is None:
            raise self._context.unsupported(cursor)
        return this

    def field(self, cursor: Cursor, record: ir.Type) -> ir.Field:
        """The field of a struct that a member access names."""
        if isinstance(record, ir.Struct):
            for field in record.fields:
                if field.name == cursor.spelling:
                    return field
        raise self._context.refuse(
            cursor,
            message("{name} belongs to a struct without a name: give that a name, and write it before {name}.", name=cursor.spelling),
        )

    def _subscript(self, cursor: Cursor) -> ir.Place:
        base, index = cursor.get_children()
        if not isinstance(self._context.type_or_void(base, base.type), ir.Pointer):
            base, index = index, base  # 3[a] is a[3]
        location, text = self._context.location(cursor), self._context.text(cursor)
        position = self._lowering.expressions.value(index)
        pointer = self._lowering.expressions.value(base)
        if isinstance(pointer, ir.AddressOf) and isinstance(pointer.place, ir.Element) and self._decays(base):
            array = pointer.place.array
            return ir.Element(array, position, build.target_of(pointer), location, text)
        return build.deref(build.offset(pointer, position, location), location, text)

    def _decays(self, base: Cursor) -> bool:
        below = operands(base) if base.kind is CursorKind.UNEXPOSED_EXPR else []
        return len(below) == 1 and isinstance(self._context.type_or_void(below[0], below[0].type), ir.Array)

    def _unary(self, cursor: Cursor) -> ir.Place:
        (operand,) = cursor.get_children()
        location = self._context.location(cursor)
        if self._context.unit.unary_operator(cursor) == "*":
            return build.deref(self._lowering.expressions.value(operand), location, self._context.text(cursor))
        return self._lowering.operators.assigned(cursor)

    def _called(self, cursor: Cursor) -> ir.Place:
        location = self._context.location(cursor)
        return build.deref(self._lowering.calls.reference(cursor), location, self._context.text(cursor))

    def _conditional(self, cursor: Cursor) -> ir.Place:
        condition, yes, no = cursor.get_children()
        location = self._context.location(cursor)
        first, second = build.address_of(self.lower(yes), location), build.address_of(self.lower(no), location)
        chosen = ir.Select(self._lowering.expressions.value(condition), first, second, build.type_of(first), location)
        return ir.Deref(chosen, build.target_of(first), location, self._context.text(cursor))

    def _reinterpreted(self, cursor: Cursor) -> ir.Place:
        location = self._context.location(cursor)
        pointer = build.address_of(self.lower(operands(cursor)[-1]), location)
        return build.deref(build.cast(pointer, ir.Pointer(self._context.type(cursor)), location), location, self._context.text(cursor))

    def freeze(self, place: ir.Place, into: list[ir.Statement]) -> ir.Place:
        """The place with its indices and pointers computed now, by statements added to `into`."""
        if isinstance(place, ir.Whole):
            return place
        if isinstance(place, ir.Member):
            return ir.Member(self.freeze(place.record, into), place.field, place.location, place.text)
        if isinstance(place, ir.Element):
            array = self.freeze(place.array, into)
            return ir.Element(array, self.keep(place.index, "index", into), place.type, place.location, place.text)
        return ir.Deref(self.keep_pointer(place.pointer, into), place.type, place.location, place.text)

    def settled(self, place: ir.Place, value: ir.Expression, into: list[ir.Statement]) -> tuple[ir.Place, ir.Expression]:
        """Where a value is stored, and the value: computed now, where to find the place has effects, which come after the value's."""
        if not has_effects(place):
            return place, value
        value = self.keep(value, "value", into)
        return self.freeze(place, into), value

    def within(self, place: ir.Place, use: Callable[[ir.Place], ir.Expression], location: ir.Location) -> ir.Expression:
        """An expression that uses a place. What has effects in finding the place happens once, before."""
        if not has_effects(place):
            return use(place)
        statements: list[ir.Statement] = []
        used = use(self.freeze(place, statements))
        return self.after(statements, used, location)

    def after(self, statements: list[ir.Statement], value: ir.Expression, location: ir.Location) -> ir.Expression:
        """A value, computed after some statements."""
        if not statements:
            return value
        if value.type is None:
            return ir.Inlined(ir.Block((*statements, ir.Evaluate(value, location))), None, None, location)
        result = self._context.temporary("result", value.type, location)
        return ir.Inlined(ir.Block((*statements, ir.Return(value, location))), result, value.type, location)

    def keep_pointer(self, pointer: ir.Expression, into: list[ir.Statement]) -> ir.Expression:
        """A pointer computed now; if it is the address of a place, the place is frozen instead."""
        if isinstance(pointer, ir.AddressOf):
            return ir.AddressOf(self.freeze(pointer.place, into), pointer.type, pointer.location)
        if isinstance(pointer, ir.Cast) and isinstance(pointer.operand.type, ir.Pointer):
            return ir.Cast(self.keep_pointer(pointer.operand, into), pointer.type, pointer.location)
        return self.keep(pointer, "pointer", into)

    def keep(self, value: ir.Expression, name: str, into: list[ir.Statement]) -> ir.Expression:
        """A value computed now, by a statement added to `into`."""
        if isinstance(value, (ir.Const, ir.Special)):
            return value
        location = value.location
        variable = self._context.temporary(name, build.type_of(value), location)
        into.append(ir.Declare(variable, value, location))
        return ir.Load(ir.Whole(variable), variable.type, location)
