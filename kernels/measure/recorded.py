"""Measurements that come with the program, as a JSON file: `conditions` that all points share, and `points`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kernels.measure.export import result_object
from kernels.measure.records import message_from_json, message_to_json, stored_point
from kernels.measure.results import Result, Status
from kernels.spec import Operation, Problem


def load_recorded(path: Path | Traversable) -> tuple[Result, ...]:
    """The results in a file that `recorded_text` made, skipped points with their reasons included."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return tuple(_result(point, document["conditions"]) for point in document["points"])


def recorded_text(results: Sequence[Result]) -> str:
    """The file's text: one line for each point, reasons as translatable messages, shared conditions once at the top."""
    shared = dict(set.intersection(*(set(result.conditions.items()) for result in results))) if results else {}
    points = (json.dumps(_point(result, shared), ensure_ascii=False, allow_nan=False) for result in results)
    conditions = json.dumps(dict(sorted(shared.items())), ensure_ascii=False, indent=1)
    return f'{{"conditions": {conditions},\n"points": [\n' + ",\n".join(points) + "\n]}\n"


def _point(result: Result, shared: dict[str, str | int | float]) -> dict[str, Any]:
    point = result_object(result)
    del point["parameter_names"]  # they follow from the catalogue
    point["reason"] = None if result.reason is None else message_to_json(result.reason)
    point["conditions"] = {name: value for name, value in result.conditions.items() if name not in shared}
    return point


def _result(point: dict[str, Any], shared: dict[str, Any]) -> Result:
    problem = Problem(Operation(point["operation"]), point["m"], point["n"], point["k"])
    return Result(
        stored_point(point["id"], problem, point["parameters"]),
        Status(point["status"]),
        point["created"],
        tuple(point["times_ms"]),
        point["relative_error"],
        point["allowed_error"],
        None if point["reason"] is None else message_from_json(point["reason"]),
        {**shared, **point["conditions"]},
    )
