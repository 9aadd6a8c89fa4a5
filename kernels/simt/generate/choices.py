"""Code of `&&`, `||` and `?:`: a side that reads memory or has an effect runs only in the lanes that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kernels.simt import ir
from kernels.simt.generate.build import Build
from kernels.simt.generate.values import Leaves, Value, leaf_types, typed, zero
from kernels.simt.generate.walk import Node, descendants, indices

EFFECTS = (ir.Assign, ir.Increment, ir.Inlined, ir.Call)
"""Expressions that do more than give a value."""


class Choices:
    """Makes the code of expressions with sides."""

    def __init__(self, build: Build, leaves: Callable[[ir.Expression], Leaves]) -> None:
        self._build = build
        self._leaves = leaves

    def short_circuit(self, node: ir.ShortCircuit) -> Value:
        """`&&` and `||`."""
        (left,) = self._leaves(node.left)
        if self.pure(node.right):
            (right,) = self._leaves(node.right)
            return _joined(node.conjunction, left, right)
        left = self._hold(left)
        name = self._build.source.hold(str(not node.conjunction))
        with self._side(node, left, node.conjunction):
            (right,) = self._leaves(node.right)
            self._build.source.line(f"{name} = {right.code}")
        return _joined(node.conjunction, left, Value(name, right.uniform, ir.BOOL))

    def select(self, node: ir.Select) -> Leaves:
        """`?:`."""
        (condition,) = self._leaves(node.condition)
        pure_yes, pure_no = self.pure(node.yes), self.pure(node.no)
        if pure_yes and pure_no:
            return tuple(map(_chosen, [condition] * len(leaf_types(node.type)), self._leaves(node.yes), self._leaves(node.no)))
        condition = self._hold(condition)
        if condition.uniform:
            return self._uniform_select(node, condition)
        if pure_no:
            yes, mask = self._run(node, node.yes, condition, when=True)
            no = self._leaves(node.no)
            return self._merged(mask, yes, no)
        no, mask = self._run(node, node.no, condition, when=False)
        yes = self._leaves(node.yes) if pure_yes else self._run(node, node.yes, condition, when=True)[0]
        return self._merged(mask, no, yes)

    def pure(self, node: Node) -> bool:
        """Whether evaluating it in lanes that do not need it harms nothing and reads no memory."""
        for each in descendants(node):
            if isinstance(each, EFFECTS):
                return False
            if isinstance(each, ir.Load) and (any(indices(each.place)) or not self._build.uniformity.in_register(each.place)):
                return False
        return True

    def _uniform_select(self, node: ir.Select, condition: Value) -> Leaves:
        uniform = not self._build.uniformity.varying(node)
        types = leaf_types(node.type)
        names = [self._build.source.name("t") for _ in types]
        for side, when in ((node.yes, True), (node.no, False)):
            with self._side(node, condition, when):
                for name, value in zip(names, self._leaves(side), strict=True):
                    self._build.source.line(f"{name} = {value.code if uniform else typed(value)}")
        return tuple(Value(name, uniform, c_type) for name, c_type in zip(names, types, strict=True))

    def _run(self, node: ir.Select, side: ir.Expression, condition: Value, *, when: bool) -> tuple[Leaves, str]:
        """One side evaluated in its lanes, and their mask."""
        types = leaf_types(node.type)
        names = [self._build.source.hold(zero(c_type, uniform=False)) for c_type in types]
        with self._side(node, condition, when) as mask:
            for name, value in zip(names, self._leaves(side), strict=True):
                self._build.source.line(f"{name} = {typed(value)}")
        return tuple(Value(name, False, c_type) for name, c_type in zip(names, types, strict=True)), mask  # noqa: FBT003 - varies

    def _merged(self, mask: str, inside: Leaves, outside: Leaves) -> Leaves:
        return tuple(
            Value(self._build.source.hold(f"merge({mask}, {typed(a)}, {typed(b)})"), False, a.type)  # noqa: FBT003 - varies
            for a, b in zip(inside, outside, strict=True)
        )

    def _hold(self, value: Value) -> Value:
        return Value(self._build.source.hold(value.code), value.uniform, value.type)

    @contextmanager
    def _side(self, node: Node, condition: Value, when: bool) -> Iterator[str]:
        """Lines for the lanes where the condition is `when`; their mask."""
        build = self._build
        build.flush_flops()
        if condition.uniform:
            mask, test = build.mask, condition.code if when else f"not {condition.code}"
        else:
            chosen = condition.code if when else f"np.logical_not({condition.code})"
            mask = test = build.source.hold(f"where({chosen}, {build.mask})", "m")
        with build.source.indented(f"if {test}:"), build.region(node, mask):
            yield mask


def _joined(conjunction: bool, left: Value, right: Value) -> Value:
    word = "and" if conjunction else "or"
    uniform = left.uniform and right.uniform
    return Value(f"({left.code} {word} {right.code})" if uniform else f"np.logical_{word}({left.code}, {right.code})", uniform, ir.BOOL)


def _chosen(condition: Value, yes: Value, no: Value) -> Value:
    if not condition.uniform:
        return Value(f"np.where({condition.code}, {typed(yes)}, {typed(no)})", False, yes.type)  # noqa: FBT003 - varies
    uniform = yes.uniform and no.uniform
    codes = (yes.code, no.code) if uniform else (typed(yes), typed(no))
    return Value(f"({codes[0]} if {condition.code} else {codes[1]})", uniform, yes.type)
