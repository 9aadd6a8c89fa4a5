"""Values: every conversion, load and operator made explicit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build, registers
from kernels.simt.lower.addresses import has_effects
from kernels.simt.lower.context import Context
from kernels.simt.lower.places import bare, operands, string_literal

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind
CASTS = (K.CSTYLE_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.CXX_REINTERPRET_CAST_EXPR, K.CXX_CONST_CAST_EXPR, K.CXX_FUNCTIONAL_CAST_EXPR)
LITERALS = (K.INTEGER_LITERAL, K.FLOATING_LITERAL, K.CHARACTER_LITERAL, K.CXX_BOOL_LITERAL_EXPR, K.CXX_UNARY_EXPR, K.SIZE_OF_PACK_EXPR)
REFERENCE_CAST = re.compile(r"[^()<]*(<[^()]*>)?[^()<]*&\s*[)>]")
"""`(float4&)x` and `reinterpret_cast<float4&>(x)`, from behind the first bracket."""


class Expressions:
    """Lowers expressions to their values."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering
        self._handlers: dict[CursorKind, Callable[[Cursor], ir.Expression]] = {
            **dict.fromkeys(LITERALS, self._literal),
            **dict.fromkeys(CASTS, self._cast),
            K.CXX_NULL_PTR_LITERAL_EXPR: lambda cursor: ir.Const(0, self._context.type(cursor)),
            K.GNU_NULL_EXPR: lambda cursor: ir.Const(0, self._context.type(cursor)),
            K.PAREN_EXPR: lambda cursor: self.value(bare(cursor)),
            K.UNEXPOSED_EXPR: self._implicit,
            K.DECL_REF_EXPR: self._name,
            K.MEMBER_REF_EXPR: self._member,
            K.ARRAY_SUBSCRIPT_EXPR: self._load,
            K.UNARY_OPERATOR: lambda cursor: lowering.operators.unary(cursor),
            K.BINARY_OPERATOR: lambda cursor: lowering.operators.binary(cursor),
            K.COMPOUND_ASSIGNMENT_OPERATOR: lambda cursor: lowering.operators.compound(cursor),
            K.CONDITIONAL_OPERATOR: self._conditional,
            K.CALL_EXPR: lambda cursor: lowering.calls.value(cursor),
            K.STRING_LITERAL: lambda cursor: lowering.strings.pointer(cursor),
            K.INIT_LIST_EXPR: lambda cursor: lowering.initials.value(cursor, self._context.type(cursor)),
            K.CXX_THIS_EXPR: self._this,
        }

    def value(self, cursor: Cursor) -> ir.Expression:
        """The value of an expression; an array gives a pointer to its first element."""
        handler = self._handlers.get(cursor.kind)
        if handler is None:
            raise self._context.unsupported(cursor)
        with self._context.deeper(cursor):
            return handler(cursor)

    def converted(self, cursor: Cursor, kind: ir.Type) -> ir.Expression:
        """The value as another type, as an assignment converts it."""
        return self.convert(self.value(cursor), kind, cursor)

    def condition(self, cursor: Cursor) -> ir.Expression:
        return self.converted(cursor, ir.BOOL)

    def convert(self, value: ir.Expression, kind: ir.Type, cursor: Cursor) -> ir.Expression:
        """A conversion that stands at `cursor`."""
        source = value.type
        if source == kind:
            return value
        location = self._context.location(cursor)
        null = isinstance(value, ir.Const) and value.value == 0
        if isinstance(kind, ir.Pointer) and isinstance(source, ir.Scalar) and not null:
            raise self._context.refuse(cursor, message("A number as an address is not supported: index from an array instead."))
        if isinstance(source, ir.Pointer) and isinstance(kind, ir.Scalar) and kind != ir.BOOL:
            raise self._context.refuse(
                cursor, message("An address as a number is not supported: compare or subtract pointers into one array instead.")
            )
        if isinstance(source, ir.Struct) or isinstance(kind, ir.Struct) or source is None:
            raise self._context.unsupported(cursor)
        return build.cast(value, kind, location)

    def effects(self, cursor: Cursor, into: list[ir.Statement]) -> None:
        """Add what is left of an expression whose value is not used: an object that is only named is not read."""
        location = self._context.location(cursor)
        if self._lowering.places.is_place(cursor):
            place = self._lowering.places.lower(cursor)
            if has_effects(place):
                self._lowering.places.freeze(place, into)
            return
        value = self.value(cursor)
        if not isinstance(value, (ir.Const, ir.Special)):
            into.append(ir.Evaluate(value, location))

    def load(self, place: ir.Place, cursor: Cursor) -> ir.Expression:
        """The value of a place."""
        kind = build.place_type(place)
        location = self._context.location(cursor)
        if isinstance(kind, ir.Array):
            return self._lowering.places.decayed(place, location, self._context.text(cursor))
        return self._lowering.places.within(place, lambda found: _loaded(found, kind, location), location)

    def reference_cast(self, cursor: Cursor) -> bool:
        """Whether a cast gives the same object as another type, instead of a converted value."""
        if cursor.kind is K.CXX_REINTERPRET_CAST_EXPR:
            return not isinstance(self._context.type_or_void(cursor, cursor.type), (ir.Pointer, type(None))) and not isinstance(
                self._context.type_or_void(cursor, operands(cursor)[-1].type), ir.Pointer
            )
        if cursor.kind not in (K.CSTYLE_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.CXX_CONST_CAST_EXPR):
            return False
        _, _, rest = re.split(r"([(<])", self._context.unit.text_of(cursor) + "(", maxsplit=1)
        return REFERENCE_CAST.match(rest) is not None

    def _literal(self, cursor: Cursor) -> ir.Expression:
        value = self._context.unit.evaluate(cursor)
        if value is None:
            raise self._context.unsupported(cursor)
        return build.constant(value, self._context.type(cursor))

    def _implicit(self, cursor: Cursor) -> ir.Expression:
        below = operands(cursor)
        if not below:  # int(), or a member that an initialiser leaves out
            return build.zero(self._context.type(cursor), self._context.location(cursor))
        if len(below) > 1:
            raise self._context.refuse(cursor, message("a ?: b is not supported: write a ? a : b."))
        kind = self._context.type_or_void(cursor, cursor.type)
        if kind == ir.BOOL and string_literal(cursor) is not None:  # assert(i < n && "why")
            return build.constant(1, ir.BOOL)
        value = self.value(below[0])
        return value if kind is None or isinstance(kind, ir.Array) else self.convert(value, kind, cursor)

    def _cast(self, cursor: Cursor) -> ir.Expression:
        below = operands(cursor)[-1]
        kind = self._context.type_or_void(cursor, cursor.type)
        if kind is None:
            statements = tuple(self._lowering.statements.within(below))
            return ir.Inlined(ir.Block(statements), None, None, self._context.location(cursor))
        if self.reference_cast(cursor):
            return self.load(self._lowering.places.lower(cursor), cursor)
        if below.kind is K.INIT_LIST_EXPR:
            return self._lowering.initials.value(below, kind)
        return self.convert(self.value(below), kind, cursor)

    def _name(self, cursor: Cursor) -> ir.Expression:
        declaration = cursor.referenced
        if declaration is None or declaration == cursor:  # a template argument: its value stands below
            return self.converted(operands(cursor)[-1], self._context.type(cursor))
        if declaration.kind is K.ENUM_CONSTANT_DECL:
            return build.constant(declaration.enum_value, self._context.type(cursor))
        if declaration.kind in (K.FUNCTION_DECL, K.CXX_METHOD):
            raise self._context.refuse(
                cursor, message("A function as a value is not supported: call {name} by its name.", name=declaration.spelling)
            )
        if declaration.kind is K.UNEXPOSED_DECL and declaration.hash not in self._context.frame.places:
            return self._literal(cursor)  # a template of a variable, such as is_same_v
        known = self._context.frame.values.get(declaration.hash)
        if known is None and declaration.hash not in self._context.frame.places:
            known = self._lowering.variables.special(cursor, declaration) or self._lowering.variables.constant(declaration)
        return known if known is not None else self._load(cursor)

    def _member(self, cursor: Cursor) -> ir.Expression:
        special = self._lowering.variables.special_member(cursor)
        if special is not None:
            return special
        if cursor.referenced.kind is K.ENUM_CONSTANT_DECL:
            return build.constant(cursor.referenced.enum_value, self._context.type(cursor))
        if cursor.referenced.kind is K.VAR_DECL:
            return self._lowering.variables.constant(cursor.referenced) or self._load(cursor)
        if self._lowering.places.is_place(cursor):
            return self._load(cursor)
        record = self.value(operands(cursor)[0])
        field = self._lowering.places.field(cursor, build.type_of(record))
        return ir.Extract(record, field, field.type, self._context.location(cursor))

    def _load(self, cursor: Cursor) -> ir.Expression:
        return self.load(self._lowering.places.lower(cursor), cursor)

    def _conditional(self, cursor: Cursor) -> ir.Expression:
        condition, yes, no = cursor.get_children()
        test = self.condition(condition)
        kind = self._context.type_or_void(cursor, cursor.type)
        if kind is None:
            raise self._context.refuse(cursor, message("?: without a value is not supported here: write an if statement."))
        if isinstance(kind, ir.Array):  # of two arrays of one type: a place for libclang, a pointer wherever it is used
            kind = ir.Pointer(kind.element)
        if isinstance(test, ir.Const):
            return self.converted(yes if test.value else no, kind)
        location = self._context.location(cursor)
        return ir.Select(test, self.converted(yes, kind), self.converted(no, kind), kind, location)

    def _this(self, cursor: Cursor) -> ir.Expression:
        this = self._context.frame.this
        if this is None:
            raise self._context.unsupported(cursor)
        return build.address_of(this, self._context.location(cursor))


def _loaded(place: ir.Place, kind: ir.Type, location: ir.Location) -> ir.Expression:
    parts = registers.elements(place)
    return ir.Load(place, kind, location) if parts is None else registers.load(parts, kind, location)
