"""Arithmetic and comparisons on named numbers, written as in Python and nothing more: no calls, no attributes, no powers."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from app.core.base.parsing import shown
from kernels.base.messages import Message, message

LONGEST = 200
MOST_PARTS = 60
_ONE_AT_A_TIME = Lock()
"""Lessons are read beside the window: two threads in Python 3.11's parser now and then end in a SystemError (gh-106905)."""

_ARITHMETIC: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_COMPARISONS: Mapping[type, Callable[[float, float], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_LEAVES = (ast.Expression, ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.Compare, ast.UnaryOp, ast.USub, ast.BoolOp, ast.And)


class Expression:
    """A checked expression. `names` are the numbers that it needs."""

    def __init__(self, text: str, tree: ast.expr, names: frozenset[str]) -> None:
        self.text = text
        self.names = names
        self._tree = tree

    def value(self, numbers: Mapping[str, float]) -> float | Message:
        """Return the value of the expression, 1 or 0 for a comparison; or why it has none."""
        try:
            value = float(_value(self._tree, numbers))
        except (ZeroDivisionError, OverflowError):
            value = math.nan
        if not math.isfinite(value):
            return message("{expression} has no value.", expression=self.text)
        return value


def parse(text: str) -> Expression | Message:
    """The expression that a text is, or why it is none."""
    refused = message("'{text}' is no calculation with numbers and names", text=shown(text))
    if len(text) > LONGEST:
        return refused
    try:
        with _ONE_AT_A_TIME:
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return refused
    parts = list(ast.walk(tree))
    if len(parts) > MOST_PARTS or not all(_allowed(part) for part in parts):
        return refused
    return Expression(text.strip(), tree.body, frozenset(part.id for part in parts if isinstance(part, ast.Name)))


def _allowed(part: ast.AST) -> bool:
    if isinstance(part, ast.Constant):
        return isinstance(part.value, int | float) and not isinstance(part.value, bool) and abs(part.value) <= 1e18
    return isinstance(part, _LEAVES) or type(part) in _ARITHMETIC or type(part) in _COMPARISONS


def _value(part: Any, numbers: Mapping[str, float]) -> float:
    if isinstance(part, ast.Constant):
        return float(part.value)  # type: ignore[arg-type]  # `parse` let only numbers pass
    if isinstance(part, ast.Name):
        return numbers[part.id]
    if isinstance(part, ast.UnaryOp):
        return -_value(part.operand, numbers)
    if isinstance(part, ast.BinOp):
        return _ARITHMETIC[type(part.op)](_value(part.left, numbers), _value(part.right, numbers))
    if isinstance(part, ast.BoolOp):
        return float(all(_value(each, numbers) for each in part.values))
    operands = [_value(each, numbers) for each in (part.left, *part.comparators)]
    return float(all(_COMPARISONS[type(op)](a, b) for op, a, b in zip(part.ops, operands, operands[1:], strict=False)))
