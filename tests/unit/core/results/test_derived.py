"""The comparisons that stand beside times in tables and exports."""

from __future__ import annotations

import csv
import io
import json

import pytest

from app.core.results.quantities import Rung, Smallest
from app.core.results.relative_times import Derived, derive
from kernels.base.messages import message
from kernels.measure.export import csv_text, json_text
from tests.measured.timing_results import measured, refused

SWEEP = (
    measured("cpu.naive", 128, 10.0), measured("cpu.numpy", 128, 1.0, threads=1), measured("cpu.numpy", 128, 0.625, threads=2),
    measured("cpu.naive", 256, 90.0), measured("cpu.numpy", 256, 8.0, threads=1), measured("cpu.numpy", 256, 4.0, threads=2),
)  # fmt: skip


def test_a_sweep_is_compared_in_every_way_that_it_allows() -> None:
    naive, *_, last = derive(SWEEP, Rung("cpu.numpy", (("threads", 1),)), lambda _point: 100.0)
    assert naive.numbers == pytest.approx({
        "percent_of_library": 6.25, "percent_of_peak": 100 * 2 * 128**3 / 10.0 / 1e6 / 100.0, "speed_up": 0.1,
        "efficiency_percent": None, "growth": 1.0, "expected_growth": 1.0,
    })  # fmt: skip
    assert last.numbers == pytest.approx({
        "percent_of_library": 100.0, "percent_of_peak": 100 * 2 * 256**3 / 4.0 / 1e6 / 100.0, "speed_up": 2.0,
        "efficiency_percent": 100.0, "growth": 6.4, "expected_growth": 8.0,
    })  # fmt: skip


def test_what_is_not_asked_for_is_neither_a_number_nor_a_reason() -> None:
    (alone,) = derive(SWEEP[:1])
    assert alone == Derived()


def test_a_missing_base_is_a_reason() -> None:
    results = (SWEEP[0], *SWEEP[2:6])
    compared = derive(results, Rung("cpu.numpy", (("threads", 1),)))
    assert {name: str(reason) for name, reason in compared[1].reasons.items()} == {
        "speed_up": "The baseline, NumPy, was not timed at n = 128.", "efficiency_percent": "Not timed with threads = 1 at n = 128.",
    }  # fmt: skip
    assert compared[1].numbers["speed_up"] is None
    assert compared[0].reasons.keys() == {"speed_up"}


def test_a_speed_up_over_the_smallest_number_of_threads() -> None:
    assert [each.speed_up for each in derive(SWEEP, Smallest("threads"))][1:3] == [1.0, 1.6]


def test_a_result_without_a_time_has_no_comparisons() -> None:
    assert derive((*SWEEP, refused("cpu.naive", 512, message("Too long."))))[-1] == Derived()


def test_exports_carry_the_comparisons() -> None:
    more = [each.numbers for each in derive(SWEEP[:2])]
    assert [each["percent_of_library"] for each in json.loads(json_text(SWEEP[:2], more=more))] == [10.0, 100.0]
    rows = list(csv.DictReader(io.StringIO(csv_text(SWEEP[:2], more=more))))
    assert [(row["percent_of_library"], row["growth"]) for row in rows] == [("10.0", ""), ("100.0", "")]
