"""Initializers: braces, copies, strings, defaults of members, whether a constructor runs, and the scalars of variables in memory."""

from __future__ import annotations

from collections import deque

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.lower import build
from kernels.simt.lower.bit_fields import packed
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import converted
from kernels.simt.lower.cursors import (
    bare,
    constructor_call,
    initializer,
    is_copy,
    is_written,
    members_of,
    operands,
    string_codes,
    template_of,
)
from kernels.simt.lower.dispatch import lowers_rvalue, lvalue
from kernels.simt.lower.lvalues import after, is_lvalue
from kernels.simt.lower.types import has_class

K = CursorKind
MOST_SCALARS = 1 << 18
"""Of an initial value, also where most of it is 0."""


def initial_value(context: Context, cursor: Cursor, kind: ir.Type) -> ir.Expression:
    """Lower an initializer to the value of an object of type `kind`."""
    made = context.made_of(cursor, kind)
    if made is not None:
        return made
    if cursor.kind is K.INIT_LIST_EXPR:
        items = deque(operands(cursor))
        if not isinstance(kind, (ir.Struct, ir.Array)):
            return initial_value(context, items[0], kind) if items else build.zero(kind, context.location(cursor))
        if len(items) == 1 and _same(context, items[0], kind):
            return initial_value(context, items[0], kind)
        if context.types.union(kind) is not None:
            return _union_value(context, cursor, items, kind)
        return _aggregate(context, cursor, items, kind)
    if isinstance(kind, ir.Array):
        below = operands(cursor)
        if cursor.kind is K.UNEXPOSED_EXPR and len(below) == 1 and below[0].kind is K.INIT_LIST_EXPR:  # what it needs ends behind it
            return initial_value(context, below[0], kind)
        return _array(context, cursor, kind)
    return converted(context, cursor, kind)


