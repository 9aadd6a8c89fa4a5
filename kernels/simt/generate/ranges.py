"""What values integer expressions can have, and what variables stand for: found from the text, the launch's shape and its arguments.

A variable that is given a value once, where it is declared, from others of that kind, stands for that expression wherever it is seen.
The counter of a plain `for` loop is one whose value changes only between rounds.
"""

from __future__ import annotations

from collections.abc import Mapping

from kernels.simt import ir
from kernels.simt.base.launch import Dim3
from kernels.simt.generate.loop_counters import LoopCounter, counting, limits, steady, writes_of
from kernels.simt.generate.walk import Node, children

Interval = tuple[int, int]


class Ranges:
    """Intervals and definitions for one kernel and one launch. `arguments` are integer parameters with their values."""

    def __init__(self, kernel: ir.Kernel, arguments: Mapping[ir.Variable, int], block: Dim3, grid: Dim3) -> None:
        self._sizes = {"blockDim": block, "gridDim": grid}
        self._most = {"threadIdx": block, "blockIdx": grid}
        self._definitions: dict[ir.Variable, ir.Expression] = {}
        self._counters: dict[int, LoopCounter] = {}
        self._intervals: dict[ir.Variable, Interval | None] = {}
        writes = writes_of(kernel)
        self._arguments = {each: value for each, value in arguments.items() if not writes.get(each) and not each.addressed}
        self._constant = {each for each in kernel.parameters if not writes.get(each) and not each.addressed}
        self._find(kernel.body, writes)

    def counter(self, loop: ir.Loop) -> LoopCounter | None:
        """What a plain counting loop counts, or None."""
        return self._counters.get(id(loop))

    def trips(self, loop: ir.Loop) -> int | None:
        """How many rounds a counting loop makes, where that is known."""
        counter = self.counter(loop)
        first, bound = (self.value(counter.first), self.value(counter.bound)) if counter is not None else (None, None)
        if counter is None or first is None or bound is None:
            return None
        return len(range(first, bound + counter.inclusive, counter.step))

    def definition(self, variable: ir.Variable) -> ir.Expression | None:
        """The expression that a variable stands for, or None."""
        return self._definitions.get(variable)

    def value(self, expression: ir.Expression) -> int | None:
        """The only value that it can have, or None."""
        low, high = self.of(expression) or (0, 1)
        return low if low == high else None

    def of(self, node: ir.Expression) -> Interval | None:
        """The values of an integer expression, or None where it is not one."""
        whole = limits(node.type)
        if whole is None:
            return None
        found = self._within(node)
        return found if found is not None and whole[0] <= found[0] and found[1] <= whole[1] else whole

    def exact(self, node: ir.BinaryOp) -> bool:
        """Whether a sum, difference or product never leaves its type."""
        found, whole = self._within(node), limits(node.type)
        return found is not None and whole is not None and whole[0] <= found[0] and found[1] <= whole[1]

    def positive(self, node: ir.BinaryOp) -> bool:
        """Whether no operand is negative, and the right one not zero either."""
        left, right = self.of(node.left), self.of(node.right)
        return left is not None and right is not None and left[0] >= 0 and right[0] > 0

    def _within(self, node: ir.Expression) -> Interval | None:
        """Return the values of an integer expression, as `of` does, before wrapping."""
        match node:
            case ir.Const():
                return (int(node.value), int(node.value))
            case ir.Special():
                return self._special(node.name)
            case ir.Load(place=ir.Whole(variable=variable)):
                return self._variable(variable)
            case ir.BinaryOp():
                left, right = self.of(node.left), self.of(node.right)
                return _combine(node.operator, left, right) if left is not None and right is not None else None
            case ir.Cast():
                return self.of(node.operand)
            case ir.UnaryOp(operator=ir.Unary.NEGATE):
                inner = self.of(node.operand)
                return (-inner[1], -inner[0]) if inner is not None else None
            case ir.Select():
                yes, no = self.of(node.yes), self.of(node.no)
                return (min(yes[0], no[0]), max(yes[1], no[1])) if yes is not None and no is not None else None
            case ir.Call(name="min" | "max"):
                return self._extreme(node)
        return None

    def _extreme(self, node: ir.Call) -> Interval | None:
        left, right = (self.of(argument) for argument in node.arguments)
        if left is None or right is None:
            return None
        choose = min if node.name == "min" else max
        return choose(left[0], right[0]), choose(left[1], right[1])

    def _special(self, name: str) -> Interval | None:
        base, _, axis = name.partition(".")
        if base in self._sizes:
            size = self._sizes[base]["xyz".index(axis)]
            return size, size
        if base in self._most:
            return 0, self._most[base]["xyz".index(axis)] - 1
        return {"warpSize": (32, 32), "laneid": (0, 31)}.get(name)

    def _variable(self, variable: ir.Variable) -> Interval | None:
        if variable in self._arguments:
            return self._arguments[variable], self._arguments[variable]
        if variable in self._intervals:
            return self._intervals[variable]
        self._intervals[variable] = None
        defined = self._definitions.get(variable)
        if defined is not None:
            self._intervals[variable] = self.of(defined)
        return self._intervals[variable]

    # ------------------------------------------------------------ finding definitions and counters

    def _find(self, node: Node, writes: Mapping[ir.Variable, int]) -> None:
        if isinstance(node, ir.Loop):
            counter = counting(node, writes)
            if counter is not None and steady(counter.bound, node):
                self._counters[id(node)] = counter
                self._constant.add(counter.variable)
                self._intervals[counter.variable] = self._counted(counter)
        if isinstance(node, ir.Declare) and node.value is not None and self._defines(node.variable, node.value, writes):
            self._definitions[node.variable] = node.value
            self._constant.add(node.variable)
        for child in children(node):
            self._find(child, writes)

    def _defines(self, variable: ir.Variable, value: ir.Expression, writes: Mapping[ir.Variable, int]) -> bool:
        if writes.get(variable) != 1 or variable.addressed:
            return False
        return (limits(variable.type) is not None or isinstance(variable.type, ir.Pointer)) and self._pure(value)

    def _pure(self, value: ir.Expression) -> bool:
        """Whether a value is made of constants, parameters that stay, and variables that stand for something, without reading memory."""
        match value:
            case ir.Const() | ir.Special():
                return True
            case ir.Load(place=ir.Whole(variable=variable)):
                return variable in self._constant
            case ir.BinaryOp() | ir.UnaryOp() | ir.Cast() | ir.Offset():
                return all(self._pure(child) for child in children(value) if not isinstance(child, ir.Whole))  # type: ignore[arg-type]
            case ir.AddressOf():
                return self._pure_place(value.place)
        return False

    def _pure_place(self, place: ir.Place) -> bool:
        match place:
            case ir.Whole():
                return place.variable.space is not ir.Space.REGISTER
            case ir.Element():
                return self._pure(place.index) and self._pure_place(place.array)
            case ir.Member():
                return self._pure_place(place.record)
        return self._pure(place.pointer)

    def _counted(self, counter: LoopCounter) -> Interval | None:
        first, bound = self.of(counter.first), self.of(counter.bound)
        if first is None or bound is None:
            return None
        return first[0], max(first[0], bound[1] if counter.inclusive else bound[1] - 1)


