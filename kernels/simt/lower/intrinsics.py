"""Known functions: barriers, printf, assert, cached loads, atomics, and those that stay calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clang.cindex import Cursor, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.known import Known
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.places import string_literal
from kernels.simt.lower.strings import string

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

REDUCING = "__syncthreads_"
Lowered = ir.Expression | list[ir.Statement]


class Intrinsics:
    """Lowers calls of functions that the interpreter knows."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering
        self._handlers: dict[Known, Callable[[Cursor, Cursor], Lowered]] = {
            Known.VECTOR: self._vector,
            Known.BARRIER: self._barrier,
            Known.PRINT: self._print,
            Known.ASSERT: self._assertion,
            Known.LOAD: self._load,
            Known.STORE: self._store,
            Known.LANE: self._lane,
            Known.ATOMIC: self._atomic,
        }

    def lower(self, cursor: Cursor, callee: Cursor, kind: Known) -> Lowered:
        """A call of a known function."""
        return self._handlers.get(kind, self._call)(cursor, callee)

    def _arguments(self, cursor: Cursor, callee: Cursor, first: int = 0) -> tuple[ir.Expression, ...]:
        parameters: list[Cursor | None] = list(callee.get_arguments())
        arguments = [self._lowering.parameters.given(callee, position, given) for position, given in enumerate(cursor.get_arguments())]
        parameters += [None] * (len(arguments) - len(parameters))
        return tuple(map(self._argument, arguments[first:], parameters[first:]))

    def _argument(self, argument: Cursor, parameter: Cursor | None) -> ir.Expression:
        """A struct that is passed by reference is passed by its address."""
        by_reference = parameter is not None and parameter.type.get_canonical().kind is TypeKind.LVALUEREFERENCE
        if by_reference and isinstance(self._context.type(argument), ir.Struct):
            return build.address_of(self._lowering.places.lower(argument), self._context.location(argument))
        value = self._lowering.expressions.value(argument)
        if parameter is None:
            return value
        return self._lowering.expressions.convert(value, self._context.type(parameter), argument)

    def _call(self, cursor: Cursor, callee: Cursor) -> Lowered:
        kind = self._context.type_or_void(cursor, cursor.type)
        return ir.Call(callee.spelling, self._arguments(cursor, callee), kind, self._context.location(cursor))

    def _lane(self, *_: Cursor) -> Lowered:
        return ir.Special("laneid")

    def _vector(self, cursor: Cursor, callee: Cursor) -> Lowered:
        return ir.Make(self._arguments(cursor, callee), self._context.type(cursor), self._context.location(cursor))

    def _barrier(self, cursor: Cursor, callee: Cursor) -> Lowered:
        location = self._context.location(cursor)
        arguments = self._arguments(cursor, callee)
        if callee.spelling == "__syncwarp":
            return [ir.Barrier(ir.Scope.WARP, arguments[0], location)]
        if not arguments:
            return [ir.Barrier(ir.Scope.BLOCK, None, location)]
        reduce = callee.spelling.removeprefix(REDUCING)
        target, result = (self._context.temporary(name, ir.I32, location) for name in ("joined", "result"))
        barrier = ir.Barrier(ir.Scope.BLOCK, None, location, reduce, arguments[0], target)
        value = ir.Load(ir.Whole(target), ir.I32, location)
        body = ir.Block((ir.Declare(target, None, location), barrier, ir.Return(value, location)))
        return ir.Inlined(body, result, ir.I32, location)

    def _print(self, cursor: Cursor, _: Cursor) -> Lowered:
        text, *arguments = cursor.get_arguments()
        values = tuple(map(self._lowering.expressions.value, arguments))
        return [ir.Print(self._constant_text(text), values, self._context.location(cursor))]

    def _constant_text(self, cursor: Cursor) -> str:
        literal = string_literal(cursor)
        if literal is None:
            raise self._context.refuse(cursor, message('The format of printf must stand there: write printf("...", values).'))
        return string(literal)

    def _assertion(self, cursor: Cursor, _: Cursor) -> Lowered:
        condition, text = cursor.get_arguments()
        test = self._lowering.expressions.condition(condition)
        return [ir.Assertion(test, self._constant_text(text), self._context.location(cursor))]

    def _target(self, argument: Cursor) -> ir.Place:
        """What a pointer argument points to, as it is written."""
        pointer = self._lowering.expressions.value(argument)
        location = self._context.location(argument)
        written = self._context.text(argument)
        text = written[1:] if written.startswith("&") else f"*({written})" if written else ""
        if isinstance(pointer, ir.Cast) and isinstance(pointer.operand, ir.AddressOf) and pointer.operand.type == pointer.type:
            pointer = pointer.operand
        return build.deref(pointer, location, text)

    def _load(self, cursor: Cursor, _: Cursor) -> Lowered:
        place = self._target(next(iter(cursor.get_arguments())))
        return ir.Load(place, build.place_type(place), self._context.location(cursor))

    def _store(self, cursor: Cursor, _: Cursor) -> Lowered:
        pointer, value = cursor.get_arguments()
        place = self._target(pointer)
        stored = self._lowering.initials.value(value, build.place_type(place))
        return [ir.Store(place, stored, self._context.location(cursor))]

    def _atomic(self, cursor: Cursor, callee: Cursor) -> Lowered:
        location = self._context.location(cursor)
        place = self._target(next(iter(cursor.get_arguments())))
        rest = self._arguments(cursor, callee, first=1)
        pointer = ir.AddressOf(place, ir.Pointer(build.place_type(place)), location)
        return ir.Call(callee.spelling, (pointer, *rest), self._context.type(cursor), location)
