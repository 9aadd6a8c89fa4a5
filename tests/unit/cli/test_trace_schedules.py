"""`tilescope trace --schedules`: beside each race the schedule that breaks it, in words and in JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine

SOURCE = """__global__ void reverse(const int* in, int* out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""
OPTIONS = ("reverse.cu", "--grid", "1", "--block", "64", "--arg", "in=64:arange", "--arg", "out=64", "--schedules")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reverse.cu").write_text(SOURCE, encoding="utf-8")
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_the_turns_of_both_schedules_are_printed_below_the_race(command: CommandLine) -> None:
    answer = command("trace", *OPTIONS)
    lines = [line.strip() for line in answer.out.splitlines()]
    broken = lines[lines.index("A schedule that breaks it:") + 1 :]
    assert broken[:2] == [f"block (0, 0, 0), warp {warp}, from line 4 to line 5; accesses: 4" for warp in (0, 1)]
    assert any("out[0] = -1 instead of 63; elements that differ: 32." in line for line in lines)
    assert "Wrong values pass these lines: 5." in lines


def test_the_document_has_the_schedules_of_a_race(command: CommandLine) -> None:
    (race,) = command("trace", *OPTIONS, "--json").json["findings"]
    found = race["schedules"]
    assert found["elements"][0] == {"array": "out", "index": 0, "right": 63.0, "wrong": -1.0}
    assert found["breaks"]["turns"] == [
        {"block": [0, 0, 0], "warp": warp, "lanes": "ffffffff", "row": 4 * warp, "rows": 4, "late": False} for warp in (0, 1)
    ]
    assert [(each["line"], each["operation"]) for each in found["wrong"]] == [(5, "load"), (5, "store")]


MESSAGE = """__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        *flag = 1;
    } else {
        while (*flag == 0) {}
        *out = *data;
    }
}
"""


def test_a_store_that_is_seen_late_is_told_with_the_flag_that_it_misses(command: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "pass.cu").write_text(MESSAGE, encoding="utf-8")
    options = ("pass.cu", "--grid", "2", "--block", "1", "--arg", "flag=1:zeros", "--arg", "data=1", "--arg", "out=1", "--schedules")
    out = command("trace", *options).out
    assert "What block (0, 0, 0) stores in line 4 is seen by others only after its line 5, which comes later." in out
    assert "block (0, 0, 0), warp 0, line 4: what was stored there is seen by all only now" in out
    (race,) = command("trace", *options, "--json").json["findings"]
    broken = race["schedules"]["breaks"]
    assert broken["stores_seen_late"] == [{"block": 0, "lane": 0, "line": 4}]
    assert [each["late"] for each in broken["turns"]] == [False, False, True]
