"""Values that were kept, held to what was written: a damaged file may hold anything in their place. All raise ValueError then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from kernels.messages import Message


def whole(value: Any) -> int:
    """A number of rows, columns or the like."""
    if type(value) is not int or value < 0:
        raise _Unfit(value)
    return value


def text(value: Any) -> str:
    """A text that can be written."""
    if not isinstance(value, str):
        raise _Unfit(value)
    value.encode("utf-8")  # half a character, which JSON can have, raises a ValueError
    return value


def times(value: Any) -> tuple[float, ...]:
    """Milliseconds."""
    if not isinstance(value, list) or not all(type(each) in (int, float) and math.isfinite(each) and each >= 0 for each in value):
        raise _Unfit(value)
    return tuple(value)


def error(value: Any) -> float | None:
    """A relative error, which may be infinite, or none."""
    if value is not None and type(value) not in (int, float):
        raise _Unfit(value)
    number: float | None = value
    return number


def parameters(value: Any) -> dict[str, int]:
    """By name."""
    if not isinstance(value, dict) or not all(type(each) is int for each in value.values()):
        raise _Unfit(value)
    return {text(name): each for name, each in value.items()}


def conditions(value: Any) -> dict[str, str | int | float]:
    """Texts and numbers by name."""
    if not isinstance(value, dict) or not all(isinstance(each, str | int | float) for each in value.values()):
        raise _Unfit(value)
    return {text(name): text(each) if isinstance(each, str) else each for name, each in value.items()}


def sentence(value: Any) -> Message:
    """A message that can be rendered, from the object that it was written as."""
    found = _message(value)
    try:
        text(str(found))
    except (LookupError, AttributeError, TypeError) as unfit:
        raise _Unfit(found.template) from unfit
    return found


def _message(value: Any) -> Message:
    if not isinstance(value, Mapping) or not isinstance(value.get("arguments"), Mapping):
        raise _Unfit(value)
    return Message(text(value.get("template")), tuple((name, _argument(each)) for name, each in value["arguments"].items()))


def _argument(value: Any) -> str | int | float | Message:
    if isinstance(value, Mapping):
        return _message(value)
    if not isinstance(value, str | int | float):
        raise _Unfit(value)
    return value


class _Unfit(ValueError):
    def __init__(self, value: object) -> None:
        super().__init__(f"nobody wrote {type(value).__name__} {str(value)[:80]}")
