"""Loops over all elements of an array: `for (float x : values)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.bindings import is_binding
from kernels.simt.lower.context import Context
from kernels.simt.lower.loops import counted
from kernels.simt.lower.places import bare
from kernels.simt.lower.types import REFERENCES

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind
ARRAYS_ONLY = message("A loop over anything but an array is not supported: count with an index, for (int i = 0; i < n; ++i).")


class Ranges:
    """Lowers range-based for to a loop that counts."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def for_(self, cursor: Cursor, unroll: int | None, into: list[ir.Statement]) -> None:
        """`for (declaration : range) body`; before them may stand an initial statement."""
        *before, variable, range_, body = cursor.get_children()
        statements: list[ir.Statement] = []
        for each in before:
            self._lowering.statements.lower(each, statements)
        array = self._array(range_, statements)
        kind = build.place_type(array)
        if not isinstance(kind, ir.Array):
            raise self._context.refuse(range_, ARRAYS_ONLY)
        location = self._context.location(cursor)
        place, text, element = self._context.location(range_), self._context.text(range_), kind.element

        def round_(index: ir.Expression) -> tuple[ir.Statement, ...]:
            inner: list[ir.Statement] = []
            self._declare(variable, ir.Element(array, index, element, place, text), inner)
            return (*inner, *self._lowering.statements.block(body).statements)

        statements.append(counted(self._context, kind, location, round_, unroll))
        into.append(ir.Block(tuple(statements)))

    def _array(self, range_: Cursor, into: list[ir.Statement]) -> ir.Place:
        if self._lowering.places.is_place(range_):
            return self._lowering.places.freeze(self._lowering.places.lower(range_), into)
        values = _braces(range_)
        if values is None:
            raise self._context.refuse(range_, ARRAYS_ONLY)
        given = list(values.get_children())
        kind = ir.Array(self._context.type(given[0]), len(given))
        variable = self._context.temporary("values", kind, self._context.location(range_))
        into.append(ir.Declare(variable, self._lowering.initials.value(values, kind), variable.location))
        return ir.Whole(variable)

    def _declare(self, variable: Cursor, element: ir.Element, into: list[ir.Statement]) -> None:
        """The variable of one round."""
        if is_binding(variable):
            self._lowering.bindings.bind(variable, element, into)
            return
        kind, frame = self._context.type(variable), self._context.frame
        if variable.type.get_canonical().kind in REFERENCES and kind == element.type:
            frame.places[variable.hash] = element
            return
        value = self._lowering.expressions.convert(self._lowering.expressions.load(element, variable), kind, variable)
        local = ir.Variable(variable.spelling, kind, ir.Space.REGISTER, self._context.location(variable))
        frame.places[variable.hash] = ir.Whole(local)
        into.append(ir.Declare(local, value, local.location))


def _braces(cursor: Cursor) -> Cursor | None:
    """The list between braces that an initialiser list is made from."""
    while bare(cursor).kind is K.UNEXPOSED_EXPR:
        below = list(bare(cursor).get_children())
        if len(below) != 1:
            return None
        cursor = below[0]
    return cursor if cursor.kind is K.INIT_LIST_EXPR else None
