"""`tilescope sweep` over several parameters, with comparisons, and what `--baseline` may name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.base.measurement import Outcome
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from tests.command_line import CommandLine
from tests.measured.timing_results import measured


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Every measurement takes n milliseconds, with two threads half of it."""

    def measure(points: Sequence[Case], *_: object) -> Outcome:
        results = [
            replace(measured(point.variant_id, point.problem.n, point.problem.n / point.parameters.get("threads", 1)), point=point)
            for point in points
        ]
        return Outcome(results, len(points), interrupted=False)

    monkeypatch.setattr("app.cli.sweep.measure", measure)
    monkeypatch.setattr("app.cli.sweep._measured_peak", lambda threads: 10.0 * threads)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_the_table_has_a_column_for_each_comparison(tilescope: CommandLine, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    answer = tilescope(
        "sweep", "cpu.naive", "cpu.numpy", "--n", "64,128", "--threads", "1,2", "--baseline", "cpu.naive", "--out", table
    )  # fmt: skip
    head, *lines = answer.out.splitlines()
    assert head.split("  ")[-1].strip() == "Expected"
    assert [title for title in ("% of library", "% of peak", "Speed-up", "Efficiency %", "Growth") if title not in head] == []
    assert len(lines) == 6
    row = next(row for row in csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))) if (row["n"], row["threads"]) == ("128", "2"))
    found = {name: float(row[name]) for name in ("percent_of_library", "speed_up", "efficiency_percent", "growth", "expected_growth")}
    assert found == {"percent_of_library": 100, "speed_up": 2, "efficiency_percent": 100, "growth": 2, "expected_growth": 8}
    assert float(row["percent_of_peak"]) == pytest.approx(100 * 2 * 128**3 / 64 / 1e6 / 20)


def test_json_has_numbers_and_reasons(tilescope: CommandLine, tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    answer = tilescope("sweep", "cpu.numpy", "--n", "64", "--threads", "1,2", "--baseline", "threads", "--out", table, "--json")
    assert answer.json == json.loads(table.read_text(encoding="utf-8"))
    assert [(each["speed_up"], each["efficiency_percent"], each["growth"]) for each in answer.json] == [(1, 100, None), (2, 100, None)]
    assert answer.json[0]["not_compared"] == {}


@pytest.mark.parametrize(("baseline", "refusal"), [
    ("cpu.nump", "There is no variant 'cpu.nump'. The closest is cpu.numpy."),
    ("cpu.naive", "--baseline: cpu.naive is not among what is measured."),
    ("cpu.numpy,threads", "--baseline: 'threads' is not NAME=VALUE."),
    ("cpu.numpy,tile=8", "cpu.numpy has no parameter --tile."),
    ("cpu.numpy,threads=0", "--baseline, threads must be at least 1, not 0."),
    ("tile", "--baseline: 'tile' is neither a variant of the sweep (cpu.numpy) nor what varies in it (n, threads)."),
])  # fmt: skip
def test_a_baseline_that_cannot_be_is_refused(tilescope: CommandLine, tmp_path: Path, baseline: str, refusal: str) -> None:
    answer = tilescope("sweep", "cpu.numpy", "--n", "64", "--baseline", baseline, "--out", tmp_path / "t.csv")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.strip().startswith(f"tilescope: {refusal}")


def test_a_baseline_without_a_time_is_told_below_the_table(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope(
        "sweep", "cpu.numpy", "--n", "64", "--threads", "2", "--baseline", "cpu.numpy,threads=1", "--out", tmp_path / "t.csv"
    )
    assert answer.out.splitlines()[-1] == "The baseline, NumPy, was not timed at n = 64."


def test_every_parameter_takes_a_list(tilescope: CommandLine, tmp_path: Path) -> None:
    """Of each parameter the first two stops, given as one option, are two points of the sweep."""
    tried = set()
    for variant in VARIANTS:
        for parameter in variant.parameters:
            if variant.device != "cpu" or parameter.name in tried or len(parameter.stops) < 2:
                continue
            tried.add(parameter.name)
            values = [parameter.written(stop) for stop in parameter.stops[:2]]
            option = f"--{parameter.name.replace('_', '-')}"
            answer = tilescope("sweep", variant.id, "--n", "64", option, ",".join(values), "--out", tmp_path / "t.json", "--json")
            assert answer.status == 0, answer.err
            assert [each["parameters"][parameter.name] for each in answer.json] == sorted(parameter.stops[:2])
    assert {"tile", "threads"} <= tried
