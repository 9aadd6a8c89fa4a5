"""Pointers to functions: a number for each function whose address is taken, and calls through one, which choose by that number.

The number comes from the function's name, so that host and kernels, read one by one, mean the same by it; it is the address of no array.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context, Frame, Result
from kernels.simt.lower.cursors import bare, body_of, defined, is_reference, operands
from kernels.simt.lower.dispatch import rvalue
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import argument_or_default, as_statements, body_statements, caller, check_recursion
from kernels.simt.lower.lvalues import keep
from kernels.simt.lower.names import bound, function_number, is_on_device
from kernels.simt.lower.types import VOID, is_empty

K = CursorKind
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD)
FUNCTION_TYPES = (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO)
NO_FUNCTION = "__tilescope_no_function"
"""What is called where a pointer points to no function of the device."""
Lowered = ir.Expression | list[ir.Statement]


def points_to_function(kind: Type) -> bool:
    """Say whether a type is one of functions, or a pointer or a reference to it."""
    kind = kind.get_canonical()
    if kind.kind in (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
        kind = kind.get_pointee().get_canonical()
    return kind.kind in FUNCTION_TYPES


def called_pointer(call: Cursor) -> Cursor | None:
    """Find the pointer that a function is called through: `f` in `f(x)` and `(*f)(x)`."""
    called = next(iter(call.get_children()), None)
    while called is not None and called.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR, K.UNARY_OPERATOR):
        below = operands(called)
        if len(below) != 1 or not points_to_function(below[0].type):
            break
        called = below[0]
    return called if called is not None and points_to_function(called.type) else None


def call_through(context: Context, call: Cursor, pointer: Cursor, result: Result) -> Lowered | Cursor:
    """Lower a call through a pointer; give the function instead where the pointer's value is known."""
    written = pointer.type.get_canonical()
    prototype = written if written.kind in FUNCTION_TYPES else written.get_pointee().get_canonical()
    lowered = context.through(call, pointer, prototype, result)
    if lowered is not None:
        return lowered
    functions = [each for each in _functions(context) if prototype_of(each.type) == prototype_of(prototype)]
    value = rvalue(context, pointer)
    location = context.location(call)
    if isinstance(value, ir.Const):
        known = next((each for each in functions if function_number(each) == value.value), None)
        if known is not None:
            return known
        functions = []
    statements: list[ir.Statement] = []
    value = keep(value, "function", statements)
    arguments = [_argument(context, functions[0], *each, statements) for each in enumerate(call.get_arguments())] if functions else []
    kind = context.type_or_void(call, prototype.get_result())
    if kind is not None and result is Result.ADDRESS:
        kind = ir.Pointer(kind)
    chosen = None if kind is None or result is Result.NOTHING else build.temporary("returned", kind, location)
    nothing = ir.Call(NO_FUNCTION, (), None, location)
    choice: tuple[ir.Statement, ...] = (ir.Evaluate(nothing, location),)
    for function in reversed(functions):
        test = build.binary(ir.Binary.EQUAL, value, ir.Const(function_number(function), VOID), ir.BOOL, location)
        body = ir.Block(tuple(_body(context, call, function, arguments, chosen, result)))
        choice = (ir.If(test, body, ir.Block(choice), location),)
    if chosen is None:
        return [*statements, *choice]
    given = build.temporary("result", chosen.type, location)
    after = ir.Return(ir.Load(ir.Whole(chosen), chosen.type, location), location)
    return ir.Inlined(ir.Block((*statements, ir.Declare(chosen, None, location), *choice, after)), given, chosen.type, location)


def _argument(context: Context, function: Cursor, position: int, argument: Cursor, into: list[ir.Statement]) -> ir.Place:
    """Compute an argument once, for whichever function is called."""
    parameter = list(function.get_arguments())[position]
    argument = argument_or_default(context, function, position, argument)
    kind = context.type(parameter)
    if is_empty(kind):
        raise context.unsupported(argument)
    if is_reference(parameter.type):
        return bound(context, argument, parameter, into)
    variable = ir.Variable(parameter.spelling, kind, ir.Space.REGISTER, context.location(argument))
    into.append(ir.Declare(variable, initial_value(context, argument, kind), variable.location))
    return ir.Whole(variable)


def _body(
    context: Context, call: Cursor, function: Cursor, arguments: list[ir.Place], chosen: ir.Variable | None, result: Result
) -> list[ir.Statement]:
    """Lower what one of the functions does, and keep what it returns in `chosen`."""
    check_recursion(context, call, function)
    frame = Frame(function, caller=caller(context, call, function), result=result)
    frame.places.update((parameter.hash, place) for parameter, place in zip(function.get_arguments(), arguments, strict=True))
    with context.entered(frame):
        body = body_statements(context, function)
    location = context.location(call)
    if chosen is None:
        return as_statements(body, location)
    given = build.temporary(function.spelling, chosen.type, location)
    return [ir.Store(ir.Whole(chosen), ir.Inlined(ir.Block(body), given, chosen.type, location), location)]


def prototype_of(kind: Type) -> str:
    """Name the type of a function by its result and parameters."""
    return str(kind.get_canonical().spelling).removesuffix(" noexcept").removesuffix(" const")


def _functions(context: Context) -> tuple[Cursor, ...]:
    """List the functions of the device whose address is taken: in the text, and in the template's instance that is lowered."""
    if context.pointed is None:
        kernel = context.frames[0].function
        roots = [kernel]
        roots += (each for each in kernel.translation_unit.cursor.get_children() if not context.unit.in_prelude(each))
        taken = (each for root in roots for each in _taken(root) if is_on_device(each))
        found = {function_number(each): each for each in taken}
        context.pointed = tuple(found.values())
    return context.pointed


def _taken(root: Cursor) -> Iterator[Cursor]:
    """Find the functions that are named below a cursor and not called there."""
    waiting = [root]
    while waiting:
        cursor = waiting.pop()
        below = list(cursor.get_children())
        named = cursor.referenced if cursor.kind is K.DECL_REF_EXPR else None
        if named is not None and named.kind in FUNCTIONS:
            function = defined(named)
            if body_of(function) is not None and (named.kind is K.FUNCTION_DECL or named.is_static_method()):
                yield function
        if cursor.kind is K.CALL_EXPR and below and _names_function(below[0]):
            below.pop(0)
        waiting.extend(below)


def _names_function(cursor: Cursor) -> bool:
    """Say whether a call's first part is no more than the name of a function."""
    cursor = bare(cursor)
    while cursor.kind is K.UNEXPOSED_EXPR and len(below := operands(cursor)) == 1:
        cursor = bare(below[0])
    return bool(cursor.kind is K.DECL_REF_EXPR and cursor.referenced is not None and cursor.referenced.kind in FUNCTIONS)
