"""`tilescope run` and `tilescope sweep`: what they write, keep and return."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.cli.base.measurement import Outcome
from kernels.jit.runner import CpuRunner
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from tests.command_line import CommandLine

ROOT = Path(__file__).resolve().parents[3]
RUN_FIELDS = {
    "id": str, "parameters": dict, "median_ms": float, "spread_ms": float, "samples": int, "gflops": float,
    "verified": bool, "relative_error": float, "conditions": dict,
}  # fmt: skip


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def wrong_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A multiplication that forgets the last row, measured in this process, where it can be replaced."""

    def multiply(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> None:
        C[:-1] = (A @ B)[:-1]

    monkeypatch.setattr("kernels.cpu.matmul_numpy.multiply", multiply)
    monkeypatch.setattr("app.cli.base.measurement.measurer", lambda *_: Sampler(CpuRunner()))


def kept(tilescope: CommandLine) -> list[str]:
    """The variants of the results in the user's history."""
    store = ResultStore.open(tilescope.home / "data" / "results.sqlite")
    try:
        return [result.point.variant_id for result in store.results()]
    finally:
        store.close()


def test_a_run_as_json_has_the_promised_fields(tilescope: CommandLine) -> None:
    answer = tilescope("run", "cpu.numpy", "--n", "48", "--m", "30", "--k", "20", "--threads", "1", "--json")
    assert (answer.status, answer.err) == (0, "")
    result = answer.json
    assert {name: type(result[name]) for name in RUN_FIELDS} == RUN_FIELDS
    assert result["id"] == "cpu.numpy"
    assert result["parameters"] == {"threads": 1}
    assert (result["m"], result["n"], result["k"]) == (30, 48, 20)
    assert result["verified"]
    assert result["relative_error"] < result["allowed_error"]
    assert result["gflops"] == pytest.approx(2 * 30 * 48 * 20 / result["median_ms"] / 1e6)
    assert {"processor", "python", "numpy", "seed"} <= set(result["conditions"])


def test_sizes_that_are_not_given_are_those_of_n(tilescope: CommandLine) -> None:
    result = tilescope("run", "cpu.numpy", "--n", "24", "--json").json
    assert (result["m"], result["n"], result["k"]) == (24, 24, 24)


def test_a_run_is_told_and_kept(tilescope: CommandLine) -> None:
    answer = tilescope("run", "cpu.numpy", "--n", "32", "--threads", "1")
    assert answer.status == 0
    assert answer.out.startswith("Variant ")
    assert "m = 32, n = 32, k = 32" in answer.out
    assert "threads = 1" in answer.out
    assert "GFLOP/s" in answer.out
    assert kept(tilescope) == ["cpu.numpy"]


@pytest.mark.usefixtures("wrong_numpy")
def test_a_wrong_result_has_no_time_and_status_1(tilescope: CommandLine) -> None:
    answer = tilescope("run", "cpu.numpy", "--n", "16", "--json")
    assert answer.status == 1
    assert answer.json["verified"] is False
    assert answer.json["median_ms"] is None
    assert answer.err.startswith("Wrong result: C[15][")


def test_a_run_that_would_take_too_long_is_refused_with_its_estimate(tilescope: CommandLine) -> None:
    answer = tilescope("run", "cpu.numpy", "--n", "1024", "--budget", "1e-9", "--json")
    assert answer.status == 2
    assert answer.json["status"] == "skipped"
    assert answer.err.startswith("About ")


def test_a_sweep_writes_a_table_of_its_points_in_order(tilescope: CommandLine, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    answer = tilescope("sweep", "cpu.numpy", "--n", "16:64:x2", "--threads", "1", "--out", table)
    assert answer.status == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["n"], row["verified"], row["threads"]) for row in rows] == [
        ("cpu.numpy", n, "true", "1") for n in ("16", "32", "64")
    ]
    assert len(answer.out.splitlines()) == 4
    assert [line.partition(":")[0] for line in answer.err.splitlines()] == ["1 of 3", "2 of 3", "3 of 3"]
    assert kept(tilescope) == ["cpu.numpy"] * 3


def test_a_sweep_as_json_writes_the_same_objects_to_the_file_and_to_the_output(tilescope: CommandLine, tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    answer = tilescope("sweep", "cpu.numpy", "--n", "16,24", "--out", table, "--json")
    assert json.loads(table.read_text(encoding="utf-8")) == answer.json
    assert [entry["n"] for entry in answer.json] == [16, 24]
    assert set(RUN_FIELDS) <= set(answer.json[0])


@pytest.mark.usefixtures("wrong_numpy")
def test_a_sweep_with_a_wrong_result_has_status_1_and_all_points(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope("sweep", "cpu.numpy", "--n", "16,24", "--out", tmp_path / "t.json", "--json")
    assert answer.status == 1
    assert [entry["verified"] for entry in answer.json] == [False, False]


def test_an_earlier_table_is_replaced(tilescope: CommandLine, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("old", encoding="utf-8")
    assert tilescope("sweep", "cpu.numpy", "--n", "16", "--out", table).status == 0
    assert table.read_text(encoding="utf-8").startswith("id,")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["t.csv"]


def test_a_sweep_interrupted_before_its_first_point_leaves_the_earlier_table(
    tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli.sweep.measure", lambda points, *_: Outcome([], len(points), interrupted=True))
    table = tmp_path / "t.csv"
    table.write_text("old", encoding="utf-8")
    answer = tilescope("sweep", "cpu.numpy", "--n", "16,24", "--out", table)
    assert (answer.status, answer.out, answer.err) == (130, "", "Cancelled. 0 of 2 points are kept.\n")
    assert table.read_text(encoding="utf-8") == "old"


def test_a_sweep_that_breaks_down_has_status_1(tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.results.measuring.run_sweep", raises)
    answer = tilescope("sweep", "cpu.numpy", "--n", "16", "--out", tmp_path / "t.csv")
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.strip() == "The run failed: all is lost"


def raises(*_: object) -> None:
    raise RuntimeError("all is lost")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupted_sweep_writes_the_points_it_has(tmp_path: Path) -> None:
    table = tmp_path / "t.json"
    command = [sys.executable, "-m", "app", "sweep", "cpu.numpy", "--n", "64:1984:+10", "--out", str(table)]
    environment = {**os.environ, "TILESCOPE_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        first = [process.stderr.readline() for _ in range(2)]
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    points = json.loads(table.read_text(encoding="utf-8"))
    assert first[0].startswith("1 of 193: cpu.numpy (threads = ")
    assert process.returncode == 130
    assert 2 <= len(points) < 193
    assert rest.splitlines()[-1] == f"Cancelled. {len(points)} of 193 points are kept."
