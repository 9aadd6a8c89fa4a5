"""`tilescope tune`: the table, the heat map, refusals, and what is resumed."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from kernels.measure.sampler import Sampler
from tests.command_line import CommandLine
from tests.devices.fake_runner import FakeClock, FakeRunner


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_the_best_stand_first_with_their_share_and_a_heat_map(tilescope: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "best.csv"
    answer = tilescope("tune", "cpu.transpose-blocked", "--n", "64", "--over", "tile", "--budget", "120", "--out", out)
    assert answer.status == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0] == "cpu.transpose-blocked, m = 64, n = 64"
    assert lines[1].split()[:2] == ["Place", "Parameters"]
    assert answer.out.count("★") == 2  # in the map and in its key
    assert "Fastest: tile = " in answer.out
    assert "first look: cpu.transpose-blocked (tile = " in answer.err
    assert out.read_text(encoding="utf-8").count("cpu.transpose-blocked") >= 4


def test_json_has_every_combination_and_each_refusal_with_its_reason(tilescope: CommandLine) -> None:
    answer = tilescope("tune", "cpu.packed", "--n", "48", "--over", "mr,nr", "--budget", "1", "--json")
    assert answer.status == 0, answer.err
    told = answer.json
    ranked, tried = told["ranking"], told["combinations"] - told["not_tried"] - len(told["refused"]) - len(told["not_verified"])
    assert len([each for each in ranked if each["id"] == "cpu.packed"]) >= min(1, tried)
    assert {each["kind"] for each in told["heat_map"]} <= {"timed", "refused", "untried"}
    assert all(each["reason"] for each in told["refused"])
    assert len(told["heat_map"]) == told["combinations"]  # two parameters vary: a cell for each


def test_a_second_tuning_takes_over_what_the_first_has_measured(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    runner = FakeRunner(FakeClock(), lambda point, _run: point.parameters["tile"] + 1e-6 * next(ticks))  # no two runs take equally long
    monkeypatch.setattr("app.cli.base.measurement.measurer", lambda *_: Sampler(runner, clock=runner.clock))
    command = ("tune", "cpu.transpose-blocked", "--n", "32", "--budget", "20", "--json")
    times = [[each["times_ms"] for each in tilescope(*command, *more).json["ranking"]] for more in ((), (), ("--again",))]
    assert times[0] == times[1]
    assert times[0] != times[2]


def test_what_cannot_be_tuned_is_refused(tilescope: CommandLine) -> None:
    assert "has no parameters" in tilescope.refused("tune", "cpu.transpose-naive", "--n", "32")
    assert "no parameter depth" in tilescope.refused("tune", "cpu.blocked", "--n", "32", "--over", "depth")
    for empty in ("", " , "):
        refused = tilescope.refused("tune", "cpu.packed", "--n", "32", "--over", empty)
        assert refused == "tilescope: --over names no parameter; cpu.packed has mc, kc, nc, mr, nr."
    assert "nothing is left to be varied" in tilescope.refused("tune", "cpu.blocked", "--n", "32", "--tile", "16")
    both = tilescope.refused("tune", "cpu.blocked", "--n", "32", "--over", "tile", "--tile", "7")
    assert both == "tilescope: --over tile and --tile exclude each other."
    assert "--out" in tilescope.refused("tune", "cpu.blocked", "--n", "32", "--out", "best.txt")
    assert "--budget" in tilescope.refused("tune", "cpu.blocked", "--n", "32", "--budget", "soon")
