"""The table of how each kind of cursor is lowered, and the ways into it.

A function enters the table by its decorator, `@lowers_statement(CursorKind.FOR_STMT)`: a kind can be lowered as a statement, to its value
(rvalue), and to the object that it denotes (lvalue). What is nested in a text is lowered through the table, whatever kind it is of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from clang.cindex import Cursor, CursorKind

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import bare
from kernels.simt.lower.lvalues import freeze, has_effects, is_lvalue
from kernels.simt.lower.refusals import Refusal

StatementRule = Callable[[Context, Cursor, list[ir.Statement]], None]
"""Adds the statements that a cursor becomes."""
RvalueRule = Callable[[Context, Cursor], ir.Expression]
LvalueRule = Callable[[Context, Cursor], ir.Place]
AnyStatementRule = TypeVar("AnyStatementRule", bound=StatementRule)


@dataclass(slots=True)
class Rules:
    """Rules for cursors of one kind; None where such a cursor cannot be lowered so, or as a statement is a value that is not used."""

    statement: StatementRule | None = None
    rvalue: RvalueRule | None = None
    lvalue: LvalueRule | None = None


_RULES: defaultdict[CursorKind, Rules] = defaultdict(Rules)


def lowers_statement(*kinds: CursorKind) -> Callable[[AnyStatementRule], AnyStatementRule]:
    """Register a function that lowers cursors of these kinds as statements."""

    def register(rule: AnyStatementRule) -> AnyStatementRule:
        for kind in kinds:
            assert _RULES[kind].statement is None, kind
            _RULES[kind].statement = rule
        return rule

    return register


def lowers_rvalue(*kinds: CursorKind) -> Callable[[RvalueRule], RvalueRule]:
    """Register a function that lowers cursors of these kinds to their values."""

    def register(rule: RvalueRule) -> RvalueRule:
        for kind in kinds:
            assert _RULES[kind].rvalue is None, kind
            _RULES[kind].rvalue = rule
        return rule

    return register


def lowers_lvalue(*kinds: CursorKind) -> Callable[[LvalueRule], LvalueRule]:
    """Register a function that lowers cursors of these kinds to the objects that they denote."""

    def register(rule: LvalueRule) -> LvalueRule:
        for kind in kinds:
            assert _RULES[kind].lvalue is None, kind
            _RULES[kind].lvalue = rule
        return rule

    return register


def rvalue(context: Context, cursor: Cursor) -> ir.Expression:
    """Give the value of an expression; an array gives a pointer to its first element."""
    rule = _RULES[cursor.kind].rvalue
    if rule is None:
        raise context.unsupported(cursor)
    with context.deeper(cursor):
        return rule(context, cursor)


def lvalue(context: Context, cursor: Cursor) -> ir.Place:
    """Give the place of the object that an expression denotes."""
    cursor = bare(cursor)
    rule = _RULES[cursor.kind].lvalue
    if rule is None:
        raise context.unsupported(cursor)
    place = rule(context, cursor)
    in_register = isinstance(place, ir.Whole) and place.variable.space is ir.Space.REGISTER
    volatile = not in_register and cursor.type.get_canonical().is_volatile_qualified()
    return replace(place, volatile=True) if volatile else place


def statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Add what a statement becomes; if it cannot be lowered, note why, so that the next one is looked at."""
    try:
        with context.deeper(cursor), context.full_statement(into):
            add(context, cursor, into)
    except Refusal as refusal:
        context.note(refusal)


def add(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Add what a part of a statement becomes, as a statement; a refusal is one of the whole, and is not caught."""
    (_RULES[cursor.kind].statement or discarded)(context, cursor, into)


def statements_of(context: Context, cursor: Cursor) -> list[ir.Statement]:
    """Give what a part of a statement becomes, as `add` does."""
    statements: list[ir.Statement] = []
    add(context, cursor, statements)
    return statements


def block(context: Context, cursor: Cursor) -> ir.Block:
    """Give one statement, or those between braces."""
    statements: list[ir.Statement] = []
    for child in cursor.get_children() if cursor.kind is CursorKind.COMPOUND_STMT else (cursor,):
        statement(context, child, statements)
    return ir.Block(tuple(statements))


def discarded(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Add what is left of an expression whose value is not used: an object that is only named is not read."""
    location = context.location(cursor)
    if is_lvalue(context, cursor):
        place = lvalue(context, cursor)
        if has_effects(place):
            freeze(place, into)
        return
    value = rvalue(context, cursor)
    if not isinstance(value, (ir.Const, ir.Special)):
        context.unused(value, location, into)
