"""Results and messages as JSON values and back, without loss.

A damaged file may hold anything in their place: values are held to what was written, and all readers raise ValueError.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from kernels.base.messages import Message
from kernels.base.spec import Operation, Parameters, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.results import Result, Status


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
    """Return parameters by name."""
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


Record = dict[str, str | int | float | None]
"""One result as plain column values; what has a structure of its own is JSON text."""
UNFIT = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError)
"""What reading values raises that nobody wrote so."""


def to_record(result: Result) -> Record:
    """The columns of one result. Raises ValueError for a number that is not finite."""
    problem = result.point.problem
    return {
        "created": result.created,
        "variant": result.point.variant_id,
        "operation": problem.operation.value,
        "m": problem.m,
        "n": problem.n,
        "k": problem.k,
        "parameters": _dump(dict(result.point.parameters)),
        "status": result.status.value,
        "times_ms": _dump(list(result.times_ms)),
        "relative_error": result.relative_error,
        "allowed_error": result.allowed_error,
        "reason": None if result.reason is None else _dump(message_to_json(result.reason)),
        "conditions": _dump(dict(result.conditions)),
    }


def from_record(record: dict[str, Any]) -> Result:
    """The result that `to_record` made these columns of. Raises one of `UNFIT` where it cannot have made them."""
    problem = Problem(Operation(record["operation"]), *(whole(record[name]) for name in "mnk"))
    result = Result(
        stored_point(text(record["variant"]), problem, parameters(json.loads(record["parameters"]))),
        Status(record["status"]),
        text(record["created"]),
        times(json.loads(record["times_ms"])),
        error(record["relative_error"]),
        error(record["allowed_error"]),
        None if record["reason"] is None else sentence(json.loads(record["reason"])),
        conditions(json.loads(record["conditions"])),
    )
    variant = find(result.point.variant_id)
    if problem.operation is Operation.HELLO or (variant is not None and variant.operation is not problem.operation):
        raise ValueError("another operation")
    if result.verified and not result.times_ms:
        raise ValueError("no times")
    return result


def stored_point(variant_id: str, problem: Problem, parameters: Parameters) -> Case:
    """The point of a result that was kept: a parameter that its variant did not have then means its default."""
    variant = find(variant_id)
    return Case(variant_id, problem, {**(variant.defaults if variant is not None else {}), **parameters})


def message_to_json(message: Message) -> dict[str, Any]:
    """A message as a JSON object; its arguments keep their order."""
    arguments = {name: message_to_json(value) if isinstance(value, Message) else value for name, value in message.arguments}
    return {"template": message.template, "arguments": arguments}


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
