"""Addresses as a lane vector that seldom changes plus an offset that all lanes share.

`As + ty * 128 + k * 4` becomes the base `ty * 128` and the offset `As + k * 4`: a loop over k computes its base once. Bases are remembered
with the variables that they were made from, and made anew only when one of those holds another object.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.generate.build import Build
from kernels.simt.generate.loop_counters import limits
from kernels.simt.generate.values import Value, lane_dtype

_VARIABLE = re.compile(r"\b\w*_\d+\b")
_TEMPORARY = re.compile(r"\b(t|slot|index|at)\d+\b")


@dataclass(slots=True)
class Linear:
    """A sum: constant + uniform terms + varying terms."""

    constant: int = 0
    uniform: list[str] = field(default_factory=list)
    varying: list[str] = field(default_factory=list)

    @property
    def offset(self) -> str:
        """Code of the uniform part."""
        parts = [*self.uniform, str(self.constant)] if self.constant or not self.uniform else self.uniform
        return " + ".join(parts)


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of a term: bytes, and uniform factors known only when it runs."""

    bytes: int
    factors: tuple[str, ...] = ()

    def times(self, code: str) -> str:
        """Code of the product."""
        parts = [code, *self.factors]
        return " * ".join(parts if self.bytes == 1 else [*parts, str(self.bytes)])


