"""Wrong input: exit status 2, one line on standard error that names what is wrong, nothing measured and nothing written."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import GIB, Limits
from kernels.base.messages import message
from kernels.base.spec import Device
from tests.command_line import CommandLine


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    gpu = DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", reason=message("No NVIDIA GPU found."))
    cpu = DeviceStatus(Device.CPU, Availability.READY, "A processor", limits=Limits(memory_bytes=2 * GIB))
    monkeypatch.setattr("kernels.gpu.process.probe_gpu", lambda: gpu)
    monkeypatch.setattr("kernels.jit.detect.probe_cpu", lambda: cpu)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


RUN = [
    ("run cpu.blocked --n 64 --tile 0", "--tile must be at least 1, not 0."),
    ("run cpu.blocked --n 64 --tile -4", "--tile must be at least 1, not −4."),
    ("run cpu.blocked --n 64 --tile 5000", "--tile must be at most 4096, not 5000."),
    ("run cpu.blocked --n 64 --tile abc", "--tile: 'abc' is not a whole number."),
    ("run cpu.numpy --n 64 --threads 0", "--threads must be at least 1, not 0."),
    ("run gpu.tiled --n 64 --tile 64", "64 × 64 = 4096 threads a block; this GPU allows 1024."),
    ("run gpu.hello --n 4 --blocks 2", "--n is a size of matrices; gpu.hello has none."),
    ("run gpu.naive --n 64 --threads-x 2", "gpu.naive has no parameter --threads-x."),
    ("run gpu.tiled --n 64", "gpu.tiled cannot run here. No NVIDIA GPU found."),
    ("run cpu.naive --n five", "--n: 'five' is not a whole number."),
    ("run cpu.naive --n 0", "--n must be at least 1, not 0."),
    ("run cpu.naive --n 64 --m 1.5", "--m: '1.5' is not a whole number."),
    ("run cpu.naive --n 64 --k x", "--k: 'x' is not a whole number."),
    ("run cpu.naive --n 100000", "100\u202f000 × 100\u202f000 needs 112 GiB; 2.00 GiB are free."),
    ("run cpu.naive --n 99999999999", "--n must be at most 1\u202f048\u202f576, not 99\u202f999\u202f999\u202f999."),
    ("run cpu.bloked --n 64", "There is no variant 'cpu.bloked'. The closest is cpu.blocked."),
    ("run blocked --n 64", "There is no variant 'blocked'. The closest is cpu.blocked."),
    ("run tiled --n 64", "There is no variant 'tiled'. The closest is gpu.tiled."),
    ("run qqq --n 64", "There is no variant 'qqq'. The command tilescope list names all."),
    ("run cpu.naive --n 64 --tile 8", "cpu.naive has no parameter --tile."),
    ("run cpu.blocked --n 64 --threads 2", "cpu.blocked has no parameter --threads."),
    ("run cpu.transpose-naive --n 64 --k 3", "--k is for a multiplication; cpu.transpose-naive is a transposition."),
    ("run cpu.naive --n 64 --budget soon", "--budget: 'soon' is not a number of seconds above 0 and up to 86\u202f400."),
    ("run cpu.naive --n 64 --budget 0", "--budget: '0' is not a number of seconds above 0 and up to 86\u202f400."),
    ("run cpu.naive --n 64 --budget nan", "--budget: 'nan' is not a number of seconds above 0 and up to 86\u202f400."),
    ("run cpu.naive", "Missing: --n. See tilescope run --help."),
    ("run", "Missing: VARIANT. See tilescope run --help."),
    ("run cpu.naive --n 64 --til 8", "There is no option --til here. Is --tile meant? See tilescope --help."),
    ("run cpu.naive --n 64 --zzqq 8", "There is no option --zzqq here. See tilescope --help."),
    ("--language en list", "There is no option --language here. Is --lang meant? See tilescope --help."),
    ("list --theme dark", "Not known here: --theme dark. See tilescope --help."),
    ("run cpu.naive --n", "--n needs a value. See tilescope run --help."),
    ("list --lang de", "--lang: 'de' is not one of en, zh_CN."),
    ("--lang de list", "--lang: 'de' is not one of en, zh_CN."),
    ("list --lang", "--lang needs a value. See tilescope list --help."),
    ("run 'cpu.*' --n 64", "'cpu.*' is a pattern: this command takes one variant. tilescope sweep takes patterns."),
    ("run cpu.simd --n 64 --lanes 5", "--lanes must be 4, 8 or 16, or 0 for the most that this processor has, not 5."),
    ("run cpu.packed --n 64 --nr 3", "--nr must be a power of two or a multiple of 16, not 3: rows of a register tile are whole vectors."),
]


@pytest.mark.parametrize(("command", "reason"), RUN)
@pytest.mark.parametrize("json", [[], ["--json"]])
def test_wrong_input_is_refused_in_one_line(tilescope: CommandLine, command: str, reason: str, json: list[str]) -> None:
    words = shlex.split(command)
    after = words.index("list" if "list" in words else "run") + 1
    assert tilescope.refused(*words[:after], *json, *words[after:]) == f"tilescope: {reason}"
    assert not tilescope.home.exists()


SWEEP = [
    ("cpu.naive --n 64 --out {folder}/missing/t.csv", "--out: There is no folder {folder}/missing."),
    ("cpu.naive --n 64 --out {folder}", "--out: '{folder}' must end in .csv / .json."),
    ("cpu.naive --n 64 --out {folder}/t.txt", "--out: '{folder}/t.txt' must end in .csv / .json."),
    ("cpu.naive --n 64 --out {folder}/folder.csv", "--out: {folder}/folder.csv is a folder, not a file."),
    ("cpu.naive --n 64:32:x2 --out {folder}/t.csv", "--n: the range '64:32:x2' ends before it begins."),
    ("cpu.naive --n 64:128:x0 --out {folder}/t.csv", "--n, the step must be at least 2, not 0."),
    ("cpu.naive cpu.transpose-naive --n 64 --out {folder}/t.csv", "One sweep has one operation; cpu.naive and cpu.transpose-naive differ."),
    ("cpu.naive cpu.loop-order --n 64 --tile 8 --out {folder}/t.csv", "cpu.naive has no parameter --tile."),
    ("cpu.blocked --n 64 --tile 8,0 --out {folder}/t.csv", "--tile must be at least 1, not 0."),
    ("cpu.blocked gpu.tiled --n 64 --out {folder}/t.csv", "gpu.tiled cannot run here. No NVIDIA GPU found."),
    ("gpu.t* --n 64 --out {folder}/t.csv", "Left out: gpu.tiled, gpu.three-parts. No NVIDIA GPU found."),
    ("cpu.naive cpu.x* --n 64 --out {folder}/t.csv", "No variant's id matches 'cpu.x*'. The command tilescope list names all."),
    (
        "cpu.tr* cpu.naive --n 64 --out {folder}/t.csv",
        "One sweep has one operation; cpu.naive and cpu.transpose-naive differ.",
    ),
    ("cpu.n* cpu.tr* --n 64 --out {folder}/t.csv", "One sweep has one operation; cpu.naive and cpu.transpose-naive differ."),
    ("cpu.b* --n 64 --ranks 2 --out {folder}/t.csv", "cpu.blocked has no parameter --ranks."),
    ("cpu.naive --n 100000,200000 --out {folder}/t.csv", "100\u202f000 × 100\u202f000 needs 112 GiB; 2.00 GiB are free."),
]


@pytest.mark.parametrize(("options", "reason"), SWEEP)
def test_a_sweep_that_cannot_be_is_refused_before_it_begins(
    tilescope: CommandLine, tmp_path: Path, options: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.csv").mkdir()
    words = options.replace("{folder}/", "").replace("{folder}", "folder.txt").split()
    line = tilescope.refused("sweep", *words)
    expected = reason.replace("'{folder}'", "'folder.txt'").replace("'{folder}/", "'").replace("{folder}", str(tmp_path))
    assert line == f"tilescope: {expected}"
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]


def test_a_refusal_speaks_the_users_language(tilescope: CommandLine) -> None:
    line = tilescope.refused("run", "cpu.blocked", "--n", "64", "--tile", "0", "--lang", "zh_CN")
    assert "--tile" in line


@pytest.mark.parametrize("command", ["run", "runn", "run cpu.naive --n", "list --json=3", "run cpu.naive --n 64 --til 8"])
def test_what_argparse_finds_wrong_is_said_in_our_words(tilescope: CommandLine, command: str) -> None:
    said = tilescope.refused(*command.split())
    assert not re.search(r"argument|required|choice|unrecognized", said), said


def test_a_file_in_place_of_a_command_is_answered_by_those_that_take_one(tilescope: CommandLine) -> None:
    said = tilescope.refused("my labs/add.cu")
    assert "tilescope open 'my labs/add.cu' opens this file, tilescope program 'my labs/add.cu' runs it without the window." in said


@pytest.mark.parametrize(("name", "takes"), [("ADD.CU", True), ("add.cuh", False), ("add.cu.txt", False)])
def test_only_files_that_a_command_takes_are_answered_so(tilescope: CommandLine, name: str, takes: bool) -> None:
    assert (f"tilescope open {name} opens this file" in tilescope.refused(name)) is takes


def test_help_has_our_headings(tilescope: CommandLine) -> None:
    lines = tilescope("run", "--help").out.splitlines()
    assert lines[0].startswith("usage: tilescope run ")
    assert {"arguments:", "options:"} < set(lines)


def test_a_mistyped_command_is_told_as_one_whatever_options_follow(tilescope: CommandLine) -> None:
    assert tilescope.refused("runn", "--n", "5").startswith("tilescope: There is no command 'runn'. Commands: ")
    assert tilescope.refused("run", "gpu.tiled", "--themee", "dark").startswith("tilescope: There is no option --themee here. See")
