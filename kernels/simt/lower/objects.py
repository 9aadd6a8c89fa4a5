"""Objects that come into being: locals that are declared, and constructors, which are inlined on the new object (copies are loads)."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.bit_fields import bit_field, store_bits
from kernels.simt.lower.context import Context, Frame, Result
from kernels.simt.lower.cursors import (
    bare,
    constructor_call,
    defined,
    initializer,
    is_call_of_function,
    is_copy,
    is_reference,
    is_written,
    members_of,
)
from kernels.simt.lower.dispatch import add, lowers_statement, lvalue, rvalue
from kernels.simt.lower.initializers import (
    default_constructor,
    initial_value,
    is_trivial,
    leaves,
    member_default,
    runs_constructor,
    scalar_count,
)
from kernels.simt.lower.inlining import as_statements, bind, body_statements, caller, check_recursion
from kernels.simt.lower.lambdas import hold
from kernels.simt.lower.lvalues import after, freeze, is_lvalue
from kernels.simt.lower.names import bound, element_is_const, in_memory, is_static, reference, space_of
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.types import CLASS, NOTHING, is_empty, is_lambda

MOST_ELEMENTS = 1024


@lowers_statement(CursorKind.VAR_DECL)
def lower_variable(context: Context, declaration: Cursor, into: list[ir.Statement]) -> None:
    """Lower the declaration of a variable in a function."""
    if space_of(declaration) is not None:
        in_memory(context, declaration, declaration)
        return
    if context.declared(declaration, into):
        return
    frame = context.frame
    value = initializer(declaration)
    if is_reference(declaration.type):
        assert value is not None
        frame.places[declaration.hash] = bound(context, value, declaration, into)
        return
    if is_static(declaration):
        if context.keeps_statics:
            in_memory(context, declaration, declaration)
            context.begun_once(declaration, into)
        else:
            _check_static(context, declaration)
        return
    location = context.location(declaration)
    kind = context.type(declaration)
    variable = ir.Variable(declaration.spelling, kind, ir.Space.REGISTER, location)
    frame.places[declaration.hash] = ir.Whole(variable)
    if value is not None and context.types.destructor(kind) is None and hold(context, variable, value, into):
        if is_empty(kind) and not is_lambda(kind) and is_call_of_function(value):
            made: list[ir.Statement] = []
            add(context, bare(value), made)  # which gives nothing to keep, but may do something
            into.extend(each for each in made if not (isinstance(each, ir.Evaluate) and isinstance(each.expression, ir.Make)))
        return
    if not is_empty(kind) or context.types.destructor(kind) is not None:
        _initialize(context, declaration, variable, value, into)
        context.ends(declaration, variable, into)


def _check_static(context: Context, declaration: Cursor) -> None:
    """Refuse a static variable that can be written."""
    if not (declaration.type.get_canonical().is_const_qualified() or element_is_const(declaration)):
        raise context.refuse(
            declaration,
            message("A static variable is not supported: make {name} __shared__ or __device__.", name=declaration.spelling),
        )


def _initialize(context: Context, declaration: Cursor, variable: ir.Variable, value: Cursor | None, into: list[ir.Statement]) -> None:
    location = variable.location
    if value is not None and runs_constructor(context, value):
        into.append(ir.Declare(variable, None, location))
        construct(context, value, ir.Whole(variable), into)
        return
    if value is None or is_trivial(context, value):
        into.append(ir.Declare(variable, None, location))
        return
    initial = initial_value(context, value, variable.type)
    into.append(ir.Declare(variable, initial, location))
    if isinstance(initial, ir.Const) and declaration.type.get_canonical().is_const_qualified():
        context.frame.values[declaration.hash] = initial


def constructed(context: Context, call: Cursor) -> ir.Expression:
    """Lower a constructor call to the object as a value."""
    location = context.location(call)
    if is_copy(call.referenced):
        source = next(iter(call.get_arguments()))
        if not context.types.copies(context.type(call)) or not is_lvalue(context, source):
            return rvalue(context, source)
        statements: list[ir.Statement] = []
        place = freeze(lvalue(context, source), statements)
        copied = context.copied(call, place, moved=call.referenced.is_move_constructor())
        return rvalue(context, source) if copied is None else after(statements, copied, location)
    kind = context.type(call)
    context.refuse_destructor(call, kind)
    if is_trivial(context, call):
        return build.zero(kind, location)
    variable = build.temporary("object", kind, location)
    statements = [ir.Declare(variable, None, location)]
    construct(context, call, ir.Whole(variable), statements)
    statements.append(ir.Return(ir.Load(ir.Whole(variable), kind, location), location))
    result = build.temporary("result", kind, location)
    return ir.Inlined(ir.Block(tuple(statements)), result, kind, location)


def construct(context: Context, cursor: Cursor, target: ir.Place, into: list[ir.Statement]) -> None:
    """Run the constructor that `cursor` calls on `target`."""
    call = constructor_call(cursor)
    assert call is not None
    run_constructor(context, call, defined(call.referenced), list(call.get_arguments()), target, into)


def run_constructor(
    context: Context, cursor: Cursor, constructor: Cursor | None, arguments: list[Cursor], target: ir.Place, into: list[ir.Statement]
) -> None:
    """Run a constructor; without one that is written, initialize the members alone."""
    kind = ir.place_type(target)
    location = context.location(cursor)
    if isinstance(kind, ir.Array):
        count = ir.Const(kind.count, ir.I32)
        into.append(build.counted(count, location, lambda index: _each(context, cursor, constructor, target, index)))
        return
    function = context.frame.function if constructor is None else constructor
    frame = Frame(function, this=target, caller=caller(context, cursor, function), result=Result.NOTHING)
    if constructor is not None:
        check_recursion(context, cursor, constructor)
        if _is_inherited(constructor):
            _run_inherited(context, cursor, constructor, arguments, target, into)
            return
        bind(context, frame, cursor, arguments, into)
    with context.entered(frame):
        _head(context, cursor, constructor, target, into)
        statements = body_statements(context, constructor) if constructor is not None and is_written(constructor) else ()
    into.extend(as_statements(statements, location))


def _is_inherited(constructor: Cursor) -> bool:
    """Say whether it is one that `using Base::Base` gives: it has the name of the base, and parameters without names."""
    name, owner = (str(each.spelling).partition("<")[0] for each in (constructor, constructor.semantic_parent))
    return name != owner


def _run_inherited(
    context: Context, cursor: Cursor, constructor: Cursor, arguments: list[Cursor], target: ir.Place, into: list[ir.Statement]
) -> None:
    """Run a constructor that `using Base::Base` gives a class: that of the base on its part, then the members alone."""
    kind, location = ir.place_type(target), context.location(cursor)
    assert isinstance(kind, ir.Struct)
    wanted = [each.type.get_canonical().spelling for each in constructor.get_arguments()]
    for field, declaration in context.types.members(kind):
        if declaration.kind is not CursorKind.CXX_BASE_SPECIFIER:
            continue
        record = declaration.type.get_canonical().get_declaration()
        there = [each for each in context.types.instantiated(record) or members_of(record) if each.kind is CursorKind.CONSTRUCTOR]
        found = next((each for each in there if [a.type.get_canonical().spelling for a in each.get_arguments()] == wanted), None)
        passed_on = constructor if any(each.kind is CursorKind.USING_DECLARATION for each in members_of(record)) else None
        if found is None and passed_on is None:
            continue
        base = ir.Member(target, field, location, field.name)
        run_constructor(context, cursor, passed_on if found is None else defined(found), arguments, base, into)
        with context.entered(Frame(constructor, this=target, caller=caller(context, cursor, constructor), result=Result.NOTHING)):
            _members(context, cursor, {}, target, kind, into, begun=field)
        return
    raise context.unsupported(cursor)


def construct_from(
    context: Context, cursor: Cursor, constructor: Cursor, source: ir.Place, target: ir.Place, into: list[ir.Statement]
) -> None:
    """Run a copy or move constructor on `target`, given the object at `source`."""
    frame = Frame(constructor, this=target, caller=caller(context, cursor, constructor), result=Result.NOTHING)
    check_recursion(context, cursor, constructor)
    frame.places[next(iter(constructor.get_arguments())).hash] = source
    with context.entered(frame):
        _head(context, cursor, constructor, target, into)
        statements = body_statements(context, constructor)
    into.extend(as_statements(statements, context.location(cursor)))


def _each(context: Context, cursor: Cursor, constructor: Cursor | None, array: ir.Place, index: ir.Expression) -> tuple[ir.Statement, ...]:
    """Run the same constructor on one element."""
    kind = ir.place_type(array)
    assert isinstance(kind, ir.Array)
    statements: list[ir.Statement] = []
    run_constructor(context, cursor, constructor, [], ir.Element(array, index, kind.element, context.location(cursor)), statements)
    return tuple(statements)


def _head(context: Context, at: Cursor, constructor: Cursor | None, target: ir.Place, into: list[ir.Statement]) -> None:
    """Lower the head of a constructor: another one of the class, or the members."""
    kind = ir.place_type(target)
    assert isinstance(kind, ir.Struct)
    for child in constructor.get_children() if constructor is not None else ():
        call = constructor_call(child)
        if call is not None and constructor is not None and call.referenced.semantic_parent == constructor.semantic_parent:
            construct(context, child, target, into)
            return
    _members(context, at, member_initializers(constructor), target, kind, into)


def _members(
    context: Context, at: Cursor, given: dict[str, Cursor], target: ir.Place, kind: ir.Struct, into: list[ir.Statement],
    begun: ir.Field | None = None,
) -> None:  # fmt: skip
    """Initialize the members that the constructor's head or their own declarations give a value; the part `begun` has its own."""
    is_base = True
    if kind.fields and kind.fields[0].name == NOTHING:
        location = context.location(at)
        into.append(ir.Store(ir.Member(target, kind.fields[0], location), build.zero(kind.fields[0].type, location), location))
    for index, (field, declaration) in enumerate(context.types.members(kind)):
        if is_base and field.name and field.name != CLASS:
            context.becomes(target, context.location(at), into)
            is_base = False
        if field.name == CLASS or field is begun:
            continue
        name = field.name or (field.type.name if isinstance(field.type, ir.Struct) else "")
        cursor = given.get(name) or member_default(context, kind, index)
        member = ir.Member(target, field, context.location(cursor or at), field.name)
        if not is_empty(field.type):
            _initialize_member(context, declaration, member, cursor, into)
    if is_base:
        context.becomes(target, context.location(at), into)


