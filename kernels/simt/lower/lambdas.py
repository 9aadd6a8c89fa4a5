"""Lambdas: nothing of one exists when the kernel runs. A call is inlined, with the names that the lambda captured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.addresses import root
from kernels.simt.lower.constructors import constructor_call
from kernels.simt.lower.context import Context, Frame
from kernels.simt.lower.libclang import initialiser
from kernels.simt.lower.places import operands
from kernels.simt.lower.refusals import LAMBDA, Consequence
from kernels.simt.lower.types import REFERENCES, is_empty, is_lambda

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind
WRAPPERS = (K.UNEXPOSED_EXPR, K.PAREN_EXPR, K.CXX_FUNCTIONAL_CAST_EXPR)


@dataclass(frozen=True)
class Closure:
    """What the names in a lambda's body mean: objects that are captured by reference are those of the function around it."""

    this: ir.Place | None
    places: dict[int, ir.Place] = field(default_factory=dict)
    values: dict[int, ir.Expression] = field(default_factory=dict)

    def enter(self, frame: Frame) -> None:
        """Make the frame of a call mean the same by its names."""
        frame.this = self.this
        frame.places.update(self.places)
        frame.values.update(self.values)


class Lambdas:
    """Knows which variables hold which lambda."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering
        self._held: dict[ir.Variable, Closure] = {}

    def hold(self, variable: ir.Variable, value: Cursor, into: list[ir.Statement]) -> None:
        """`variable` is initialised with `value`; what that captures by value is copied now."""
        if is_lambda(variable.type):
            self._held[variable] = self.closure(value, into)

    def closure(self, cursor: Cursor, into: list[ir.Statement]) -> Closure:
        """The lambda that an expression gives."""
        inner = self._unwrapped(cursor)
        if inner.kind is K.LAMBDA_EXPR:
            return self._made(inner, into)
        declaration = inner.referenced if inner.kind is K.DECL_REF_EXPR else None
        if declaration is not None and declaration.hash in self._context.frame.places:
            variable = root(self._lowering.places.lower(inner))
            if variable not in self._held:  # its declaration has been refused
                raise Consequence(self._context.location(cursor), LAMBDA)
            return self._held[variable]
        if declaration is not None and declaration.kind is K.VAR_DECL and (value := initialiser(declaration)) is not None:
            return self.closure(value, into)  # of file scope
        if inner.kind is K.MEMBER_REF_EXPR:  # its type has been refused
            raise Consequence(self._context.location(cursor), LAMBDA)
        raise self._context.refuse(cursor, LAMBDA)

    def _unwrapped(self, cursor: Cursor) -> Cursor:
        while True:
            below = operands(cursor)
            if cursor.kind in WRAPPERS and len(below) == 1:
                cursor = below[0]
            elif (call := constructor_call(cursor)) is not None:
                (cursor,) = call.get_arguments()
            else:
                return cursor

    def _made(self, cursor: Cursor, into: list[ir.Statement]) -> Closure:
        """A lambda where it is written. A capture and the name that it stands for have one location."""
        frame = self._context.frame
        named = list(_names(cursor))
        copies: dict[int, ir.Place] = {}
        this = frame.this
        for capture in cursor.type.get_canonical().get_fields():
            name = next((each for each in named if each.location == capture.location), None)
            by_reference = capture.type.get_canonical().kind in REFERENCES
            if name is None:
                if capture.type.get_canonical().kind is TypeKind.RECORD and this is not None:
                    this = self._copied("this", this, cursor, into)
                continue
            named.remove(name)
            if name.kind is K.VARIABLE_REF and name.referenced.location == capture.location:  # [x = value]
                self._lowering.variables.declare(name.referenced, into)
            elif not by_reference and name.referenced.hash in frame.places:
                copies[name.referenced.hash] = self._copied(name.spelling, frame.places[name.referenced.hash], name, into)
        return Closure(this, {**frame.places, **copies}, dict(frame.values))

    def _copied(self, name: str, place: ir.Place, cursor: Cursor, into: list[ir.Statement]) -> ir.Place:
        kind = build.place_type(place)
        if is_empty(kind):
            return place
        if isinstance(kind, ir.Array):
            reason = message("A lambda that copies an array is not supported: capture {name} by reference, with [&].", name=name)
            raise self._context.refuse(cursor, reason)
        variable = self._context.temporary(name, kind, self._context.location(cursor))
        into.append(ir.Declare(variable, self._lowering.expressions.load(place, cursor), variable.location))
        return ir.Whole(variable)


def _names(cursor: Cursor) -> Iterator[Cursor]:
    """The captures that are written, then the variables that the body names."""
    for each in cursor.walk_preorder():
        if each.kind in (K.VARIABLE_REF, K.DECL_REF_EXPR) and each.referenced is not None:
            yield each
