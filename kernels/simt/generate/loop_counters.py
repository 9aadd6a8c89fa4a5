"""Loops that only count: Python's `for` can do them."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.generate.walk import assigned, descendants

Interval = tuple[int, int]
_INTEGERS = (ir.Kind.SIGNED, ir.Kind.UNSIGNED, ir.Kind.BOOL)


@dataclass(frozen=True, slots=True)
class LoopCounter:
    """`for (T variable = first; variable < (or <=) bound; variable += step)`, step > 0, nothing else changing the variable or the bound."""

    variable: ir.Variable
    first: ir.Expression
    bound: ir.Expression
    inclusive: bool
    step: int


def limits(c_type: ir.Type | None) -> Interval | None:
    """The least and largest value of an integer type."""
    if not isinstance(c_type, ir.Scalar) or c_type.kind not in _INTEGERS:
        return None
    if c_type.kind is ir.Kind.BOOL:
        return 0, 1
    bits = 8 * c_type.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if c_type.kind is ir.Kind.SIGNED else (0, (1 << bits) - 1)


def steady(bound: ir.Expression, loop: ir.Loop) -> bool:
    """Whether the bound of a counting loop is the same in each round: made of variables in registers that the loop leaves alone."""
    changed = {assigned(node) for part in (loop.body, loop.step) for node in descendants(part)}
    for node in descendants(bound):
        if isinstance(node, ir.Deref | ir.Element | ir.Call | ir.Inlined | ir.Assign | ir.Increment):
            return False
        if isinstance(node, ir.Whole):
            variable = node.variable
            if variable in changed or variable.addressed or variable.space is not ir.Space.REGISTER:
                return False
    return True


def counting(loop: ir.Loop, writes: Mapping[ir.Variable, int]) -> LoopCounter | None:
    """The loop as a counting one, if its form is that of one; its bound is not looked at."""
    condition, before = loop.condition, loop.before.statements
    declare = before[-1] if before else None
    if loop.test_last or not isinstance(declare, ir.Declare) or declare.value is None or not isinstance(condition, ir.BinaryOp):
        return None
    variable, inclusive = declare.variable, condition.operator is ir.Binary.LESS_EQUAL
    whole = limits(variable.type)
    plain = whole is not None and not variable.addressed and writes.get(variable) == 2 and condition.left.type == variable.type
    if not plain or not (inclusive or condition.operator is ir.Binary.LESS) or not _is_load(condition.left, variable):
        return None
    step = _step(loop.step, variable)
    unsigned = whole is not None and whole[0] == 0
    if step is None or step < 1 or (unsigned and (inclusive or step != 1)):
        return None
    return LoopCounter(variable, declare.value, condition.right, inclusive, step)


def _step(block: ir.Block, variable: ir.Variable) -> int | None:
    if len(block.statements) != 1:
        return None
    statement = block.statements[0]
    if (
        isinstance(statement, ir.Evaluate)
        and isinstance(statement.expression, ir.Increment)
        and _is_whole(statement.expression.place, variable)
    ):
        return statement.expression.by
    if isinstance(statement, ir.Store) and _is_whole(statement.place, variable):
        value = statement.value
        if statement.operator is ir.Binary.ADD and isinstance(value, ir.Const):
            return int(value.value)
        if statement.operator is None and isinstance(value, ir.BinaryOp) and value.operator is ir.Binary.ADD:
            by = value.right
            return int(by.value) if _is_load(value.left, variable) and isinstance(by, ir.Const) else None
    return None


def _is_load(node: ir.Expression, variable: ir.Variable) -> bool:
    return isinstance(node, ir.Load) and _is_whole(node.place, variable)


def _is_whole(place: ir.Place, variable: ir.Variable) -> bool:
    return isinstance(place, ir.Whole) and place.variable is variable


def writes_of(kernel: ir.Kernel) -> dict[ir.Variable, int]:
    """How often each variable is given a value in the text."""
    counts: dict[ir.Variable, int] = {}
    for node in descendants(kernel.body):
        variable = assigned(node)
        if variable is not None:
            counts[variable] = counts.get(variable, 0) + 1
        if isinstance(node, ir.Inlined) and node.result is not None:
            counts[node.result] = counts.get(node.result, 0) + 2
    return counts
