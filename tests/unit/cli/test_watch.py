"""A file is executed again at each save, whatever it has become meanwhile."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from app.cli import watch
from app.cli.base.errors import FINDINGS
from app.cli.watch import POLL_S
from app.core.base.files.text_files import file_stamp
from tests.command_line import CommandLine

GOOD = """__global__ void twice(float* x) { x[threadIdx.x] = 2 * x[threadIdx.x]; }
"""
RACING = """__global__ void twice(float* x) { __shared__ float s[32]; s[threadIdx.x] = 1; x[threadIdx.x] = s[31 - threadIdx.x]; }
"""
PROGRAM = """#include <cstdio>
__global__ void one(int* x) { x[threadIdx.x] = 1; }
int main() { int* x; int y[32]; cudaMalloc(&x, 128); one<<<1, 32>>>(x);
    cudaMemcpy(y, x, 128, cudaMemcpyDeviceToHost); cudaFree(x); printf("done\\n"); return 0; }
"""
LAUNCH = ("--grid", "1", "--block", "32", "--arg", "x=64:arange")


def test_each_save_is_reported_and_a_mistake_does_not_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tilescope = CommandLine(tmp_path / "home", monkeypatch, capsys)
    path = tmp_path / "mine.cu"
    path.write_text(GOOD, encoding="utf-8")
    later = [RACING, "__global__ void twice(float* x) { x[threadIdx.x] = ; }\n", GOOD + "// \n"]

    def save() -> None:
        for number, text in enumerate(later):
            wait_until_reported(reports, number + 1)
            time.sleep(2 * POLL_S)
            path.write_text(text, encoding="utf-8")

    reports: list[float] = []
    report = watch._report

    def counted(*given: object) -> int:
        status = report(*given)  # type: ignore[arg-type]
        reports.append(time.monotonic())
        return status

    monkeypatch.setattr(watch, "_report", counted)
    editor = threading.Thread(target=save)
    editor.start()
    done = tilescope("watch", path, *LAUNCH, "--times", "4")
    editor.join()
    assert len(reports) == 4
    assert done.status == 0
    assert done.out.count(str(path) + "\n") >= 4
    assert "data-race" in done.out
    assert done.out.count("Global loads") == 3
    assert "error" in done.err


def test_a_file_that_is_gone_is_told_once_and_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, away = tmp_path / "mine.cu", tmp_path / "away.cu"
    path.write_text(GOOD, encoding="utf-8")
    ends = time.monotonic() + 240
    seen: list[tuple[int, int] | None] = []

    def settled(*given: object) -> tuple[int, int] | None:
        if len(seen) == 1:
            path.rename(away)
        elif len(seen) == 2:
            away.rename(path)  # as it was, to the nanosecond
        seen.append(look(*given))  # type: ignore[arg-type]
        return seen[-1]

    def stamp(file: Path) -> tuple[int, int] | None:
        assert time.monotonic() < ends
        return file_stamp(file)

    look = watch._settled
    monkeypatch.setattr(watch, "file_stamp", stamp)
    monkeypatch.setattr(watch, "_settled", settled)
    done = CommandLine(tmp_path / "home", monkeypatch, capsys)("watch", path, *LAUNCH, "--times", "2")
    assert seen == [seen[0], None, seen[0]]
    assert done.out.count("Global loads") == 2
    assert done.err.count(f"{path} is gone; waiting until it is there again.") == 1


def wait_until_reported(reports: list[float], count: int) -> None:
    end = time.monotonic() + 120
    while len(reports) < count:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_program_is_run_with_its_launches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.cu"
    path.write_text(PROGRAM, encoding="utf-8")
    done = CommandLine(tmp_path / "home", monkeypatch, capsys)("watch", path, "--times", "1")
    assert done.status == 0
    assert "done" in done.out
    assert "line 3: one, grid 1 × 1 × 1, block 32 × 1 × 1: accesses: 1, operations: 0, findings: 0" in done.out
    as_json = CommandLine(tmp_path / "home", monkeypatch, capsys)("watch", path, "--times", "1", "--json")
    assert as_json.json["stdout"] == "done\n"
    launch = CommandLine(tmp_path / "home", monkeypatch, capsys)("watch", path, "--times", "1", "--grid", "banana")
    assert "--grid: 'banana' is not a whole number." in launch.err


def test_findings_are_the_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "racing.cu"
    path.write_text(RACING, encoding="utf-8")
    tilescope = CommandLine(tmp_path / "home", monkeypatch, capsys)
    assert tilescope("watch", path, *LAUNCH, "--times", "1").status == FINDINGS
    assert "There is no file" in tilescope.refused("watch", tmp_path / "none.cu")
