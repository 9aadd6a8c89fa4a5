"""Names and members: locals, variables in memory, built-in variables, constants, and the objects that references are bound to."""

from __future__ import annotations

from zlib import crc32

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import converted, load, read, vector_elements
from kernels.simt.lower.cursors import alignment, initializer, operands, string_literal, template_of
from kernels.simt.lower.dispatch import lowers_lvalue, lowers_rvalue, lvalue, rvalue
from kernels.simt.lower.expressions import lower_literal, string_pointer
from kernels.simt.lower.initializers import initial_value, scalars
from kernels.simt.lower.lambdas import hold
from kernels.simt.lower.lvalues import VARIABLES, after, freeze, is_in_object, is_lvalue
from kernels.simt.lower.refusals import Consequence
from kernels.simt.lower.types import NAMELESS, VOID

K = CursorKind
BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim")
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR)
CODE_WINDOW = 1 << 55
"""Where functions would lie, had they addresses: beyond all memory."""
STEP, OF_HOST = 16, 8
"""Bytes from one function to the next, and from the device's to the host's of one name."""
SPACES = {
    K.CUDASHARED_ATTR: ir.Space.SHARED,
    K.CUDACONSTANT_ATTR: ir.Space.CONSTANT,
    K.CUDADEVICE_ATTR: ir.Space.GLOBAL,
}


