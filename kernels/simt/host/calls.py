"""Calls of host functions: what they are given, the object that a method is called on, and pointers to functions."""

from __future__ import annotations

from clang.cindex import Cursor, Type

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.host.classes import ClassContext
from kernels.simt.lower import build
from kernels.simt.lower.context import Frame, Result
from kernels.simt.lower.cursors import bare, body_of, defined, is_reference, operands
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.function_pointers import prototype_of
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import argument_or_default
from kernels.simt.lower.lambdas import is_of_lambda, object_of
from kernels.simt.lower.launches import configuration_of, configured, is_kernel, kernel_entry
from kernels.simt.lower.lvalues import after, is_lvalue, keep, keep_pointer
from kernels.simt.lower.names import OF_HOST, STEP, bound, function_number, reference
from kernels.simt.lower.types import VOID, inherited

Lowered = ir.Expression | list[ir.Statement]
POINTER = 32
"""Kind of a pointer among arguments that have no parameter; of an integer it is its size, of a float that and 16."""
LAUNCHES = " launched at "
"""What stands in the name of a function that launches whichever kernel it is given."""


class CallContext(ClassContext):
    """Context of functions that call each other, by name or through pointers."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.taken: dict[int, Cursor] = {}
        """Functions whose address is taken, by the number that stands for it."""
        self.callers: dict[str, ir.Function] = {}
        """By the type of what a pointer points to, the function that is called instead: it chooses by the pointer."""
        self._chosen_from = 0

    def address(self, function: Cursor) -> int:
        """Give the number that stands for a function of the host."""
        function = defined(function)
        number = function_number(function) + OF_HOST
        while self.taken.setdefault(number, function) != function:
            number += STEP
        return number

    def through(self, cursor: Cursor, pointer: Cursor, prototype: Type, result: Result) -> Lowered:
        """Lower a call through a pointer: of the function itself where that is known, else of one that chooses among all whose address is
        taken."""
        statements, location = list[ir.Statement](), self.location(cursor)
        value = keep(build.cast(rvalue(self, pointer), VOID, location), "function", statements)
        if prototype.get_canonical().is_function_variadic():
            raise self.refuse(cursor, message(
                "A function of any number of arguments is not called through a pointer: call it by its name."
            ))  # fmt: skip
        configuration = configuration_of(cursor)
        known = self.taken.get(int(value.value)) if isinstance(value, ir.Const) and configuration is None else None
        if known is not None and prototype_of(known.type) != prototype_of(prototype):
            known = None
        passed = zip(cursor.get_arguments(), prototype.argument_types(), strict=False)
        given = [self._passed(each, kind, statements) for each, kind in passed]
        if known is not None:
            call = self._called(known, given, location)
        else:
            shape = () if configuration is None else configured(self, configuration)
            caller = self._caller(cursor, prototype, shape)
            call = ir.Invoke(caller, (value, *shape, *given), caller.result, location)
        if result is Result.NOTHING:
            self.unused(call, location, statements)
            return statements
        return after(statements, call, location)

    def _passed(self, argument: Cursor, kind: Type, into: list[ir.Statement]) -> ir.Expression:
        if is_reference(kind):
            return self._address(bound(self, argument, argument, into), argument, into)
        wanted = self.type_or_void(argument, kind)
        assert wanted is not None
        return initial_value(self, argument, wanted)

    def _caller(self, cursor: Cursor, prototype: Type, shape: tuple[ir.Expression, ...]) -> ir.Function:
        """Give the function that calls whichever one its first argument points to; with a shape, it launches that kernel, and for each
        place of the text there is one."""
        name, location = prototype_of(prototype), self.location(cursor)
        if shape:
            name += f"{LAUNCHES}{location.file}:{location.line}:{location.column}"
        if name not in self.callers:
            pointer = ir.Variable("function", VOID, ir.Space.REGISTER, location)
            kinds = (self._by_address(cursor, each) for each in prototype.argument_types())
            parameters = (ir.Variable("argument", kind or VOID, ir.Space.REGISTER, location) for kind in kinds)
            shaped = (ir.Variable("shape", build.type_of(each), ir.Space.REGISTER, location) for each in shape)
            made = ir.Function(
                name, (pointer, *shaped, *parameters), self._by_address(cursor, prototype.get_result()), location, ir.Block(())
            )
            self.callers[name] = made
        return self.callers[name]

    def _by_address(self, cursor: Cursor, kind: Type) -> ir.Type | None:
        found = self.type_or_void(cursor, kind)
        return ir.Pointer(found) if is_reference(kind) else found

    def write_choosers(self) -> bool:
        """Write the bodies of the functions that choose, and say whether anything was new."""
        new, state = super().write_choosers(), len(self.taken) + len(self.callers)
        if state == self._chosen_from:
            return new
        self._chosen_from = state
        for caller in list(self.callers.values()):
            self._choose_function(caller)
        return True

    def _choose_function(self, caller: ir.Function) -> None:
        location, statements = caller.location, list[ir.Statement]()
        value, *given = (ir.Load(ir.Whole(each), each.type, location) for each in caller.parameters)
        wanted, launches, _ = caller.name.partition(LAUNCHES)
        for number, function in self.taken.items():
            if prototype_of(function.type) != wanted or is_kernel(function) != bool(launches):
                continue
            done: tuple[ir.Statement, ...]
            if launches:
                grid, block, shared, stream = given[:4]
                started = ir.Launch(kernel_entry(function), grid, block, shared, stream, tuple(given[4:]), location)
                done = started, ir.Return(None, location)
            else:
                call = self._called(function, list(given), location)
                done = (ir.Return(call, location),) if call.type is not None else (ir.Evaluate(call, location), ir.Return(None, location))
            test = build.binary(ir.Binary.EQUAL, value, ir.Const(number, VOID), ir.BOOL, location)
            statements.append(ir.If(test, ir.Block(done), None, location))
        statements.append(ir.Evaluate(ir.Call("__tilescope_no_function", (value,), None, location), location))
        caller.body = ir.Block(tuple(statements))

    def _called(self, function: Cursor, given: list[ir.Expression], location: ir.Location) -> ir.Expression:
        """Call a function whose address was taken: of the library, of the program, or of a lambda that captures nothing."""
        if body_of(function) is None:
            with self.entered(Frame(function)):
                return ir.Call(function.spelling, tuple(given), self.type_or_void(function, function.result_type), location)
        record = self.types.of(function.semantic_parent.type) if is_of_lambda(function) else None
        called = self.function(function, record)
        this = () if record is None else (ir.Const(0, VOID),)
        return ir.Invoke(called, (*this, *given), called.result, location)

    def bound_member(self, cursor: Cursor, declaration: Cursor) -> ir.Expression:
        """Give the address that a member which is a reference is bound to."""
        statements: list[ir.Statement] = []
        address = reference(self, cursor, declaration, statements)
        return after(statements, address, self.location(cursor))

    def arguments(self, function: Cursor, given: list[Cursor], into: list[ir.Statement]) -> list[ir.Expression]:
        """Lower the arguments of a call, the last one first: a reference to an address."""
        arguments: list[ir.Expression] = []
        passed = list(enumerate(zip(function.get_arguments(), given, strict=False)))
        makes = [is_reference(parameter.type) and not is_lvalue(self, argument) for _, (parameter, argument) in passed]
        for position, (parameter, argument) in reversed(passed):
            argument = argument_or_default(self, function, position, argument)
            if is_reference(parameter.type):
                arguments.append(self._address(bound(self, argument, parameter, into), argument, into))
                continue
            value = initial_value(self, argument, self.types_of(parameter))
            if any(makes[:position]) and isinstance(value.type, (ir.Scalar, ir.Pointer)):
                value = keep(value, "argument", into)  # before an object is made for a reference
            arguments.append(value)
        return arguments[::-1]

    def behind(self, cursor: Cursor, function: Cursor, given: list[Cursor], into: list[ir.Statement]) -> list[ir.Expression]:
        """Lower what a function of any number of arguments is given behind its parameters, the last one first: the address of the kind and
        the value of each, in 64 bits, up to a zero. Nothing for any other function."""
        if not is_variadic(function):
            return []
        location, values = self.location(cursor), list[ir.Expression]((ir.Const(0, ir.I64),))
        for argument in reversed(given[len(list(function.get_arguments())) :]):
            value = rvalue(self, argument)
            if not isinstance(value.type, (ir.Scalar, ir.Pointer)):
                raise self.refuse(argument, message(
                    "{function} takes numbers and pointers behind its text, not an object.", function=function.spelling,
                ))  # fmt: skip
            kind, wide = _passed_as(value.type)
            values[:0] = [ir.Const(kind, ir.I64), build.cast(keep(value, "argument", into), wide, location)]
        fields = tuple(ir.Field(f"argument {at}", build.type_of(each), 8 * at) for at, each in enumerate(values))
        record = ir.Struct("arguments", fields, 8 * len(values), 8)
        variable = build.temporary("arguments", record, location)
        into.append(ir.Declare(variable, ir.Make(tuple(values), record, location), location))
        return [build.cast(build.address_of(ir.Whole(variable), location), VOID, location)]

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
        if len(given) > len(list(function.get_arguments())) and not is_variadic(function):
            base = given.pop(0)
        else:
            below = operands(bare(next(iter(cursor.get_children()))))
            if not below:
                assert self.frame.this is not None
                return build.address_of(self.frame.this, location)
            base = below[0]
        if isinstance(self.type(base), ir.Pointer):
            return keep_pointer(rvalue(self, base), into)
        return self._address(bound(self, base, base, into), base, into)

    def _address(self, place: ir.Place, cursor: Cursor, into: list[ir.Statement]) -> ir.Expression:
        """Give the address of what a reference is bound to; of a lambda that is known by its text, of an object that is made for it."""
        made, location = self.lambda_object(place, cursor), self.location(cursor)
        if made is None:
            return build.address_of(place, location)
        variable = build.temporary("lambda", build.type_of(made), location)
        into.append(ir.Declare(variable, made, location))
        return build.address_of(ir.Whole(variable), location)

    def lambda_object(self, place: ir.Place, cursor: Cursor) -> ir.Expression | None:
        """Make the object of a lambda that is known by its text so far; None for any other place."""
        known = self.closures.get(place.variable) if isinstance(place, ir.Whole) else None
        return None if known is None else object_of(self, known, cursor, ir.place_type(place))

    def types_of(self, cursor: Cursor) -> ir.Type:
        """Give the type of a parameter, outside of any function."""
        with self.entered(Frame(cursor)):
            return self.type(cursor)


def is_variadic(function: Cursor) -> bool:
    """Say whether a function takes any number of arguments behind its parameters."""
    return bool(function.type.get_canonical().is_function_variadic())


def _passed_as(kind: ir.Scalar | ir.Pointer) -> tuple[int, ir.Type]:
    """Give the kind of an argument that has no parameter, and the type that its 64 bits have."""
    if isinstance(kind, ir.Pointer):
        return POINTER, kind
    if kind.kind is ir.Kind.FLOAT:
        return 16 + 8, ir.F64
    return max(kind.size, 4), ir.I64
