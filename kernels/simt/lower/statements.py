"""Statements: control flow, declarations, and expressions for their effects."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.bindings import is_binding
from kernels.simt.lower.context import Context, Result
from kernels.simt.lower.libclang import body_of
from kernels.simt.lower.places import bare, operands
from kernels.simt.lower.refusals import Refusal

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind
UNROLL = re.compile(r"\bunroll\b[ \t]*\(?[ \t]*(\w*)")
LONGEST_COUNT = 10
STEPPING = ("pre++", "post++", "pre--", "post--")
StatementList = list[ir.Statement]


class Statements:
    """Lowers statements. What cannot be lowered is noted, and the next statement looked at."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering
        self._handlers: dict[CursorKind, Callable[[Cursor, StatementList], None]] = {
            K.COMPOUND_STMT: lambda cursor, into: into.append(self.block(cursor)),
            K.DECL_STMT: self._declarations,
            K.NULL_STMT: self._nothing,
            K.IF_STMT: self._if,
            K.FOR_STMT: lambda cursor, into: lowering.loops.for_(cursor, None, into),
            K.CXX_FOR_RANGE_STMT: lambda cursor, into: lowering.ranges.for_(cursor, None, into),
            K.WHILE_STMT: lambda cursor, into: lowering.loops.while_(cursor, None, into),
            K.DO_STMT: lambda cursor, into: lowering.loops.do(cursor, None, into),
            K.SWITCH_STMT: lambda cursor, into: lowering.loops.switch(cursor, into),
            K.BREAK_STMT: lambda cursor, into: into.append(ir.Break(context.location(cursor))),
            K.CONTINUE_STMT: lambda cursor, into: into.append(ir.Continue(context.location(cursor))),
            K.RETURN_STMT: self._return,
            K.LABEL_STMT: lambda cursor, into: self.lower(list(cursor.get_children())[-1], into),
            K.UNEXPOSED_STMT: self._attributed,
        }

    def block(self, cursor: Cursor) -> ir.Block:
        """One statement, or those between braces."""
        statements: StatementList = []
        for child in cursor.get_children() if cursor.kind is K.COMPOUND_STMT else (cursor,):
            self.lower(child, statements)
        return ir.Block(tuple(statements))

    def body(self, function: Cursor) -> tuple[ir.Statement, ...]:
        """The statements of a function's body."""
        found = body_of(function)
        return self.block(found).statements if found is not None else ()

    def within(self, cursor: Cursor) -> StatementList:
        """The statements that one statement or expression becomes; a refusal is not caught."""
        statements: StatementList = []
        self._handlers.get(cursor.kind, self._expression)(cursor, statements)
        return statements

    def lower(self, cursor: Cursor, into: StatementList) -> None:
        """Add the statements that `cursor` becomes; if it cannot be lowered, note why."""
        try:
            with self._context.deeper(cursor):
                self._handlers.get(cursor.kind, self._expression)(cursor, into)
        except Refusal as refusal:
            self._context.note(refusal)

    def returned(self, value: Cursor) -> ir.Expression:
        """What `return value;` gives the caller of the function that is being inlined."""
        function, result = self._context.frame.function, self._context.frame.result
        if result is Result.ADDRESS:
            place = self._lowering.places.lower(value)
            return build.address_of(place, self._context.location(value))
        kind = self._context.type_or_void(value, function.result_type)
        assert kind is not None
        return self._lowering.initials.value(value, kind)

    def _nothing(self, *_: object) -> None:
        pass

    def _declarations(self, cursor: Cursor, into: StatementList) -> None:
        for child in cursor.get_children():
            if child.kind is K.VAR_DECL:
                self._lowering.variables.declare(child, into)
            elif is_binding(child):
                self._lowering.bindings.declare(child, into)

    def _if(self, cursor: Cursor, into: StatementList) -> None:
        children = list(cursor.get_children())
        before: StatementList = []
        while children[0].kind in (K.DECL_STMT, K.VAR_DECL):
            self._condition_variable(children.pop(0), before)
        test = self._lowering.expressions.condition(children[0])
        into.extend(before)
        if isinstance(test, ir.Const):
            taken = children[1 if test.value else 2 : 2 if test.value else 3]
            into.extend(self.block(branch) for branch in taken)
            return
        otherwise = self.block(children[2]) if len(children) > 2 else None
        into.append(ir.If(test, self.block(children[1]), otherwise, self._context.location(cursor)))

    def _condition_variable(self, cursor: Cursor, into: StatementList) -> None:
        if cursor.kind is K.VAR_DECL:
            self._lowering.variables.declare(cursor, into)
        else:
            self._declarations(cursor, into)

    def _return(self, cursor: Cursor, into: StatementList) -> None:
        value = next(iter(cursor.get_children()), None)
        location = self._context.location(cursor)
        if value is None or self._context.frame.result is Result.NOTHING:
            if value is not None:
                self._expression(value, into)
            into.append(ir.Return(None, location))
        else:
            into.append(ir.Return(self.returned(value), location))

    def _attributed(self, cursor: Cursor, into: StatementList) -> None:
        """A statement behind a pragma or an attribute."""
        statement = list(cursor.get_children())[-1]
        found = UNROLL.search(self._context.unit.text_of(cursor).partition("{")[0])
        unroll = None
        if found is not None:
            count = found.group(1)
            unroll = int(count) if count.isdecimal() and len(count) < LONGEST_COUNT else 0
        match statement.kind:
            case K.FOR_STMT:
                self._lowering.loops.for_(statement, unroll, into)
            case K.CXX_FOR_RANGE_STMT:
                self._lowering.ranges.for_(statement, unroll, into)
            case K.WHILE_STMT:
                self._lowering.loops.while_(statement, unroll, into)
            case K.DO_STMT:
                self._lowering.loops.do(statement, unroll, into)
            case _:
                self.lower(statement, into)

    def _expression(self, cursor: Cursor, into: StatementList) -> None:
        """An expression whose value is not used."""
        cursor = bare(cursor)
        location = self._context.location(cursor)
        match cursor.kind:
            case K.BINARY_OPERATOR:
                self._operator(cursor, into)
            case K.COMPOUND_ASSIGNMENT_OPERATOR:
                into.append(self._lowering.operators.store(cursor))
            case K.UNARY_OPERATOR if self._context.unit.unary_operator(cursor) in STEPPING:
                into.append(self._lowering.operators.store(cursor))
            case K.CONDITIONAL_OPERATOR:
                condition, yes, no = cursor.get_children()
                sides = ir.Block(tuple(self.within(yes))), ir.Block(tuple(self.within(no)))
                into.append(ir.If(self._lowering.expressions.condition(condition), *sides, location))
            case K.CALL_EXPR:
                into.extend(self._lowering.calls.statements(cursor))
            case K.CSTYLE_CAST_EXPR | K.UNEXPOSED_EXPR | K.CXX_STATIC_CAST_EXPR | K.CXX_FUNCTIONAL_CAST_EXPR if operands(cursor):
                self._expression(operands(cursor)[-1], into)
            case _:
                self._lowering.expressions.effects(cursor, into)

    def _operator(self, cursor: Cursor, into: StatementList) -> None:
        operator = self._context.unit.binary_operator(cursor)
        left, right = cursor.get_children()
        if operator == "=":
            into.append(self._lowering.operators.store(cursor))
        elif operator == ",":
            self._expression(left, into)
            self._expression(right, into)
        elif operator in ("&&", "||"):
            test = self._lowering.expressions.condition(left)
            then = ir.Block(tuple(self.within(right)))
            location = self._context.location(cursor)
            if operator == "||":
                test = build.unary(ir.Unary.NOT, test, ir.BOOL, location)
            into.append(ir.If(test, then, None, location))
        else:
            into.append(ir.Evaluate(self._lowering.expressions.value(cursor), self._context.location(cursor)))
