"""Results as CSV and JSON, with names that stay the same from version to version."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernels.base.messages import Message
from kernels.base.spec import Operation, Parameters, Variant
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.disturbance_sentences import disturbance
from kernels.measure.results import Result

COLUMNS = (
    "id", "operation", "device", "status", "m", "n", "k", "median_ms", "spread_ms", "min_ms", "max_ms", "samples",
    "gflops", "gbytes_per_s", "verified", "relative_error", "allowed_error", "reason", "created", "disturbed",
)  # fmt: skip
"""CSV columns that are always there, in order; the parameters follow by name, then the conditions as condition_<name>."""


def result_object(result: Result, text: Callable[[Message], str] = str) -> dict[str, Any]:
    """The JSON object of one result: its point and what came out. Times are in milliseconds; `samples` counts them.

    `text` renders the reason.
    """
    point, times = result.point, result.times_ms
    variant = catalogue.find(point.variant_id)
    return {
        **point_object(point),
        "device": variant.device.value if variant is not None else point.variant_id.partition(".")[0],
        "status": result.status.value,
        "median_ms": result.median_ms,
        "spread_ms": result.spread_ms,
        "min_ms": min(times, default=None),
        "max_ms": max(times, default=None),
        "samples": len(times),
        "times_ms": list(times),
        rate_name(point.problem.operation): result.rate,
        "verified": result.verified,
        "relative_error": result.relative_error,
        "allowed_error": result.allowed_error,
        "reason": None if result.reason is None else text(result.reason),
        "created": result.created,
        "disturbed": None if (said := disturbance(result.conditions)) is None else text(said),
        "conditions": dict(result.conditions),
    }


def point_object(point: Case) -> dict[str, Any]:
    """What every JSON object about a point begins with: which variant, on matrices of which sizes, with which parameters."""
    problem, variant = point.problem, catalogue.find(point.variant_id)
    sizes = {"m": problem.m, "n": problem.n, "k": problem.k}
    return {"id": point.variant_id, "operation": problem.operation.value, **sizes, **parameters_object(variant, point.parameters)}


def parameters_object(variant: Variant | None, parameters: Parameters) -> dict[str, Any]:
    """`parameters` are numbers; `parameter_names` has the names of those values that have one."""
    return {"parameters": dict(parameters), "parameter_names": _named(variant, parameters)}


def json_text(results: Sequence[Result], text: Callable[[Message], str] = str, more: Sequence[Mapping[str, object]] = ()) -> str:
    """A JSON list of result objects, one line each, so that two exports can be compared line by line.

    `more` has further values for each result, or is empty.
    """
    objects = (result_object(result, text) | dict(further) for result, further in zip(results, more or ({},) * len(results), strict=True))
    lines = (json.dumps(each, ensure_ascii=False, allow_nan=False) for each in objects)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def csv_text(results: Sequence[Result], text: Callable[[Message], str] = str, more: Sequence[Mapping[str, object]] = ()) -> str:
    """A header and one line for each result; what a result does not have is left empty. A value that has a name is written by it.

    `more` has further single values for each result, which become columns; or it is empty.
    """
    parameters = sorted(_catalogue_parameters().union(*(result.point.parameters for result in results)))
    conditions = sorted(set().union(*(result.conditions for result in results)))
    further = dict.fromkeys(name for each in more for name, value in each.items() if not isinstance(value, Mapping))
    header = [*COLUMNS, *further, *parameters, *(f"condition_{name}" for name in conditions)]
    out = io.StringIO()
    writer = csv.DictWriter(out, header, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for result, each in zip(results, more or ({},) * len(results), strict=True):
        row = result_object(result, text) | dict(each)
        row |= row["parameters"] | row["parameter_names"] | {f"condition_{name}": value for name, value in result.conditions.items()}
        writer.writerow(row | {"verified": str(result.verified).lower()})
    return out.getvalue()


def rate_name(operation: Operation) -> str:
    """The name of the rate of results: gflops, or gbytes_per_s where nothing is computed."""
    return "gflops" if operation is Operation.MATMUL else "gbytes_per_s"


def _named(variant: Variant | None, parameters: Parameters) -> dict[str, str]:
    """What the values are called that have a name."""
    own = () if variant is None else variant.parameters
    return {each.name: each.written(parameters[each.name]) for each in own if each.names and each.name in parameters}


def _catalogue_parameters() -> set[str]:
    """Return the names of the parameters of all variants that can be measured."""
    measured = (variant for variant in catalogue.VARIANTS if variant.operation is not Operation.HELLO)
    return {parameter.name for variant in measured for parameter in variant.parameters}