@lowers_rvalue(K.DECL_REF_EXPR)
def read_name(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a name to its value: an enumerator, a built-in variable, a known constant, or what an object holds."""
    declaration = cursor.referenced
    if declaration is not None and declaration.kind is K.OVERLOADED_DECL_REF:
        text = message(
            "Which {name} is meant is not known between braces: give the pointer a name of its own before.", name=declaration.spelling
        )
        raise context.refuse(cursor, text)
    if declaration is None or declaration == cursor:  # a template argument: its value stands below
        return converted(context, operands(cursor)[-1], context.type(cursor))
    if declaration.kind is K.ENUM_CONSTANT_DECL:
        return build.constant(declaration.enum_value, context.type(cursor))
    if declaration.kind in (K.FUNCTION_DECL, K.CXX_METHOD):
        return function_address(context, cursor, declaration)
    if declaration.kind is K.UNEXPOSED_DECL and declaration.hash not in context.frame.places:
        return lower_literal(context, cursor)  # a template of a variable, such as is_same_v
    known = context.frame.values.get(declaration.hash)
    if known is None and declaration.hash not in context.frame.places:
        known = _special(context, cursor, declaration) or _constant(context, declaration)
    return known if known is not None else read(context, cursor)


@lowers_rvalue(K.MEMBER_REF_EXPR)
def read_member(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `a.b`, `p->b` or a member of `this` to its value."""
    special = _special_member(context, cursor)
    if special is not None:
        return special
    if cursor.referenced.kind is K.ENUM_CONSTANT_DECL:
        return build.constant(cursor.referenced.enum_value, context.type(cursor))
    if cursor.referenced.kind is K.VAR_DECL:
        return _constant(context, cursor.referenced) or read(context, cursor)
    if is_in_object(context, cursor):
        return read(context, cursor)
    if context.types.destructor(context.type(operands(cursor)[0])) is not None:
        return _member_of_temporary(context, cursor)
    record = rvalue(context, operands(cursor)[0])
    kind = build.type_of(record)
    if context.types.union(kind) is not None or all(each.name != cursor.spelling for each in build.fields_of(kind)):
        return _member_of_value(context, cursor, record)
    field = field_of(context, cursor, kind)
    if context.types.refers(kind, field):
        return _member_of_value(context, cursor, record)
    return ir.Extract(record, field, field.type, context.location(cursor))


def _member_of_value(context: Context, cursor: Cursor, record: ir.Expression) -> ir.Expression:
    """Read a member of a value through an object that holds it: of a union, of a base class."""
    location = context.location(cursor)
    variable = build.temporary("value", build.type_of(record), location)
    member = _member_or_refusal(context, cursor, ir.Whole(variable))
    return after([ir.Declare(variable, record, location)], load(context, member, cursor), location)


def _member_of_temporary(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a member of an object that is a value, and is destroyed afterwards."""
    statements: list[ir.Statement] = []
    base = operands(cursor)[0]
    member = _member_or_refusal(context, cursor, bound(context, base, base, statements))
    return after(statements, context.copied(cursor, member, moved=True) or load(context, member, cursor), context.location(cursor))


def _member_or_refusal(context: Context, cursor: Cursor, record: ir.Place) -> ir.Place:
    member = _member(context, cursor, record)
    if member is None:
        field_of(context, cursor, ir.place_type(record))
        raise context.unsupported(cursor)
    return member


@lowers_lvalue(K.DECL_REF_EXPR)
def lower_name(context: Context, cursor: Cursor) -> ir.Place:
    """Lower a name to the object that it stands for."""
    declaration = cursor.referenced
    place = context.frame.places.get(declaration.hash)
    if place is not None:
        return place
    if declaration.kind is K.UNEXPOSED_DECL:  # of auto [x, y] = ...
        raise Consequence(context.location(cursor), message("{name} is not known here.", name=declaration.spelling))
    if declaration.kind not in VARIABLES:
        raise context.unsupported(cursor)
    return ir.Whole(in_memory(context, cursor, declaration))


@lowers_lvalue(K.MEMBER_REF_EXPR)
def lower_member(context: Context, cursor: Cursor) -> ir.Place:
    """Lower `a.b`, `p->b` or a member of `this` to the object."""
    declaration = cursor.referenced
    if declaration.kind in VARIABLES:
        return lower_name(context, cursor)
    base = operands(cursor)
    location, text = context.location(cursor), context.text(cursor)
    if not base:
        record = _this_object(context, cursor)
    elif isinstance(context.type_or_void(base[0], base[0].type), ir.Pointer):
        record = build.deref(rvalue(context, base[0]), location, text)
    else:
        record = lvalue(context, base[0])
    parts = vector_elements(record)
    if parts is not None:
        return parts[build.fields_of(ir.place_type(record)).index(field_of(context, cursor, ir.place_type(record)))]
    return _member_or_refusal(context, cursor, record)


def _member(context: Context, cursor: Cursor, record: ir.Place) -> ir.Place | None:
    """Find the member that `cursor` names in an object, its base classes, and the structs and unions without a name in it."""
    kind, location, text = ir.place_type(record), context.location(cursor), context.text(cursor)
    members, bits = context.types.union(kind), context.types.bits(kind).get(cursor.spelling)
    if bits is not None:
        return ir.Member(record, ir.Field(cursor.spelling, bits.bits.type, bits.bits.first // 8), location, text)
    fields = members if members is not None else build.fields_of(kind) if isinstance(kind, ir.Struct) else ()
    for field in sorted(fields, key=lambda each: not each.name):  # its own members hide those of its bases
        place = build.union_member(record, field, location, text) if members is not None else ir.Member(record, field, location, text)
        nameless = NAMELESS in cursor.spelling and not field.name and field.type == context.type_or_void(cursor, cursor.type)
        if nameless or field.name == cursor.spelling:
            refers = context.types.refers(kind, field)
            return build.deref(ir.Load(place, field.type, location), location, text) if refers else place
        if not field.name and (found := _member(context, cursor, place)) is not None:
            return found
    return None


def _this_object(context: Context, cursor: Cursor) -> ir.Place:
    this = context.frame.this
    if this is None:
        raise context.unsupported(cursor)
    return this


def field_of(context: Context, cursor: Cursor, record: ir.Type) -> ir.Field:
    """Find the field of a struct that a member access names."""
    if isinstance(record, ir.Struct):
        for field in record.fields:
            if field.name == cursor.spelling:
                return field
    raise context.refuse(
        cursor,
        message("{name} belongs to a struct without a name: give that a name, and write it before {name}.", name=cursor.spelling),
    )


def function_address(context: Context, cursor: Cursor, function: Cursor) -> ir.Expression:
    """Give the number of a function that is named at `cursor`."""
    if context.has_threads and not is_on_device(function):
        name = function.spelling
        raise context.refuse(cursor, message("A function as a value is not supported: call {name} by its name.", name=name))
    initial = context.frame.function.kind is K.VAR_DECL and space_of(context.frame.function) is not None
    number = None if initial else context.address(function)
    return ir.Const(function_number(function) if number is None else number, VOID)


def function_number(function: Cursor) -> int:
    """Give the number that stands for a function of the device: the address of no array."""
    return CODE_WINDOW + STEP * crc32(function.get_usr().encode())


def is_on_device(function: Cursor) -> bool:
    """Say whether a function is declared `__device__`."""
    declared = template_of(function) or function
    return any(child.kind is K.CUDADEVICE_ATTR for child in declared.get_children())


def _special(context: Context, cursor: Cursor, declaration: Cursor) -> ir.Expression | None:
    """Find a built-in variable by its name."""
    if declaration.spelling not in (*BUILT_IN, "warpSize") or not context.unit.in_prelude(declaration):
        return None
    _check_threads(context, cursor)
    if declaration.spelling == "warpSize":
        return ir.Special("warpSize", ir.I32)
    kind = context.type(cursor)
    members = tuple(ir.Special(f"{declaration.spelling}.{field.name}") for field in build.fields_of(kind))
    return ir.Make(members, kind, context.location(cursor))


def _special_member(context: Context, cursor: Cursor) -> ir.Expression | None:
    """Find threadIdx.x and the like."""
    base = operands(cursor)
    if base and base[0].kind is K.DECL_REF_EXPR and base[0].spelling in BUILT_IN:
        declaration = base[0].referenced
        if context.unit.in_prelude(declaration):
            _check_threads(context, base[0])
            return ir.Special(f"{declaration.spelling}.{cursor.spelling}")
    return None


def _check_threads(context: Context, cursor: Cursor) -> None:
    """Refuse a built-in variable where no thread of a block executes the text."""
    if not context.has_threads:
        raise context.refuse(cursor, message("{name} is known in kernels only: the host has no blocks and threads.", name=cursor.spelling))


def _constant(context: Context, declaration: Cursor) -> ir.Expression | None:
    """Find the value of a scalar of file or class scope that is known when the text is read."""
    written = declaration.type
    if declaration.kind is not K.VAR_DECL or space_of(declaration) is not None or not written.get_canonical().is_const_qualified():
        return None
    kind = context.type_or_void(declaration, written)
    if isinstance(kind, ir.Pointer):
        literal = string_literal(initializer(declaration) or declaration)
        return None if literal is None else string_pointer(context, literal)
    value = context.unit.evaluate(declaration) if isinstance(kind, ir.Scalar) else None
    return None if value is None or kind is None else build.constant(value, kind)


def in_memory(context: Context, cursor: Cursor, declaration: Cursor) -> ir.Variable:
    """Find a variable in shared, constant or global memory, named at `cursor`."""
    declaration = declaration.canonical
    variable = context.globals.get(declaration.hash) or context.variable(cursor, declaration)
    if variable is None:
        variable = context.globals[declaration.hash] = _memory_variable(context, cursor, declaration)
    return variable


def _memory_variable(context: Context, cursor: Cursor, declaration: Cursor) -> ir.Variable:
    space = space_of(declaration)
    readable = declaration.type.get_canonical().is_const_qualified() or element_is_const(declaration)
    if space is None and declaration.semantic_parent.kind in FUNCTIONS and not (readable and is_static(declaration)):
        raise Consequence(context.location(cursor), message("{name} is not known here.", name=declaration.spelling))
    if space is None and not readable:
        raise context.refuse(
            cursor,
            message("{name} is a variable of the host: pass it as an argument, or declare it __device__.", name=declaration.spelling),
        )
    kind = context.type(declaration)
    dynamic = space is ir.Space.SHARED and declaration.storage_class is StorageClass.EXTERN
    initial = None
    if space is not ir.Space.SHARED:
        initial = scalars(context, declaration, kind)
    return ir.Variable(
        declaration.spelling, kind, space or ir.Space.GLOBAL, context.location(declaration), dynamic=dynamic, initial=initial,
        alignment=alignment(declaration) if space is ir.Space.SHARED else 0,
    )  # fmt: skip


def bound(context: Context, value: Cursor, reference: Cursor, into: list[ir.Statement]) -> ir.Place:
    """Find the place that a reference is bound to: an object, frozen, or a value of its own."""
    if is_lvalue(context, value) and not _is_constant_name(context, value):
        return freeze(lvalue(context, value), into)
    location = context.location(value)
    kind = context.type(reference)
    variable = ir.Variable(reference.spelling, kind, ir.Space.REGISTER, location)
    if not hold(context, variable, value, into):
        into.append(ir.Declare(variable, initial_value(context, value, kind), location))
        context.ends(value, variable, into, temporary=reference.kind is not K.VAR_DECL)
    return ir.Whole(variable)


def reference(context: Context, value: Cursor, declaration: Cursor, into: list[ir.Statement]) -> ir.Expression:
    """Give the address that a member which is a reference is initialized with."""
    while value.kind is K.INIT_LIST_EXPR and len(operands(value)) == 1:
        (value,) = operands(value)
    return build.address_of(bound(context, value, declaration, into), context.location(value))


def _is_constant_name(context: Context, value: Cursor) -> bool:
    """Say whether it is a constant of file scope, a built-in variable, or a parameter that stands for its argument: none is in memory."""
    while value.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR):
        value = operands(value)[0]
    if value.kind is K.MEMBER_REF_EXPR and _special_member(context, value) is not None:
        return True
    frame = context.frame
    if value.kind is not K.DECL_REF_EXPR or value.referenced.hash in frame.places:
        return False
    if value.referenced.hash in frame.values:
        return True
    return _special(context, value, value.referenced) is not None or _constant(context, value.referenced) is not None


def is_static(declaration: Cursor) -> bool:
    """Say whether a local is declared `static`."""
    return bool(declaration.storage_class is StorageClass.STATIC)


def element_is_const(declaration: Cursor) -> bool:
    """Say whether the elements of an array, of any depth, are `const`."""
    kind = declaration.type.get_canonical()
    while kind.kind is TypeKind.CONSTANTARRAY:
        kind = kind.element_type
    return bool(kind.is_const_qualified())


def space_of(declaration: Cursor) -> ir.Space | None:
    """Find the memory that a declaration's attributes name."""
    return next((SPACES[child.kind] for child in declaration.get_children() if child.kind in SPACES), None)
