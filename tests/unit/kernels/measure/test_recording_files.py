"""A recording's file: what it holds comes back; what is wrong in it is named by line and field, and nothing in it is carried out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.recording_file import BadRecording, load_recorded, read_recording, recorded_text
from kernels.measure.results import Result, Status

MATMUL, TRANSPOSE = (Problem.square(operation, 256) for operation in (Operation.MATMUL, Operation.TRANSPOSE))
SHARED: dict[str, str | int | float] = {"processor": "P", "cores": 16}
REASON = message("About {duration} for one run; the time budget is {budget} s.", duration=message("{seconds} s", seconds=9), budget=2.0)
TIMED = Result(
    Case("gpu.naive", MATMUL, {"tile": 16, "rows": 0}), Status.MEASURED, "2026-11-21T14:15:55+00:00", (1.5, 1.25), 1e-7, 2e-5,
    conditions={**SHARED, "gpu": "H200", "grid": "16 × 16", "verified_rows": 130},
)  # fmt: skip
OTHER = Result(
    Case("gpu.transpose-padded", TRANSPOSE, {"tile": 16, "padding": 1}), Status.SINGLE, "2026-11-21", (0.25,), 0.0, 0.0,
    conditions={**SHARED, "gpu": "H200", "grid": "16 × 16"},
)  # fmt: skip
SKIPPED = Result(Case("gpu.naive", MATMUL, {"tile": 4, "rows": 0}), Status.SKIPPED, "2026-11-21", reason=REASON, conditions=SHARED)
ON_CPU = Result(Case("cpu.naive", MATMUL, {}), Status.SINGLE, "2026-11-21", (9.0,), 0.0, 1e-5, conditions=SHARED)
ALL = (TIMED, OTHER, SKIPPED, ON_CPU)


def changed(change: Callable[[dict[str, Any]], object], place: int = 0) -> str:
    """The text of `ALL` with one point changed, a point a line still."""
    head, *lines = recorded_text(ALL).partition('"points": [\n')[0::2]
    points = [json.loads(line.rstrip(",")) for line in lines[0].splitlines()[: len(ALL)]]
    change(points[place])
    return head + '"points": [\n' + ",\n".join(json.dumps(point) for point in points) + "\n]}\n"


def line_of(text: str, place: int) -> int:
    return text[: text.index('"points": [\n')].count("\n") + 2 + place


def refused(text: str) -> str:
    with pytest.raises(BadRecording) as caught:
        read_recording(text)
    return str(caught.value.reason)


def test_what_is_written_comes_back() -> None:
    recording = read_recording(recorded_text(ALL))
    assert recording.results == ALL
    assert recording.left_out == 0


def test_what_is_shared_stands_once_and_what_is_empty_nowhere() -> None:
    text = recorded_text(ALL)
    assert text.count('"processor"') == text.count('"16 × 16"') == 1
    assert "null" not in text
    assert "{}" not in text


def test_times_keep_six_digits() -> None:
    exact = Result(TIMED.point, Status.SINGLE, "2026", (0.0071340519448,), 1.862167131e-07, 1.0)
    (kept,) = read_recording(recorded_text([exact])).results
    assert kept.times_ms == (0.00713405,)
    assert kept.relative_error == 1.86217e-07


def test_results_of_variants_that_there_are_not_are_left_out_and_counted() -> None:
    recording = read_recording(changed(lambda point: point.update(id="gpu.of-next-year")))
    assert recording.left_out == 1
    assert recording.results == ALL[1:]


@pytest.mark.parametrize("text", ["", "[]", "7", '"points"', "{}", '{"points": []}', '{"format": "x", "points": []}', "[" * 100_000])
def test_any_other_file_is_refused(text: str) -> None:
    assert refused(text)


def test_broken_json_is_told_with_its_line() -> None:
    text = recorded_text(ALL)[:-20]
    assert refused(text).startswith(f"Line {text.count(chr(10)) + 1}, column ")


@pytest.mark.parametrize(
    ("place", "change", "said"),
    [
        (0, lambda point: point.pop("m"), "m is missing"),
        (1, lambda point: point.update(n="256"), "n must be a whole number"),
        (1, lambda point: point.update(n=True), "n must be a whole number"),
        (1, lambda point: point.update(n=-1), "n must be a whole number"),
        (0, lambda point: point.update(times_ms=[1, "x"]), "times_ms must be a number"),
        (0, lambda point: point.update(times_ms=[float("nan")]), "times_ms must be a number"),
        (0, lambda point: point.update(times_ms=7), "times_ms must be a list"),
        (0, lambda point: point.pop("times_ms"), "times_ms and the status 'measured' do not go together"),
        (2, lambda point: point.update(times_ms=[1.0]), "times_ms and the status 'skipped' do not go together"),
        (2, lambda point: point.pop("reason"), "reason is missing"),
        (0, lambda point: point.update(status="fine"), "status must be one of"),
        (0, lambda point: point.update(operation="hello"), "operation is not that of"),
        (0, lambda point: point.update(operation="transpose"), "operation is not that of gpu.naive"),
        (0, lambda point: point.update(parameters={"tile": 1.5}), "parameters.tile must be a whole number"),
        (0, lambda point: point.update(parameters=[]), "parameters must be an object"),
        (3, lambda point: point.update(conditions={"gpu": ["x"]}), "conditions.gpu must be a text"),
        (3, lambda point: point.update(id="x" * 10_000), "id must be a text"),
        (0, lambda point: point.update(relative_error=float("inf")), "relative_error must be a number"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_by_its_line_and_field(place: int, change: Callable[[dict[str, Any]], object], said: str) -> None:
    text = changed(change, place)
    assert refused(text).startswith(f"Line {line_of(text, place)}: {said}")


@pytest.mark.parametrize("template", ["{duration.__class__}", "{duration[0]}", "{0}", "{}", "{other}", "{duration!r}", "{duration:9}", "{"])
def test_a_reason_may_ask_for_its_own_arguments_alone(template: str) -> None:
    text = changed(lambda point: point["reason"].update(template=template), 2)
    assert refused(text).startswith(f"Line {line_of(text, 2)}: reason asks for what it does not have")


def test_control_characters_do_not_come_through() -> None:
    text = changed(lambda point: point.update(conditions={"gpu": "\x1b[31mH200\u202e"}))
    assert read_recording(text).results[0].conditions["gpu"] == " [31mH200 "


def test_reasons_come_back_as_messages() -> None:
    (_, _, skipped, _) = read_recording(recorded_text(ALL)).results
    assert isinstance(skipped.reason, Message)
    assert str(skipped.reason) == "About 9 s for one run; the time budget is 2 s."


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(recorded_text(ALL), encoding="utf-8")
    assert load_recorded(tmp_path / "mine.json") == ALL
