"""Objects that are made by a constructor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context, Frame, Result
from kernels.simt.lower.initials import scalar_count
from kernels.simt.lower.libclang import body_of, members_of, template_of
from kernels.simt.lower.loops import counted
from kernels.simt.lower.places import bare, operands
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.types import is_empty

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

MOST_ELEMENTS = 1024
WRAPPERS = (CursorKind.UNEXPOSED_EXPR, CursorKind.CXX_FUNCTIONAL_CAST_EXPR, CursorKind.PAREN_EXPR)


class Constructors:
    """Lowers constructor calls: copies are loads, others are inlined on the new object."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def runs(self, cursor: Cursor) -> bool:
        """Whether an initialiser runs a constructor on the object itself."""
        call = constructor_call(cursor)
        return call is not None and not is_copy(call.referenced) and not self.trivial(call)

    def trivial(self, cursor: Cursor) -> bool:
        """Whether an initialiser is a constructor that leaves the object as it is."""
        call = constructor_call(cursor)
        if call is None or is_copy(call.referenced) or is_written(call.referenced):
            return False
        return self._untouched(self._context.type(call))

    def _untouched(self, kind: ir.Type) -> bool:
        """Whether nothing initialises the members of an object that is declared without an initialiser."""
        while isinstance(kind, ir.Array):
            kind = kind.element
        if not isinstance(kind, ir.Struct):
            return True
        members = self._context.types.members(kind)
        return all(
            self._lowering.initials.member_default(kind, index) is None and self._leaves(member, field.type)
            for index, (field, member) in enumerate(zip(kind.fields, members, strict=True))
        )

    def _leaves(self, member: Cursor, kind: ir.Type) -> bool:
        """Whether a member's class leaves it as it is."""
        return self._default(member) is None and self._untouched(kind)

    def _default(self, member: Cursor) -> Cursor | None:
        """The constructor that a member's class has for objects without an initialiser, if it is written."""
        written = member.type.get_canonical()
        while written.kind is TypeKind.CONSTANTARRAY:
            written = written.element_type
        record = written.get_declaration()
        for child in members_of(record):
            constructs = child.kind is CursorKind.CONSTRUCTOR and child.is_default_constructor() and is_written(child)
            if template_of(record) is not None and (constructs or self._lowering.initials.has_default(child)):
                reason = message("What initialises {name} is in a template: write {{}} behind {name}.", name=member.spelling)
                raise self._context.refuse(member, reason)
            if constructs:
                return child
        return None

    def value(self, call: Cursor) -> ir.Expression:
        """The object as a value."""
        location = self._context.location(call)
        if is_copy(call.referenced):
            (source,) = call.get_arguments()
            return self._lowering.expressions.value(source)
        kind = self._context.type(call)
        self._context.refuse_destructor(call, kind)
        if self.trivial(call):
            return build.zero(kind, location)
        variable = self._context.temporary("object", kind, location)
        statements: list[ir.Statement] = [ir.Declare(variable, None, location)]
        self.run(call, ir.Whole(variable), statements)
        statements.append(ir.Return(ir.Load(ir.Whole(variable), kind, location), location))
        result = self._context.temporary("result", kind, location)
        return ir.Inlined(ir.Block(tuple(statements)), result, kind, location)

    def run(self, cursor: Cursor, target: ir.Place, into: list[ir.Statement]) -> None:
        """Run the constructor that `cursor` calls on `target`."""
        call = constructor_call(cursor)
        assert call is not None
        self._construct(call, defined(call.referenced), list(call.get_arguments()), target, into)

    def _construct(
        self, cursor: Cursor, constructor: Cursor | None, arguments: list[Cursor], target: ir.Place, into: list[ir.Statement]
    ) -> None:
        """Without a constructor that is written, the members alone."""
        kind = build.place_type(target)
        calls, location = self._lowering.calls, self._context.location(cursor)
        if isinstance(kind, ir.Array):
            into.append(counted(self._context, kind, location, lambda index: self._each(cursor, constructor, target, index)))
            return
        assert isinstance(kind, ir.Struct)
        function = self._context.frame.function if constructor is None else constructor
        frame = Frame(function, this=target, caller=calls.caller(cursor, function), result=Result.NOTHING)
        if constructor is not None:
            calls.check_recursion(cursor, constructor)
            self._lowering.parameters.bind(frame, arguments, into)
        with self._context.entered(frame):
            self._members(cursor, member_initialisers(constructor), target, kind, into)
            statements = self._lowering.statements.body(constructor) if constructor is not None and is_written(constructor) else ()
        into.extend(calls.as_statements(statements, location))

    def _each(self, cursor: Cursor, constructor: Cursor | None, array: ir.Place, index: ir.Expression) -> tuple[ir.Statement, ...]:
        """The same constructor on one element."""
        kind = build.place_type(array)
        assert isinstance(kind, ir.Array)
        statements: list[ir.Statement] = []
        self._construct(cursor, constructor, [], ir.Element(array, index, kind.element, self._context.location(cursor)), statements)
        return tuple(statements)

    def _members(self, at: Cursor, given: dict[str, Cursor], target: ir.Place, kind: ir.Struct, into: list[ir.Statement]) -> None:
        """The members that the constructor's head or their own declarations initialise."""
        for index, (field, declaration) in enumerate(zip(kind.fields, self._context.types.members(kind), strict=True)):
            cursor = given.get(field.name) or self._lowering.initials.member_default(kind, index)
            location = self._context.location(cursor or at)
            member = ir.Member(target, field, location, field.name)
            if is_empty(field.type):
                continue
            if cursor is None:
                if not self._leaves(declaration, field.type):
                    self._construct(declaration, self._default(declaration), [], member, into)
            elif self.runs(cursor):
                self.run(cursor, member, into)
            elif isinstance(field.type, ir.Array):
                self._elements(member, self._lowering.initials.value(cursor, field.type), location, into)
            elif not self.trivial(cursor):
                into.append(ir.Store(member, self._lowering.initials.value(cursor, field.type), location))

    def _elements(self, array: ir.Place, value: ir.Expression, location: ir.Location, into: list[ir.Statement]) -> None:
        """Arrays have no assignment: element by element."""
        kind = build.place_type(array)
        assert isinstance(kind, ir.Array)
        members = value.members if isinstance(value, ir.Make) else ()
        if scalar_count(kind) > MOST_ELEMENTS:
            raise Refusal(
                location, message("An array of more than {most} elements in a constructor: set it in a loop.", most=MOST_ELEMENTS)
            )
        for index in range(kind.count):
            element = ir.Element(array, ir.Const(index, ir.I32), kind.element, location)
            given = members[index] if index < len(members) else build.zero(kind.element, location)
            if isinstance(kind.element, ir.Array):
                self._elements(element, given, location, into)
            else:
                into.append(ir.Store(element, given, location))


