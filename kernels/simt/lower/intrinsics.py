"""Known functions: barriers, printf, assert, cached loads, atomics, and those that stay calls."""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Cursor, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.declared_functions import Known
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.conversions import condition_of, convert
from kernels.simt.lower.cursors import string_codes, string_literal
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.initializers import initial_value
from kernels.simt.lower.inlining import argument_or_default
from kernels.simt.lower.shared_addresses import generic_address, shared_address

TO_SHARED = "__cvta_generic_to_shared"
GRID_SYNC = "__tilescope_grid_sync"
REDUCING = "__syncthreads_"
Lowered = ir.Expression | list[ir.Statement]


def known_call(context: Context, cursor: Cursor, callee: Cursor, kind: Known) -> Lowered:
    """Lower the call of a known function."""
    return _KNOWN.get(kind, _call)(context, cursor, callee)


def _arguments(context: Context, cursor: Cursor, callee: Cursor, first: int = 0) -> tuple[ir.Expression, ...]:
    parameters: list[Cursor | None] = list(callee.get_arguments())
    arguments = [argument_or_default(context, callee, position, given) for position, given in enumerate(cursor.get_arguments())]
    parameters += [None] * (len(arguments) - len(parameters))
    return tuple(_argument(context, *each) for each in zip(arguments[first:], parameters[first:], strict=False))


def _argument(context: Context, argument: Cursor, parameter: Cursor | None) -> ir.Expression:
    """Lower an argument; a struct that is passed by reference is passed by its address."""
    by_reference = parameter is not None and parameter.type.get_canonical().kind is TypeKind.LVALUEREFERENCE
    if by_reference and isinstance(context.type(argument), ir.Struct):
        return build.address_of(lvalue(context, argument), context.location(argument))
    value = rvalue(context, argument)
    if parameter is None:
        return value
    return convert(context, value, context.type(parameter), argument)


def _call(context: Context, cursor: Cursor, callee: Cursor) -> Lowered:
    kind = context.type_or_void(cursor, cursor.type)
    return ir.Call(callee.spelling, _arguments(context, cursor, callee), kind, context.location(cursor))


def _lane(*_: object) -> Lowered:
    return ir.Special("laneid")


def _shared_address(context: Context, cursor: Cursor, callee: Cursor) -> Lowered:
    location = context.location(cursor)
    (given,) = (build.cast(each, ir.U64, location) for each in _arguments(context, cursor, callee))
    found = (shared_address if callee.spelling == TO_SHARED else generic_address)(given, context.cluster, location)
    return build.cast(found, context.type(cursor), location)


def _vector(context: Context, cursor: Cursor, callee: Cursor) -> Lowered:
    return ir.Make(_arguments(context, cursor, callee), context.type(cursor), context.location(cursor))


def _barrier(context: Context, cursor: Cursor, callee: Cursor) -> Lowered:
    location = context.location(cursor)
    arguments = _arguments(context, cursor, callee)
    if callee.spelling == "__syncwarp":
        return [ir.Barrier(ir.Scope.WARP, arguments[0], location)]
    if not arguments:
        scope = ir.Scope.GRID if callee.spelling == GRID_SYNC else ir.Scope.BLOCK
        return [ir.Barrier(scope, None, location)]
    reduce = callee.spelling.removeprefix(REDUCING)
    target, result = (build.temporary(name, ir.I32, location) for name in ("joined", "result"))
    barrier = ir.Barrier(ir.Scope.BLOCK, None, location, reduce, arguments[0], target)
    value = ir.Load(ir.Whole(target), ir.I32, location)
    body = ir.Block((ir.Declare(target, None, location), barrier, ir.Return(value, location)))
    return ir.Inlined(body, result, ir.I32, location)


def _print(context: Context, cursor: Cursor, _: Cursor) -> Lowered:
    text, *arguments = cursor.get_arguments()
    values = tuple(rvalue(context, argument) for argument in arguments)
    return [ir.Print(_constant_text(context, text), values, context.location(cursor))]


def _constant_text(context: Context, cursor: Cursor) -> str:
    literal = string_literal(cursor)
    if literal is None:
        raise context.refuse(cursor, message('The format of printf must stand there: write printf("...", values).'))
    return string_codes(literal).decode("utf-8", "surrogateescape")


def _assertion(context: Context, cursor: Cursor, _: Cursor) -> Lowered:
    condition, text = cursor.get_arguments()
    test = condition_of(context, condition)
    return [ir.Assertion(test, _constant_text(context, text), context.location(cursor))]


def _target(context: Context, argument: Cursor) -> ir.Place:
    """Find what a pointer argument points to, as it is written."""
    pointer = rvalue(context, argument)
    location = context.location(argument)
    written = context.text(argument)
    text = written[1:] if written.startswith("&") else f"*({written})" if written else ""
    if isinstance(pointer, ir.Cast) and isinstance(pointer.operand, ir.AddressOf) and pointer.operand.type == pointer.type:
        pointer = pointer.operand
    return build.deref(pointer, location, text)


def _load(context: Context, cursor: Cursor, _: Cursor) -> Lowered:
    place = _target(context, next(iter(cursor.get_arguments())))
    return ir.Load(place, ir.place_type(place), context.location(cursor))


def _store(context: Context, cursor: Cursor, _: Cursor) -> Lowered:
    pointer, value = cursor.get_arguments()
    place = _target(context, pointer)
    stored = initial_value(context, value, ir.place_type(place))
    return [ir.Store(place, stored, context.location(cursor))]


def _atomic(context: Context, cursor: Cursor, callee: Cursor) -> Lowered:
    location = context.location(cursor)
    place = _target(context, next(iter(cursor.get_arguments())))
    rest = _arguments(context, cursor, callee, first=1)
    pointer = ir.AddressOf(place, ir.Pointer(ir.place_type(place)), location)
    return ir.Call(callee.spelling, (pointer, *rest), context.type(cursor), location)


_KNOWN: dict[Known, Callable[[Context, Cursor, Cursor], Lowered]] = {
    Known.VECTOR: _vector,
    Known.BARRIER: _barrier,
    Known.PRINT: _print,
    Known.ASSERT: _assertion,
    Known.LOAD: _load,
    Known.STORE: _store,
    Known.LANE: _lane,
    Known.ADDRESS: _shared_address,
    Known.ATOMIC: _atomic,
}
