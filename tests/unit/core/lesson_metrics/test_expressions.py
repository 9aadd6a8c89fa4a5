"""Calculations in lessons: what they are worth, and that nothing else can be written in them."""

from __future__ import annotations

import pytest

from app.core.lesson_metrics.expression import Expression, parse
from kernels.base.messages import Message


def value(text: str, **numbers: float) -> float | str:
    expression = parse(text)
    assert isinstance(expression, Expression), text
    found = expression.value(numbers)
    return str(found) if isinstance(found, Message) else found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 * (3 + 4) - 1", 13), ("7 // 2", 3), ("7 % 4", 3), ("-x", -5), ("x / 2", 2.5), ("1 < x < 6", 1), ("x > 9", 0),
        ("x == 5 and x != 4", 1), ("x >= 5 and x <= 4", 0), ("1e3", 1000),
    ],
)  # fmt: skip
def test_arithmetic_and_comparisons(text: str, expected: float) -> None:
    assert value(text, x=5) == expected


@pytest.mark.parametrize("text", ["1 / 0", "1 // 0", "1 % 0", "x * x"])
def test_what_has_no_value_says_so(text: str) -> None:
    assert value(text, x=1e200) == f"{text} has no value."


@pytest.mark.parametrize(
    "text",
    [
        "", "1 +", "__import__('os').system('x')", "x.y", "x[0]", "f(1)", "2 ** 9", "'a'", "True", "lambda: 1", "1 if x else 2", "x or y",
        "not x", "[1]", "x := 1", "1j", "1e999", "9" * 190, "x\0", "(" * 150 + "1" + ")" * 150, "-" * 150 + "1", "1+" * 99 + "1", "a" * 201,
        "~1", "1 << 2", "x is y", "x in y", "await x", "f'{x}'", "*x", "...",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    assert isinstance(parse(text), Message)


def test_the_names_that_it_needs() -> None:
    expression = parse("a + b * a")
    assert isinstance(expression, Expression)
    assert expression.names == {"a", "b"}