def _initialize_member(context: Context, declaration: Cursor, member: ir.Member, value: Cursor | None, into: list[ir.Statement]) -> None:
    kind, location = member.field.type, member.location
    bits = bit_field(context, member)
    if bits is not None:
        if value is not None:
            store_bits(context, member, bits, initial_value(context, value, kind), into)
    elif value is not None and is_reference(declaration.type):
        into.append(ir.Store(member, reference(context, value, declaration, into), location))
    elif value is None:
        if not leaves(context, declaration, kind):
            run_constructor(context, declaration, default_constructor(context, declaration), [], member, into)
    elif runs_constructor(context, value):
        construct(context, value, member, into)
    elif isinstance(kind, ir.Array):
        _store_elements(context, member, initial_value(context, value, kind), location, into)
    elif not is_trivial(context, value):
        into.append(ir.Store(member, initial_value(context, value, kind), location))


def _store_elements(context: Context, array: ir.Place, value: ir.Expression, location: ir.Location, into: list[ir.Statement]) -> None:
    """Store an array element by element: arrays have no assignment."""
    kind = ir.place_type(array)
    assert isinstance(kind, ir.Array)
    members = value.members if isinstance(value, ir.Make) else ()
    if scalar_count(kind) > MOST_ELEMENTS:
        raise Refusal(location, message("An array of more than {most} elements in a constructor: set it in a loop.", most=MOST_ELEMENTS))
    for index in range(kind.count):
        element = ir.Element(array, ir.Const(index, ir.I32), kind.element, location)
        given = members[index] if index < len(members) else build.zero(kind.element, location)
        if isinstance(kind.element, ir.Array):
            _store_elements(context, element, given, location, into)
        else:
            into.append(ir.Store(element, given, location))


def member_initializers(constructor: Cursor | None) -> dict[str, Cursor]:
    """Find the initializers in the head of a constructor, by member."""
    found: dict[str, Cursor] = {}
    name = ""
    for child in constructor.get_children() if constructor is not None else ():
        if child.kind is CursorKind.MEMBER_REF:
            name = child.spelling
        elif child.kind is CursorKind.TYPE_REF:  # of a base class
            name = child.type.get_canonical().spelling
        elif name and child.kind.is_expression():
            found[name] = child
            name = ""
    return found