@lowers_rvalue(K.INIT_LIST_EXPR)
def lower_braces(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `{...}` where its own type is that of the object."""
    return initial_value(context, cursor, context.type(cursor))


def _same(context: Context, cursor: Cursor, kind: ir.Type) -> bool:
    return cursor.kind is not K.INIT_LIST_EXPR and context.type_or_void(cursor, cursor.type) == kind


def _array(context: Context, cursor: Cursor, kind: ir.Array) -> ir.Expression:
    location = context.location(cursor)
    literal = bare(cursor)
    if literal.kind is K.UNEXPOSED_EXPR and not operands(literal):
        return build.zero(kind, location)
    if literal.kind is not K.STRING_LITERAL:
        raise context.unsupported(cursor)
    codes = string_codes(literal)
    return ir.Make(tuple(build.constant(code, kind.element) for code in codes), kind, location)


def _aggregate(context: Context, cursor: Cursor, items: deque[Cursor], kind: ir.Struct | ir.Array) -> ir.Expression:
    """Take from `items` what one aggregate needs: inner braces may be left out."""
    location = context.location(cursor)
    members: list[ir.Expression] = []
    if isinstance(kind, ir.Array):
        while items and len(members) < kind.count:
            members.append(_member(context, items, kind.element))
        return ir.Make(tuple(members), kind, location)
    if items and _name(items[0]) is not None:
        return _by_name(context, items, kind, location)
    for index, (field, declaration) in enumerate(context.types.members(kind)):
        if items and context.types.refers(kind, field):
            members.append(context.bound_member(items.popleft(), declaration))
            continue
        members.append(_member(context, items, field.type) if items else _default_value(context, kind, index, location))
    return ir.Make(packed(context, kind, members, location), kind, location)


def _union_value(context: Context, cursor: Cursor, items: deque[Cursor], kind: ir.Type) -> ir.Expression:
    """Initialize the first member of a union, or the one that is named."""
    location, members = context.location(cursor), context.types.union(kind) or ()
    variable = build.temporary("union", kind, location)
    statements: list[ir.Statement] = [ir.Declare(variable, build.zero(kind, location), location)]
    if items and members:
        name = _name(items[0])
        field = next((each for each in members if each.name == name), members[0])
        item = items[0] if name is None else list(items[0].get_children())[-1]
        place = build.union_member(ir.Whole(variable), field, location)
        if isinstance(field.type, ir.Array):
            raise context.refuse(cursor, message("An array as a union's first value is not supported: set its elements one by one."))
        statements.append(ir.Store(place, initial_value(context, item, field.type), location))
    return after(statements, ir.Load(ir.Whole(variable), kind, location), location)


def _by_name(context: Context, items: deque[Cursor], kind: ir.Struct, location: ir.Location) -> ir.Expression:
    """Lower `{.x = 1, .z = 2}`; members that are not named have their default."""
    given = {_name(item): list(item.get_children())[-1] for item in items}
    if None in given or any(len(list(item.get_children())) != 2 for item in items):
        raise context.refuse(items[0], message("Name each member by itself, in braces of its own: {{.a = {{.b = 1}}}}."))
    items.clear()
    members = [
        initial_value(context, given[field.name], field.type) if field.name in given else _default_value(context, kind, index, location)
        for index, (field, _) in enumerate(context.types.members(kind))
    ]
    return ir.Make(packed(context, kind, members, location), kind, location)


def _member(context: Context, items: deque[Cursor], kind: ir.Type) -> ir.Expression:
    item = items[0]
    numbered = context.unit.text_of(item).startswith("[") and len(list(item.get_children())) > 1 and not _is_lambda(item)
    if _name(item) is not None or numbered:
        raise context.refuse(item, message("Elements by number are not supported here: give all of them, in order."))
    whole = item.kind in (K.INIT_LIST_EXPR, K.STRING_LITERAL) or _same(context, item, kind)
    made = None if whole else context.made_of(item, kind)
    if made is not None:
        items.popleft()
        return made
    if isinstance(kind, (ir.Struct, ir.Array)) and not whole:
        return _aggregate(context, item, items, kind)
    return between_braces(context, items.popleft(), kind)


def between_braces(context: Context, cursor: Cursor, kind: ir.Type) -> ir.Expression:
    """Lower what stands between braces to the value of an object: of one that is there a copy, which libclang does not show as a call."""
    there = context.types.copies(kind) and _same(context, cursor, kind) and is_lvalue(context, cursor)
    copied = context.copied(cursor, lvalue(context, cursor), moved=_is_moved(bare(cursor))) if there else None
    return initial_value(context, cursor, kind) if copied is None else copied


def _is_moved(cursor: Cursor) -> bool:
    return cursor.kind is K.CALL_EXPR and cursor.referenced is not None and cursor.referenced.result_type.kind is TypeKind.RVALUEREFERENCE


def _is_lambda(item: Cursor) -> bool:
    return any(each.kind is K.LAMBDA_EXPR and each.extent.start == item.extent.start for each in item.walk_preorder())


def _default_value(context: Context, kind: ir.Struct, index: int, location: ir.Location) -> ir.Expression:
    field, _ = context.types.members(kind)[index]
    default = member_default(context, kind, index)
    return initial_value(context, default, field.type) if default is not None else build.zero(field.type, location)


def member_default(context: Context, kind: ir.Struct, index: int) -> Cursor | None:
    """Find the initializer that a member's declaration gives."""
    _, declaration = context.types.members(kind)[index]
    if not _has_default(context, declaration):
        return None
    if declaration.is_bitfield():  # libclang shows its width alone
        raise context.refuse(
            declaration,
            message("A value where a bit-field is declared is not supported: assign {name} in the constructor.", name=declaration.spelling),
        )
    return operands(declaration)[-1]


def _has_default(context: Context, declaration: Cursor) -> bool:
    """Say whether a member's declaration initializes it."""
    text = context.unit.text_from_name(declaration) if declaration.kind is K.FIELD_DECL else ""
    return "=" in text or "{" in text


def scalars(context: Context, declaration: Cursor, kind: ir.Type) -> tuple[int | float | ir.AddressIn, ...] | None:
    """Compute the initial scalars of a variable in memory, flattened; None where there is no initializer."""
    found = initializer(declaration)
    if found is None or is_trivial(context, found):
        return None
    if runs_constructor(context, found):
        raise context.refuse(declaration, message("A variable in memory cannot have a constructor: give its members in braces."))
    values: list[int | float | ir.AddressIn] = []
    if scalar_count(kind) > MOST_SCALARS:
        raise context.refuse(
            declaration,
            message("{name} is too large for an initial value: set it in a loop, or pass it as an argument.", name=declaration.spelling),
        )
    if not flatten(initial_value(context, found, kind), kind, values):
        raise context.refuse(
            declaration,
            message("The initial value of {name} is not constant: write numbers, or assign it in a kernel.", name=declaration.spelling),
        )
    return tuple(values)


def flatten(value: ir.Expression, kind: ir.Type, into: list[int | float | ir.AddressIn]) -> bool:
    """Add the scalars of a constant value, and say whether it is constant throughout."""
    if isinstance(value, ir.Const):
        into.append(value.value)
        return True
    address = _address(value)
    if address is not None:
        into.append(address)
        return True
    if not isinstance(value, ir.Make):
        return False
    for member in value.members:
        if not flatten(member, build.type_of(member), into):
            return False
    if isinstance(kind, ir.Array):
        into.extend([0] * scalar_count(kind.element) * (kind.count - len(value.members)))
    return True


def _address(value: ir.Expression) -> ir.AddressIn | None:
    """Find the constant address in a variable of the device that a value is, if it is one."""
    if isinstance(value, ir.Cast) and isinstance(value.type, ir.Pointer):
        return _address(value.operand)
    if isinstance(value, ir.Offset) and isinstance(value.index, ir.Const) and isinstance(value.type, ir.Pointer):
        below = _address(value.pointer)
        return below and ir.AddressIn(below.variable, below.offset + int(value.index.value) * size_of(value.type.target))
    return _place_address(value.place) if isinstance(value, ir.AddressOf) else None


def _place_address(place: ir.Place) -> ir.AddressIn | None:
    if isinstance(place, ir.Whole):
        return ir.AddressIn(place.variable, 0) if place.variable.space in (ir.Space.GLOBAL, ir.Space.CONSTANT) else None
    if isinstance(place, ir.Element) and isinstance(place.index, ir.Const):
        below, offset = _place_address(place.array), int(place.index.value) * size_of(place.type)
    elif isinstance(place, ir.Member):
        below, offset = _place_address(place.record), place.field.offset
    else:
        return None
    return below and ir.AddressIn(below.variable, below.offset + offset)


def scalar_count(kind: ir.Type) -> int:
    """Count the scalars that an object is made of."""
    if isinstance(kind, ir.Array):
        return kind.count * scalar_count(kind.element)
    return sum(scalar_count(field.type) for field in kind.fields) if isinstance(kind, ir.Struct) else 1


def _name(item: Cursor) -> str | None:
    """Read the member that an item of a list is for, where it says so: `.x = 1`."""
    first = next(iter(item.get_children()), None)
    named = item.kind is K.UNEXPOSED_EXPR and first is not None and first.kind is K.MEMBER_REF
    return str(first.spelling) if named and first is not None else None


def runs_constructor(context: Context, cursor: Cursor) -> bool:
    """Say whether an initializer runs a constructor on the object itself."""
    call = constructor_call(cursor)
    return call is not None and not is_copy(call.referenced) and not is_trivial(context, call)


def is_trivial(context: Context, cursor: Cursor) -> bool:
    """Say whether an initializer is a constructor that leaves the object as it is."""
    call = constructor_call(cursor)
    if call is None or is_copy(call.referenced) or is_written(call.referenced):
        return False
    return _untouched(context, context.type(call))


def _untouched(context: Context, kind: ir.Type) -> bool:
    """Say whether nothing initializes the members of an object that is declared without an initializer."""
    while isinstance(kind, ir.Array):
        kind = kind.element
    if not isinstance(kind, ir.Struct):
        return True
    return not has_class(kind) and all(
        member_default(context, kind, index) is None and leaves(context, member, field.type)
        for index, (field, member) in enumerate(context.types.members(kind))
    )


def leaves(context: Context, member: Cursor, kind: ir.Type) -> bool:
    """Say whether a member's class leaves it as it is."""
    return default_constructor(context, member) is None and _untouched(context, kind)


def default_constructor(context: Context, member: Cursor) -> Cursor | None:
    """Find the constructor that a member's class has for objects without an initializer, if it is written."""
    written = member.type.get_canonical()
    while written.kind is TypeKind.CONSTANTARRAY:
        written = written.element_type
    record = written.get_declaration()
    for child in context.types.instantiated(record):
        if child.kind is K.CONSTRUCTOR and child.is_default_constructor() and is_written(child):
            return child
    for child in members_of(record):
        constructs = child.kind is K.CONSTRUCTOR and child.is_default_constructor() and is_written(child)
        if template_of(record) is not None and (constructs or _has_default(context, child)):
            reason = message("What initialises {name} is in a template: write {{}} behind {name}.", name=member.spelling)
            raise context.refuse(member, reason)
        if constructs:
            return child
    return None
