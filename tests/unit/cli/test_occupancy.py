"""`tilescope occupancy`: every launch of the recorded table, as a sentence and as JSON, and what is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from app.cli import main
from tests.command_line import CommandLine

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "occupancy.csv"


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def options(cc: str = "9.0", threads: str = "256", registers: str = "64", shared: str = "8192") -> list[str]:
    return ["occupancy", "--cc", cc, "--threads", threads, "--registers", registers, "--shared", shared]


def test_json_has_the_four_names(tilescope: CommandLine) -> None:
    answer = tilescope(*options(), "--json")
    assert (answer.status, answer.err) == (0, "")
    assert answer.json == {"blocks_per_sm": 4, "warps_per_sm": 32, "occupancy": 0.5, "limiters": ["registers"]}


def test_recorded_launches_are_answered_as_recorded(tilescope: CommandLine) -> None:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[::40]
    assert len(rows) > 50
    for row in rows:
        answer = tilescope(*options(row["cc"], row["block"], row["regs"], row["smem"]), "--json")
        assert answer.status == 0
        assert (answer.json["blocks_per_sm"], answer.json["warps_per_sm"]) == (int(row["blocks_per_sm"]), int(row["warps"])), row


def test_a_block_too_large_for_the_sm_is_an_answer_with_its_reason(tilescope: CommandLine) -> None:
    answer = tilescope(*options(threads="1024", registers="168"), "--json")
    assert answer.status == 0
    assert answer.json == {"blocks_per_sm": 0, "warps_per_sm": 0, "occupancy": 0.0, "limiters": ["registers"]}
    assert "more than the" in answer.err


def test_without_json_it_is_a_table_in_the_users_words(tilescope: CommandLine) -> None:
    lines = tilescope(*options()).out.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["Blocks per SM", "Warps per SM", "Occupancy", "Limited by"]
    assert lines[2].split()[-2:] == ["50.0", "%"]
    assert lines[3].split()[-1] == "registers"


def test_shared_memory_may_be_left_out(tilescope: CommandLine) -> None:
    assert tilescope("occupancy", "--cc", "9.0", "--threads", "1024", "--registers", "32", "--json").json["blocks_per_sm"] == 2


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("cc", "3.5", "Compute capability 3.5 is not known; known are 7.0, 7.5, 8.0, 8.6, 8.9, 9.0, 10.0, 12.0."),
    ("cc", "ninety", "Compute capability ninety is not known; known are 7.0, 7.5, 8.0, 8.6, 8.9, 9.0, 10.0, 12.0."),
    ("threads", "0", "--threads must be at least 1, not 0."),
    ("threads", "2048", "--threads must be at most 1024, not 2048."),
    ("registers", "256", "--registers must be at most 255, not 256."),
    ("registers", "many", "--registers: 'many' is not a whole number."),
    ("shared", "-1", "--shared must be at least 0, not −1."),
    ("shared", "240000", "240\u202f000 bytes of shared memory a block; from 0 to 232\u202f448 are possible."),
])  # fmt: skip
def test_wrong_input_is_refused_in_one_line(tilescope: CommandLine, name: str, value: str, reason: str) -> None:
    assert tilescope.refused(*options(**{name: value}), "--json") == f"tilescope: {reason}"


def test_what_is_needed_is_named(tilescope: CommandLine) -> None:
    assert "--threads" in tilescope.refused("occupancy", "--cc", "9.0")


def test_the_command_stands_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "occupancy" in capsys.readouterr().out
