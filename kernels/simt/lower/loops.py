"""Loops and switch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind
EMPTY = ir.Block(())
LABELS = (K.CASE_STMT, K.DEFAULT_STMT)


def counted(
    context: Context,
    array: ir.Array,
    location: ir.Location,
    body: Callable[[ir.Expression], tuple[ir.Statement, ...]],
    unroll: int | None = None,
) -> ir.Loop:
    """A loop over the indices of an array, as one would write it."""
    counter = context.temporary("index", ir.I32, location)
    index = ir.Load(ir.Whole(counter), ir.I32, location)
    start = ir.Block((ir.Declare(counter, ir.Const(0, ir.I32), location),))
    test = build.binary(ir.Binary.LESS, index, ir.Const(array.count, ir.I32), ir.BOOL, location)
    step = ir.Block((ir.Store(ir.Whole(counter), ir.Const(1, ir.I32), location, ir.Binary.ADD),))
    return ir.Loop(start, test, step, ir.Block(body(index)), test_last=False, location=location, unroll=unroll)


class Loops:
    """Lowers for, while, do and switch."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def for_(self, cursor: Cursor, unroll: int | None, into: list[ir.Statement]) -> None:
        """`for (init; condition; step) body`."""
        for child in cursor.get_children():
            if child.kind is K.VAR_DECL:
                raise self._context.refuse(child, message("A variable in the condition of for is not supported: declare it before."))
        parts = self._context.unit.for_parts(cursor)
        statements = self._lowering.statements
        before = statements.block(parts.init) if parts.init is not None else EMPTY
        condition = self._condition(parts.condition)
        step = statements.block(parts.step) if parts.step is not None else EMPTY
        body = statements.block(parts.body)
        into.append(ir.Loop(before, condition, step, body, test_last=False, location=self._context.location(cursor), unroll=unroll))

    def while_(self, cursor: Cursor, unroll: int | None, into: list[ir.Statement]) -> None:
        """`while (condition) body`, where the condition may declare a variable."""
        *variables, condition, body = cursor.get_children()
        location = self._context.location(cursor)
        if not variables:
            test = self._condition(condition)
            into.append(
                ir.Loop(EMPTY, test, EMPTY, self._lowering.statements.block(body), test_last=False, location=location, unroll=unroll)
            )
            return
        inner: list[ir.Statement] = []
        self._lowering.variables.declare(variables[0], inner)
        ended = build.unary(ir.Unary.NOT, self._lowering.expressions.condition(condition), ir.BOOL, location)
        inner.append(ir.If(ended, ir.Block((ir.Break(location),)), None, location))
        inner.extend(self._lowering.statements.block(body).statements)
        into.append(ir.Loop(EMPTY, None, EMPTY, ir.Block(tuple(inner)), test_last=False, location=location, unroll=unroll))

    def do(self, cursor: Cursor, unroll: int | None, into: list[ir.Statement]) -> None:
        """`do body while (condition);`."""
        body, condition = cursor.get_children()
        inner = self._lowering.statements.block(body)
        test = self._lowering.expressions.condition(condition)
        into.append(ir.Loop(EMPTY, test, EMPTY, inner, test_last=True, location=self._context.location(cursor), unroll=unroll))

    def _condition(self, cursor: Cursor | None) -> ir.Expression | None:
        """None where it is always true."""
        if cursor is None:
            return None
        condition = self._lowering.expressions.condition(cursor)
        return None if isinstance(condition, ir.Const) and condition.value else condition

    def switch(self, cursor: Cursor, into: list[ir.Statement]) -> None:
        """`switch (value) body`; labels stand directly in the body."""
        value, body = list(cursor.get_children())[-2:]
        for declaration in self._declared(cursor, body):
            self._lowering.variables.declare(declaration, into)
        chosen = self._lowering.expressions.value(value)
        statements: list[ir.Statement] = []
        cases: list[tuple[tuple[int | None, ...], int]] = []
        for child in body.get_children() if body.kind is K.COMPOUND_STMT else (body,):
            labels, statement = self._labels(child)
            if labels:
                cases.append((labels, len(statements)))
            self._lowering.statements.lower(statement, statements)
        if cases and cases[-1][1] == len(statements):
            statements.append(EMPTY)  # every label has a statement
        into.append(ir.Switch(chosen, tuple(cases), tuple(statements), self._context.location(cursor)))

    def _declared(self, cursor: Cursor, body: Cursor) -> list[Cursor]:
        """The variables in the head of a switch. libclang shows no initial statement: what it declares is found where it is used."""
        start, end = cursor.location.offset, body.location.offset
        found: dict[int, Cursor] = {}
        for each in cursor.walk_preorder():
            named = each.referenced if each.kind is K.DECL_REF_EXPR else None
            if named is not None and named.kind is K.VAR_DECL and start < named.location.offset < end:
                found[named.hash] = named
        return sorted(found.values(), key=lambda declaration: declaration.location.offset)

    def _labels(self, cursor: Cursor) -> tuple[tuple[int | None, ...], Cursor]:
        """The labels before a statement, and the statement."""
        labels: list[int | None] = []
        while cursor.kind in LABELS:
            *values, cursor = cursor.get_children()
            if len(values) > 1:
                raise self._context.refuse(cursor, message("A range of cases is not supported: write each case."))
            labels.append(self._label(values[0]) if values else None)
        return tuple(labels), cursor

    def _label(self, cursor: Cursor) -> int:
        value = self._lowering.expressions.value(cursor)
        if not isinstance(value, ir.Const):
            raise self._context.unsupported(cursor)
        return int(value.value)
