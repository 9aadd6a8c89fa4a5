"""Which array each pointer can point into, as far as the text says."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.simt import ir
from kernels.simt.generate.walk import Node, children, root
from kernels.simt.machine.memory import Region

Roots = frozenset[Region] | None
"""The regions possible; None: any."""


class Provenance:
    """Follows pointers through variables without regard to the order of statements."""

    def __init__(self, kernel: ir.Kernel, arguments: Mapping[ir.Variable, Roots], regions: Mapping[ir.Variable, Region]) -> None:
        self._roots: dict[ir.Variable, Roots] = dict(arguments)
        self._regions = regions
        self._changed = True
        while self._changed:
            self._changed = False
            self._visit(kernel.body)

    def region(self, place: ir.Place) -> Region | None:
        """The only region that a place can be in, or None."""
        return _single(self._of_place(place))

    def target(self, pointer: ir.Expression) -> Region | None:
        """The only region that a pointer can point into, or None."""
        return _single(self._of(pointer))

    def _of_place(self, place: ir.Place) -> Roots:
        below = root(place)
        if isinstance(below, ir.Deref):
            return self._of(below.pointer)
        region = self._regions.get(below.variable)
        return None if region is None else frozenset({region})

    def _of(self, node: ir.Expression) -> Roots:
        match node:
            case ir.Const():
                return None if node.value and isinstance(node.type, ir.Pointer) else frozenset()
            case ir.Cast() | ir.BinaryOp() | ir.UnaryOp() | ir.Call() | ir.Special() | ir.Difference() | ir.ShortCircuit():
                return self._of_number(node)
            case ir.AddressOf():
                return self._of_place(node.place)
            case ir.Offset() | ir.Extract() | ir.Assign():
                return self._of(_source(node))
            case ir.Select():
                return _union(self._of(node.yes), self._of(node.no))
            case ir.Make():
                return _union(*(self._of(each) for each in node.members if isinstance(each.type, ir.Pointer | ir.Struct)))
            case ir.Inlined() if node.result is not None:
                return self._roots.get(node.result, frozenset())
            case ir.Load() | ir.Increment():
                return self._of_variable(root(node.place))
        return None

    def _of_number(self, node: ir.Expression) -> Roots:
        """What a conversion or an operation can point to, once it is an address: a number keeps where it came from."""
        match node:
            case ir.Cast() if isinstance(node.type, ir.Pointer) and not isinstance(node.operand.type, ir.Pointer):
                return self._of(node.operand) or None  # a number that no array gave
            case ir.Cast():
                return self._of(node.operand) if _can_hold_address(node.operand.type) else frozenset()
            case ir.BinaryOp() if node.operator is ir.Binary.OR and _union(self._of(node.left), self._of(node.right)):
                return None  # bits above an address lead to another block of the cluster
            case ir.BinaryOp():
                return _union(self._of(node.left), self._of(node.right))
            case ir.UnaryOp():
                return self._of(node.operand)
        return None if isinstance(node.type, ir.Pointer) else frozenset()

    def _of_variable(self, below: ir.Whole | ir.Deref) -> Roots:
        """What the pointers in a variable can point to; any, if it is in memory where others write."""
        if isinstance(below, ir.Deref) or below.variable.space is not ir.Space.REGISTER or below.variable.addressed:
            return None
        return self._roots.get(below.variable, frozenset())

    def _visit(self, node: Node, function: ir.Inlined | None = None) -> None:
        match node:
            case ir.Declare() if node.value is not None:
                self._give(node.variable, node.value)
            case ir.Store() | ir.Assign():
                below = root(node.place)
                if isinstance(below, ir.Whole):
                    self._give(below.variable, node.value)
            case ir.Return() if node.value is not None and function is not None and function.result is not None:
                self._give(function.result, node.value)
        for child in children(node):
            self._visit(child, node if isinstance(node, ir.Inlined) else function)

    def _give(self, variable: ir.Variable, value: ir.Expression) -> None:
        if not isinstance(value.type, ir.Pointer | ir.Struct | ir.Array) and not _can_hold_address(value.type):
            return
        before = self._roots.get(variable, frozenset())
        after = _union(before, self._of(value))
        if after != before:
            self._roots[variable] = after
            self._changed = True


def _can_hold_address(c_type: ir.Type | None) -> bool:
    """Whether a value can be an address: a pointer, or a number as long as one."""
    return isinstance(c_type, ir.Pointer) or (isinstance(c_type, ir.Scalar) and c_type.kind is not ir.Kind.FLOAT and c_type.size == 8)


def _union(*parts: Roots) -> Roots:
    result: frozenset[Region] = frozenset()
    for part in parts:
        if part is None:
            return None
        result |= part
    return result


def _single(roots: Roots) -> Region | None:
    return next(iter(roots)) if roots is not None and len(roots) == 1 else None


def _source(node: ir.Offset | ir.Extract | ir.Assign) -> ir.Expression:
    """The part that says where the value points to."""
    match node:
        case ir.Offset():
            return node.pointer
        case ir.Extract():
            return node.record
    return node.value
