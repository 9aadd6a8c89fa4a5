"""Functions that are inlined: their parameters, each bound to its argument as a variable, a place or a value, and their bodies."""

from __future__ import annotations

from math import log

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context, Frame, Result
from kernels.simt.lower.cursors import body_of, defined, is_reference, operands
from kernels.simt.lower.dispatch import block, lvalue
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.jumps import structured
from kernels.simt.lower.lambdas import hold
from kernels.simt.lower.lvalues import keep_pointer
from kernels.simt.lower.names import bound
from kernels.simt.lower.refusals import Refusal

K = CursorKind


def caller(context: Context, cursor: Cursor, function: Cursor) -> ir.Location | None:
    """Give the location of everything in `function`, where that is not the user's text."""
    return context.location(cursor) if context.unit.in_prelude(function) else None


def check_recursion(context: Context, cursor: Cursor, function: Cursor) -> None:
    """Refuse a function that calls itself, directly or not."""
    if any(frame.function == function for frame in context.frames):
        raise context.refuse(cursor, message("{name} calls itself, which is not supported: write a loop.", name=function.spelling))


STACK_OVERFLOW = "__tilescope_stack_overflow"
"""What is called where a function calls itself more often than is followed."""
MOST_DEEP = 24
"""Calls within calls of functions that call themselves: a frame of CUDA's takes 16 bytes and more of a stack of 1024."""
_MOST_BODIES = 256


def overflows(context: Context, function: Cursor) -> bool:
    """Say whether a function stands within itself as often as is followed: each call is inlined anew, so where a body calls several times
    their number doubles from one to the next."""
    functions = [frame.function for frame in context.frames]
    if function not in functions:
        return False
    cycle = functions[functions.index(function) :]
    sites = max(_calls(body_of(each), cycle) for each in cycle)
    levels = MOST_DEEP if sites < 2 else int(log(_MOST_BODIES, sites)) - 1
    return len(cycle) >= levels


def _calls(cursor: Cursor | None, functions: list[Cursor]) -> int:
    """Count the calls of some functions."""
    if cursor is None:
        return 0
    here = cursor.kind is K.CALL_EXPR and cursor.referenced is not None and defined(cursor.referenced) in functions
    return here + sum(_calls(child, functions) for child in cursor.get_children())


def bind(context: Context, frame: Frame, call: Cursor, arguments: list[Cursor], into: list[ir.Statement], plain: bool = False) -> None:
    """Bind the parameters of a function to their arguments, computed in the caller."""
    parameters = list(frame.function.get_arguments())
    order = list(enumerate(zip(parameters, arguments, strict=False)))
    for position, (parameter, argument) in reversed(order) if from_right(context, frame.function, call) else order:
        argument = argument_or_default(context, frame.function, position, argument)
        kind = context.type(parameter)
        if is_reference(parameter.type):
            frame.places[parameter.hash] = bound(context, argument, parameter, into)
            continue
        location = context.location(argument)
        variable = ir.Variable(parameter.spelling, kind, ir.Space.REGISTER, location)
        if hold(context, variable, argument, into):
            frame.places[parameter.hash] = ir.Whole(variable)
            continue
        value = initial_value(context, argument, kind)
        if _replaces(value, plain) and parameter.hash in _only_read(context, frame.function):
            frame.values[parameter.hash] = keep_pointer(value, into) if isinstance(value, ir.AddressOf) else value
            continue
        frame.places[parameter.hash] = ir.Whole(variable)
        into.append(ir.Declare(variable, value, location))
        context.ends(argument, variable, into)


def _replaces(value: ir.Expression, plain: bool) -> bool:
    """Say whether a parameter can stand for its argument instead of a variable of its own. In a function that is one expression
    (`plain`) an index may be computed where it is used; floating-point operations are counted, so they are never repeated."""
    return isinstance(value, (ir.Const, ir.Special, ir.AddressOf)) or (plain and _in_registers(value))


def argument_or_default(context: Context, function: Cursor, position: int, argument: Cursor) -> Cursor:
    """Give the argument, or the default that is declared for it."""
    if argument.kind is not K.UNEXPOSED_EXPR or argument.location.line or list(argument.get_children()):
        return argument
    for declaration in (function, function.canonical):
        default = operands(list(declaration.get_arguments())[position])
        if default:
            return default[-1]
    raise context.unsupported(argument)