def constructor_call(cursor: Cursor) -> Cursor | None:
    """The call of a constructor that an initialiser is."""
    while cursor.kind in WRAPPERS:
        below = operands(cursor)
        if len(below) != 1:
            return None
        cursor = bare(below[0])
    if cursor.kind is not CursorKind.CALL_EXPR or cursor.referenced is None or cursor.referenced.kind is not CursorKind.CONSTRUCTOR:
        return None
    return cursor


def is_copy(constructor: Cursor) -> bool:
    """A copy or move that the compiler writes."""
    copies = constructor.is_copy_constructor() or constructor.is_move_constructor()
    return bool(copies) and not is_written(constructor)


def is_written(method: Cursor) -> bool:
    """Whether a method's body is the program's: the compiler writes those that are left out, or are `= default`."""
    return not method.is_default_method() and body_of(defined(method)) is not None


def defined(function: Cursor) -> Cursor:
    """The definition of a function, or its declaration where there is none."""
    return function.get_definition() or function


def member_initialisers(constructor: Cursor | None) -> dict[str, Cursor]:
    """The initialisers in the head of a constructor, by member."""
    found: dict[str, Cursor] = {}
    name = ""
    for child in constructor.get_children() if constructor is not None else ():
        if child.kind is CursorKind.MEMBER_REF:
            name = child.spelling
        elif name and child.kind.is_expression():
            found[name] = child
            name = ""
    return found
