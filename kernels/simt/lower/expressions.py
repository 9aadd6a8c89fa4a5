"""Expressions to their values, with every conversion explicit: literals, casts, subscripts, ?: and this."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.bit_fields import refuse_bits
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import base_part, condition_of, convert, converted, read
from kernels.simt.lower.cursors import bare, operands, string_codes, string_literal
from kernels.simt.lower.dispatch import lowers_lvalue, lowers_rvalue, lvalue, rvalue, statements_of
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.lvalues import is_reference_cast

K = CursorKind
LITERALS = (K.INTEGER_LITERAL, K.FLOATING_LITERAL, K.CHARACTER_LITERAL, K.CXX_BOOL_LITERAL_EXPR, K.CXX_UNARY_EXPR, K.SIZE_OF_PACK_EXPR)
CASTS = (K.CSTYLE_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.CXX_REINTERPRET_CAST_EXPR, K.CXX_CONST_CAST_EXPR, K.CXX_FUNCTIONAL_CAST_EXPR)
CHAR = ir.Scalar(ir.Kind.SIGNED, 1)


@lowers_rvalue(*LITERALS)
def lower_literal(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a literal, or whatever else libclang knows the value of."""
    value = context.unit.evaluate(cursor)
    if value is not None:
        return build.constant(value, context.type(cursor))
    measured = context.measured(cursor)
    if measured is None:
        raise context.unsupported(cursor)
    return measured


