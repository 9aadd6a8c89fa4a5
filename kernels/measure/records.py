"""Results and messages as JSON values and back, without loss."""

from __future__ import annotations

import json
from typing import Any

from kernels.catalog import find
from kernels.measure import stored_values
from kernels.measure.results import Point, Result, Status
from kernels.messages import Message
from kernels.spec import Operation, Parameters, Problem

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
    problem = Problem(Operation(record["operation"]), *(stored_values.whole(record[name]) for name in "mnk"))
    result = Result(
        stored_point(stored_values.text(record["variant"]), problem, stored_values.parameters(json.loads(record["parameters"]))),
        Status(record["status"]),
        stored_values.text(record["created"]),
        stored_values.times(json.loads(record["times_ms"])),
        stored_values.error(record["relative_error"]),
        stored_values.error(record["allowed_error"]),
        None if record["reason"] is None else stored_values.sentence(json.loads(record["reason"])),
        stored_values.conditions(json.loads(record["conditions"])),
    )
    variant = find(result.point.variant_id)
    if problem.operation is Operation.HELLO or (variant is not None and variant.operation is not problem.operation):
        raise ValueError("another operation")
    if result.verified and not result.times_ms:
        raise ValueError("no times")
    return result


def stored_point(variant_id: str, problem: Problem, parameters: Parameters) -> Point:
    """The point of a result that was kept: a parameter that its variant did not have then means its default."""
    variant = find(variant_id)
    return Point(variant_id, problem, {**(variant.defaults if variant is not None else {}), **parameters})


def message_to_json(message: Message) -> dict[str, Any]:
    """A message as a JSON object; its arguments keep their order."""
    arguments = {name: message_to_json(value) if isinstance(value, Message) else value for name, value in message.arguments}
    return {"template": message.template, "arguments": arguments}


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