class Addresses:
    """Splits addresses, and makes the code of bases."""

    def __init__(self, build: Build, value: Callable[[ir.Expression], Value]) -> None:
        self._build = build
        self._value = value
        self._bases: dict[str, tuple[str, str]] = {}

    def split(self, place: ir.Place) -> Linear:
        """The address of a place."""
        linear = Linear()
        self._add_place(linear, place, Scale(1))
        return linear

    def pointer(self, pointer: ir.Expression) -> Linear:
        """A pointer."""
        linear = Linear()
        self._add(linear, pointer, Scale(1))
        return linear

    def integer(self, index: ir.Expression) -> Linear:
        """An integer."""
        return self.pointer(index)

    def value(self, linear: Linear, c_type: ir.Type) -> Value:
        """The sum as a plain value."""
        if not linear.varying:
            return Value(f"i64({linear.offset})" if linear.uniform else str(linear.constant), True, c_type)  # noqa: FBT003 - uniform
        code = " + ".join(linear.varying)
        if linear.uniform or linear.constant:
            code += f" + i64({linear.offset})"
        return Value(f"({code})", False, c_type)  # noqa: FBT003 - varies

    def base(self, linear: Linear) -> tuple[str, str]:
        """Code of the base and of the offset; the base is up to date from here on."""
        if not linear.varying:
            return "ZERO", linear.offset
        code = " + ".join(linear.varying)
        source = self._build.source
        if _TEMPORARY.search(code) or "[" in code:
            base, shift = source.name("base"), source.name("shift")
            source.line(f"{base}, {shift} = BASES({code})")
        else:
            base, shift = self._remembered(code, sorted(set(_VARIABLE.findall(code))))
        return base, shift if linear.offset == "0" else f"{shift} + {linear.offset}"

    def _remembered(self, code: str, inputs: list[str]) -> tuple[str, str]:
        source = self._build.source
        known = self._bases.get(code)
        names = known or (source.name("base"), source.name("shift"))
        base, shift = names
        self._bases[code] = names
        if not inputs:
            if known is None:
                source.prologue.append(f"{base}, {shift} = BASES({code})")
            return names
        seen = [f"{base}{name}" for name in inputs]
        if known is None:
            source.prologue.append(f"{' = '.join([base, shift, *seen])} = None")
        stale = " or ".join(f"{old} is not {new}" for old, new in zip(seen, inputs, strict=True))
        with source.indented(f"if {stale}:"):
            source.line(f"{base}, {shift} = BASES({code})")
            source.line(f"{', '.join(seen)} = {', '.join(inputs)}")
        return names

    # ------------------------------------------------------------ splitting

    def _add_place(self, linear: Linear, place: ir.Place, scale: Scale) -> None:
        match place:
            case ir.Whole():
                region = self._build.regions[place.variable]
                linear.constant += region.address * scale.bytes
                if region.stride:
                    linear.varying.append(f"LANE * {region.stride}")
            case ir.Element():
                self._add_place(linear, place.array, scale)
                self._add(linear, place.index, Scale(scale.bytes * size_of(place.type), scale.factors))
            case ir.Member():
                self._add_place(linear, place.record, scale)
                linear.constant += place.field.offset * scale.bytes
            case ir.Deref():
                self._add(linear, place.pointer, scale)

    def _add(self, linear: Linear, node: ir.Expression, scale: Scale) -> None:
        ranges, uniformity = self._build.ranges, self._build.uniformity
        known = ranges.value(node)
        if known is not None:
            self._add_constant(linear, known, scale)
        elif isinstance(node, ir.Const):
            self._add_constant(linear, int(node.value), scale)
        elif (
            isinstance(node, ir.Load)
            and isinstance(node.place, ir.Whole)
            and (defined := ranges.definition(node.place.variable)) is not None
        ):
            self._add(linear, defined, scale) if uniformity.varying(defined) else self._add_leaf(linear, node, scale)
        elif not self._descend(linear, node, scale):
            self._add_leaf(linear, node, scale)

    def _descend(self, linear: Linear, node: ir.Expression, scale: Scale) -> bool:
        """Go on within a node whose value is a sum or product of its parts; False where it is not."""
        match node:
            case ir.Offset():
                self._add(linear, node.pointer, scale)
                target = node.type.target if isinstance(node.type, ir.Pointer) else None
                self._add(linear, node.index, Scale(scale.bytes * size_of(target), scale.factors))
            case ir.AddressOf():
                self._add_place(linear, node.place, scale)
            case ir.Cast() if self._transparent(node):
                self._add(linear, node.operand, scale)
            case ir.BinaryOp() if self._linear(node):
                return self._add_operands(linear, node, scale)
            case _:
                return False
        return True

    def _add_operands(self, linear: Linear, node: ir.BinaryOp, scale: Scale) -> bool:
        ranges, uniformity = self._build.ranges, self._build.uniformity
        match node.operator:
            case ir.Binary.ADD | ir.Binary.SUBTRACT:
                self._add(linear, node.left, scale)
                sign = 1 if node.operator is ir.Binary.ADD else -1
                self._add(linear, node.right, Scale(scale.bytes * sign, scale.factors))
                return True
            case ir.Binary.SHIFT_LEFT if (count := ranges.value(node.right)) is not None and 0 <= count < 32:
                self._add(linear, node.left, Scale(scale.bytes << count, scale.factors))
                return True
            case ir.Binary.MULTIPLY:
                for one, other in ((node.left, node.right), (node.right, node.left)):
                    factor = ranges.value(one)
                    if factor is not None:
                        self._add(linear, other, Scale(scale.bytes * factor, scale.factors))
                        return True
                    if not uniformity.varying(one) and uniformity.varying(other):
                        self._add(linear, other, Scale(scale.bytes, (*scale.factors, self._value(one).code)))
                        return True
        return False

    def _linear(self, node: ir.BinaryOp) -> bool:
        """Whether the operation is the one of whole numbers: no wraparound happens, or it would be undefined, or is that of addresses."""
        whole = limits(node.type)
        if whole is None:
            return False
        return whole[1] >= (1 << 63) - 1 or whole[0] < 0 or self._build.ranges.exact(node)

    def _transparent(self, node: ir.Cast) -> bool:
        """Whether a conversion keeps the value, modulo 2**64."""
        if isinstance(node.type, ir.Pointer):
            return isinstance(node.operand.type, ir.Pointer)
        inner, outer = self._build.ranges.of(node.operand), limits(node.type)
        if inner is None or outer is None:
            return False
        return (outer[0] <= inner[0] and inner[1] <= outer[1]) or outer[1] >= (1 << 63) - 1

    def _add_constant(self, linear: Linear, value: int, scale: Scale) -> None:
        if not scale.factors:
            linear.constant += value * scale.bytes
        elif value:
            linear.uniform.append(scale.times(str(value)))

    def _add_leaf(self, linear: Linear, node: ir.Expression, scale: Scale) -> None:
        value = self._value(node)
        if value.uniform:
            linear.uniform.append(scale.times(value.code))
            return
        code = value.code if lane_dtype(node.type or ir.I64).str == "<i8" else f"np.int64({value.code})"
        linear.varying.append(Scale(_wrap(scale.bytes), tuple(f"i64({each})" for each in scale.factors)).times(code))


def _wrap(value: int) -> int:
    return ((value + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)
