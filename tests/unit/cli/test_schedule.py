"""`tilescope schedule`: the chunks of a real run, in numbers and characters; what has no threads of ours is refused in words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from app.cli.schedule import gantt_rows
from kernels.base.machine_conditions import usable_cores
from kernels.base.spec import Device
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.catalogue.source import is_for_a_team
from kernels.jit.team_loops import team_loops
from kernels.jit.team_run import TeamRun
from kernels.measure.real_run import Chunks
from tests.command_line import CommandLine


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_every_chunk_of_a_verified_run_is_told(tilescope: CommandLine) -> None:
    asked = ("schedule", "cpu.parallel", "--n", "96", "--m", "130", "--threads", "3", "--schedule", "dynamic", "--chunk", "2")
    answer = tilescope(*asked, "--runs", "3", "--json")
    assert (answer.status, answer.err) == (0, "")
    told = answer.json
    assert (told["id"], told["m"], told["n"], told["k"]) == ("cpu.parallel", 130, 96, 96)
    assert (told["parameters"]["threads"], told["parameters"]["chunk"], told["parameter_names"]) == (3, 2, {"schedule": "dynamic"})
    assert told["relative_error"] < told["allowed_error"]
    assert told["conditions"]["cores"] == usable_cores()
    assert len(told["times_ms"]) == 3
    assert sorted(told["times_ms"])[1] == pytest.approx(told["elapsed_ms"])
    assert [loop["over"] for loop in told["loops"]] == ["strips", "rows"]
    for loop in told["loops"]:
        mine = sorted((each["first"], each["last"]) for each in told["chunks"] if each["loop"] == loop["loop"])
        assert len(mine) == loop["chunks"]
        assert mine[0][0] == 0
        assert all(before[1] == after[0] for before, after in pairwise(mine))
        assert all(last - first == 2 for first, last in mine[:-1])
    for thread in told["threads"]:
        assert thread["busy_ms"] + thread["idle_ms"] == pytest.approx(told["elapsed_ms"])
        assert sum(thread["idle_by_cause_ms"].values()) == pytest.approx(thread["idle_ms"])
    assert all(0 <= each["start_ms"] <= each["end_ms"] <= told["elapsed_ms"] for each in told["chunks"])
    said = tilescope(*asked, "--runs", "1").out
    assert "schedule = dynamic" in said
    assert "loop over strips" in said
    assert sum(line[:3] in ("0 |", "1 |", "2 |") for line in said.splitlines()) == 3


def test_what_has_no_threads_of_ours_is_refused(tilescope: CommandLine) -> None:
    assert "one thread" in tilescope.refused("schedule", "cpu.naive", "--n", "64")
    assert "library" in tilescope.refused("schedule", "cpu.numpy", "--n", "64")
    assert "GPU" in tilescope.refused("schedule", "gpu.tiled", "--n", "64")
    assert "tilescope mpi mpi.rows" in tilescope.refused("schedule", "mpi.rows", "--n", "64")


def test_a_picture_of_a_run_that_cannot_be_is_refused(tilescope: CommandLine, tmp_path: Path) -> None:
    picture = tmp_path / "run.png"
    assert "one thread" in tilescope.refused("screenshot", picture, "--variant", "cpu.naive", "--run", "64")
    assert "--run" in tilescope.refused("screenshot", picture, "--variant", "cpu.parallel", "--run", "none")
    assert not picture.exists()


def test_settings_that_cannot_be_are_refused(tilescope: CommandLine) -> None:
    assert "--runs" in tilescope.refused("schedule", "cpu.parallel", "--n", "64", "--runs", "0")
    assert "--schedule" in tilescope.refused("schedule", "cpu.parallel", "--n", "64", "--schedule", "fair")
    assert "--tile" in tilescope.refused("schedule", "cpu.parallel", "--n", "64", "--tile", "8")


def test_a_wrong_result_has_no_chart(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TeamRun, "output", lambda _run: np.zeros((48, 48), np.float32))
    answer = tilescope("schedule", "cpu.parallel", "--n", "48", "--threads", "2")
    assert (answer.status, answer.out) == (1, "")
    assert "Wrong result" in answer.err


def test_a_character_tells_the_loop_that_fills_most_of_its_time() -> None:
    table = np.array([(0, 0, 0, 4, 0.0, 4.0), (1, 0, 4, 6, 0.0, 1.0), (1, 0, 6, 8, 1.0, 2.0), (0, 1, 0, 2, 5.0, 8.0)]).T
    thread, loop, first, last = table[:4].astype(np.int64)
    chunks = Chunks(3, thread, loop, first, last, table[4], table[5], 10.0)
    assert gantt_rows(chunks, 10) == ["[111.[22..", "11........", ".........."]
    assert gantt_rows(chunks, 20)[1] == "11" * 2 + "." * 16


@pytest.mark.parametrize("variant_id", [v.id for v in VARIANTS if v.device is Device.CPU and is_for_a_team(v)])
def test_the_loops_that_are_shared_out_are_found_in_the_text(variant_id: str) -> None:
    variant = by_id(variant_id)
    lines = variant.source_text.splitlines()
    found = team_loops(variant)
    assert found
    for loop in found:
        assert f"= next_chunk(team, thread, {loop.over})" in lines[loop.line - 1]


def test_a_kernel_without_threads_has_no_loops_to_share_out() -> None:
    naive = by_id("cpu.naive")
    assert team_loops(naive) == ()
