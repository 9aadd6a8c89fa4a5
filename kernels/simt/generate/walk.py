"""Walks over the representation: the nodes below one, in the order written, and what can be told from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from operator import attrgetter
from typing import TypeGuard

from kernels.simt import ir

Place = ir.Whole | ir.Element | ir.Member | ir.Deref
Node = ir.Expression | ir.Statement | Place

_ENDING = ("__trap", "__tilescope_no_function", "__tilescope_stack_overflow")
_PLACES = (ir.Whole, ir.Element, ir.Member, ir.Deref)
_EXPRESSIONS = (
    ir.Const, ir.Special, ir.Load, ir.AddressOf, ir.Offset, ir.Difference, ir.UnaryOp, ir.BinaryOp, ir.ShortCircuit, ir.Select, ir.Cast,
    ir.Make, ir.Extract, ir.Assign, ir.Increment, ir.Call, ir.Inlined,
)  # fmt: skip
_STATEMENTS = (
    ir.Block, ir.Declare, ir.Store, ir.Evaluate, ir.If, ir.Loop, ir.Switch, ir.Break, ir.Continue, ir.Return, ir.Barrier, ir.Print,
    ir.Assertion, ir.Launch,
)  # fmt: skip
_NODES = frozenset(_PLACES + _EXPRESSIONS + _STATEMENTS)
_LEAVES = ("type", "location", "variable", "name", "text", "operator", "field", "volatile")
_BELOW = {kind: tuple(attrgetter(each.name) for each in fields(kind) if each.name not in _LEAVES) for kind in _NODES}
"""The fields of each kind of node in which nodes can be."""


def is_node(value: object) -> TypeGuard[Node]:
    """Whether it is a part of the tree, and not a type, a name or a location."""
    return type(value) in _NODES


def children(node: Node) -> list[Node]:
    """The nodes directly below, in the order written."""
    found: list[Node] = []
    for get in _BELOW[type(node)]:
        value = get(node)
        if type(value) in _NODES:
            found.append(value)
        elif type(value) is tuple:
            found += [each for each in value if type(each) in _NODES]
    return found


def descendants(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order written."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if _BELOW[type(node)]:
            below = children(node)
            below.reverse()
            waiting += below


def root(place: Place) -> ir.Whole | ir.Deref:
    """The variable or pointer that a place is a part of."""
    while isinstance(place, ir.Element | ir.Member):
        place = place.array if isinstance(place, ir.Element) else place.record
    return place


def indices(place: Place) -> Iterator[ir.Expression]:
    """The index expressions of a place, innermost first."""
    while isinstance(place, ir.Element | ir.Member):
        if isinstance(place, ir.Element):
            yield place.index
            place = place.array
        else:
            place = place.record


def assigned(node: Node) -> ir.Variable | None:
    """The variable that this node itself gives a value to, or None."""
    match node:
        case ir.Declare():
            return node.variable
        case ir.Store() | ir.Assign() | ir.Increment():
            below = root(node.place)
            return below.variable if isinstance(below, ir.Whole) else None
        case ir.Barrier():
            return node.target
    return None


def terminates(block: ir.Block | None) -> bool:
    """Whether control never leaves it at its end."""
    if block is None or not block.statements:
        return False
    last = block.statements[-1]
    if isinstance(last, ir.Block):
        return terminates(last)
    if isinstance(last, ir.If):
        return terminates(last.then) and terminates(last.otherwise)
    return isinstance(last, ir.Break | ir.Continue | ir.Return)


def leaves_function(node: Node) -> bool:
    """Whether a thread may leave the function that the node stands in, or end, within it."""
    if isinstance(node, ir.Return) or ends_thread(node):
        return True
    if isinstance(node, ir.Inlined):
        return may_end(node.body)
    return any(map(leaves_function, children(node)))


def ends_thread(node: Node) -> bool:
    """Whether the node itself can end a thread, wherever it stands."""
    return isinstance(node, ir.Assertion) or (isinstance(node, ir.Call) and node.name in _ENDING)


def waits_for_grid(node: Node) -> bool:
    """Whether blocks wait for each other within: then all of them are executed together."""
    return any(isinstance(each, ir.Barrier) and each.scope is ir.Scope.GRID for each in descendants(node))


def parted_barriers(node: Node) -> list[ir.If | ir.Switch]:
    """The choices with a barrier of the block on more than one side: warps that part there may meet at different ones."""
    return [each for each in descendants(node) if isinstance(each, ir.If | ir.Switch) and sum(map(_has_barrier, _sides(each))) > 1]


def _sides(node: ir.If | ir.Switch) -> list[Node]:
    if isinstance(node, ir.Switch):
        return list(node.body)
    return [node.then] if node.otherwise is None else [node.then, node.otherwise]


def _has_barrier(node: Node) -> bool:
    return any(isinstance(each, ir.Barrier) and each.scope is ir.Scope.BLOCK for each in descendants(node))


def may_end(node: Node) -> bool:
    """Whether a thread may end within, other than by the kernel's return."""
    return any(map(ends_thread, descendants(node)))
