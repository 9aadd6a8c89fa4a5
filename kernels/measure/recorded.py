"""Recordings: measurements as one JSON file, which come with the program, or go from one machine to another.

`conditions` are shared by all points, `of_runs` by those of a device that have times; then one line for each of the `points`, where what
is empty is left out. Median, rate and the like are not in it: they follow from the samples.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kernels.measure.recording_checks import FORMAT, Recording, recording_from
from kernels.measure.records import message_to_json
from kernels.measure.results import Result
from kernels.spec import Device

Conditions = Mapping[str, str | int | float]
DIGITS = 6
"""Significant digits of times and errors: more than a clock has."""


def load_recorded(path: Path | Traversable) -> tuple[Result, ...]:
    """The results in a recording, points without a time included. Raises `BadRecording`, a ValueError, and OSError."""
    return read_recording(path.read_text(encoding="utf-8")).results


def read_recording(text: str) -> Recording:
    """What a recording's text says. Raises `BadRecording`, which names line and field."""
    return recording_from(text)


def recorded_text(results: Sequence[Result]) -> str:
    """A recording's text; equal results give equal texts."""
    shared = _shared(results)
    of_runs = {str(device): own for device, ran in _ran(results).items() if (own := _without(_shared(ran), shared))}
    head = {"format": FORMAT, "conditions": shared, "of_runs": of_runs}
    lines = (
        json.dumps(
            _point(result, {**shared, **of_runs.get(_device(result), {})}), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        for result in results
    )
    begin = json.dumps(head, ensure_ascii=False, indent=1, sort_keys=True).removesuffix("\n}")
    return f'{begin},\n "points": [\n' + ",\n".join(lines) + "\n]}\n"


def _point(result: Result, shared: Conditions) -> dict[str, Any]:
    point, problem = result.point, result.point.problem
    values = {
        "id": point.variant_id,
        "operation": problem.operation.value,
        "m": problem.m, "n": problem.n, "k": problem.k,
        "parameters": dict(point.parameters),
        "status": result.status.value,
        "times_ms": [_rounded(time) for time in result.times_ms],
        "relative_error": _rounded(result.relative_error),
        "allowed_error": _rounded(result.allowed_error),
        "reason": None if result.reason is None else message_to_json(result.reason),
        "created": result.created,
        "conditions": _without(result.conditions, shared),
    }  # fmt: skip
    return {name: value for name, value in values.items() if value not in (None, [], {})}


def _device(result: Result) -> str:
    """The device whose `of_runs` hold of the result; "" where it has no time."""
    return str(result.point.variant.device) if result.times_ms else ""


def _ran(results: Sequence[Result]) -> dict[Device, list[Result]]:
    ran: dict[Device, list[Result]] = {}
    for result in results:
        if result.times_ms:
            ran.setdefault(result.point.variant.device, []).append(result)
    return ran


def _shared(results: Sequence[Result]) -> dict[str, str | int | float]:
    return dict(set.intersection(*(set(result.conditions.items()) for result in results))) if results else {}


def _without(conditions: Conditions, shared: Conditions) -> dict[str, str | int | float]:
    return {name: value for name, value in conditions.items() if name not in shared}


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")
