"""Flows of a kernel: where values go that another order, another clock or another rounding would change, as far as the text says it.

Values from an atomic, a clock, a function that GPUs only approximate, a tensor core, or an array, are followed through variables, arrays
and branches to conditions, addresses and synchronisations. What the text leaves open counts as reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from kernels.simt import ir
from kernels.simt.base.instructions import product_of
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.generate.operands import NO_VALUES, operands_of
from kernels.simt.generate.provenance import Provenance, Roots
from kernels.simt.generate.walk import Node, children, indices, root
from kernels.simt.ir.fragments import PRODUCT, product_operations
from kernels.simt.machine.memory import Region
from kernels.simt.trace.flows import APPROXIMATE, ARRAY, ATOMIC, CLOCK, TENSOR, Flows, Reach

_EXACT = frozenset(
    name
    for line in (
        "floor ceil round trunc rint nearbyint fabs fmin fmax fdim copysign sqrt fma min max abs labs llabs isnan isinf isfinite",
        "signbit fmod remainder nextafter frexp modf logb ilogb ldexp scalbn",
    )
    for name in line.split()
)
"""Functions of mathematics that are exact, or rounded as a GPU rounds them; without the f of those of floats."""
_SYNCHRONISING = (Known.SHUFFLE, Known.VOTE, Known.BARRIER)
Labels = frozenset[str]
_NONE: Labels = frozenset()


def flows_of(kernel: ir.Kernel) -> Flows:
    """Follow all values of a kernel."""
    return replace(_Follower(kernel).found(), operands=operands_of(kernel))


def _label_of(name: str) -> str:
    """What the result of a CUDA function is; "" where it follows from its arguments alone."""
    kind = KNOWN.get(name)
    if kind is Known.MATH:
        exact = name in _EXACT or name.removesuffix("f") in _EXACT or name.endswith(("_rn", "_rz", "_ru", "_rd"))
        return "" if exact else APPROXIMATE
    product = product_of(name)
    if product is not None:  # doubles and whole numbers are exact
        return TENSOR if product.sums in ("f16", "f32") else ""
    return {Known.ATOMIC: ATOMIC, Known.CLOCK: CLOCK}.get(kind, "") if kind is not None else ""


class _Follower:
    """Repeats its walk until nothing new is labelled."""

    def __init__(self, kernel: ir.Kernel) -> None:
        arrays = [each for each in (*kernel.parameters, *kernel.globals) if each.space is not ir.Space.REGISTER or _points(each.type)]
        # what Provenance follows are regions of memory: variables stand for them here, where there is no memory yet
        given = {each: frozenset({each}) for each in kernel.parameters if _points(each.type)}
        regions = {each: each for each in arrays if each.space is not ir.Space.REGISTER}
        self._provenance = Provenance(kernel, cast("Mapping[ir.Variable, Roots]", given), cast("Mapping[ir.Variable, Region]", regions))
        self._variables: dict[ir.Variable, Labels] = {}
        self._memory: dict[ir.Variable | None, Labels] = {}
        self._lines: dict[str, set[int]] = {}
        self._reaches: dict[str, set[Reach]] = {}
        self._names = {each: each.name for each in arrays}
        self._changed = True
        while self._changed:
            self._changed = False
            self._visit(kernel.body, _NONE)

    def found(self) -> Flows:
        lines = {label: tuple(sorted(each)) for label, each in self._lines.items()}
        return Flows(lines, {label: frozenset(each) for label, each in self._reaches.items()})

    # ------------------------------------------------------------ statements

    def _visit(self, node: Node, under: Labels, function: ir.Inlined | None = None) -> None:
        """Walk a part of the text that is executed only where a condition with these labels lets it."""
        if isinstance(node, ir.If | ir.Loop | ir.Switch):
            self._choose(node, under, function)
            return
        if isinstance(node, ir.Return) and node.value is not None and function is not None and function.result is not None:
            self._give(function.result, self._labels(node.value) | under)
        self._effect(node, under)
        for child in children(node):
            self._visit(child, under, node if isinstance(node, ir.Inlined) else function)

    def _effect(self, node: Node, under: Labels) -> None:
        """What a node itself gives, reaches or touches."""
        match node:
            case ir.Declare() if node.value is not None:
                self._give(node.variable, self._labels(node.value) | under)
            case ir.Store() | ir.Assign():
                self._store(node.place, self._labels(node.value) | under)
            case ir.Increment():
                self._store(node.place, under)
            case ir.Barrier():
                decided = _union(self._labels(each) for each in (node.mask, node.predicate) if each is not None)
                self._reach(under | decided, Reach.SYNCHRONISATION)
            case ir.Assertion():
                self._reach(self._labels(node.condition), Reach.CONTROL)
            case ir.Call():
                self._call(node, under)
            case ir.Load() | ir.AddressOf():
                self._place(node.place)

    def _choose(self, node: ir.If | ir.Loop | ir.Switch, under: Labels, function: ir.Inlined | None) -> None:
        condition = node.value if isinstance(node, ir.Switch) else node.condition
        labels = _NONE if condition is None else self._labels(condition)
        self._reach(labels, Reach.CONTROL)
        for child in children(node):
            self._visit(child, under if child is condition else under | labels, function)

    def _call(self, node: ir.Call, under: Labels) -> None:
        label = _label_of(node.name)
        if label:
            self._note(label, node.location)
        if label == ATOMIC:
            self._reach(self._labels(node.arguments[0]), Reach.ADDRESSES)
            self._remember(self._target(node.arguments[0]), frozenset({ATOMIC}) | under)
        if KNOWN.get(node.name) in _SYNCHRONISING:
            self._reach(under, Reach.SYNCHRONISATION)
        if KNOWN.get(node.name) is Known.TILE:
            self._tile(node, under)

    def _tile(self, node: ir.Call, under: Labels) -> None:
        """What a function on fragments leaves where its first argument points to."""
        target, *sources = node.arguments
        labels = under | _union(
            self._of_place(_pointed(each)) if isinstance(each.type, ir.Pointer) else self._labels(each) for each in sources
        )
        if node.name == PRODUCT and product_operations(node):
            self._note(TENSOR, node.location)
            labels |= {TENSOR}
        self._store(_pointed(target), labels)

    def _store(self, place: ir.Place, labels: Labels) -> None:
        self._place(place)
        below = root(place)
        if isinstance(below, ir.Whole) and below.variable.space is ir.Space.REGISTER:
            self._give(below.variable, labels)
        else:
            self._remember(self._region(place), labels)

    def _place(self, place: ir.Place) -> None:
        """Where a place is decided by values, these reach an address."""
        below = root(place)
        labels = _union(self._labels(each) for each in indices(place))
        self._reach(labels | (self._labels(below.pointer) if isinstance(below, ir.Deref) else _NONE), Reach.ADDRESSES)

    # ------------------------------------------------------------ values

    def _labels(self, node: ir.Expression) -> Labels:
        """Where a value comes from."""
        below = _union(self._labels(each) for each in children(node) if not isinstance(each, NO_VALUES))  # type: ignore[arg-type]
        match node:
            case ir.Load() | ir.Increment():
                return below | self._of_place(node.place)
            case ir.AddressOf():
                return below | _union(self._labels(each) for each in indices(node.place))
            case ir.Inlined() if node.result is not None:
                return below | self._variables.get(node.result, _NONE)
            case ir.Call():
                own = _label_of(node.name)
                return below | {own} if own else below
        return below

    def _of_place(self, place: ir.Place) -> Labels:
        below = root(place)
        inner = _union(self._labels(each) for each in indices(place))
        if isinstance(below, ir.Whole) and below.variable.space is ir.Space.REGISTER:
            return inner | self._variables.get(below.variable, _NONE)
        if isinstance(below, ir.Deref):
            inner |= self._labels(below.pointer)
        region = self._region(place)
        if region is None:
            return inner.union(*self._memory.values(), {ARRAY + name for name in self._names.values()})
        return inner | {ARRAY + region.name} | self._memory.get(region, _NONE) | self._memory.get(None, _NONE)

    def _region(self, place: ir.Place) -> ir.Variable | None:
        return cast("ir.Variable | None", self._provenance.region(place))

    def _target(self, pointer: ir.Expression) -> ir.Variable | None:
        return cast("ir.Variable | None", self._provenance.target(pointer))

    # ------------------------------------------------------------ what is found

    def _give(self, variable: ir.Variable, labels: Labels) -> None:
        before = self._variables.get(variable, _NONE)
        if not labels <= before:
            self._variables[variable] = before | labels
            self._changed = True

    def _remember(self, region: ir.Variable | None, labels: Labels) -> None:
        before = self._memory.get(region, _NONE)
        if not labels <= before:
            self._memory[region] = before | labels
            self._changed = True

    def _note(self, label: str, location: ir.Location) -> None:
        if not location.file:
            self._lines.setdefault(label, set()).add(location.line)
        else:
            self._lines.setdefault(label, set())

    def _reach(self, labels: Labels, reach: Reach) -> None:
        for label in labels:
            self._reaches.setdefault(label, set()).add(reach)


def _pointed(pointer: ir.Expression) -> ir.Place:
    """The place that a pointer leads to."""
    if isinstance(pointer, ir.AddressOf):
        return pointer.place
    assert isinstance(pointer.type, ir.Pointer)
    return ir.Deref(pointer, cast("ir.Type", pointer.type.target), ir.Location(0, 0))


def _points(c_type: ir.Type) -> bool:
    return isinstance(c_type, ir.Pointer | ir.Struct)


def _union(parts: Iterable[Labels]) -> Labels:
    return _NONE.union(*parts)
