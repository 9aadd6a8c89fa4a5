"""Waiting loops: those that read a volatile place until it holds something else, and do nothing besides."""

from __future__ import annotations

from kernels.simt import ir
from kernels.simt.generate.walk import Node, assigned, descendants, root

_IDLE = ("__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system")


def waited_for(body: ir.Block) -> frozenset[int]:
    """Return the volatile places (by identity) that loops read until a value there lets them end."""
    return frozenset(place for node in descendants(body) if isinstance(node, ir.Loop) for place in _places(node))


def _places(loop: ir.Loop) -> frozenset[int]:
    nodes = [node for part in (loop.condition, loop.step, loop.body) if part is not None for node in descendants(part)]
    if any(map(_acts, nodes)):
        return frozenset()
    found = [node for node in nodes if isinstance(node, ir.Load) and node.place.volatile]
    deciding = _deciding(loop, nodes)
    return frozenset(id(each.place) for each in found if any(_depends(part, each, nodes) for part in deciding))


def _acts(node: Node) -> bool:
    """Whether the node changes anything but variables of the thread."""
    if isinstance(node, ir.Store | ir.Assign | ir.Increment):
        below = root(node.place)
        return isinstance(below, ir.Deref) or below.variable.space is not ir.Space.REGISTER
    return isinstance(node, ir.Barrier | ir.Print) or (isinstance(node, ir.Call) and node.type is None and node.name not in _IDLE)


def _deciding(loop: ir.Loop, nodes: list[Node]) -> list[Node]:
    """Return the conditions that end the loop."""
    leaving: list[Node] = [
        node.condition
        for node in nodes
        if isinstance(node, ir.If) and any(isinstance(each, ir.Break | ir.Return) for each in descendants(node))
    ]
    return leaving if loop.condition is None else [loop.condition, *leaving]


def _depends(condition: Node, load: ir.Load, nodes: list[Node]) -> bool:
    """Whether a condition reads the place, itself or through variables of the thread."""
    holding: set[ir.Variable] = set()
    while True:
        given = {
            variable
            for node in nodes
            if (variable := assigned(node)) is not None and _reads(node, load, holding) and variable not in holding
        }
        if not given:
            return _reads(condition, load, holding)
        holding |= given


def _reads(node: Node, load: ir.Load, holding: set[ir.Variable]) -> bool:
    return any(
        each is load or (isinstance(each, ir.Load) and isinstance(each.place, ir.Whole) and each.place.variable in holding)
        for each in descendants(node)
    )
