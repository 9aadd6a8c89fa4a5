"""Questions about finished nodes: which variables have their address taken, and what does more than compute a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from kernels.simt import ir
from kernels.simt.frontend.known import KNOWN, Known

PURE = (Known.MATH, Known.CONVERT, Known.BITS)
"""Functions that give a value and do nothing else, where they give one."""
LEAVES = (ir.Const, ir.Special, ir.Location, ir.Variable, ir.Field, ir.Scalar, ir.Struct, ir.Array, ir.Pointer)


def nodes(node: object) -> Iterator[object]:
    """A node and all nodes below it, in the order of the text."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            pending.extend(reversed(current))
        elif is_dataclass(current) and not isinstance(current, LEAVES):
            yield current
            pending.extend(getattr(current, field.name) for field in reversed(fields(current)) if field.name not in ("type", "location"))


def mark_addressed(body: ir.Block) -> None:
    """Set `addressed` on every register variable whose address the body uses as a value."""
    for node in nodes(body):
        if isinstance(node, ir.AddressOf):
            variable = root(node.place)
            if variable is not None and variable.space is ir.Space.REGISTER:
                variable.addressed = True


def root(place: ir.Place) -> ir.Variable | None:
    """The variable that a place is a part of; None behind a pointer."""
    while not isinstance(place, ir.Whole):
        if isinstance(place, ir.Deref):
            return None
        place = place.array if isinstance(place, ir.Element) else place.record
    return place.variable


def has_effects(node: ir.Place | ir.Expression) -> bool:
    """Whether to compute a value, or where a place is, can change anything."""
    return any(isinstance(each, (ir.Assign, ir.Increment, ir.Inlined)) or _acts(each) for each in nodes(node))


def _acts(node: object) -> bool:
    return isinstance(node, ir.Call) and KNOWN.get(node.name) not in PURE
