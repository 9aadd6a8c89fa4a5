"""Generator of expressions. What has an effect, or reads memory, becomes lines of its own; the rest is nested into one line.

Of `&&`, `||` and `?:` a side that reads memory or has an effect runs only in the lanes that need it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.generate import operators
from kernels.simt.generate.addresses import Addresses
from kernels.simt.generate.build import Build
from kernels.simt.generate.operators import is_product
from kernels.simt.generate.places import Lvalues
from kernels.simt.generate.uniformity import PURE, operations
from kernels.simt.generate.values import Leaves, Value, dtype_code, is_float, leaf_types, typed, zero
from kernels.simt.generate.waiting_loops import SLEEP
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

    def branches(self, node: Node) -> bool:
        """Whether the node itself makes lanes or Python go one way or another."""
        if isinstance(node, ir.Select):
            return not (self.pure(node.yes) and self.pure(node.no))
        return isinstance(node, ir.Inlined) or (isinstance(node, ir.ShortCircuit) and not self.pure(node.right))

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
        if build.may_end(node):
            build.source.line(f"{build.mask} = alive({build.mask})")


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


_LONG = 400
"""Characters of one expression."""


class Expressions:
    """Makes code of expressions. `inline` makes the code of a device function's body."""

    def __init__(self, build: Build, inline: Callable[[ir.Inlined], Leaves]) -> None:
        self._build = build
        self.addresses = Addresses(build, self.scalar)
        self.places = Lvalues(build, self.addresses, self.scalar)
        self.choices = Choices(build, self.leaves)
        self._single: dict[type, Callable[[Any], Value]] = {
            ir.Const: self._const, ir.Special: self._special, ir.AddressOf: self._address, ir.Offset: self._address,
            ir.Difference: self._difference, ir.UnaryOp: self._unary, ir.BinaryOp: self._binary, ir.Cast: self._cast,
            ir.ShortCircuit: self.choices.short_circuit, ir.Increment: self._increment,
        }  # fmt: skip
        self._several: dict[type, Callable[[Any], Leaves]] = {
            ir.Load: self._load, ir.Select: self.choices.select, ir.Make: self._make, ir.Extract: self._extract,
            ir.Assign: self._assign, ir.Call: self._call, ir.Inlined: inline,
        }  # fmt: skip

    def scalar(self, node: ir.Expression) -> Value:
        """An expression whose value is one scalar or pointer. What is long gets a name, to keep lines short."""
        (value,) = self.leaves(node)
        return value if len(value.code) < _LONG else replace(value, code=self._build.source.hold(value.code))

    def leaves(self, node: ir.Expression) -> Leaves:
        """The scalars of an expression's value."""
        several = self._several.get(type(node))
        return (self._single[type(node)](node),) if several is None else several(node)

    def _load(self, node: ir.Load) -> Leaves:
        return self.places.load(self.places.target(node.place), node.type, node.location, around=node.around)

    def _address(self, node: ir.AddressOf | ir.Offset) -> Value:
        return self.addresses.value(self.addresses.pointer(node), node.type)

    # ------------------------------------------------------------ plain values

    def _const(self, node: ir.Const) -> Value:
        if isinstance(node.type, ir.Scalar) and node.type.brain:
            number = Value(self.constant(node.value, ir.F32), True, ir.F32)  # noqa: FBT003 - uniform
            return operators.narrowed(number, node.type)
        return Value(self.constant(node.value, node.type), True, node.type)  # noqa: FBT003 - uniform

    def constant(self, number: bool | int | float, c_type: ir.Type) -> str:
        """Code of a number; a bfloat16 is given by its bits."""
        if isinstance(c_type, ir.Scalar) and is_float(c_type):
            given = str(int(number)) if c_type.brain else f"float({str(float(number))!r})"
            return self._build.constant(f"{dtype_code(c_type)}({given})")
        return repr(number) if number >= 0 else f"({number})"

    def _special(self, node: ir.Special) -> Value:
        known = self._build.ranges.value(node)
        if known is not None:
            return Value(str(known), True, node.type)  # noqa: FBT003 - uniform
        name = {"threadIdx": "THREAD", "blockIdx": "block"}.get(node.name.partition(".")[0], "LANE_IN_WARP")
        code = name + "_" + node.name[-1] if "." in node.name else name
        return Value(code, not self._build.uniformity.varying(node), node.type)

    def _difference(self, node: ir.Difference) -> Value:
        left, right = self.scalar(node.left), self.scalar(node.right)
        target = node.left.type.target if isinstance(node.left.type, ir.Pointer) else None
        return Value(f"(({left.code} - {right.code}) // {size_of(target)})", left.uniform and right.uniform, node.type)

    def _unary(self, node: ir.UnaryOp) -> Value:
        return operators.unary(node.operator, self.scalar(node.operand), node.type)

    def _binary(self, node: ir.BinaryOp) -> Value:
        fused = self.fused(node.operator, node.left, node.right, node.type)
        if fused is not None:
            return fused
        left = self._kept(self.scalar(node.left), node.right)
        return self.combined(node.operator, left, self.scalar(node.right), node)

    def combined(
        self, operator: ir.Binary, left: Value, right: Value, node: ir.BinaryOp | None = None, c_type: ir.Type | None = None
    ) -> Value:
        """`left operator right`, counted."""
        kind = node.type if node is not None else c_type or left.type
        if is_float(kind):
            self._build.count_flops(1)
        exact = node is not None and self._build.ranges.exact(node)
        positive = node is not None and self._build.ranges.positive(node)
        return operators.binary(operator, left, right, kind, exact=exact, positive=positive)

    def fused(self, operator: ir.Binary, left: ir.Expression, right: ir.Expression, c_type: ir.Type) -> Value | None:
        """A float product and a sum rounded once, if that is asked for and it is one."""
        if not self.fuses(operator, c_type):
            return None
        minus = operator is ir.Binary.SUBTRACT
        if self.is_factored(left):
            factors = self.product(left)
            return self.fuse(factors, self.scalar(right), c_type, negate_sum=minus)
        if self.is_factored(right):
            added = self._kept(self.scalar(left), right)
            return self.fuse(self.product(right), added, c_type, negate_product=minus)
        return None

    def is_factored(self, node: ir.Expression) -> bool:
        """Whether an addition takes it in as a product."""
        return is_product(node) or self._named(node) is not None

    def _named(self, node: ir.Expression) -> tuple[Value, Value] | None:
        """The factors of a product that has a name."""
        return self._build.products.get(node.place.variable) if isinstance(node, ir.Load) and isinstance(node.place, ir.Whole) else None

    def fuses(self, operator: ir.Binary, c_type: ir.Type) -> bool:
        """Whether such an operation takes in a product."""
        return self._build.contract and c_type in (ir.F32, ir.F64) and operator in (ir.Binary.ADD, ir.Binary.SUBTRACT)

    def fuse(
        self, factors: tuple[Value, Value], added: Value, c_type: ir.Type, *, negate_product: bool = False, negate_sum: bool = False
    ) -> Value:
        """The product of two factors, and a sum with it, rounded once. The product has been counted."""
        self._build.count_flops(1)
        a, b = factors
        function = "fma32" if c_type == ir.F32 else "fma"
        code = f"{function}({'-' * negate_product}{a.code}, {b.code}, {'-' * negate_sum}{added.code})"
        return Value(code, a.uniform and b.uniform and added.uniform, c_type)

    def product(self, node: ir.Expression) -> tuple[Value, Value]:
        """The factors of what is factored; a product that has no name is counted."""
        named = self._named(node)
        if named is not None:
            return named
        assert isinstance(node, ir.BinaryOp)
        self._build.count_flops(1)
        return self._kept(self.scalar(node.left), node.right), self.scalar(node.right)

    def name_product(self, variable: ir.Variable, node: ir.Expression) -> Value:
        """The value of a product that is given to a variable; sums that use it will find its factors."""
        a, b = (replace(each, code=self._build.source.hold(each.code)) for each in self.product(node))
        self._build.products[variable] = a, b
        return operators.binary(ir.Binary.MULTIPLY, a, b, variable.type, exact=False)

    def _cast(self, node: ir.Cast) -> Value:
        inner, outer = self._build.ranges.of(node.operand), self._build.ranges.of(node)
        fits = inner is not None and inner == outer
        return operators.cast(self.scalar(node.operand), node.type, fits=fits)

    def in_order(self, nodes: Sequence[ir.Expression]) -> Iterator[Leaves]:
        """The scalars of one expression after the other."""
        for position, node in enumerate(nodes):
            later = nodes[position + 1 :]
            yield tuple(functools.reduce(self._kept, later, value) for value in self.leaves(node))

    def _kept(self, value: Value, later: ir.Expression) -> Value:
        """The value as it is now, even if what is evaluated later changes variables."""
        if any(isinstance(each, EFFECTS) for each in descendants(later)):
            return Value(self._build.source.hold(value.code), value.uniform, value.type)
        return value

    # ------------------------------------------------------------ structs

    def _make(self, node: ir.Make) -> Leaves:
        given = tuple(value for values in self.in_order(node.members) for value in values)
        missing = leaf_types(node.type)[len(given) :]
        return given + tuple(Value(zero(each, uniform=True), True, each) for each in missing)  # noqa: FBT003 - uniform

    def _extract(self, node: ir.Extract) -> Leaves:
        record = node.record.type
        assert isinstance(record, ir.Struct)
        first = sum(len(leaf_types(each.type)) for each in record.fields[: record.fields.index(node.field)])
        return self.leaves(node.record)[first : first + len(leaf_types(node.field.type))]

    # ------------------------------------------------------------ effects

    def _assign(self, node: ir.Assign) -> Leaves:
        values = tuple(Value(self._build.source.hold(value.code), value.uniform, value.type) for value in self.leaves(node.value))
        self.places.store(self.places.target(node.place), values, node.type, node.location)
        return values

    def _increment(self, node: ir.Increment) -> Value:
        target = self.places.target(node.place)
        (loaded,) = self.places.load(target, node.type, node.location)
        old = Value(self._build.source.hold(loaded.code), loaded.uniform, node.type)
        step = size_of(node.type.target) if isinstance(node.type, ir.Pointer) else 1
        one = Value(f"{dtype_code(node.type)}(1)" if is_float(node.type) else str(step), True, node.type)  # noqa: FBT003 - uniform
        operator = ir.Binary.ADD if node.by > 0 else ir.Binary.SUBTRACT
        new = operators.binary(operator, old, one, node.type, exact=False)
        new = Value(self._build.source.hold(new.code), new.uniform, node.type)
        self.places.store(target, (new,), node.type, node.location)
        return new if node.prefix else old

    def _call(self, node: ir.Call) -> Leaves:
        arguments: list[str] = []
        for argument, given in zip(node.arguments, self.in_order(node.arguments), strict=True):
            values = [typed(value) if isinstance(argument.type, ir.Pointer) else value.code for value in given]
            arguments.append(values[0] if len(values) == 1 else f"({', '.join(values)})")
        uniform = node.name in PURE and not any(map(self._build.uniformity.varying, node.arguments))
        call, function = self._build.source.refer("CALL", node), self._build.function(node)
        pointers = (each for each in node.arguments if isinstance(each.type, ir.Pointer))
        self._build.targets[id(node)] = next((self._build.provenance.target(each) for each in pointers), None)
        self._build.count_flops(operations(node))
        source, types = self._build.source, leaf_types(node.type)
        if node.name == SLEEP:
            self._build.give_way(node.location)
        together = self._build.before_call(node)
        source.line(f"c.call, c.mask = {call}, {self._build.mask}")
        code = f"{function}({', '.join(['c', *arguments])})"
        if together:
            code = f"yield {together}, ({function}, {call}, ({', '.join([*arguments, ''])}))"
        if not types:
            source.line(code)
            return ()
        name = source.hold(code)
        if len(types) > 1:
            return tuple(Value(f"{name}[{item}]", False, c_type) for item, c_type in enumerate(types))  # noqa: FBT003 - varies
        source.line(f"{name} = one({name})" if uniform else f"{name} = np.asarray({name}, {dtype_code(types[0])})[()]")
        return (Value(name, uniform, types[0]),)