def _only_read(context: Context, function: Cursor) -> frozenset[int]:
    """Find the parameters that a function reads and nothing else."""
    found = context.read_only.get(function.hash)
    if found is None:
        other: set[int] = set()
        _collect_uses(body_of(function), None, other)
        found = frozenset(parameter.hash for parameter in function.get_arguments()) - other
        context.read_only[function.hash] = found
    return found


def assigns(function: Cursor) -> bool:
    """Say whether it is an overloaded `=`, `+=` and so on: what stands on the right is evaluated before what stands on the left."""
    name: str = function.spelling
    return name.startswith("operator") and name.endswith("=") and name.removeprefix("operator") not in ("==", "!=", "<=", ">=")


def from_right(context: Context, function: Cursor, call: Cursor) -> bool:
    """Say whether the arguments of a call are evaluated from right to left: on the host as the GNU compiler does, which nvcc calls.
    Those in braces, and of most operators, have an order in C++."""
    if assigns(function):
        return True
    name: str = function.spelling
    ordered = (name.startswith("operator") and name != "operator()") or context.unit.text_of(call).endswith("}")
    return not context.has_threads and not ordered


def _is_integer(value: ir.Expression) -> bool:
    return isinstance(value.type, ir.Scalar) and value.type.kind is not ir.Kind.FLOAT


def _in_registers(value: ir.Expression) -> bool:
    """Say whether a value is a register's, or integer arithmetic on registers."""
    match value:
        case ir.Const() | ir.Special():
            return True
        case ir.Load(place=ir.Whole(variable=variable)):
            return variable.space is ir.Space.REGISTER
        case ir.Cast() | ir.UnaryOp():
            return _is_integer(value.operand) and _in_registers(value.operand)
        case ir.BinaryOp():
            return _is_integer(value.left) and _in_registers(value.left) and _in_registers(value.right)
    return False


def _collect_uses(cursor: Cursor | None, parent: Cursor | None, into: set[int]) -> None:
    """Collect names that are used other than to read their value."""
    if cursor is None:
        return
    if cursor.kind is K.DECL_REF_EXPR and cursor.referenced is not None and cursor.referenced.kind is K.PARM_DECL:
        if parent is None or parent.kind is not K.UNEXPOSED_EXPR or parent.type.get_canonical().kind != cursor.type.get_canonical().kind:
            into.add(cursor.referenced.hash)
        return
    for child in cursor.get_children():
        _collect_uses(child, cursor, into)


def body_statements(context: Context, function: Cursor) -> tuple[ir.Statement, ...]:
    """Lower the statements of a function's body."""
    found = body_of(function)
    statements = block(context, found).statements if found is not None else ()
    if context.jumps:
        return statements
    kind = function.result_type
    returns_value = context.frame.result is not Result.NOTHING and kind.kind is not TypeKind.INVALID
    result = context.type_or_void(function, kind) if returns_value else None
    try:
        return structured(statements, ir.Pointer(result) if result is not None and context.frame.result is Result.ADDRESS else result)
    except Refusal as refusal:
        context.note(refusal)
        return ()


def returned(context: Context, value: Cursor) -> ir.Expression:
    """Lower what `return value;` gives the caller of the function that is being inlined."""
    function, result = context.frame.function, context.frame.result
    if result is Result.ADDRESS:
        place = lvalue(context, value)
        return build.address_of(place, context.location(value))
    kind = context.type_or_void(value, function.result_type)
    assert kind is not None
    return context.handed_over(value, kind) or initial_value(context, value, kind)


def as_statements(body: tuple[ir.Statement, ...], location: ir.Location) -> list[ir.Statement]:
    """Make statements of a body without a value: its own where nothing in it returns early."""
    if body and isinstance(body[-1], ir.Return):
        body = body[:-1]
    if any(returns(statement) for statement in body):
        return [ir.Evaluate(ir.Inlined(ir.Block(body), None, None, location), location)]
    return [ir.Block(body)] if any(isinstance(statement, ir.Defer) for statement in body) else list(body)


def returns(statement: ir.Statement | None) -> bool:
    """Say whether a statement can leave the function that it stands in."""
    match statement:
        case ir.Return():
            return True
        case ir.Block(statements=body) | ir.Switch(body=body):
            return any(map(returns, body))
        case ir.If():
            return returns(statement.then) or returns(statement.otherwise)
        case ir.Loop():
            return returns(statement.body)
    return False
