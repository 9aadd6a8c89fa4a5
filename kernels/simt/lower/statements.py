"""Statements without loops: blocks, declarations and their structured bindings, if, switch and return."""

from __future__ import annotations

from functools import partial

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context, Result
from kernels.simt.lower.conversions import condition_of, load
from kernels.simt.lower.cursors import BINDING, bare, is_binding, is_reference, operands
from kernels.simt.lower.dispatch import add, block, discarded, lowers_statement, lvalue, rvalue, statement, statements_of
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import returned
from kernels.simt.lower.names import bound

K = CursorKind
EMPTY = ir.Block(())
LABELS = (K.CASE_STMT, K.DEFAULT_STMT)
MOST_CASES = 1024
"""Of a range of them."""


@lowers_statement(K.COMPOUND_STMT)
def lower_compound_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `{ ... }`."""
    into.append(block(context, cursor))


@lowers_statement(K.NULL_STMT)
def lower_null_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `;`, which does nothing."""


@lowers_statement(K.LABEL_STMT)
def lower_label(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower a label, and what it stands before."""
    into.append(ir.Label(cursor.spelling, context.location(cursor)))
    statement(context, list(cursor.get_children())[-1], into)


@lowers_statement(K.GOTO_STMT)
def lower_goto(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `goto`."""
    into.append(ir.Goto(next(iter(cursor.get_children())).spelling, context.location(cursor)))


@lowers_statement(K.BREAK_STMT)
def lower_break(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `break`, of a loop or a switch."""
    into.append(ir.Break(context.location(cursor)))


@lowers_statement(K.CONTINUE_STMT)
def lower_continue(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `continue`."""
    into.append(ir.Continue(context.location(cursor)))


@lowers_statement(K.DECL_STMT)
def lower_declarations(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower the declarations of a statement: variables and structured bindings; types and the like become nothing."""
    for child in cursor.get_children():
        if child.kind is K.VAR_DECL:
            add(context, child, into)
        elif is_binding(child):
            declare_binding(context, child, into)


def declare_binding(context: Context, declaration: Cursor, into: list[ir.Statement]) -> None:
    """Declare `auto [x, y] = value;`, names of the parts of a copy, or `auto& [x, y]`, of the object itself."""
    value = list(declaration.get_children())[-1]
    if is_reference(declaration.type):
        bind_parts(context, declaration, bound(context, value, declaration, into), into)
    elif isinstance(context.type(declaration), ir.Array):
        bind_parts(context, declaration, lvalue(context, _named(value)), into)
    else:
        _bind_copy(context, declaration, initial_value(context, value, context.type(declaration)), into)


def bind_parts(context: Context, declaration: Cursor, place: ir.Place, into: list[ir.Statement]) -> None:
    """Give the names the parts of `place`, copied unless the declaration is a reference."""
    kind = ir.place_type(place)
    if is_reference(declaration.type):
        _name_parts(context, declaration, place)
    elif isinstance(kind, ir.Array):
        _bind_copy(context, declaration, _array_value(context, place, kind, declaration), into)
    else:
        copied = context.copied(declaration, place, moved=False)
        _bind_copy(context, declaration, load(context, place, declaration) if copied is None else copied, into)


def _bind_copy(context: Context, declaration: Cursor, value: ir.Expression, into: list[ir.Statement]) -> None:
    location = context.location(declaration)
    variable = ir.Variable(declaration.spelling, build.type_of(value), ir.Space.REGISTER, location)
    into.append(ir.Declare(variable, value, location))
    context.ends(declaration, variable, into)
    _name_parts(context, declaration, ir.Whole(variable))


def _array_value(context: Context, array: ir.Place, kind: ir.Array, cursor: Cursor) -> ir.Expression:
    """Load an array, element by element."""
    location = context.location(cursor)
    parts = (ir.Element(array, ir.Const(index, ir.I32), kind.element, location) for index in range(kind.count))
    if isinstance(kind.element, ir.Array):
        return ir.Make(tuple(_array_value(context, part, kind.element, cursor) for part in parts), kind, location)
    return ir.Make(tuple(ir.Load(part, kind.element, location) for part in parts), kind, location)


def _name_parts(context: Context, declaration: Cursor, place: ir.Place) -> None:
    kind, location = ir.place_type(place), context.location(declaration)
    parts: list[ir.Place]
    if isinstance(kind, ir.Array):
        parts = [ir.Element(place, ir.Const(index, ir.I32), kind.element, location) for index in range(kind.count)]
    else:
        assert isinstance(kind, ir.Struct)
        parts = [ir.Member(place, each, location) for each, _ in context.types.members(kind)]
    names = (child for child in declaration.get_children() if child.kind is BINDING)
    for name, part in zip(names, parts, strict=True):
        context.frame.places[name.hash] = build.renamed(part, context.location(name), name.spelling)


def _named(value: Cursor) -> Cursor:
    """Find the array that is copied, below what libclang puts around it."""
    while value.kind is K.UNEXPOSED_EXPR:
        value = next(iter(value.get_children()))
    return value


@lowers_statement(K.IF_STMT)
def lower_if(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `if`; where the condition is constant, the branch that is taken. What its head declares ends with it."""
    children = list(cursor.get_children())
    before: list[ir.Statement] = []
    while children[0].kind in (K.DECL_STMT, K.VAR_DECL):
        add(context, children.pop(0), before)
    if before:
        _branches(context, cursor, children, before)
        into.append(ir.Block(tuple(before)))
    else:
        _branches(context, cursor, children, into)


def _branches(context: Context, cursor: Cursor, children: list[Cursor], into: list[ir.Statement]) -> None:
    """Lower the condition of an `if` and what hangs on it."""
    test = context.complete(partial(condition_of, context), children[0])
    if isinstance(test, ir.Const):
        taken = children[1 if test.value else 2 : 2 if test.value else 3]
        into.extend(block(context, branch) for branch in taken)
        return
    otherwise = block(context, children[2]) if len(children) > 2 else None
    into.append(ir.If(test, block(context, children[1]), otherwise, context.location(cursor)))


@lowers_statement(K.SWITCH_STMT)
def lower_switch(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `switch (value) body`; labels stand directly in the body."""
    value, body = list(cursor.get_children())[-2:]
    for declaration in _declared(cursor, body):
        add(context, declaration, into)
    chosen = context.complete(partial(rvalue, context), value)
    statements: list[ir.Statement] = []
    cases: list[tuple[tuple[int | None, ...], int]] = []
    for child in body.get_children() if body.kind is K.COMPOUND_STMT else (body,):
        labels, labelled = _labels(context, child)
        if labels:
            cases.append((labels, len(statements)))
        statement(context, labelled, statements)
    if cases and cases[-1][1] == len(statements):
        statements.append(EMPTY)  # every label has a statement
    into.append(ir.Switch(chosen, tuple(cases), tuple(statements), context.location(cursor)))


def _declared(cursor: Cursor, body: Cursor) -> list[Cursor]:
    """Find the variables in the head of a switch. libclang shows no initial statement: what it declares is found where it is used."""
    start, end = cursor.location.offset, body.location.offset
    found: dict[int, Cursor] = {}
    for each in cursor.walk_preorder():
        named = each.referenced if each.kind is K.DECL_REF_EXPR else None
        if named is not None and named.kind is K.VAR_DECL and start < named.location.offset < end:
            found[named.hash] = named
    return sorted(found.values(), key=lambda declaration: declaration.location.offset)


def _labels(context: Context, cursor: Cursor) -> tuple[tuple[int | None, ...], Cursor]:
    """Split a statement from the labels before it."""
    labels: list[int | None] = []
    while cursor.kind in LABELS:
        *values, cursor = cursor.get_children()
        first, last = (_label(context, values[0]), _label(context, values[-1])) if values else (0, 0)
        if last - first > MOST_CASES:
            raise context.refuse(cursor, message("A range of more than {most} cases is not supported: write an if.", most=MOST_CASES))
        labels += range(first, last + 1) if values else [None]
    return tuple(labels), cursor


def _label(context: Context, cursor: Cursor) -> int:
    value = rvalue(context, cursor)
    if not isinstance(value, ir.Const):
        raise context.unsupported(cursor)
    return int(value.value)


@lowers_statement(K.RETURN_STMT)
def lower_return(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `return`, from the function that is being inlined."""
    value = next(iter(cursor.get_children()), None)
    location = context.location(cursor)
    if value is None or context.frame.result is Result.NOTHING:
        if value is not None:
            add(context, value, into)
        into.append(ir.Return(None, location))
    else:
        into.append(ir.Return(returned(context, value), location))


@lowers_statement(K.CONDITIONAL_OPERATOR)
def lower_conditional_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `condition ? one : other` whose value is not used: an if."""
    condition, yes, no = cursor.get_children()
    sides = ir.Block(tuple(statements_of(context, yes))), ir.Block(tuple(statements_of(context, no)))
    into.append(ir.If(condition_of(context, condition), *sides, context.location(cursor)))


@lowers_statement(K.PAREN_EXPR)
def lower_parenthesised_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower what stands between parentheses and is not used."""
    add(context, bare(cursor), into)


@lowers_statement(K.CSTYLE_CAST_EXPR, K.UNEXPOSED_EXPR, K.CXX_STATIC_CAST_EXPR, K.CXX_FUNCTIONAL_CAST_EXPR)
def lower_conversion_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower a conversion that is not used: what is converted is left."""
    below = operands(cursor)
    if below:
        add(context, below[-1], into)
    else:
        discarded(context, cursor, into)
