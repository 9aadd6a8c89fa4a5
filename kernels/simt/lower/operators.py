"""Unary and binary operators, assignments included, as values and as statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.addresses import has_effects, root
from kernels.simt.lower.context import Context
from kernels.simt.lower.libclang import is_adjusted

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

SHIFTS = build.SHIFTS
BINARY = {operator.value for operator in ir.Binary}
UNARY = {"-": ir.Unary.NEGATE, "~": ir.Unary.COMPLEMENT, "!": ir.Unary.NOT}


class Operators:
    """Lowers operators that the language defines (not overloaded ones)."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def unary(self, cursor: Cursor) -> ir.Expression:
        """The value of a unary operator."""
        operator = self._context.unit.unary_operator(cursor)
        (operand,) = cursor.get_children()
        expressions = self._lowering.expressions
        location = self._context.location(cursor)
        if operator == "*":
            return expressions.load(self._lowering.places.lower(cursor), cursor)
        if operator == "&":
            if is_adjusted(operand):  # the binding gives every expression made from it the type of an array
                name = self._context.text(operand)
                raise self._context.refuse(
                    cursor,
                    message("The address of a parameter written as an array is not supported: write {name} as a pointer.", name=name),
                )
            place = self._lowering.places.lower(operand)
            return self._lowering.places.within(place, lambda found: build.address_of(found, location), location)
        if operator in ("pre++", "post++", "pre--", "post--"):
            place = self._changed(operand)
            kind, by = build.place_type(place), 1 if "++" in operator else -1
            return self._lowering.places.within(
                place, lambda found: ir.Increment(found, by, operator.startswith("pre"), kind, location), location
            )
        if operator in ("+", "__extension__"):
            return expressions.value(operand)
        if operator not in UNARY:
            raise self._context.unsupported(cursor)
        kind = self._context.type(cursor)
        return build.unary(UNARY[operator], expressions.converted(operand, kind), kind, location)

    def binary(self, cursor: Cursor) -> ir.Expression:
        """The value of a binary operator."""
        operator = self._context.unit.binary_operator(cursor)
        left, right = cursor.get_children()
        location = self._context.location(cursor)
        if operator == "=":
            place = self._changed(left)
            kind, statements = build.place_type(place), list[ir.Statement]()
            place, value = self._lowering.places.settled(place, self._lowering.expressions.converted(right, kind), statements)
            return self._lowering.places.after(statements, ir.Assign(place, value, kind, location), location)
        if operator == ",":
            return self._comma(cursor, left, right)
        if operator in ("&&", "||"):
            return self._short_circuit(operator == "&&", left, right, location)
        if operator not in BINARY:
            raise self._context.unsupported(cursor)
        return self._arithmetic(cursor, ir.Binary(operator), left, right)

    def compound(self, cursor: Cursor) -> ir.Expression:
        """The value of `place operator= value`."""
        statements: list[ir.Statement] = []
        *before, store = self._stores(cursor)
        assert isinstance(store, ir.Store)
        statements.extend(before)
        place, value = store.place, store.value
        kind, location = build.place_type(place), store.location
        if store.operator is not None:
            if has_effects(value):
                value = self._lowering.places.keep(value, "value", statements)
            place = self._lowering.places.freeze(place, statements)
            wide = build.type_of(value)
            current = build.cast(ir.Load(place, kind, location), wide, location)
            value = build.cast(build.binary(store.operator, current, value, wide, location), kind, location)
        return self._lowering.places.after(statements, ir.Assign(place, value, kind, location), location)

    def assigned(self, cursor: Cursor) -> ir.Place:
        """The object that an assignment, `++place` or `--place` leaves behind, to be used after it: `(x += 1) *= 2`."""
        if not self._lowering.places.is_place(cursor):
            raise self._context.unsupported(cursor)
        *statements, store = self._stores(cursor)
        assert isinstance(store, ir.Store)
        place = self._lowering.places.freeze(store.place, statements)
        statements.append(ir.Store(place, store.value, store.location, store.operator))
        address = build.address_of(place, store.location)
        pointer = self._lowering.places.after(statements, address, store.location)
        return ir.Deref(pointer, build.place_type(place), store.location, self._context.text(cursor))

    def store(self, cursor: Cursor) -> ir.Statement:
        """An assignment of any kind, or ++ and --, as a statement."""
        statements = self._stores(cursor)
        return statements[0] if len(statements) == 1 else ir.Block(tuple(statements))

    def _stores(self, cursor: Cursor) -> list[ir.Statement]:
        """The same as a store, after statements that find out what is stored, and then where."""
        children = list(cursor.get_children())
        place = self._changed(children[0])
        kind = build.place_type(place)
        location = self._context.location(cursor)
        if len(children) == 1:
            by = 1 if "++" in self._context.unit.unary_operator(cursor) else -1
            if isinstance(kind, ir.Pointer):
                return self._advance(cursor, place, ir.Const(by, ir.I32))
            return self._stored(place, build.constant(by, promoted(kind)), location, ir.Binary.ADD)
        operator = self._context.unit.binary_operator(cursor)
        if operator == "=":
            return self._stored(place, self._lowering.expressions.converted(children[1], kind), location)
        value = self._lowering.expressions.value(children[1])
        operation = ir.Binary(operator.removesuffix("="))
        if isinstance(kind, ir.Pointer):
            return self._advance(cursor, place, value if operation is ir.Binary.ADD else build.negated(value, location))
        wide = promoted(kind) if operation in SHIFTS else common(promoted(kind), promoted(build.type_of(value)))
        return self._stored(place, self._lowering.expressions.convert(value, wide, cursor), location, operation)

    def _stored(
        self, place: ir.Place, value: ir.Expression, location: ir.Location, operator: ir.Binary | None = None
    ) -> list[ir.Statement]:
        statements: list[ir.Statement] = []
        place, value = self._lowering.places.settled(place, value, statements)
        return [*statements, ir.Store(place, value, location, operator)]

    def _advance(self, cursor: Cursor, place: ir.Place, index: ir.Expression) -> list[ir.Statement]:
        location = self._context.location(cursor)
        statements: list[ir.Statement] = []
        if has_effects(place) or has_effects(index):
            index = self._lowering.places.keep(index, "step", statements)
        fixed = self._lowering.places.freeze(place, statements)
        moved = build.offset(ir.Load(fixed, build.place_type(fixed), location), index, location)
        return [*statements, ir.Store(fixed, moved, location)]

    def _changed(self, cursor: Cursor) -> ir.Place:
        place = self._lowering.places.lower(cursor)
        variable = root(place)
        if variable is not None and variable.space is ir.Space.CONSTANT:
            raise self._context.refuse(
                cursor, message("{name} is constant: declare it __device__ to write it in a kernel.", name=variable.name)
            )
        return place

    def _comma(self, cursor: Cursor, left: Cursor, right: Cursor) -> ir.Expression:
        location = self._context.location(cursor)
        statements = self._lowering.statements.within(left)
        value = self._lowering.expressions.value(right)
        return self._lowering.places.after(statements, value, location)

    def _short_circuit(self, conjunction: bool, left: Cursor, right: Cursor, location: ir.Location) -> ir.Expression:
        first = self._lowering.expressions.condition(left)
        if isinstance(first, ir.Const):
            decided = bool(first.value) is not conjunction
            return first if decided else self._lowering.expressions.condition(right)
        return ir.ShortCircuit(conjunction, first, self._lowering.expressions.condition(right), location)

    def _arithmetic(self, cursor: Cursor, operator: ir.Binary, left: Cursor, right: Cursor) -> ir.Expression:
        expressions = self._lowering.expressions
        a, b = expressions.value(left), expressions.value(right)
        kind, location = self._context.type(cursor), self._context.location(cursor)
        pointers = isinstance(a.type, ir.Pointer), isinstance(b.type, ir.Pointer)
        if operator in build.COMPARISONS:
            common_type = build.type_of(a) if pointers[0] else build.type_of(b)
            b = expressions.convert(b, common_type, right)
            return build.binary(operator, expressions.convert(a, common_type, left), b, ir.BOOL, location)
        if all(pointers):
            return ir.Difference(a, b, kind, location)
        if pointers[0]:
            return build.offset(a, b if operator is ir.Binary.ADD else build.negated(b, location), location)
        if pointers[1]:
            return build.offset(b, a, location)
        return build.binary(operator, a, b, kind, location)


def promoted(kind: ir.Type) -> ir.Type:
    """The type in which an operand takes part in arithmetic."""
    if isinstance(kind, ir.Scalar) and kind.kind is not ir.Kind.FLOAT and kind.size < 4:
        return ir.I32
    return kind


def common(left: ir.Type, right: ir.Type) -> ir.Type:
    """The type of an operation on two promoted types (the usual arithmetic conversions)."""
    assert isinstance(left, ir.Scalar)
    assert isinstance(right, ir.Scalar)
    floats = [kind for kind in (left, right) if kind.kind is ir.Kind.FLOAT]
    if floats:
        return max(floats, key=lambda kind: kind.size)
    if left.size != right.size:
        return left if left.size > right.size else right
    return left if left.kind is ir.Kind.UNSIGNED else right
