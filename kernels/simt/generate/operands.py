"""Operands of a kernel: which values that were read go into the same expression, as far as the text says it; an address is none of them.

Values are followed through variables in registers without regard to the order of statements, through memory not.
"""

from __future__ import annotations

from collections.abc import Iterable

from kernels.simt import ir
from kernels.simt.generate.walk import Node, children, descendants, indices, root
from kernels.simt.trace.flows import Places

_NONE: Places = frozenset()
NO_VALUES = (ir.Whole, ir.Element, ir.Member, ir.Deref, ir.Block)


def operands_of(kernel: ir.Kernel) -> frozenset[Places]:
    """For each expression the places in the text at which its values are read, with that where the result is written to memory."""
    return _Operands(kernel).together


class _Operands:
    """Repeats its walk until no variable is given more."""

    def __init__(self, kernel: ir.Kernel) -> None:
        self._variables: dict[ir.Variable, Places] = {}
        self._reached = frozenset(_addressed(kernel))
        """Variables in registers that pointers lead to: what is read or written through one may be theirs."""
        self._changed = True
        while self._changed:
            self._changed, self._found = False, set[Places]()
            self._visit(kernel.body, None)
        self.together = frozenset(each for each in self._found if len(each) > 1)

    def _visit(self, node: Node, function: ir.Inlined | None) -> None:
        match node:
            case ir.Return() if node.value is not None and function is not None and function.result is not None:
                self._give(function.result, self._of(node.value))
            case ir.Declare() if node.value is not None:
                self._give(node.variable, self._of(node.value))
            case ir.Store() | ir.Assign():
                self._store(node)
            case ir.If() | ir.Loop() if node.condition is not None:
                self._found.add(self._of(node.condition))
            case ir.Call():
                self._found.add(self._of(node))
        for child in children(node):
            self._visit(child, node if isinstance(node, ir.Inlined) else function)

    def _store(self, node: ir.Store | ir.Assign) -> None:
        below, values = root(node.place), self._of(node.value)
        if isinstance(below, ir.Whole) and below.variable.space is ir.Space.REGISTER:
            self._give(below.variable, values)
            return
        self._found.add(values | {node.location})
        for each in self._reached if isinstance(below, ir.Deref) else ():
            self._give(each, values)

    def _give(self, variable: ir.Variable, values: Places) -> None:
        before = self._variables.get(variable, _NONE)
        self._found.add(before | values)
        if not values <= before:
            self._variables[variable] = before | values
            self._changed = True

    def _of(self, node: ir.Expression) -> Places:
        """Where the values are read that a value is made of."""
        match node:
            case ir.Load() | ir.Increment():
                return self._of_place(node)
            case ir.AddressOf():
                return _union(self._of(each) for each in indices(node.place))
            case ir.Inlined():
                return _NONE if node.result is None else self._variables.get(node.result, _NONE)
            case ir.Assign():
                return self._of(node.value)
            case ir.Call():
                return _union(self._of(each) for each in node.arguments if not isinstance(each.type, ir.Pointer)) | {node.location}
        return _union(self._of(each) for each in children(node) if not isinstance(each, NO_VALUES))  # type: ignore[arg-type]

    def _of_place(self, node: ir.Load | ir.Increment) -> Places:
        below = root(node.place)
        if isinstance(below, ir.Deref):
            return _union(self._variables.get(each, _NONE) for each in self._reached) | {node.location}
        return self._variables.get(below.variable, _NONE) if below.variable.space is ir.Space.REGISTER else frozenset({node.location})


def _addressed(kernel: ir.Kernel) -> Iterable[ir.Variable]:
    for node in descendants(kernel.body):
        below = root(node.place) if isinstance(node, ir.AddressOf) else None
        if isinstance(below, ir.Whole) and below.variable.space is ir.Space.REGISTER:
            yield below.variable


def _union(parts: Iterable[Places]) -> Places:
    return _NONE.union(*parts)
