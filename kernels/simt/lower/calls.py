"""Calls: device functions are inlined, known functions become calls or the statement that they are."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.device_launches import CONFIGURATION
from kernels.simt.lower import build, refusals
from kernels.simt.lower.context import Context, Frame, Result
from kernels.simt.lower.conversions import base_part, read, store_vector, vector_elements
from kernels.simt.lower.cursors import bare, body_of, defined, is_written, operands, returns_reference, template_argument
from kernels.simt.lower.dispatch import lowers_lvalue, lowers_rvalue, lowers_statement, lvalue, rvalue
from kernels.simt.lower.function_pointers import call_through, called_pointer
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import STACK_OVERFLOW, as_statements, assigns, bind, body_statements, caller, overflows, returned
from kernels.simt.lower.intrinsics import Lowered, known_call
from kernels.simt.lower.lambdas import closure, is_of_lambda
from kernels.simt.lower.launches import is_device_kernel, lower_device_launch
from kernels.simt.lower.lvalues import freeze, keep_pointer, settled
from kernels.simt.lower.names import bound
from kernels.simt.lower.objects import constructed
from kernels.simt.lower.types import is_empty

K = CursorKind
IGNORED = ("__builtin_assume", "__builtin_unreachable", "__builtin_prefetch", CONFIGURATION)
SAME = ("move", "forward")
"""Functions of C++ that give what they are given; the compiler knows them without their bodies."""
METHODS = (K.CXX_METHOD, K.CONVERSION_FUNCTION)


@lowers_rvalue(K.CALL_EXPR)
def lower_call(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower a call to its value."""
    callee = _callee(context, cursor)
    if callee is None:
        return _valued(_through(context, cursor, Result.VALUE), context.location(cursor))
    if callee.kind is K.CONSTRUCTOR:
        return constructed(context, cursor)
    if returns_reference(cursor):
        return read(context, cursor)
    return _valued(_lower(context, cursor, callee, Result.VALUE), context.location(cursor))


def _valued(lowered: Lowered, location: ir.Location) -> ir.Expression:
    return ir.Inlined(ir.Block(tuple(lowered)), None, None, location) if isinstance(lowered, list) else lowered


@lowers_lvalue(K.CALL_EXPR)
def lower_call_result(context: Context, cursor: Cursor) -> ir.Place:
    """Lower a call to the object that it gives a reference to."""
    location = context.location(cursor)
    return build.deref(_reference(context, cursor), location, context.text(cursor))


def _reference(context: Context, cursor: Cursor) -> ir.Expression:
    """Give the address of what a call gives a reference to."""
    callee = _callee(context, cursor)
    if callee is not None and _is_plain_assignment(callee):
        statements: list[ir.Statement] = []
        place = freeze(_assign(context, cursor, statements), statements)
        location = context.location(cursor)
        address = build.address_of(place, location)
        result = build.temporary("address", build.type_of(address), location)
        return ir.Inlined(ir.Block((*statements, ir.Return(address, location))), result, address.type, location)
    lowered = _through(context, cursor, Result.ADDRESS) if callee is None else _lower(context, cursor, callee, Result.ADDRESS)
    if isinstance(lowered, list):
        raise context.unsupported(cursor)
    return lowered


