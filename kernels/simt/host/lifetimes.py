"""Objects of host programs: how they are copied, when they end, and those that `new` makes and `delete` ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.frontend.unit import Unit
from kernels.simt.host.types import HostTypes
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import decayed
from kernels.simt.lower.cursors import constructor_call, operands
from kernels.simt.lower.dispatch import lowers_rvalue, lowers_statement, lvalue, rvalue
from kernels.simt.lower.initializers import initial_value, is_trivial, runs_constructor
from kernels.simt.lower.lvalues import after, freeze, is_lvalue, keep_pointer
from kernels.simt.lower.objects import construct, construct_from, run_constructor
from kernels.simt.lower.types import VOID

K = CursorKind
LOOKED_AT = 200
"""Bytes of a text that are looked at to see which kind of `new` or `delete` it is."""
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
LISTS = "std::initializer_list<"
YES, NO = (build.constant(value, ir.BOOL) for value in (1, 0))
_ARRAY = re.compile(r"new\b(?:\s*\([^)]*\))?[^({\[]*\[")


class ObjectContext(Context):
    """Context in which objects are destroyed where they end, and copied by their constructors.

    An expression whose value is an object owns it: what takes the value takes the object over. A temporary ends with the statement
    around it, where a flag says that it was made.
    """

    types: HostTypes

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit, HostTypes(unit))
        self.enders: dict[str, tuple[ir.Function, ir.Struct]] = {}
        """By class, the function that destroys an object of it: the destructor, then those of its members."""
        self._temporaries: list[list[tuple[ir.Variable, ir.Statement]]] = []
        """Of the statements that are being lowered, the innermost last: the flag of each, and what destroys it."""
        self._alive: dict[int, ir.Variable] = {}
        """Flags of local objects that may be handed to the caller, by the hash of their declaration."""

    def refuse_destructor(self, cursor: Cursor, kind: ir.Type) -> None:
        """Accept objects that do something when they end."""

    def function(self, cursor: Cursor, record: ir.Type | None = None) -> ir.Function:
        """Give the function of a definition. `record` is what a method's `this` points to."""
        raise NotImplementedError

    # ------------------------------------------------------------ copies

    def copied(self, cursor: Cursor, source: ir.Place, *, moved: bool) -> ir.Expression | None:
        """Copy an object by its copy constructor, or those of its members."""
        kind, location = build.place_type(source), self.location(cursor)
        if not self.types.copies(kind):
            return None
        made, statements = build.temporary("copy", kind, location), list[ir.Statement]()
        statements.append(ir.Declare(made, None, location))
        self._copy(cursor, source, ir.Whole(made), statements, moved=moved)
        return after(statements, ir.Load(ir.Whole(made), kind, location), location)

    def _copy(self, cursor: Cursor, source: ir.Place, target: ir.Place, into: list[ir.Statement], *, moved: bool) -> None:
        kind, location = build.place_type(target), self.location(cursor)
        if not self.types.copies(kind):
            into.append(ir.Store(target, ir.Load(source, kind, location), location))
        elif isinstance(kind, ir.Array):
            into.append(build.counted(ir.Const(kind.count, ir.I32), location, lambda at: self._copy_element(cursor, source, target, at)))
        elif isinstance(kind, ir.Struct):
            constructor = self.types.copying(kind, moved=moved)
            if constructor is not None:
                construct_from(self, cursor, constructor, source, target, into)
                return
            for field in kind.fields:
                parts = (ir.Member(place, field, location, field.name) for place in (source, target))
                self._copy(cursor, next(parts), next(parts), into, moved=moved)

    def _copy_element(self, cursor: Cursor, source: ir.Place, target: ir.Place, index: ir.Expression) -> tuple[ir.Statement, ...]:
        kind, statements = build.place_type(target), list[ir.Statement]()
        assert isinstance(kind, ir.Array)
        parts = [ir.Element(place, index, kind.element, self.location(cursor)) for place in (source, target)]
        self._copy(cursor, parts[0], parts[1], statements, moved=False)
        return tuple(statements)

    def assigned(self, cursor: Cursor, callee: Cursor, target: ir.Place, right: Cursor, into: list[ir.Statement]) -> bool:
        """Assign an object that the compiler assigns: its old value ends, once the new one is there."""
        kind, location = build.place_type(target), self.location(cursor)
        if not self.types.copies(kind) and self.types.destructor(kind) is None:
            return False
        target = freeze(target, into)
        value = None
        if is_lvalue(self, right):
            value = self.copied(cursor, freeze(lvalue(self, right), into), moved=callee.is_move_assignment_operator_method())
        given = build.temporary("given", kind, location)
        into.append(ir.Declare(given, value or initial_value(self, right, kind), location))
        self.destroy(target, location, into)
        into.append(ir.Store(target, ir.Load(ir.Whole(given), kind, location), location))
        return True

    def listed(self, cursor: Cursor, kind: ir.Type | None) -> ir.Expression | None:
        """Make a std::initializer_list: an array, which ends with the statement, its first element and how many there are."""
        if not isinstance(kind, ir.Struct) or not kind.name.startswith(LISTS):
            return None
        array, location, statements = self.type_or_void(cursor, cursor.type), self.location(cursor), list[ir.Statement]()
        if not isinstance(array, ir.Array):
            return None
        variable = build.temporary("list", array, location)
        statements.append(ir.Declare(variable, initial_value(self, _braces(cursor), array), location))
        self.ends(cursor, variable, statements, temporary=True)
        count = build.constant(array.count, build.type_of(ir.Const(0, kind.fields[1].type)))
        made = ir.Make((decayed(ir.Whole(variable), location, "{}"), count), kind, location)
        return after(statements, made, location)

    def made_of(self, cursor: Cursor, kind: ir.Type) -> ir.Expression | None:
        """Make an element of a list by a constructor: libclang shows what is written, not what is called."""
        if not isinstance(kind, ir.Struct) or not self.types.constructors(kind):
            return None
        if cursor.kind is not K.INIT_LIST_EXPR and self.type_or_void(cursor, cursor.type) == kind:
            return None
        given = operands(cursor) if cursor.kind is K.INIT_LIST_EXPR else [cursor]
        if len(given) == 1 and given[0].kind is not K.INIT_LIST_EXPR and self.type_or_void(given[0], given[0].type) == kind:
            return None
        location, statements = self.location(cursor), list[ir.Statement]()
        variable = build.temporary("object", kind, location)
        statements.append(ir.Declare(variable, None, location))
        for constructor in self.types.constructors(kind):
            parameters = list(constructor.get_arguments())
            if len(parameters) == 1 and parameters[0].type.get_canonical().spelling.startswith(LISTS):
                return None if not isinstance(kind.fields[0].type, ir.Pointer) else self._filled(cursor, given, kind, constructor)
            if len(parameters) == len(given) and all(map(self._takes, parameters, given)):
                run_constructor(self, cursor, constructor, given, ir.Whole(variable), statements)
                return after(statements, ir.Load(ir.Whole(variable), kind, location), location)
        return None

    def _takes(self, parameter: Cursor, given: Cursor) -> bool:
        """Say whether a parameter can be given an expression."""
        if given.kind is K.INIT_LIST_EXPR:
            return True
        wanted, found = self.type_or_void(parameter, parameter.type), self.type_or_void(given, given.type)
        return wanted == found or (type(wanted), isinstance(found, ir.Pointer | ir.Array)) in ((ir.Scalar, False), (ir.Pointer, True))

    def _filled(self, cursor: Cursor, given: list[Cursor], kind: ir.Struct, constructor: Cursor) -> ir.Expression:
        """Make a container of the values between braces."""
        pointer, location, statements = kind.fields[0].type, self.location(cursor), list[ir.Statement]()
        assert isinstance(pointer, ir.Pointer)
        assert pointer.target is not None
        array = ir.Array(pointer.target, len(given))
        elements = tuple(initial_value(self, each, pointer.target) for each in given)
        values, variable = build.temporary("list", array, location), build.temporary("object", kind, location)
        statements.append(ir.Declare(values, ir.Make(elements, array, location), location))
        self.ends(cursor, values, statements, temporary=True)
        parameter = next(iter(constructor.get_arguments()))
        record = self.type(parameter)
        assert isinstance(record, ir.Struct)
        source = build.temporary("list", record, location)
        count = build.constant(len(given), record.fields[1].type)
        made = ir.Make((decayed(ir.Whole(values), location, ""), count), record, location)
        statements += [ir.Declare(source, made, location), ir.Declare(variable, None, location)]
        construct_from(self, cursor, constructor, ir.Whole(source), ir.Whole(variable), statements)
        return after(statements, ir.Load(ir.Whole(variable), kind, location), location)

    # ------------------------------------------------------------ ends

    def ends(self, cursor: Cursor, variable: ir.Variable, into: list[ir.Statement], *, temporary: bool = False) -> None:
        """Have an object destroyed where the block around it ends, or the statement."""
        if self.types.destructor(variable.type) is None:
            return
        statements: list[ir.Statement] = []
        self.destroy(ir.Whole(variable), variable.location, statements)
        if temporary and self._temporaries:
            flag = build.temporary("made", ir.BOOL, variable.location)
            into.append(ir.Store(ir.Whole(flag), YES, variable.location))
            self._temporaries[-1].append((flag, _if(flag, statements)))
            return
        if cursor.kind is K.VAR_DECL and self.frames and _gives(self, variable.type):
            flag = self._alive[cursor.hash] = build.temporary("alive", ir.BOOL, variable.location)
            into.append(ir.Declare(flag, YES, variable.location))
            statements = [_if(flag, statements)]
        into.append(ir.Defer(ir.Block(tuple(statements)), variable.location))

    def handed_over(self, cursor: Cursor, kind: ir.Type) -> ir.Expression | None:
        """Give a local object that is returned to the caller, as the compilers do, instead of a copy."""
        call = constructor_call(cursor)
        while call is not None and (call.referenced.is_copy_constructor() or call.referenced.is_move_constructor()):
            cursor = next(iter(call.get_arguments()))
            call = constructor_call(cursor)
        while cursor.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR) and len(operands(cursor)) == 1:
            (cursor,) = operands(cursor)
        flag = self._alive.get(cursor.referenced.hash) if cursor.kind is K.DECL_REF_EXPR and cursor.referenced is not None else None
        if flag is None:
            return None
        location = self.location(cursor)
        gone = ir.Store(ir.Whole(flag), NO, location)
        return after([gone], ir.Load(lvalue(self, cursor), kind, location), location)

    def unused(self, value: ir.Expression, location: ir.Location, into: list[ir.Statement]) -> None:
        """Evaluate an expression whose value is not used, and destroy it."""
        if value.type is None or self.types.destructor(value.type) is None:
            into.append(ir.Evaluate(value, location))
            return
        variable = build.temporary("unused", value.type, location)
        into.append(ir.Declare(variable, value, location))
        self.destroy(ir.Whole(variable), location, into)

    @contextmanager
    def full_statement(self, into: list[ir.Statement]) -> Iterator[None]:
        """Lower a statement, and destroy its temporary objects after it."""
        start, made = len(into), list[tuple[ir.Variable, ir.Statement]]()
        self._temporaries.append(made)
        try:
            yield
        finally:
            self._temporaries.pop()
        if not made:
            return
        into[start:start] = [ir.Declare(flag, NO, flag.location) for flag, _ in made]
        last = into[-1]
        if isinstance(last, ir.Return):
            into.pop()
            if last.value is not None and last.value.type is not None:
                result = build.temporary("result", last.value.type, last.location)
                into.append(ir.Declare(result, last.value, last.location))
                last = ir.Return(ir.Load(ir.Whole(result), result.type, last.location), last.location)
        into += [end for _, end in reversed(made)]
        if isinstance(last, ir.Return):
            into.append(last)

    def complete(self, lower: Callable[[Cursor], ir.Expression], cursor: Cursor) -> ir.Expression:
        """Lower an expression that stands by itself, and destroy its temporary objects."""
        statements: list[ir.Statement] = []
        with self.full_statement(statements):
            value = lower(cursor)
            statements.append(ir.Return(value, value.location if not isinstance(value, ir.Const | ir.Special) else self.location(cursor)))
        if len(statements) == 1:
            return value
        location = self.location(cursor)
        result = build.temporary("result", build.type_of(value), location)
        return ir.Inlined(ir.Block(tuple(statements)), result, value.type, location)

    def destroy(self, place: ir.Place, location: ir.Location, into: list[ir.Statement]) -> None:
        """End an object; the elements of an array from the last one on."""
        kind = build.place_type(place)
        if isinstance(kind, ir.Array):
            last = ir.Const(kind.count - 1, ir.I32)
            into.append(build.counted(ir.Const(kind.count, ir.I32), location, lambda at: self._destroy_element(place, last, at, location)))
        elif isinstance(kind, ir.Struct) and self.types.destructor(kind) is not None:
            self.destroy_at(build.address_of(place, location), kind, location, into)

    def destroy_at(self, pointer: ir.Expression, kind: ir.Struct, location: ir.Location, into: list[ir.Statement]) -> None:
        """End the object that a pointer leads to."""
        if kind.name not in self.enders:
            parameter = ir.Variable("this", VOID, ir.Space.REGISTER, location)
            self.enders[kind.name] = (ir.Function(f"~{kind.name}", (parameter,), None, location, ir.Block(())), kind)
        function, _ = self.enders[kind.name]
        into.append(ir.Evaluate(ir.Invoke(function, (build.cast(pointer, VOID, location),), None, location), location))

    def _destroy_element(
        self, array: ir.Place, last: ir.Expression, index: ir.Expression, location: ir.Location
    ) -> tuple[ir.Statement, ...]:
        kind, statements = build.place_type(array), list[ir.Statement]()
        assert isinstance(kind, ir.Array)
        back = build.binary(ir.Binary.SUBTRACT, last, index, ir.I32, location)
        self.destroy(ir.Element(array, back, kind.element, location), location, statements)
        return tuple(statements)

    def write_ender(self, function: ir.Function, kind: ir.Struct) -> None:
        """Write the body of what destroys objects of a class: its destructor, then its members, the last one first."""
        this, location = ir.Load(ir.Whole(function.parameters[0]), VOID, function.location), function.location
        statements: list[ir.Statement] = []
        written = self.types.destructor_of(kind)
        if written is not None:
            statements.append(ir.Evaluate(ir.Invoke(self.function(written, kind), (this,), None, location), location))
        whole = ir.Deref(build.cast(this, ir.Pointer(kind), location), kind, location)
        for field in reversed(kind.fields):
            self.destroy(ir.Member(whole, field, location), location, statements)
        function.body = ir.Block(tuple(statements))