def _combine(operator: ir.Binary, left: Interval, right: Interval) -> Interval | None:
    low, high = left
    match operator:
        case ir.Binary.ADD:
            return low + right[0], high + right[1]
        case ir.Binary.SUBTRACT:
            return low - right[1], high - right[0]
        case ir.Binary.MULTIPLY:
            corners = [a * b for a in left for b in right]
            return min(corners), max(corners)
        case ir.Binary.AND if low >= 0 or right[0] >= 0:
            return 0, min(high if low >= 0 else right[1], right[1] if right[0] >= 0 else high)
        case ir.Binary.OR | ir.Binary.XOR if low >= 0 and right[0] >= 0:
            return 0, (1 << max(high, right[1]).bit_length()) - 1
    if right[0] != right[1] or right[0] < 0:
        return None
    return _combine_constant(operator, left, right[0])


def _combine_constant(operator: ir.Binary, left: Interval, right: int) -> Interval | None:
    """Return the values of an operation whose right operand has one value, not negative."""
    low, high = left
    match operator:
        case ir.Binary.DIVIDE if right:
            return (-(-low // right) if low < 0 else low // right), (-(-high // right) if high < 0 else high // right)
        case ir.Binary.REMAINDER if right:
            return (0 if low >= 0 else 1 - right), (0 if high <= 0 else min(high, right - 1) if low >= 0 else right - 1)
        case ir.Binary.SHIFT_RIGHT if right < 64:
            return low >> right, high >> right
        case ir.Binary.SHIFT_LEFT if right < 64:
            return low << right, high << right
    return None