@lowers_statement(K.CALL_EXPR)
def lower_call_statement(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower a call whose value is not used."""
    callee = _callee(context, cursor)
    location = context.location(cursor)
    if callee is not None and _is_plain_assignment(callee):
        _assign(context, cursor, into)
    elif callee is not None and callee.kind is K.CONSTRUCTOR:
        context.unused(constructed(context, cursor), location, into)
    else:
        lowered = _through(context, cursor, Result.NOTHING) if callee is None else _lower(context, cursor, callee, Result.NOTHING)
        into.extend(lowered if isinstance(lowered, list) else [ir.Evaluate(lowered, location)])


def _callee(context: Context, cursor: Cursor) -> Cursor | None:
    """Find the function that a call names; None where it is called through a pointer."""
    callee = cursor.referenced or template_argument(cursor)
    if callee is not None and callee.kind not in (K.VAR_DECL, K.PARM_DECL, K.FIELD_DECL):
        return callee
    if called_pointer(cursor) is None:
        raise context.refuse(
            cursor, message("Only functions that are known by name can be called: write the name of a __device__ function.")
        )
    return None


def _through(context: Context, cursor: Cursor, result: Result) -> Lowered:
    """Lower a call through a pointer to a function."""
    pointer = called_pointer(cursor)
    assert pointer is not None
    lowered = call_through(context, cursor, pointer, result)
    return _inline(context, cursor, lowered, result) if isinstance(lowered, Cursor) else lowered


def _is_plain_assignment(callee: Cursor) -> bool:
    """Say whether it is an `operator=` that the compiler writes: the whole object is stored."""
    return bool(callee.spelling == "operator=" and callee.kind is K.CXX_METHOD and not is_written(callee))


def _assign(context: Context, cursor: Cursor, into: list[ir.Statement]) -> ir.Place:
    """Store the whole object, and give where."""
    left, right = cursor.get_arguments()
    target = lvalue(context, left)
    if context.assigned(cursor, cursor.referenced, target, right, into):
        return target
    target, value = settled(target, initial_value(context, right, ir.place_type(target)), into)
    location = context.location(cursor)
    parts = vector_elements(target)
    if parts is not None:
        into.extend(store_vector(parts, value, location))
    elif not is_empty(ir.place_type(target)):
        into.append(ir.Store(target, value, location))
    return target


def _lower(context: Context, cursor: Cursor, callee: Cursor, result: Result) -> Lowered:
    """Lower the call of a function by what is known of it: its body, its name, or its value."""
    function, given = defined(callee), list(cursor.get_arguments())
    if callee.spelling in SAME and len(given) == 1 and context.unit.in_prelude(callee):
        return build.address_of(lvalue(context, given[0]), context.location(cursor))
    called = context.call(cursor, callee, result)
    if called is not None:
        return called
    if is_device_kernel(function):
        return lower_device_launch(context, cursor, function)
    if body_of(function) is not None:
        return _inline(context, cursor, function, result)
    kind = context.unit.known(callee)
    if kind is not None:
        return known_call(context, cursor, callee, kind)
    value = context.unit.evaluate(cursor)
    if value is not None:
        return build.constant(value, context.type(cursor))
    if callee.spelling == "__builtin_expect":
        return rvalue(context, next(iter(cursor.get_arguments())))
    if callee.spelling in IGNORED:
        return []
    raise context.refuse(cursor, refusals.undefined(callee, in_prelude=context.unit.in_prelude(callee)))


def _inline(context: Context, cursor: Cursor, function: Cursor, result: Result) -> Lowered:
    if overflows(context, function):
        location = context.location(cursor)
        return _finished(context, cursor, function, result, [ir.Evaluate(ir.Call(STACK_OVERFLOW, (), None, location), location)])
    frame = Frame(function, caller=caller(context, cursor, function), result=result)
    statements: list[ir.Statement] = []
    arguments = list(cursor.get_arguments())
    objects: list[ir.Statement] = []
    if is_of_lambda(function):
        closure(context, arguments.pop(0), objects).enter(frame)
    elif function.kind in METHODS and not function.is_static_method():
        frame.this = _object(context, cursor, function, arguments, objects)
    plain = _plain_result(function)
    bind(context, frame, cursor, arguments, statements, plain is not None)
    statements[len(statements) if assigns(function) else 0 : 0] = objects
    with context.entered(frame):
        if plain is not None and not statements and result is not Result.NOTHING:
            return returned(context, plain)
        statements.extend(body_statements(context, function))
    return _finished(context, cursor, function, result, statements)


def _finished(context: Context, cursor: Cursor, function: Cursor, result: Result, statements: list[ir.Statement]) -> Lowered:
    location = context.location(cursor)
    kind = context.type_or_void(cursor, function.result_type)
    if kind is None or result is Result.NOTHING:
        return as_statements(tuple(statements), location)
    if result is Result.ADDRESS:
        kind = ir.Pointer(kind)
    given_back = ir.Variable(function.spelling, kind, ir.Space.REGISTER, location)
    return ir.Inlined(ir.Block(tuple(statements)), given_back, kind, location)


def _plain_result(function: Cursor) -> Cursor | None:
    """Find the expression of a function that is nothing but `return expression;`."""
    body = body_of(function)
    assert body is not None
    statements = list(body.get_children())
    if len(statements) != 1 or statements[0].kind is not K.RETURN_STMT:
        return None
    return next(iter(statements[0].get_children()), None)


def _object(context: Context, cursor: Cursor, function: Cursor, arguments: list[Cursor], into: list[ir.Statement]) -> ir.Place | None:
    """Find what `this` is; for an operator it is taken from the front of `arguments`."""
    if len(arguments) > len(list(function.get_arguments())):
        base = arguments.pop(0)
    else:
        member = bare(next(iter(cursor.get_children())))
        below = operands(member)
        if not below:
            return _this_part(context, cursor, function)
        base = below[0]
    kind = context.type(base)
    while (is_empty(kind) or (isinstance(kind, ir.Pointer) and is_empty(kind.target))) and base.kind is K.UNEXPOSED_EXPR and operands(base):
        base = operands(base)[0]  # of an empty base class: the object knows more
        kind = context.type(base)
    if is_empty(kind) or (isinstance(kind, ir.Pointer) and is_empty(kind.target)):
        return ir.Whole(build.temporary("this", kind, context.location(base)))
    if isinstance(kind, ir.Pointer):
        pointer = keep_pointer(rvalue(context, base), into)
        return build.deref(pointer, context.location(base))
    return bound(context, base, base, into)


def _this_part(context: Context, cursor: Cursor, function: Cursor) -> ir.Place | None:
    """Find what `this` is in another method of the same object: in one of a base class, that part."""
    this = context.frame.this
    owner = context.type_or_void(cursor, function.semantic_parent.type)
    if this is None or owner is None:
        return this
    return base_part(this, owner, context.location(cursor)) or this
