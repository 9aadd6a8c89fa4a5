"""Calls of host functions: what they are given, the object that a method is called on, and pointers to functions."""

from __future__ import annotations

from clang.cindex import Cursor

from kernels.simt import ir
from kernels.simt.host.classes import ClassContext
from kernels.simt.lower import build
from kernels.simt.lower.context import Frame, Result
from kernels.simt.lower.cursors import bare, is_reference, operands
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import argument_or_default
from kernels.simt.lower.lvalues import after, keep, keep_pointer
from kernels.simt.lower.names import OF_HOST, bound, function_number
from kernels.simt.lower.types import VOID, inherited

Lowered = ir.Expression | list[ir.Statement]


class CallContext(ClassContext):
    """Context of functions that call each other, by name or through pointers."""

    def through(self, cursor: Cursor, pointer: Cursor, functions: tuple[Cursor, ...], result: Result) -> Lowered | None:
        """Lower a call through a pointer: whichever function it points to is called, of those whose address is taken."""
        statements, location = list[ir.Statement](), self.location(cursor)
        value = build.cast(rvalue(self, pointer), VOID, location)
        if isinstance(value, ir.Const):
            functions = tuple(each for each in functions if function_number(each) + OF_HOST == value.value)
        value = keep(value, "function", statements)
        given = [] if not functions else [
            keep_pointer(each, statements) if isinstance(each.type, ir.Pointer) else keep(each, "argument", statements)
            for each in self.arguments(functions[0], list(cursor.get_arguments()), statements)
        ]  # fmt: skip
        kind = self.type_or_void(cursor, cursor.type)
        kind = ir.Pointer(kind) if result is Result.ADDRESS else kind
        chosen = None if kind is None or result is Result.NOTHING else build.temporary("returned", kind, location)
        lost = ir.Call("__tilescope_no_function", (value,), None, location)
        choice: tuple[ir.Statement, ...] = (ir.Evaluate(lost, location),)
        for each in functions:
            called = self.function(each)
            call = ir.Invoke(called, tuple(given), called.result, location)
            done = ir.Evaluate(call, location) if chosen is None else ir.Store(ir.Whole(chosen), call, location)
            test = build.binary(ir.Binary.EQUAL, value, ir.Const(function_number(each) + OF_HOST, VOID), ir.BOOL, location)
            choice = (ir.If(test, ir.Block((done,)), ir.Block(choice), location),)
        if chosen is None:
            return [*statements, *choice]
        return after([*statements, ir.Declare(chosen, None, location), *choice], ir.Load(ir.Whole(chosen), chosen.type, location), location)

    def arguments(self, function: Cursor, given: list[Cursor], into: list[ir.Statement]) -> list[ir.Expression]:
        """Lower the arguments of a call: a reference to an address."""
        arguments: list[ir.Expression] = []
        for position, (parameter, argument) in enumerate(zip(function.get_arguments(), given, strict=False)):
            argument = argument_or_default(self, function, position, argument)
            if is_reference(parameter.type):
                arguments.append(build.address_of(bound(self, argument, parameter, into), self.location(argument)))
            else:
                arguments.append(initial_value(self, argument, self.types_of(parameter)))
        return arguments

    def destroyed(self, cursor: Cursor) -> list[ir.Statement]:
        """Lower a call of a destructor by its name."""
        statements: list[ir.Statement] = []
        base, location = operands(bare(next(iter(cursor.get_children()))))[0], self.location(cursor)
        pointer = rvalue(self, base) if isinstance(self.type(base), ir.Pointer) else build.address_of(lvalue(self, base), location)
        kind = build.target_of(pointer)
        assert isinstance(kind, ir.Struct)
        if self.types.ends_virtually(kind):
            statements.append(ir.Evaluate(self.end_whole(pointer, kind, location), location))
        elif self.types.destructor(kind) is not None:
            self.destroy_at(pointer, kind, location, statements)
        return statements

    def inherited(self, function: Cursor, this: ir.Expression, location: ir.Location) -> ir.Expression:
        """Give the address of the object that has a method, where it is part of the one that it is called on."""
        owner = function.semantic_parent.type.get_canonical().spelling
        way = inherited(build.target_of(this), lambda found: found.name == owner)
        if not way:
            return this
        place: ir.Place = build.deref(this, location)
        for field in way:
            place = ir.Member(place, field, location)
        return build.address_of(place, location)

    def this(self, cursor: Cursor, function: Cursor, given: list[Cursor], into: list[ir.Statement]) -> ir.Expression:
        """Give the address of the object that a method is called on; for an operator it is taken from the front of `given`."""
        location = self.location(cursor)
        if len(given) > len(list(function.get_arguments())):
            base = given.pop(0)
        else:
            below = operands(bare(next(iter(cursor.get_children()))))
            if not below:
                assert self.frame.this is not None
                return build.address_of(self.frame.this, location)
            base = below[0]
        if isinstance(self.type(base), ir.Pointer):
            return keep_pointer(rvalue(self, base), into)
        return build.address_of(bound(self, base, base, into), location)

    def types_of(self, cursor: Cursor) -> ir.Type:
        """Give the type of a parameter, outside of any function."""
        with self.entered(Frame(cursor)):
            return self.type(cursor)
