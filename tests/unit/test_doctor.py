"""The doctor finds what is missing, says what would help, and survives everything that it looks at."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from app.core.desktop import QT_PACKAGES
from app.core.doctor import Check, Finding, Outcome, State, Surroundings, examine
from app.core.doctor_checks import CHECKS
from app.core.places import find_places
from kernels.devices import Availability, DeviceStatus
from kernels.messages import message
from kernels.spec import Device
from tests.command_line import CommandLine

IDS = ["python", "qt", "display", "fonts", "cpu", "blas", "numba", "numba-cache", "gpu", "mpi", "store"]
FIELDS = {"id", "name", "state", "sentence", "next_step"}


@pytest.fixture
def here(tmp_path: Path) -> Surroundings:
    environment = {"TILESCOPE_HOME": str(tmp_path / "home")}
    return Surroundings(environment, "linux", find_places(environment, "linux", tmp_path))


def diagnose(id_: str, surroundings: Surroundings) -> Finding:
    return examine(surroundings, tuple(check for check in CHECKS if check.id == id_))[0]


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Let these packages be neither found nor imported."""
    find, load = find_spec, builtins.__import__

    def missing(name: str, *arguments: object) -> ModuleType:
        if name.partition(".")[0] in packages:
            raise ModuleNotFoundError(f"No module named {name!r}")
        return load(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("app.core.doctor_checks.find_spec", lambda name: None if name in packages else find(name))
    for module in ("kernels.cpu.detect", "kernels.mpi.detect"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None if name in packages else find(name))
    monkeypatch.setattr(builtins, "__import__", missing)


def test_the_doctor_as_json_has_every_finding_with_its_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = CommandLine(tmp_path / "home", monkeypatch, capsys)("doctor", "--json")
    assert (answer.status, answer.err) == (0, "")
    assert [finding["id"] for finding in answer.json] == IDS
    for finding in answer.json:
        assert set(finding) == FIELDS
        assert finding["state"] in ("ok", "missing", "problem")
        assert finding["sentence"]


def test_the_doctors_lines_carry_a_sign_a_word_and_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def look(_: Surroundings) -> Outcome:
        return State.MISSING, message("It is not there."), message("Fetch it.")

    monkeypatch.setattr("app.cli.doctor.CHECKS", (Check("thing", message("Thing"), look),))
    answer = CommandLine(tmp_path / "home", monkeypatch, capsys)("doctor")
    assert answer.out.splitlines() == ["–  missing  Thing  It is not there.", "    → Fetch it."]


def test_a_check_that_breaks_down_is_a_finding(here: Surroundings) -> None:
    def look(_: Surroundings) -> Outcome:
        raise OSError("the library\nis damaged")

    (finding,) = examine(here, (Check("thing", message("Thing"), look),))
    assert finding.state is State.PROBLEM
    assert str(finding.sentence) == "The check failed: the library is damaged"


def test_with_nothing_installed_every_check_still_answers(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "PySide6", "pyqtgraph", "numba", "numpy", "psutil", "threadpoolctl", "cupy", "mpi4py")
    findings = {finding.id: finding.state for finding in examine(here, CHECKS)}
    assert list(findings) == IDS
    assert {findings[id_] for id_ in ("qt", "numba", "cpu", "blas")} == {State.PROBLEM}
    assert findings["mpi"] is State.MISSING
    assert findings["python"] is findings["store"] is State.OK


def test_qt_that_lacks_a_library_names_it_and_the_packages(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(_name: str) -> ModuleType:
        raise ImportError("libEGL.so.1: cannot open shared object file")

    monkeypatch.setattr("app.core.doctor_checks.find_spec", lambda _name: object())
    monkeypatch.setattr("app.core.doctor_checks.importlib.import_module", import_module)
    finding = diagnose("qt", here)
    assert finding.state is State.PROBLEM
    assert "libEGL.so.1" in str(finding.sentence)
    assert "libegl1" in str(finding.next_step)
    assert diagnose("qt", replace(here, platform="win32")).next_step is None


@pytest.mark.parametrize(
    ("environment", "problem", "state"),
    [
        ({}, None, State.MISSING),
        ({"DISPLAY": ":0"}, None, State.OK),
        ({"DISPLAY": ":0"}, "libxcb-cursor.so.0: cannot open shared object file", State.PROBLEM),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "libxcb-cursor.so.0: cannot open shared object file", State.OK),
    ],
)
def test_the_display_is_there_only_if_its_libraries_are(
    here: Surroundings, monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str], problem: str | None, state: State
) -> None:
    monkeypatch.setattr("app.core.doctor_checks.x11_plugin_problem", lambda: problem)
    finding = diagnose("display", replace(here, environment=environment))
    assert finding.state is state
    assert (finding.next_step is None) == (state is State.OK)


@pytest.mark.parametrize(
    ("availability", "state"),
    [
        (Availability.READY, State.OK),
        (Availability.NO_PACKAGE, State.MISSING),
        (Availability.NO_DRIVER, State.MISSING),
        (Availability.DRIVER_TOO_OLD, State.PROBLEM),
        (Availability.FAILED, State.PROBLEM),
    ],
)
def test_a_gpu_that_is_not_there_is_missing_and_one_that_fails_a_problem(
    here: Surroundings, monkeypatch: pytest.MonkeyPatch, availability: Availability, state: State
) -> None:
    status = DeviceStatus(Device.GPU, availability, "NVIDIA H200", message("A reason."), message("A remedy."))
    monkeypatch.setattr("kernels.gpu.detect.probe_gpu", lambda: status)
    finding = diagnose("gpu", here)
    assert finding.state is state
    assert str(finding.next_step) == ("None" if state is State.OK else "A remedy.")


@pytest.mark.parametrize("id_", ["numba-cache", "store"])
def test_folders_that_cannot_be_made_are_a_problem(here: Surroundings, tmp_path: Path, id_: str) -> None:
    (tmp_path / "home").write_text("a file is in the way", encoding="utf-8")
    finding = diagnose(id_, here)
    assert finding.state is State.PROBLEM
    assert "TILESCOPE_HOME" in str(finding.next_step)


def test_a_python_that_is_too_old_is_a_problem(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnose("python", here).state is State.OK
    monkeypatch.setattr("app.core.doctor_checks.sys.version_info", (3, 10, 4))
    assert diagnose("python", here).state is State.PROBLEM


def test_numba_without_openmp_says_what_to_install(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    numba = ModuleType("numba")
    numba.__version__ = "0.0"  # type: ignore[attr-defined]

    def import_module(name: str) -> ModuleType:
        if name == "numba":
            return numba
        raise ImportError(name)

    monkeypatch.setattr("app.core.doctor_checks.find_spec", lambda _name: object())
    monkeypatch.setattr("app.core.doctor_checks.importlib.import_module", import_module)
    finding = diagnose("numba", here)
    assert finding.state is State.MISSING
    assert "libgomp1" in str(finding.next_step)


def test_the_packages_named_are_those_that_the_setup_installs() -> None:
    import debian

    for_window = {name for name, use in debian.USEFUL.items() if re.search("window under X11", use)}
    assert set(QT_PACKAGES) == set(debian.QT) | for_window
