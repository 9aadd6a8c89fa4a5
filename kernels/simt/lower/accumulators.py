"""Checks at sums of wgmma: until their group has been waited for, what is in their registers is not known.

Which elements of which variable a product adds to is told before it (`wgmma.sums`); before a statement that reads one of these variables
otherwise, the element is asked about (`wgmma.used`). Whether a group has been waited for is known only as the kernel is executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from kernels.simt import ir
from kernels.simt.lower import build

_APART = (ir.Block, ir.If, ir.Loop, ir.Switch)
"""Statements of others: what is right below them is looked at by itself."""
_PURE = (ir.Const, ir.Load, ir.BinaryOp, ir.UnaryOp, ir.Cast, ir.Special)


class Accumulators:
    """The variables of a kernel that products add to, by number, and what an asm statement itself reads of them."""

    def __init__(self) -> None:
        self._numbers: dict[ir.Variable, int] = {}
        self._operands: set[ir.Variable] = set()

    def announce(self, places: Sequence[tuple[ir.Place, ir.Variable]], location: ir.Location) -> list[ir.Statement]:
        """Tell which elements the products of an asm statement add to: places, and the operands that hold them meanwhile."""
        self._operands |= {operand for _, operand in places}
        if not places:
            return []
        variable = build.root(places[0][0])
        elements = [_element(place) for place, _ in places]
        if variable is None or elements[0] is None or any(build.root(place) is not variable for place, _ in places):
            return []
        number = self._numbers.setdefault(variable, len(self._numbers))
        given = (build.constant(number, ir.I32), elements[0], build.constant(len(places), ir.I32))
        return [ir.Evaluate(ir.Call("wgmma.sums", given, None, location), location)]

    def checked(self, body: ir.Block) -> ir.Block:
        """The kernel's body with checks where sums are read."""
        found = self._inside(body) if self._numbers else body
        assert isinstance(found, ir.Block)
        return found

    def _inside(self, node: Any) -> Any:
        """Rewrite all blocks within a node."""
        if not hasattr(node, "__dataclass_fields__") or isinstance(node, ir.Variable):
            return node
        if isinstance(node, ir.Block):
            return ir.Block(tuple(new for each in node.statements for new in (*self._checks(each), self._inside(each))))
        changes = {}
        for name in (each.name for each in fields(node)):
            value = getattr(node, name)
            new = tuple(map(self._inside, value)) if isinstance(value, tuple) else self._inside(value)
            if new is not value and new != value:
                changes[name] = new
        return replace(node, **changes) if changes else node

    def _checks(self, statement: Any) -> list[ir.Statement]:
        """Ask about the sums that a statement itself reads."""
        if isinstance(statement, ir.Declare) and statement.variable in self._operands:
            return []
        found: list[ir.Statement] = []
        waiting = [statement.condition] if isinstance(statement, ir.If) else [] if isinstance(statement, _APART) else [statement]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ir.Block) or not hasattr(node, "__dataclass_fields__") or isinstance(node, ir.Variable | ir.Location):
                continue
            if isinstance(node, ir.Load) and build.root(node.place) in self._numbers:
                found += self._asked(node)
            for value in (getattr(node, each.name) for each in fields(node)):
                waiting += value if isinstance(value, tuple) else [value]
        return found

    def _asked(self, node: ir.Load) -> list[ir.Statement]:
        element, variable = _element(node.place), build.root(node.place)
        if element is None or variable is None:
            return []
        given = (build.constant(self._numbers[variable], ir.I32), element)
        return [ir.Evaluate(ir.Call("wgmma.used", given, None, node.location), node.location)]


def _element(place: ir.Place) -> ir.Expression | None:
    """Which scalar of a variable of arrays a place is, counted through; None where that would have to be computed twice."""
    total: ir.Expression = build.constant(0, ir.I32)
    size = 1
    while isinstance(place, ir.Element):
        if not _is_pure(place.index):
            return None
        index = build.cast(place.index, ir.I32, place.location)
        part = build.binary(ir.Binary.MULTIPLY, index, build.constant(size, ir.I32), ir.I32, place.location)
        total = build.binary(ir.Binary.ADD, total, part, ir.I32, place.location)
        held = ir.place_type(place.array)
        size *= held.count if isinstance(held, ir.Array) else 1
        place = place.array
    return total if isinstance(place, ir.Whole) else None


def _is_pure(node: ir.Expression) -> bool:
    if not isinstance(node, _PURE) or (isinstance(node, ir.Load) and not isinstance(node.place, ir.Whole)):
        return False
    below = [getattr(node, each.name) for each in fields(node) if each.name in ("left", "right", "operand")]
    return all(_is_pure(each) for each in below)
