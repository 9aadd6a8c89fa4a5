"""Exports keep their names, and what one reads back is what was measured."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.export import COLUMNS, csv_text, json_text, result_object
from kernels.measure.results import Result, Status

POINT = Case("cpu.blocked", Problem(Operation.MATMUL, 1000, 500, 200), {"tile": 32})
MEASURED = Result(POINT, Status.MEASURED, "2026-01-02T03:04:05+00:00", (1.0, 2.0, 3.0, 4.0), 1e-7, 1e-5, None, {"threads": 2})
MOVED = Result(Case("gpu.transpose-padded", Problem(Operation.TRANSPOSE, 1000, 500), {"tile": 16}), Status.SINGLE, "2026", (4.0,))
SKIPPED = Result(POINT, Status.SKIPPED, "2026", reason=message('About "{n}",\nno time', n=3))


def rows(*results: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(results))))


def test_the_object_of_a_result() -> None:
    assert result_object(MEASURED) == {
        "id": "cpu.blocked", "operation": "matmul", "device": "cpu", "status": "measured", "m": 1000, "n": 500, "k": 200,
        "parameters": {"tile": 32}, "parameter_names": {}, "median_ms": 2.5, "spread_ms": 1.5, "min_ms": 1.0, "max_ms": 4.0, "samples": 4,
        "times_ms": [1.0, 2.0, 3.0, 4.0], "gflops": 80.0, "verified": True, "relative_error": 1e-7, "allowed_error": 1e-5,
        "reason": None, "created": "2026-01-02T03:04:05+00:00", "disturbed": None, "conditions": {"threads": 2},
    }  # fmt: skip


def test_a_transposition_has_bytes_instead_of_operations() -> None:
    exported = result_object(MOVED)
    assert "gflops" not in exported
    assert exported["gbytes_per_s"] == 1.0
    assert exported["device"] == "gpu"


def test_a_point_without_time_has_its_reason_and_empty_times() -> None:
    exported = result_object(SKIPPED, lambda reason: f"<{reason}>")
    assert exported["reason"] == '<About "3",\nno time>'
    assert (exported["median_ms"], exported["samples"], exported["gflops"], exported["verified"]) == (None, 0, None, False)


def test_json_is_a_list_of_these_objects() -> None:
    assert json.loads(json_text([MEASURED, SKIPPED])) == [result_object(MEASURED), result_object(SKIPPED)]
    assert json.loads(json_text([])) == []


def test_csv_has_the_fixed_columns_then_parameters_then_conditions() -> None:
    header = csv_text([MEASURED, MOVED]).splitlines()[0].split(",")
    variants = (variant for variant in VARIANTS if variant.operation is not Operation.HELLO)
    parameters = sorted({parameter.name for variant in variants for parameter in variant.parameters})
    assert {"padding", "threads", "tile"} <= set(parameters)
    assert header == [*COLUMNS, *parameters, "condition_threads"]
    assert csv_text([]).splitlines() == [",".join([*COLUMNS, *parameters])]


def test_csv_reads_back() -> None:
    measured, moved, skipped = rows(MEASURED, MOVED, SKIPPED)
    assert (measured["median_ms"], measured["gflops"], measured["tile"], measured["condition_threads"]) == ("2.5", "80.0", "32", "2")
    assert (measured["gbytes_per_s"], measured["threads"], measured["verified"]) == ("", "", "true")
    assert (moved["gbytes_per_s"], moved["gflops"]) == ("1.0", "")
    assert (skipped["reason"], skipped["median_ms"], skipped["verified"]) == ('About "3",\nno time', "", "false")


def test_a_variant_that_is_no_longer_in_the_catalogue_can_still_be_exported() -> None:
    retired = Result(Case("gpu.retired", POINT.problem, {"width": 4}), Status.SINGLE, "2025", (1.0,))
    assert result_object(retired)["device"] == "gpu"
    assert rows(retired)[0]["width"] == "4"


def test_a_disturbed_result_says_by_whom_in_both_formats() -> None:
    told: dict[str, str | int | float] = {"disturbed_share": 1.0, "disturbed_by": "programs", "disturbed_names": "firefox"}
    result = replace(MEASURED, conditions=told)
    assert result_object(result)["disturbed"] == "disturbed by other programs (firefox)"
    (row,) = csv.DictReader(io.StringIO(csv_text([result])))
    assert (row["disturbed"], row["condition_disturbed_share"]) == ("disturbed by other programs (firefox)", "1.0")
