"""Members of a vector that the compiler accesses as one: `p->x + p->y` of a float4 pointer becomes one load of 8 or 16 bytes.

NVRTC narrows an access of which one member is used to that member, and joins those of several as far as nothing between them can change
the memory. So a pointer that is misaligned for its type does no harm to a lone `p->x`, and ends the launch where more of it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kernels.simt import ir
from kernels.simt.generate.walk import Node, children, descendants, root
from kernels.simt.types import Space

Groups = dict[str, list[ir.Member]]
"""Members by the vector that they are of, as written."""


@dataclass(slots=True)
class _Found:
    together: set[int] = field(default_factory=set)
    loads: Groups = field(default_factory=dict)
    stores: Groups = field(default_factory=dict)

    def add(self, groups: Groups, member: ir.Member) -> None:
        same = groups.setdefault(member.text.removesuffix(member.field.name), [])
        same.append(member)
        if any(each.field != member.field for each in same):
            self.together.update(map(id, same))


def joined_members(body: ir.Block) -> frozenset[int]:
    """The places (by identity) of members that are accessed together with another of the same vector, through a pointer."""
    found: set[int] = set()
    for node in descendants(body):
        if isinstance(node, ir.Block):
            found |= _in_block(node)
    return frozenset(found)


def _in_block(block: ir.Block) -> set[int]:
    found = _Found()
    for statement in block.statements:
        nodes = list(_straight(statement))
        if not all(map(_runs_on, nodes)):
            found.loads.clear()
            found.stores.clear()
        for node in nodes:
            if isinstance(node, ir.Load) and _in_memory(node.place):
                found.stores.clear()
                _collect(found, found.loads, node.place)
        for node in nodes:
            if isinstance(node, ir.Store | ir.Assign | ir.Increment) and _in_memory(node.place):
                found.loads.clear()
                _collect(found, found.stores, node.place)
    return found.together


def _collect(found: _Found, groups: Groups, place: ir.Place) -> None:
    if isinstance(place, ir.Member) and isinstance(place.record, ir.Deref) and place.text and _is_vector(place.record.type):
        found.add(groups, place)


def _is_vector(c_type: ir.Type) -> bool:
    return isinstance(c_type, ir.Struct) and c_type.vector


def _straight(node: Node) -> Iterator[Node]:
    """The node and those below it that are executed with it."""
    yield node
    if not isinstance(node, ir.Block):
        for child in children(node):
            yield from _straight(child)


def _runs_on(node: Node) -> bool:
    """Whether nothing in the node keeps the compiler from moving accesses across it."""
    return not isinstance(node, ir.Block | ir.If | ir.Loop | ir.Switch | ir.Barrier | ir.Call | ir.Inlined | ir.Select | ir.ShortCircuit)


def _in_memory(place: ir.Place) -> bool:
    below = root(place)
    return isinstance(below, ir.Deref) or below.variable.space is not Space.REGISTER