@lowers_rvalue(K.CXX_NULL_PTR_LITERAL_EXPR, K.GNU_NULL_EXPR)
def lower_null(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a null pointer, or NULL where it is taken for a number."""
    return ir.Const(0, context.type(cursor))


@lowers_rvalue(K.STRING_LITERAL)
def string_pointer(context: Context, literal: Cursor) -> ir.Expression:
    """Lower a string literal to the address of its first character."""
    kind, location = context.type(literal), context.location(literal)
    if not isinstance(kind, ir.Array) or kind.element != CHAR:
        raise context.refuse(literal, message('Only strings of char are supported: write "text" without a letter before it.'))
    codes = (*string_codes(literal), 0)
    variable = context.strings.get(codes)
    if variable is None:
        signed = tuple(code - 256 if code > 127 else code for code in codes)
        variable = ir.Variable(literal.spelling, ir.Array(CHAR, len(codes)), ir.Space.CONSTANT, location, initial=signed)
        context.strings[codes] = variable
    first = ir.Element(ir.Whole(variable), ir.Const(0, ir.I32), CHAR, location, literal.spelling)
    return ir.AddressOf(first, ir.Pointer(CHAR), location)


@lowers_rvalue(K.PAREN_EXPR)
def lower_parenthesised(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower what stands between parentheses."""
    return rvalue(context, bare(cursor))


@lowers_rvalue(K.UNEXPOSED_EXPR)
def lower_implicit(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a conversion that is not written, `T()`, or `a ?: b`."""
    below = operands(cursor)
    if not below:  # int(), or a member that an initializer leaves out
        return build.zero(context.type(cursor), context.location(cursor))
    if below[-1].kind is K.MEMBER_REF:  # offsetof
        return lower_literal(context, cursor)
    if len(below) > 1:
        raise context.refuse(cursor, message("a ?: b is not supported: write a ? a : b."))
    kind = context.type_or_void(cursor, cursor.type)
    if kind == ir.BOOL and string_literal(cursor) is not None:  # assert(i < n && "why")
        return build.constant(1, ir.BOOL)
    listed = context.listed(below[0], kind)
    if listed is not None:
        return listed
    value = rvalue(context, below[0])
    return value if kind is None or isinstance(kind, ir.Array) else convert(context, value, kind, cursor)


@lowers_lvalue(K.UNEXPOSED_EXPR)
def lower_implicit_lvalue(context: Context, cursor: Cursor) -> ir.Place:
    """Lower a conversion that is not written to the object below it, or its part of a base class."""
    place = lvalue(context, operands(cursor)[-1])
    kind = context.type_or_void(cursor, cursor.type)
    return (base_part(place, kind, context.location(cursor)) if isinstance(kind, ir.Struct) else None) or place


@lowers_rvalue(*CASTS)
def lower_cast(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a cast, `T(x)` and `T{...}` among them; one to void is evaluated and no more."""
    below = operands(cursor)[-1]
    kind = context.type_or_void(cursor, cursor.type)
    if kind is None:
        statements = tuple(statements_of(context, below))
        return ir.Inlined(ir.Block(statements), None, None, context.location(cursor))
    if is_reference_cast(context, cursor):
        return read(context, cursor)
    if below.kind is K.INIT_LIST_EXPR:
        return initial_value(context, below, kind)
    return convert(context, rvalue(context, below), kind, cursor)


@lowers_lvalue(K.CSTYLE_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.CXX_REINTERPRET_CAST_EXPR, K.CXX_CONST_CAST_EXPR)
def lower_reinterpreted(context: Context, cursor: Cursor) -> ir.Place:
    """Lower a cast to a reference: the same object as another type."""
    if not is_reference_cast(context, cursor):
        raise context.unsupported(cursor)
    location = context.location(cursor)
    pointer = build.address_of(lvalue(context, operands(cursor)[-1]), location)
    return build.deref(build.cast(pointer, ir.Pointer(context.type(cursor)), location), location, context.text(cursor))


@lowers_lvalue(K.ARRAY_SUBSCRIPT_EXPR)
def lower_subscript(context: Context, cursor: Cursor) -> ir.Place:
    """Lower `a[i]` to the element."""
    row = context.row(cursor)
    if row is not None:
        return row
    base, index = cursor.get_children()
    if not isinstance(context.type_or_void(base, base.type), ir.Pointer):
        base, index = index, base  # 3[a] is a[3]
    location, text = context.location(cursor), context.text(cursor)
    position = rvalue(context, index)
    pointer = rvalue(context, base)
    if isinstance(pointer, ir.AddressOf) and isinstance(pointer.place, ir.Element) and _decays(context, base):
        array = pointer.place.array
        return ir.Element(array, position, build.target_of(pointer), location, text)
    return build.deref(build.offset(pointer, position, location), location, text)


@lowers_rvalue(K.ARRAY_SUBSCRIPT_EXPR)
def read_element(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `a[i]` to the element's value."""
    return read(context, cursor)


def _decays(context: Context, base: Cursor) -> bool:
    below = operands(base) if base.kind is K.UNEXPOSED_EXPR else []
    return len(below) == 1 and isinstance(context.type_or_void(below[0], below[0].type), ir.Array)


@lowers_rvalue(K.CONDITIONAL_OPERATOR)
def lower_conditional(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `condition ? one : other` to its value; where the condition is constant, to one side."""
    condition, yes, no = cursor.get_children()
    test = condition_of(context, condition)
    kind = context.type_or_void(cursor, cursor.type)
    if kind is None:
        raise context.refuse(cursor, message("?: without a value is not supported here: write an if statement."))
    if isinstance(kind, ir.Array):  # of two arrays of one type: a place for libclang, a pointer wherever it is used
        kind = ir.Pointer(kind.element)
    if isinstance(test, ir.Const):
        return converted(context, yes if test.value else no, kind)
    location = context.location(cursor)
    return ir.Select(test, converted(context, yes, kind), converted(context, no, kind), kind, location)


@lowers_lvalue(K.CONDITIONAL_OPERATOR)
def lower_conditional_lvalue(context: Context, cursor: Cursor) -> ir.Place:
    """Lower `condition ? one : other` of two objects to the one that is chosen."""
    condition, yes, no = cursor.get_children()
    location = context.location(cursor)
    places = [lvalue(context, each) for each in (yes, no)]
    for each in places:
        refuse_bits(context, each, cursor)
    first, second = (build.address_of(each, location) for each in places)
    chosen = ir.Select(rvalue(context, condition), first, second, build.type_of(first), location)
    return ir.Deref(chosen, build.target_of(first), location, context.text(cursor))


@lowers_rvalue(K.CXX_THIS_EXPR)
def lower_this(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `this` to a pointer."""
    this = context.frame.this
    if this is None:
        raise context.unsupported(cursor)
    return build.address_of(this, context.location(cursor))
