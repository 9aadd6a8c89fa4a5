"""Operators that the language defines, assignments included: as values, as objects that they leave behind, and as statements."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.bit_fields import bit_field, load_bits, refuse_bits, store_bits
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import condition_of, convert, converted, read
from kernels.simt.lower.cursors import bare, is_adjusted
from kernels.simt.lower.dispatch import add, discarded, lowers_lvalue, lowers_rvalue, lowers_statement, lvalue, rvalue, statements_of
from kernels.simt.lower.launches import lower_empty_launch
from kernels.simt.lower.lvalues import after, freeze, has_effects, is_lvalue, keep, settled, with_frozen

K = CursorKind
BINARY = {operator.value for operator in ir.Binary}
UNARY = {"-": ir.Unary.NEGATE, "~": ir.Unary.COMPLEMENT, "!": ir.Unary.NOT}
STEPPING = ("pre++", "post++", "pre--", "post--")


@lowers_rvalue(K.UNARY_OPERATOR)
def lower_unary(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a unary operator to its value."""
    operator = context.unit.unary_operator(cursor)
    (operand,) = cursor.get_children()
    location = context.location(cursor)
    if operator == "*":
        return read(context, cursor)
    if operator == "&" and bare(operand).kind is K.DECL_REF_EXPR and bare(operand).referenced.kind in (K.FUNCTION_DECL, K.CXX_METHOD):
        return rvalue(context, bare(operand))
    if operator == "&":
        if is_adjusted(operand):  # the binding gives every expression made from it the type of an array
            name = context.text(operand)
            raise context.refuse(
                cursor,
                message("The address of a parameter written as an array is not supported: write {name} as a pointer.", name=name),
            )
        place = lvalue(context, operand)
        return with_frozen(place, lambda found: build.address_of(found, location), location)
    if operator in STEPPING and _is_bits(context, operand):
        statements: list[ir.Statement] = []
        return after(statements, _bits_changed(context, cursor, statements), location)
    if operator in STEPPING:
        place = _changed(context, operand)
        kind, by = ir.place_type(place), 1 if "++" in operator else -1
        return with_frozen(place, lambda found: ir.Increment(found, by, operator.startswith("pre"), kind, location), location)
    if operator in ("+", "__extension__"):
        return rvalue(context, operand)
    if operator not in UNARY:
        raise context.unsupported(cursor)
    kind = context.type(cursor)
    return build.unary(UNARY[operator], converted(context, operand, kind), kind, location)


@lowers_lvalue(K.UNARY_OPERATOR)
def lower_dereference(context: Context, cursor: Cursor) -> ir.Place:
    """Lower `*p`, `++x` and `--x` to the object."""
    (operand,) = cursor.get_children()
    location = context.location(cursor)
    if context.unit.unary_operator(cursor) == "*":
        return build.deref(rvalue(context, operand), location, context.text(cursor))
    return lower_assigned(context, cursor)


