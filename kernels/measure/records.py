"""Results and messages as JSON values and back, without loss."""

from __future__ import annotations

import json
from typing import Any

from kernels.catalog import find
from kernels.measure.results import Point, Result, Status
from kernels.messages import Message
from kernels.spec import Operation, Parameters, Problem

Record = dict[str, str | int | float | None]
"""One result as plain column values; what has a structure of its own is JSON text."""


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
    """The result that `to_record` made these columns of."""
    problem = Problem(Operation(record["operation"]), record["m"], record["n"], record["k"])
    return Result(
        stored_point(record["variant"], problem, json.loads(record["parameters"])),
        Status(record["status"]),
        record["created"],
        tuple(json.loads(record["times_ms"])),
        record["relative_error"],
        record["allowed_error"],
        None if record["reason"] is None else message_from_json(json.loads(record["reason"])),
        json.loads(record["conditions"]),
    )


def stored_point(variant_id: str, problem: Problem, parameters: Parameters) -> Point:
    """The point of a result that was kept: a parameter that its variant did not have then means its default."""
    variant = find(variant_id)
    return Point(variant_id, problem, {**(variant.defaults if variant is not None else {}), **parameters})


def message_to_json(message: Message) -> dict[str, Any]:
    """A message as a JSON object; its arguments keep their order."""
    arguments = {name: message_to_json(value) if isinstance(value, Message) else value for name, value in message.arguments}
    return {"template": message.template, "arguments": arguments}


def message_from_json(value: dict[str, Any]) -> Message:
    """The message that `message_to_json` made this object of."""
    arguments = value["arguments"].items()
    return Message(value["template"], tuple((name, message_from_json(v) if isinstance(v, dict) else v) for name, v in arguments))


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
