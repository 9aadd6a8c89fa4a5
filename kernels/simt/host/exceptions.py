"""Exceptions of host programs, lowered: objects that are thrown, and blocks that catch them."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.host.lifetimes import SIZE, ObjectContext
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import is_reference, operands
from kernels.simt.lower.dispatch import block, lowers_rvalue, lowers_statement, rvalue
from kernels.simt.lower.lvalues import after
from kernels.simt.lower.types import VOID, inherited

K = CursorKind
BASE = "std::exception"
NOTHING = ir.Const(0, VOID)


@lowers_statement(K.CXX_THROW_EXPR)
def lower_throw(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `throw object` of a host program, and `throw` where one is handled."""
    if not isinstance(context, ObjectContext):
        raise context.unsupported(cursor)
    location, below = context.location(cursor), operands(cursor)
    if not below:
        if not context.frame.handlers:
            raise context.refuse(cursor, message("throw without an object is supported only inside a catch block."))
        into.append(ir.Throw(None, (), NOTHING, location))
        return
    value = rvalue(context, below[-1])
    kind = build.type_of(value)
    made = ir.Call("__tilescope_exception", (ir.Const(size_of(kind), SIZE),), VOID, location)
    pointer = build.temporary("exception", ir.Pointer(kind), location)
    into.append(ir.Declare(pointer, build.cast(made, pointer.type, location), location))
    address = ir.Load(ir.Whole(pointer), pointer.type, location)
    place: ir.Place = ir.Deref(address, kind, location)
    into.append(ir.Store(place, value, location))
    what: ir.Expression = NOTHING
    way = inherited(kind, lambda found: found.name == BASE)
    if way is not None:
        for field in way:
            place = ir.Member(place, field, location)
        words = next(field for field in build.fields_of(ir.place_type(place)) if field.name == "words")
        what = build.cast(ir.Load(ir.Member(place, words, location), words.type, location), VOID, location)
    names = (_name(below[-1]), *_inherited(kind))
    into.append(ir.Throw(build.cast(address, VOID, location), names, what, location))


@lowers_rvalue(K.CXX_THROW_EXPR)
def lower_thrown_value(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a `throw` that stands where a value is expected, which there never is."""
    statements: list[ir.Statement] = []
    lower_throw(context, cursor, statements)
    return after(statements, ir.Const(0, ir.I32), context.location(cursor))


def _name(cursor: Cursor) -> str:
    return str(cursor.type.get_canonical().spelling).removeprefix("const ")


def _inherited(kind: ir.Type) -> tuple[str, ...]:
    fields = kind.fields if isinstance(kind, ir.Struct) else ()
    bases = [each.type for each in fields if not each.name.isidentifier() and isinstance(each.type, ir.Struct)]
    return tuple(name for base in bases for name in (base.name, *_inherited(base)))


@lowers_statement(K.CXX_TRY_STMT)
def lower_try(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `try { } catch (...) { }` of a host program."""
    if not isinstance(context, ObjectContext):
        raise context.unsupported(cursor)
    body, *handlers = cursor.get_children()
    location = context.location(cursor)
    begin, end = (ir.Call("__tilescope_try", (ir.Const(step, SIZE),), None, location) for step in (1, 0))
    into.append(ir.Try(begin, end, block(context, body), tuple(_handler(context, each) for each in handlers), location))


def _handler(context: ObjectContext, cursor: Cursor) -> tuple[str | None, ir.Variable, ir.Block]:
    *declared, body = cursor.get_children()
    location = context.location(cursor)
    if not declared:
        return None, build.temporary("exception", VOID, location), _handling(context, body)
    declaration = declared[0]
    kind = context.type(declaration)
    variable = ir.Variable(declaration.spelling, ir.Pointer(kind), ir.Space.REGISTER, location)
    written = declaration.type.get_pointee() if is_reference(declaration.type) else declaration.type
    context.frame.places[declaration.hash] = ir.Deref(ir.Load(ir.Whole(variable), variable.type, location), kind, location)
    name = str(written.get_canonical().spelling).removeprefix("const ")
    if isinstance(kind, ir.Pointer) and written.get_canonical().spelling.endswith("const"):
        raise context.refuse(declaration, message("catch takes a class, a number or const char* here."))
    return name, variable, _handling(context, body)


def _handling(context: ObjectContext, body: Cursor) -> ir.Block:
    context.frame.handlers += 1
    try:
        return block(context, body)
    finally:
        context.frame.handlers -= 1