@lowers_rvalue(K.BINARY_OPERATOR)
def lower_binary(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a binary operator to its value."""
    operator = context.unit.binary_operator(cursor)
    left, right = cursor.get_children()
    location = context.location(cursor)
    if operator == "=" and _is_bits(context, left):
        return lower_compound(context, cursor)
    if operator == "=":
        place = _changed(context, left)
        kind, statements = ir.place_type(place), list[ir.Statement]()
        place, value = settled(place, converted(context, right, kind), statements)
        return after(statements, ir.Assign(place, value, kind, location), location)
    if operator == ",":
        return _comma(context, cursor, left, right)
    if operator in ("&&", "||"):
        return _short_circuit(context, operator == "&&", left, right, location)
    if operator not in BINARY:
        raise context.unsupported(cursor)
    return _arithmetic(context, cursor, ir.Binary(operator), left, right)


@lowers_rvalue(K.COMPOUND_ASSIGNMENT_OPERATOR)
def lower_compound(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `place operator= value` to its value."""
    statements: list[ir.Statement] = []
    if _is_bits(context, next(iter(cursor.get_children()))):
        value = _bits_changed(context, cursor, statements)
        return after(statements, value, context.location(cursor))
    *before, store = _stores(context, cursor)
    assert isinstance(store, ir.Store)
    statements.extend(before)
    place, value = store.place, store.value
    kind, location = ir.place_type(place), store.location
    if store.operator is not None:
        if has_effects(value):
            value = keep(value, "value", statements)
        place = freeze(place, statements)
        wide = build.type_of(value)
        current = build.cast(ir.Load(place, kind, location), wide, location)
        value = build.cast(build.binary(store.operator, current, value, wide, location), kind, location)
    return after(statements, ir.Assign(place, value, kind, location), location)


@lowers_lvalue(K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR)
def lower_assigned(context: Context, cursor: Cursor) -> ir.Place:
    """Lower an assignment, `++place` or `--place` to the object that it leaves behind, to be used after it: `(x += 1) *= 2`."""
    if not is_lvalue(context, cursor):
        raise context.unsupported(cursor)
    changed = next(iter(cursor.get_children()))
    refuse_bits(context, lvalue(context, changed), changed)
    *statements, store = _stores(context, cursor)
    assert isinstance(store, ir.Store)
    place = freeze(store.place, statements)
    statements.append(ir.Store(place, store.value, store.location, store.operator))
    address = build.address_of(place, store.location)
    pointer = after(statements, address, store.location)
    return ir.Deref(pointer, ir.place_type(place), store.location, context.text(cursor))


@lowers_statement(K.COMPOUND_ASSIGNMENT_OPERATOR)
def lower_store(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower an assignment of any kind, or ++ and --, as a statement."""
    statements = _stores(context, cursor)
    into.append(statements[0] if len(statements) == 1 else ir.Block(tuple(statements)))


@lowers_statement(K.UNARY_OPERATOR)
def lower_unary_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower ++ and -- as a statement; of another unary operator, what it does besides its value."""
    (lower_store if context.unit.unary_operator(cursor) in STEPPING else discarded)(context, cursor, into)


@lowers_statement(K.BINARY_OPERATOR)
def lower_binary_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower a binary operator whose value is not used: an assignment, or what of its sides has to happen."""
    operator = context.unit.binary_operator(cursor)
    left, right = cursor.get_children()
    if operator == "=":
        lower_store(context, cursor, into)
    elif operator == "," and (launched := lower_empty_launch(context, left, right)) is not None:
        into.extend(launched)
    elif operator == ",":
        add(context, left, into)
        add(context, right, into)
    elif operator in ("&&", "||"):
        test = condition_of(context, left)
        then = ir.Block(tuple(statements_of(context, right)))
        location = context.location(cursor)
        if operator == "||":
            test = build.unary(ir.Unary.NOT, test, ir.BOOL, location)
        into.append(ir.If(test, then, None, location))
    else:
        into.append(ir.Evaluate(rvalue(context, cursor), context.location(cursor)))


def _stores(context: Context, cursor: Cursor) -> list[ir.Statement]:
    """Lower an assignment to a store, after statements that find out what is stored, and then where."""
    children = list(cursor.get_children())
    if _is_bits(context, children[0]):
        statements: list[ir.Statement] = []
        _bits_changed(context, cursor, statements)
        return statements
    place = _changed(context, children[0])
    kind = ir.place_type(place)
    location = context.location(cursor)
    if len(children) == 1:
        by = 1 if "++" in context.unit.unary_operator(cursor) else -1
        if isinstance(kind, ir.Pointer):
            return _advance(context, cursor, place, ir.Const(by, ir.I32))
        return _stored(place, build.constant(by, promoted(kind)), location, ir.Binary.ADD)
    operator = context.unit.binary_operator(cursor)
    if operator == "=":
        return _stored(place, converted(context, children[1], kind), location)
    value = rvalue(context, children[1])
    operation = ir.Binary(operator.removesuffix("="))
    if isinstance(kind, ir.Pointer):
        return _advance(context, cursor, place, value if operation is ir.Binary.ADD else build.negated(value, location))
    wide = promoted(kind) if operation in build.SHIFTS else common(promoted(kind), promoted(build.type_of(value)))
    return _stored(place, convert(context, value, wide, cursor), location, operation)


def _is_bits(context: Context, changed: Cursor) -> bool:
    """Say whether what is assigned to is a bit-field, by its own name or the one that a structured binding gives it."""
    changed = bare(changed)
    if changed.kind is K.MEMBER_REF_EXPR:
        return bool(changed.referenced.is_bitfield())
    place = context.frame.places.get(changed.referenced.hash) if changed.kind is K.DECL_REF_EXPR else None
    return place is not None and bit_field(context, place) is not None


def _bits_changed(context: Context, cursor: Cursor, into: list[ir.Statement]) -> ir.Expression:
    """Lower an assignment of any kind to a bit-field, or ++ and --, to its value."""
    changed, *right = cursor.get_children()
    operator = context.unit.binary_operator(cursor) if right else context.unit.unary_operator(cursor)
    place, location = _changed(context, changed), context.location(cursor)
    found, kind = bit_field(context, place), ir.place_type(place)
    assert found is not None
    if operator == "=":
        place, value = settled(place, converted(context, right[0], kind), into)
        return store_bits(context, place, found, value, into)
    given = keep(rvalue(context, right[0]), "value", into) if right else ir.Const(1, ir.I32)
    place = freeze(place, into)
    old = keep(load_bits(context, place, found), "old", into)
    operation = ir.Binary(operator.removesuffix("=") if right else operator[-1])
    wide = ir.I32 if found.bits.type.size == 4 and found.bits.width < 32 else promoted(kind)
    wide = wide if operation in build.SHIFTS else common(wide, promoted(build.type_of(given)))
    given = convert(context, given, wide, cursor)
    made = build.binary(operation, build.cast(old, wide, location), given, wide, location)
    now = store_bits(context, place, found, build.cast(made, kind, location), into)
    return old if operator.startswith("post") else now


def _stored(place: ir.Place, value: ir.Expression, location: ir.Location, operator: ir.Binary | None = None) -> list[ir.Statement]:
    statements: list[ir.Statement] = []
    place, value = settled(place, value, statements)
    return [*statements, ir.Store(place, value, location, operator)]


def _advance(context: Context, cursor: Cursor, place: ir.Place, index: ir.Expression) -> list[ir.Statement]:
    location = context.location(cursor)
    statements: list[ir.Statement] = []
    if has_effects(place) or has_effects(index):
        index = keep(index, "step", statements)
    fixed = freeze(place, statements)
    moved = build.offset(ir.Load(fixed, ir.place_type(fixed), location), index, location)
    return [*statements, ir.Store(fixed, moved, location)]


def _changed(context: Context, cursor: Cursor) -> ir.Place:
    """Find what is assigned to; nothing constant can be."""
    place = lvalue(context, cursor)
    variable = build.root(place)
    if variable is not None and variable.space is ir.Space.CONSTANT:
        raise context.refuse(
            cursor,
            message(
                "{name} is constant: a program sets it with cudaMemcpyToSymbol. Declare it __device__ to write it in a kernel.",
                name=variable.name,
            ),
        )
    return place


def _comma(context: Context, cursor: Cursor, left: Cursor, right: Cursor) -> ir.Expression:
    location = context.location(cursor)
    statements = statements_of(context, left)
    value = rvalue(context, right)
    return after(statements, value, location)


def _short_circuit(context: Context, conjunction: bool, left: Cursor, right: Cursor, location: ir.Location) -> ir.Expression:
    first = condition_of(context, left)
    if isinstance(first, ir.Const):
        decided = bool(first.value) is not conjunction
        return first if decided else condition_of(context, right)
    return ir.ShortCircuit(conjunction, first, condition_of(context, right), location)


def _arithmetic(context: Context, cursor: Cursor, operator: ir.Binary, left: Cursor, right: Cursor) -> ir.Expression:
    a, b = rvalue(context, left), rvalue(context, right)
    kind, location = context.type(cursor), context.location(cursor)
    pointers = isinstance(a.type, ir.Pointer), isinstance(b.type, ir.Pointer)
    if operator in build.COMPARISONS:
        common_type = build.type_of(a) if pointers[0] else build.type_of(b)
        b = convert(context, b, common_type, right)
        return build.binary(operator, convert(context, a, common_type, left), b, ir.BOOL, location)
    if all(pointers):
        return ir.Difference(a, b, kind, location)
    if pointers[0]:
        return build.offset(a, b if operator is ir.Binary.ADD else build.negated(b, location), location)
    if pointers[1]:
        return build.offset(b, a, location)
    return build.binary(operator, a, b, kind, location)


def promoted(kind: ir.Type) -> ir.Type:
    """Give the type in which an operand takes part in arithmetic."""
    if isinstance(kind, ir.Scalar) and kind.kind is not ir.Kind.FLOAT and kind.size < 4:
        return ir.I32
    return kind


def common(left: ir.Type, right: ir.Type) -> ir.Type:
    """Give the type of an operation on two promoted types (the usual arithmetic conversions)."""
    assert isinstance(left, ir.Scalar)
    assert isinstance(right, ir.Scalar)
    floats = [kind for kind in (left, right) if kind.kind is ir.Kind.FLOAT]
    if floats:
        return max(floats, key=lambda kind: kind.size)
    if left.size != right.size:
        return left if left.size > right.size else right
    return left if left.kind is ir.Kind.UNSIGNED else right
