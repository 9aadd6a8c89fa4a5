"""`tilescope list`, and what all commands share: language, JSON, version, help, a reader who has gone."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from app import __version__
from app.cli.base.console import display_width
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.catalogue.catalogue import VARIANTS
from tests.command_line import CommandLine

ROOT = Path(__file__).resolve().parents[3]
FIELDS = {"id", "operation", "device", "rung", "title", "idea", "available", "reason", "parameters"}
PARAMETER_FIELDS = {"name", "title", "default", "minimum", "maximum", "stops", "names"}


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    status = DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", reason=message("No NVIDIA GPU found."))
    monkeypatch.setattr("kernels.gpu.process.probe_gpu", lambda: status)
    without = DeviceStatus(Device.MPI, Availability.NO_PACKAGE, "", reason=message("mpi4py is installed, but there is no mpiexec."))
    monkeypatch.setattr("kernels.mpi.detect.probe_mpi", lambda: without)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_the_list_as_json_has_every_variant_with_its_fields(tilescope: CommandLine) -> None:
    answer = tilescope("list", "--json")
    assert answer.status == 0
    assert answer.err == ""
    assert [entry["id"] for entry in answer.json] == [variant.id for variant in VARIANTS]
    for entry, variant in zip(answer.json, VARIANTS, strict=True):
        assert set(entry) == FIELDS
        assert entry["operation"] in ("matmul", "transpose", "hello")
        assert entry["device"] in ("cpu", "gpu", "mpi")
        assert entry["rung"] == variant.rung
        assert entry["idea"] == str(variant.idea)
        assert {parameter["name"]: parameter["default"] for parameter in entry["parameters"]} == variant.defaults
        assert all(set(parameter) == PARAMETER_FIELDS for parameter in entry["parameters"])


@pytest.mark.skipif(find_spec("numba") is None, reason="the CPU variants need numba")
def test_what_cannot_run_says_why(tilescope: CommandLine) -> None:
    entries = tilescope("list", "--json").json
    assert {(entry["device"], entry["available"], entry["reason"]) for entry in entries} == {
        ("cpu", True, None),
        ("gpu", False, "No NVIDIA GPU found."),
        ("mpi", False, "mpi4py is installed, but there is no mpiexec."),
    }


def test_the_table_has_a_line_for_each_variant_and_the_reasons(tilescope: CommandLine) -> None:
    lines = tilescope("list").out.splitlines()
    assert [line.split()[0] for line in lines[1 : len(VARIANTS) + 1]] == [variant.id for variant in VARIANTS]
    assert "gpu: No NVIDIA GPU found." in lines


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_columns_of_the_table_are_straight(tilescope: CommandLine, language: str) -> None:
    lines = tilescope("list", "--lang", language).out.splitlines()[1 : len(VARIANTS) + 1]
    columns = {
        display_width(line[: line.index(variant.device.value, len(variant.id))]) for line, variant in zip(lines, VARIANTS, strict=True)
    }
    assert len(columns) == 1


def test_the_language_may_stand_before_and_after_the_command(tilescope: CommandLine) -> None:
    before, after = tilescope("--lang", "zh_CN", "list").out, tilescope("list", "--lang=zh-Hans").out
    assert before == after


def test_the_environment_gives_the_language(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    chinese = tilescope("--lang", "zh_CN", "list").out
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert tilescope("list").out == chinese


def test_the_version_is_the_packages(tilescope: CommandLine) -> None:
    answer = tilescope("--version")
    assert (answer.status, answer.out) == (0, f"tilescope {__version__}\n")


@pytest.mark.parametrize("command", [(), ("list",), ("run",), ("sweep",), ("screenshot",), ("doctor",)])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_command_explains_itself(tilescope: CommandLine, command: tuple[str, ...], language: str) -> None:
    answer = tilescope("--lang", language, *command, "--help")
    assert answer.status == 0
    assert "--lang" in answer.out


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_has_gone_is_no_error(unbuffered: str) -> None:
    command = [sys.executable, "-m", "app", "list"]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_a_terminal_without_chinese_is_no_error() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for options in ([], ["--json"]):
        command = [sys.executable, "-m", "app", "list", "--lang", "zh_CN", *options]
        finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert (finished.returncode, finished.stderr) == (0, "")