def _braces(cursor: Cursor) -> Cursor:
    while cursor.kind is K.UNEXPOSED_EXPR and len(operands(cursor)) == 1:
        (cursor,) = operands(cursor)
    return cursor


def _if(flag: ir.Variable, statements: list[ir.Statement]) -> ir.Statement:
    return ir.If(ir.Load(ir.Whole(flag), ir.BOOL, flag.location), ir.Block(tuple(statements)), None, flag.location)


def _gives(context: Context, kind: ir.Type) -> bool:
    """Say whether the function that is lowered returns objects of a type."""
    function = context.frame.function
    return function.result_type.kind.name != "INVALID" and context.type_or_void(function, function.result_type) == kind


# ------------------------------------------------------------ new and delete


@lowers_rvalue(K.CXX_NEW_EXPR)
def lower_new(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `new T`, `new T(...)` and `new T[n]` of a host program; a kernel has none. The prelude's is given a place."""
    if not isinstance(context, ObjectContext):
        raise context.unsupported(cursor)
    location = context.location(cursor)
    pointer = context.type(cursor)
    assert isinstance(pointer, ir.Pointer)
    assert pointer.target is not None
    below, statements = operands(cursor), list[ir.Statement]()
    if context.unit.in_prelude(cursor):
        made = rvalue(context, below.pop(0))
    elif _ARRAY.match(context.unit.text_from(cursor, LOOKED_AT)) is not None:
        return _new_array(context, cursor, pointer, below)
    else:
        made = ir.Call("__tilescope_new", (ir.Const(size_of(pointer.target), SIZE),), VOID, location)
    address = keep_pointer(build.cast(made, pointer, location), statements)
    place = ir.Deref(address, pointer.target, location)
    if below and runs_constructor(context, below[-1]):
        construct(context, below[-1], place, statements)
    elif below and not is_trivial(context, below[-1]):
        statements.append(ir.Store(place, initial_value(context, below[-1], pointer.target), location))
    return after(statements, address, location)


def _new_array(context: ObjectContext, cursor: Cursor, pointer: ir.Pointer, below: list[Cursor]) -> ir.Expression:
    location, target, statements = context.location(cursor), pointer.target, list[ir.Statement]()
    constructs = len(below) > 1 and runs_constructor(context, below[-1])
    if len(below) > 1 and isinstance(target, ir.Struct) and not constructs and not is_trivial(context, below[-1]):
        raise context.refuse(cursor, message("Values for an array that is made by new are not supported: set them in a loop."))
    count = build.cast(rvalue(context, below[0]), SIZE, location)
    name = "__tilescope_new_zeroed" if len(below) > 1 and not isinstance(target, ir.Struct) else "__tilescope_new_array"
    made = ir.Call(name, (count, ir.Const(size_of(target), SIZE)), VOID, location)
    address = keep_pointer(build.cast(made, pointer, location), statements)
    if constructs and target is not None:
        statements.append(
            build.counted(_count(address, target, location), location, lambda at: _construct_at(context, below[-1], address, at))
        )
    return after(statements, address, location)


def _construct_at(context: Context, call: Cursor, first: ir.Expression, index: ir.Expression) -> tuple[ir.Statement, ...]:
    location, statements = context.location(call), list[ir.Statement]()
    construct(context, call, build.deref(build.offset(first, index, location), location), statements)
    return tuple(statements)


def _count(first: ir.Expression, target: ir.Type, location: ir.Location) -> ir.Expression:
    """Ask how many objects were made at an address; none at null."""
    return ir.Call("__tilescope_count", (first, ir.Const(size_of(target), SIZE)), SIZE, location)


@lowers_statement(K.CXX_DELETE_EXPR)
def lower_delete(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `delete p` and `delete[] p` of a host program."""
    if not isinstance(context, ObjectContext):
        raise context.unsupported(cursor)
    location = context.location(cursor)
    pointer = keep_pointer(rvalue(context, operands(cursor)[-1]), into)
    assert isinstance(pointer.type, ir.Pointer)
    kind = pointer.type.target
    array = context.unit.text_from(cursor, LOOKED_AT).removeprefix("delete").lstrip().startswith("[")
    if isinstance(kind, ir.Struct) and context.types.destructor(kind) is not None:
        last = build.binary(ir.Binary.SUBTRACT, _count(pointer, kind, location), ir.Const(1, SIZE), SIZE, location)

        def end(index: ir.Expression) -> tuple[ir.Statement, ...]:
            statements: list[ir.Statement] = []
            back = build.binary(ir.Binary.SUBTRACT, last, build.cast(index, SIZE, location), SIZE, location)
            context.destroy(build.deref(build.offset(pointer, back, location), location), location, statements)
            return tuple(statements)

        count = _count(pointer, kind, location) if array else ir.Const(1, ir.I32)
        if array:
            into.append(build.counted(count, location, end))
        else:
            statements: list[ir.Statement] = []
            context.destroy_at(pointer, kind, location, statements)
            there = ir.BinaryOp(ir.Binary.NOT_EQUAL, pointer, ir.Const(0, pointer.type), ir.BOOL, location)
            into.append(ir.If(there, ir.Block(tuple(statements)), None, location))
    name = "__tilescope_delete_array" if array else "__tilescope_delete"
    into.append(ir.Evaluate(ir.Call(name, (pointer,), None, location), location))
