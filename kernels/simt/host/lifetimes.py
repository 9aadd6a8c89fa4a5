"""Objects of host programs: how they are copied, and when they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.host.types import HostTypes
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import decayed
from kernels.simt.lower.cursors import constructor_call, operands
from kernels.simt.lower.dispatch import lvalue
from kernels.simt.lower.initializers import between_braces, initial_value
from kernels.simt.lower.lvalues import after, freeze, is_lvalue
from kernels.simt.lower.objects import construct_from, run_constructor
from kernels.simt.lower.types import CLASS, VOID

K = CursorKind
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
LISTS = "std::initializer_list<"
YES, NO = (build.constant(value, ir.BOOL) for value in (1, 0))


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
        kind, location = ir.place_type(source), self.location(cursor)
        object_ = self.lambda_object(source, cursor)
        if object_ is not None or not self.types.copies(kind):
            return object_
        made, statements = build.temporary("copy", kind, location), list[ir.Statement]()
        statements.append(ir.Declare(made, None, location))
        self._copy(cursor, source, ir.Whole(made), statements, moved=moved)
        return after(statements, ir.Load(ir.Whole(made), kind, location), location)

    def _copy(self, cursor: Cursor, source: ir.Place, target: ir.Place, into: list[ir.Statement], *, moved: bool) -> None:
        kind, location = ir.place_type(target), self.location(cursor)
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
                if field.name == CLASS:
                    continue
                parts = (ir.Member(place, field, location, field.name) for place in (source, target))
                self._copy(cursor, next(parts), next(parts), into, moved=moved)
            self.becomes(target, location, into)

    def _copy_element(self, cursor: Cursor, source: ir.Place, target: ir.Place, index: ir.Expression) -> tuple[ir.Statement, ...]:
        kind, statements = ir.place_type(target), list[ir.Statement]()
        assert isinstance(kind, ir.Array)
        parts = [ir.Element(place, index, kind.element, self.location(cursor)) for place in (source, target)]
        self._copy(cursor, parts[0], parts[1], statements, moved=False)
        return tuple(statements)

    def assigned(self, cursor: Cursor, callee: Cursor, target: ir.Place, right: Cursor, into: list[ir.Statement]) -> bool:
        """Assign an object that the compiler assigns: member by member."""
        kind, location = ir.place_type(target), self.location(cursor)
        if not self.types.copies(kind) and self.types.destructor(kind) is None:
            return False
        target, moved = freeze(target, into), True
        if is_lvalue(self, right):
            source, moved = freeze(lvalue(self, right), into), callee.is_move_assignment_operator_method()
        else:
            given = build.temporary("given", kind, location)
            into.append(ir.Declare(given, initial_value(self, right, kind), location))
            self.ends(right, given, into, temporary=True)
            source = ir.Whole(given)
        self._assign(cursor, source, target, into, moved=moved)
        return True

    def _assign(self, cursor: Cursor, source: ir.Place, target: ir.Place, into: list[ir.Statement], *, moved: bool) -> None:
        """Assign the members of an object; of which class it is stays as it is."""
        location = self.location(cursor)
        for field in build.fields_of(ir.place_type(target)):
            if field.name == CLASS:
                continue
            from_, to = (ir.Member(place, field, location, field.name) for place in (source, target))
            kind = field.type
            written = self.types.assignment(kind, moved=moved) if isinstance(kind, ir.Struct) else None
            if not self.types.copies(kind) and self.types.destructor(kind) is None:
                into.append(ir.Store(to, ir.Load(from_, kind, location), location))
            elif written is not None:
                this = build.cast(build.address_of(to, location), VOID, location)
                called = self.function(written, kind)
                given = (this, build.address_of(from_, location))
                into.append(ir.Evaluate(ir.Invoke(called, given, called.result, location), location))
            elif isinstance(kind, ir.Struct):
                self._assign(cursor, from_, to, into, moved=moved)
            else:
                raise self.refuse(
                    cursor, message("An array of objects in an object that is assigned is not supported: assign its elements.")
                )

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
        """Make an element of a list by a constructor, or a list in one: libclang shows what is written, not what is called."""
        if isinstance(kind, ir.Struct) and kind.name.startswith(LISTS) and cursor.kind is K.INIT_LIST_EXPR:
            return self._list(cursor, kind)
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

    def _list(self, cursor: Cursor, kind: ir.Struct) -> ir.Expression | None:
        given, pointer = operands(cursor), kind.fields[0].type
        assert isinstance(pointer, ir.Pointer)
        assert pointer.target is not None
        if len(given) == 1 and self.type_or_void(given[0], given[0].type) == kind:
            return None
        location, statements, array = self.location(cursor), list[ir.Statement](), ir.Array(pointer.target, len(given))
        variable = build.temporary("list", array, location)
        elements = tuple(between_braces(self, each, pointer.target) for each in given)
        statements.append(ir.Declare(variable, ir.Make(elements, array, location), location))
        self.ends(cursor, variable, statements, temporary=True)
        made = (decayed(ir.Whole(variable), location, "{}"), build.constant(len(given), kind.fields[1].type))
        return after(statements, ir.Make(made, kind, location), location)

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
        elements = tuple(between_braces(self, each, pointer.target) for each in given)
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
        kind = ir.place_type(place)
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
        kind, statements = ir.place_type(array), list[ir.Statement]()
        assert isinstance(kind, ir.Array)
        back = build.binary(ir.Binary.SUBTRACT, last, index, ir.I32, location)
        self.destroy(ir.Element(array, back, kind.element, location), location, statements)
        return tuple(statements)

    def write_ender(self, function: ir.Function, kind: ir.Struct) -> None:
        """Write the body of what destroys objects of a class: its destructor, then its members, the last one first."""
        this, location = ir.Load(ir.Whole(function.parameters[0]), VOID, function.location), function.location
        statements: list[ir.Statement] = []
        written = self.types.destructor_of(kind)
        whole = ir.Deref(build.cast(this, ir.Pointer(kind), location), kind, location)
        if written is not None:
            self.becomes(whole, location, statements)
            statements.append(ir.Evaluate(ir.Invoke(self.function(written, kind), (this,), None, location), location))
        for field in reversed(kind.fields):
            self.destroy(ir.Member(whole, field, location), location, statements)
        function.body = ir.Block(tuple(statements))


def class_words(place: ir.Place, location: ir.Location) -> Iterator[ir.Place]:
    """Find the numbers of its class that an object has: the first, and one in each further base class that has virtual functions."""
    kind = ir.place_type(place)
    for field in kind.fields if isinstance(kind, ir.Struct) else ():
        part = ir.Member(place, field, location)
        if field.name == CLASS:
            yield part
        elif not field.name:
            yield from class_words(part, location)


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
