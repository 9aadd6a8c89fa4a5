"""Loops: for, while, do, and for over the elements of an array, which becomes a loop that counts."""

from __future__ import annotations

from functools import partial

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import condition_of, convert, load
from kernels.simt.lower.cursors import bare, is_binding, is_reference
from kernels.simt.lower.dispatch import block, lowers_statement, lvalue, statement
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.lvalues import freeze, is_lvalue
from kernels.simt.lower.names import bound
from kernels.simt.lower.objects import lower_variable
from kernels.simt.lower.statements import EMPTY, bind_parts

K = CursorKind
ARRAYS_ONLY = message("A loop over anything but an array is not supported: count with an index, for (int i = 0; i < n; ++i).")


@lowers_statement(K.FOR_STMT)
def lower_for(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `for (init; condition; step) body`."""
    for child in cursor.get_children():
        if child.kind is K.VAR_DECL:
            raise context.refuse(child, message("A variable in the condition of for is not supported: declare it before."))
    parts = context.unit.for_parts(cursor)
    before = block(context, parts.init) if parts.init is not None else EMPTY
    condition = _unless_always(context, parts.condition)
    step = block(context, parts.step) if parts.step is not None else EMPTY
    body = block(context, parts.body)
    into.append(ir.Loop(before, condition, step, body, test_last=False, location=context.location(cursor)))


@lowers_statement(K.WHILE_STMT)
def lower_while(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `while (condition) body`, where the condition may declare a variable."""
    *variables, condition, body = cursor.get_children()
    location = context.location(cursor)
    if not variables:
        test = _unless_always(context, condition)
        into.append(ir.Loop(EMPTY, test, EMPTY, block(context, body), test_last=False, location=location))
        return
    inner: list[ir.Statement] = []
    lower_variable(context, variables[0], inner)
    ended = build.unary(ir.Unary.NOT, condition_of(context, condition), ir.BOOL, location)
    inner.append(ir.If(ended, ir.Block((ir.Break(location),)), None, location))
    inner.extend(block(context, body).statements)
    into.append(ir.Loop(EMPTY, None, EMPTY, ir.Block(tuple(inner)), test_last=False, location=location))


@lowers_statement(K.DO_STMT)
def lower_do(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `do body while (condition);`."""
    body, condition = cursor.get_children()
    inner = block(context, body)
    test = context.complete(partial(condition_of, context), condition)
    into.append(ir.Loop(EMPTY, test, EMPTY, inner, test_last=True, location=context.location(cursor)))


def _unless_always(context: Context, cursor: Cursor | None) -> ir.Expression | None:
    """Lower a condition; None where it is always true."""
    if cursor is None:
        return None
    condition = context.complete(partial(condition_of, context), cursor)
    return None if isinstance(condition, ir.Const) and condition.value else condition


@lowers_statement(K.CXX_FOR_RANGE_STMT)
def lower_range_for(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `for (declaration : range) body`; before them may stand an initial statement."""
    *before, variable, range_, body = cursor.get_children()
    statements: list[ir.Statement] = []
    for each in before:
        statement(context, each, statements)
    array = _range(context, range_, statements)
    kind = ir.place_type(array)
    location, place, text = context.location(cursor), context.location(range_), context.text(range_)
    found = None
    if not isinstance(kind, ir.Array):
        found = context.sequence(array, place)
    elif not kind.count:
        found = context.sequence(lvalue(context, range_), place)

    def round_(index: ir.Expression) -> tuple[ir.Statement, ...]:
        inner: list[ir.Statement] = []
        if found is not None:
            element = build.deref(build.offset(found[0], index, place), place, text)
        else:
            assert isinstance(kind, ir.Array)
            element = ir.Element(array, index, kind.element, place, text)
        _declare_element(context, variable, element, inner)
        return (*inner, *block(context, body).statements)

    def over(element: ir.Place, inner: list[ir.Statement]) -> ir.Block:
        _declare_element(context, variable, element, inner)
        return block(context, body)

    along = None if found is not None or isinstance(kind, ir.Array) else context.iterated(array, place, over)
    if along is not None:
        into.append(ir.Block((*statements, *along)))
        return
    if found is None and not isinstance(kind, ir.Array):
        raise context.refuse(range_, ARRAYS_ONLY)
    count = found[1] if found is not None else ir.Const(kind.count if isinstance(kind, ir.Array) else 0, ir.I32)
    statements.append(build.counted(count, location, round_))
    into.append(ir.Block(tuple(statements)))


def _range(context: Context, range_: Cursor, into: list[ir.Statement]) -> ir.Place:
    """Find the array that is gone through, or make one of what stands between braces."""
    if is_lvalue(context, range_):
        return freeze(lvalue(context, range_), into)
    values = _braces(range_)
    if values is None and context.types.destructor(context.type_or_void(range_, range_.type)) is not None:
        return bound(context, range_, range_, into)
    if values is None:
        raise context.refuse(range_, ARRAYS_ONLY)
    given = list(values.get_children())
    first = context.type(given[0])
    kind = ir.Array(ir.Pointer(first.element) if isinstance(first, ir.Array) else first, len(given))
    variable = build.temporary("values", kind, context.location(range_))
    into.append(ir.Declare(variable, initial_value(context, values, kind), variable.location))
    return ir.Whole(variable)


def _declare_element(context: Context, variable: Cursor, element: ir.Place, into: list[ir.Statement]) -> None:
    """Declare the variable of one round."""
    if is_binding(variable):
        bind_parts(context, variable, element, into)
        return
    kind, frame = context.type(variable), context.frame
    if is_reference(variable.type) and kind == ir.place_type(element):
        frame.places[variable.hash] = element
        return
    value = context.copied(variable, element, moved=False) or convert(context, load(context, element, variable), kind, variable)
    local = ir.Variable(variable.spelling, kind, ir.Space.REGISTER, context.location(variable))
    frame.places[variable.hash] = ir.Whole(local)
    into.append(ir.Declare(local, value, local.location))
    context.ends(variable, local, into)


def _braces(cursor: Cursor) -> Cursor | None:
    """Find the list between braces that an initializer list is made from."""
    while bare(cursor).kind is K.UNEXPOSED_EXPR:
        below = list(bare(cursor).get_children())
        if len(below) != 1:
            return None
        cursor = below[0]
    return cursor if cursor.kind is K.INIT_LIST_EXPR else None


@lowers_statement(K.UNEXPOSED_STMT)
def lower_attributed(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower a statement behind a pragma or an attribute."""
    statement(context, list(cursor.get_children())[-1], into)
