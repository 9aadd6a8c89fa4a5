"""Code of expressions. What has an effect, or reads memory, becomes lines of its own; the rest is nested into one line."""

from __future__ import annotations

from collections.abc import Callable

from kernels.simt import ir
from kernels.simt.generate import operators
from kernels.simt.generate.addresses import Addresses
from kernels.simt.generate.build import FMA, NOT_COUNTED, Build
from kernels.simt.generate.choices import EFFECTS, Choices
from kernels.simt.generate.places import Places
from kernels.simt.generate.uniformity import PURE
from kernels.simt.generate.values import Leaves, Value, dtype_code, is_float, leaf_types, typed, zero
from kernels.simt.generate.walk import descendants
from kernels.simt.layout import size_of


class Expressions:
    """Makes code of expressions. `inline` makes the code of a device function's body."""

    def __init__(self, build: Build, inline: Callable[[ir.Inlined], Leaves]) -> None:
        self._build = build
        self._inline = inline
        self.addresses = Addresses(build, self.scalar)
        self.places = Places(build, self.addresses, self.scalar)
        self._choices = Choices(build, self.leaves)

    def scalar(self, node: ir.Expression) -> Value:
        """An expression whose value is one scalar or pointer."""
        (value,) = self.leaves(node)
        return value

    def condition(self, node: ir.Expression) -> str:
        """The name of a local that holds a truth value."""
        return self._build.source.hold(self.scalar(node).code, "t")

    def leaves(self, node: ir.Expression) -> Leaves:
        """The scalars of an expression's value."""
        match node:
            case ir.Const():
                return (self._const(node),)
            case ir.Special():
                return (self._special(node),)
            case ir.Load():
                return self.places.load(self.places.target(node.place), node.type, node.location)
            case ir.AddressOf() | ir.Offset():
                return (self.addresses.value(self.addresses.pointer(node), node.type),)
            case ir.Difference():
                return (self._difference(node),)
            case ir.UnaryOp():
                return (self._unary(node),)
            case ir.BinaryOp():
                return (self._binary(node),)
            case ir.Cast():
                return (self._cast(node),)
            case ir.ShortCircuit():
                return (self._choices.short_circuit(node),)
            case ir.Select():
                return self._choices.select(node)
            case ir.Make():
                return self._make(node)
            case ir.Extract():
                return self._extract(node)
            case ir.Assign():
                return self._assign(node)
            case ir.Increment():
                return (self._increment(node),)
            case ir.Call():
                return self._call(node)
            case ir.Inlined():
                return self._inline(node)

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
        return operators.binary(operator, left, right, kind, exact=exact)

    def fused(self, operator: ir.Binary, left: ir.Expression | Value, right: ir.Expression, c_type: ir.Type) -> Value | None:
        """A float product and a sum rounded once, if that is asked for and it is one."""
        if not self._build.contract or c_type != ir.F32 or operator not in (ir.Binary.ADD, ir.Binary.SUBTRACT):
            return None
        minus = operator is ir.Binary.SUBTRACT
        if isinstance(left, ir.BinaryOp) and left.operator is ir.Binary.MULTIPLY:
            product, other, negate_product, negate_other = left, right, False, minus
        elif isinstance(right, ir.BinaryOp) and right.operator is ir.Binary.MULTIPLY:
            product, other, negate_product, negate_other = right, left, minus, False
        else:
            return None
        a, b = self._kept(self.scalar(product.left), product.right), self.scalar(product.right)
        added = other if isinstance(other, Value) else self.scalar(other)
        self._build.count_flops(2)
        code = f"fma32({'-' * negate_product}{a.code}, {b.code}, {'-' * negate_other}{added.code})"
        return Value(code, a.uniform and b.uniform and added.uniform, c_type)

    def _cast(self, node: ir.Cast) -> Value:
        inner, outer = self._build.ranges.of(node.operand), self._build.ranges.of(node)
        fits = inner is not None and inner == outer
        return operators.cast(self.scalar(node.operand), node.type, fits=fits)

    def _kept(self, value: Value, later: ir.Expression) -> Value:
        """The value as it is now, even if what is evaluated later changes variables."""
        if any(isinstance(each, EFFECTS) for each in descendants(later)):
            return Value(self._build.source.hold(value.code), value.uniform, value.type)
        return value

    # ------------------------------------------------------------ structs

    def _make(self, node: ir.Make) -> Leaves:
        given = tuple(value for member in node.members for value in self.leaves(member))
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
        for argument in node.arguments:
            values = [typed(value) if isinstance(argument.type, ir.Pointer) else value.code for value in self.leaves(argument)]
            arguments.append(values[0] if len(values) == 1 else f"({', '.join(values)})")
        uniform = node.name in PURE and not any(map(self._build.uniformity.varying, node.arguments))
        call, function = self._build.source.refer("CALL", node), self._build.function(node)
        pointers = (each for each in node.arguments if isinstance(each.type, ir.Pointer))
        self._build.targets[id(node)] = next((self._build.provenance.target(each) for each in pointers), None)
        if is_float(node.type) and not node.name.startswith(NOT_COUNTED):
            self._build.count_flops(2 if node.name in FMA else 1)
        source, types = self._build.source, leaf_types(node.type)
        source.line(f"c.call, c.mask = {call}, {self._build.mask}")
        code = f"{function}({', '.join(['c', *arguments])})"
        if not types:
            source.line(code)
            return ()
        name = source.hold(code)
        if len(types) > 1:
            return tuple(Value(f"{name}[{item}]", False, c_type) for item, c_type in enumerate(types))  # noqa: FBT003 - varies
        source.line(f"{name} = one({name})" if uniform else f"{name} = np.asarray({name}, {dtype_code(types[0])})[()]")
        return (Value(name, uniform, types[0]),)
