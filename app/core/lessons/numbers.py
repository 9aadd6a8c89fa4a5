"""Numbers of a lesson's text: what the names in it stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.core.base.i18n import format_number
from app.core.gpu_view.sectors import lane_ranges
from app.core.lesson_metrics.expression import Expression
from app.core.lesson_metrics.metric import Metric, Value
from kernels.base.messages import Message, message

Find = Callable[[Metric], Value | Message | None]
"""What is known of a lesson metric; None: nothing yet."""
PERCENT = "%"


def numbers_of(values: Mapping[str, Metric | Expression], find: Find) -> dict[str, Value | Message]:
    """Values by name, as far as they are known, or why they cannot be."""
    found: dict[str, Value | Message] = {}
    for name, value in values.items():
        outcome = find(value) if isinstance(value, Metric) else calculated(value, found)
        if outcome is not None:
            found[name] = outcome
    return found


def calculated(expression: Expression, found: Mapping[str, Value | Message]) -> float | Message | None:
    """An expression's value; None while one of its names is not known."""
    numbers: dict[str, float] = {}
    for name in expression.names:
        value = found.get(name)
        if value is None or isinstance(value, Message):
            return value
        if isinstance(value, frozenset):
            return message("{name} is a set of lanes, not a number.", name=name)
        numbers[name] = value
    return expression.value(numbers)


def written(found: Mapping[str, Value | Message], language_of_lists: str = ", ") -> dict[str, str]:
    """The values as a text has them: `{name}`, and `{name%}` for a share in percent."""
    texts: dict[str, str] = {}
    for name, value in found.items():
        if isinstance(value, frozenset):
            texts[name] = lane_ranges(tuple(sorted(value))).replace(", ", language_of_lists)
        elif not isinstance(value, Message):
            texts[name] = number_text(value)
            texts[name + PERCENT] = f"{format_number(round(100 * value) if abs(value) >= 0.1 else 100 * value)} %"
    return texts


def number_text(number: float) -> str:
    """Return a number as texts write it: whole numbers in full."""
    return format_number(int(number) if float(number).is_integer() and abs(number) < 1e15 else number)
