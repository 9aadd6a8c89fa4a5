"""The doctor finds what is missing, says what would help, and survives everything that it looks at."""

from __future__ import annotations

import builtins
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from subprocess import CompletedProcess, run
from types import ModuleType

import pytest

from app.core.base.files.locations import find_places
from app.core.base.files.log import LOG, logging_to
from app.core.diagnostics.checks import CHECKS, check_room
from app.core.diagnostics.desktop import QT_LIBRARIES, X11_LIBRARIES, missing
from app.core.diagnostics.doctor import Check, CheckState, Finding, Outcome, Surroundings, examine
from app.core.diagnostics.gpu_checks import check_driver
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device
from tests.command_line import CommandLine

IDS = [
    "program", "python", "qt", "display", "fonts", "scale", "screen-reader", "cpu", "blas", "numba", "numba-cache",
    "driver", "cupy", "nvrtc", "cublas", "gpu", "mpi", "store", "settings", "room", "log",
]  # fmt: skip
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

    checks = "app.core.diagnostics.checks", "app.core.diagnostics.desktop", "app.core.diagnostics.gpu_checks"
    for module in (*checks, "kernels.jit.detect", "kernels.mpi.detect"):
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
        return CheckState.MISSING, message("It is not there."), message("Fetch it.")

    monkeypatch.setattr("app.cli.doctor.CHECKS", (Check("thing", message("Thing"), look),))
    answer = CommandLine(tmp_path / "home", monkeypatch, capsys)("doctor")
    assert answer.out.splitlines() == ["–  missing  Thing  It is not there.", "    → Fetch it."]


def test_a_check_that_breaks_down_is_a_finding(here: Surroundings) -> None:
    def look(_: Surroundings) -> Outcome:
        raise OSError("the library\nis damaged")

    (finding,) = examine(here, (Check("thing", message("Thing"), look),))
    assert finding.state is CheckState.PROBLEM
    assert str(finding.sentence) == "The check failed: the library is damaged"


def test_with_nothing_installed_every_check_still_answers(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "PySide6", "pyqtgraph", "numba", "numpy", "psutil", "threadpoolctl", "cupy", "mpi4py")
    findings = {finding.id: finding.state for finding in examine(here, CHECKS)}
    assert list(findings) == IDS
    assert {findings[id_] for id_ in ("qt", "numba", "cpu", "blas")} == {CheckState.PROBLEM}
    assert findings["mpi"] is CheckState.MISSING
    assert findings["python"] is findings["store"] is CheckState.OK


def test_qt_that_lacks_a_library_names_it_and_its_package(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(_name: str) -> ModuleType:
        raise ImportError("libEGL.so.1: cannot open shared object file")

    monkeypatch.setattr("app.core.diagnostics.desktop.missing", lambda _libraries: {"libEGL.so.1": "libegl1"})
    monkeypatch.setattr("app.core.diagnostics.desktop.find_spec", lambda _name: object())
    monkeypatch.setattr("app.core.diagnostics.desktop.import_module", import_module)
    finding = diagnose("qt", here)
    assert finding.state is CheckState.PROBLEM
    assert "libEGL.so.1" in str(finding.sentence)
    assert str(finding.next_step) == "Debian and Ubuntu: sudo apt-get install libegl1"
    assert diagnose("qt", replace(here, platform="win32")).next_step is None


LIBRARY = "libxcb-cursor.so.0"


@pytest.mark.parametrize(
    ("environment", "absent", "answers", "state", "step"),
    [
        ({}, {}, True, CheckState.MISSING, "tilescope screenshot"),
        ({"DISPLAY": ":0"}, {}, True, CheckState.OK, None),
        ({"DISPLAY": ":0"}, {LIBRARY: "libxcb-cursor0"}, True, CheckState.PROBLEM, "sudo apt-get install libxcb-cursor0"),
        ({"DISPLAY": ":0"}, {}, False, CheckState.PROBLEM, "DISPLAY"),
        ({"DISPLAY": "far.away:10.0"}, {}, False, CheckState.OK, None),
        ({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run"}, {}, True, CheckState.OK, None),
        ({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run"}, {}, False, CheckState.PROBLEM, "WAYLAND_DISPLAY"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, {"libwayland-egl.so.1": "libwayland-egl1"}, True, CheckState.PROBLEM, "libwayland-egl1"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, {LIBRARY: "libxcb-cursor0"}, True, CheckState.PROBLEM, "libxcb-cursor0"),
        ({"QT_QPA_PLATFORM": "offscreen"}, {}, False, CheckState.OK, None),
        ({"QT_QPA_PLATFORM": "offscreen"}, {LIBRARY: "libxcb-cursor0"}, False, CheckState.OK, None),
    ],
)
def test_the_display_is_there_only_if_it_answers_and_its_libraries_are(
    here: Surroundings, monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str], absent: Mapping[str, str], *, answers: bool,
    state: CheckState, step: str | None,
) -> None:  # fmt: skip
    monkeypatch.setattr("app.core.diagnostics.desktop.x11_plugin_problem", lambda: f"{LIBRARY}: cannot open" if LIBRARY in absent else None)
    monkeypatch.setattr("app.core.diagnostics.desktop.missing", lambda _libraries: absent)
    monkeypatch.setattr("app.core.diagnostics.checks._answers", lambda _address: answers)
    finding = diagnose("display", replace(here, environment=environment))
    assert finding.state is state
    assert step is None or step in str(finding.next_step)
    assert state is CheckState.OK or all(name in str(finding.sentence) for name in absent)


def test_libraries_that_cannot_be_loaded_are_told_with_their_packages() -> None:
    def load(name: str) -> object:
        if "cursor" in name:
            raise OSError(name)
        return object()

    assert missing(X11_LIBRARIES, load) == {"libxcb-cursor.so.0": "libxcb-cursor0"}
    assert missing(X11_LIBRARIES, lambda _name: object()) == {}


@pytest.mark.parametrize(("listed", "state"), [("WenQuanYi Micro Hei,文泉驿\n", CheckState.OK), ("", CheckState.MISSING)])
def test_without_its_own_font_chinese_needs_one_of_the_system(
    here: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str, state: CheckState
) -> None:
    monkeypatch.setattr("app.core.diagnostics.checks.files", lambda _package: tmp_path)
    monkeypatch.setattr("app.core.diagnostics.checks.shutil.which", lambda _name: "fc-list")
    done = CompletedProcess([], 0, stdout=listed)
    monkeypatch.setattr("app.core.diagnostics.checks.subprocess.run", lambda *_arguments, **_options: done)
    finding = diagnose("fonts", here)
    assert finding.state is state
    assert ("fonts-wqy-microhei" in str(finding.next_step)) == (state is CheckState.MISSING)


@pytest.mark.parametrize(
    ("environment", "state", "said"),
    [
        ({}, CheckState.MISSING, "no session bus"),
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}, CheckState.OK, "when the desktop says"),
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}, CheckState.OK, "or not"),
    ],
)
def test_screen_readers_and_scale(here: Surroundings, environment: Mapping[str, str], state: CheckState, said: str) -> None:
    finding = diagnose("screen-reader", replace(here, environment=environment))
    assert finding.state is state
    assert said in str(finding.sentence)
    scaled = diagnose("scale", replace(here, environment={**environment, "QT_SCALE_FACTOR": "2"}))
    assert "QT_SCALE_FACTOR=2" in str(scaled.sentence)
    assert "QT_" not in str(diagnose("scale", here).sentence)


def test_a_c_library_that_is_too_old_is_a_problem(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    for found, state in (((2, 31), CheckState.PROBLEM), ((2, 34), CheckState.OK), (None, CheckState.OK)):
        monkeypatch.setattr("app.core.diagnostics.checks.glibc", lambda found=found: found)
        assert diagnose("program", here).state is state
    monkeypatch.setattr("app.core.crash_reports.report.sys.frozen", True, raising=False)
    assert "a package with its own Python" in str(diagnose("program", here).sentence)


def test_a_full_disk_is_named_with_its_folder(here: Surroundings) -> None:
    finding = examine(here, (Check("room", message("Room"), lambda here: check_room(here, lambda _folder: 30 << 20)),))[0]
    assert finding.state is CheckState.PROBLEM
    assert "30 MiB" in str(finding.sentence)
    assert str(here.places.data) in str(finding.sentence)
    assert "TILESCOPE_HOME" in str(finding.next_step)
    assert check_room(here, lambda _folder: 1 << 40)[0] is CheckState.OK


def test_the_driver_is_looked_for_by_itself(here: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise OSError(name)

    assert check_driver(here, absent)[0] is CheckState.MISSING
    version = tmp_path / "version"
    version.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23", encoding="utf-8")
    monkeypatch.setattr("app.core.diagnostics.gpu_checks.DRIVER", version)
    state, sentence = check_driver(here, lambda _name: object())[:2]
    assert (state, str(sentence)) == (CheckState.OK, "NVIDIA's driver is installed, version 580.95.05")
    assert check_driver(replace(here, platform="darwin"), absent)[0] is CheckState.MISSING


def test_cupy_twice_is_a_problem(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.diagnostics.gpu_checks.find_spec", lambda _name: object())
    monkeypatch.setattr("app.core.diagnostics.gpu_checks.version", lambda _name: "14.2")
    finding = diagnose("cupy", here)
    assert finding.state is CheckState.PROBLEM
    assert "pip uninstall cupy-cuda12x cupy" in str(finding.next_step)


def test_cublas_is_found_in_a_toolkit(here: Surroundings, tmp_path: Path) -> None:
    library = tmp_path / "lib64" / "libcublas.so.13"
    library.parent.mkdir()
    library.touch()
    finding = diagnose("cublas", replace(here, environment={"CUDA_HOME": str(tmp_path)}))
    assert finding.state is CheckState.OK
    assert str(library) in str(finding.sentence)


def test_the_log_is_told_with_its_reports_and_its_last_lines(
    here: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = here.places.logs
    with logging_to(logs):
        LOG.info("a line")
    (logs / "report-1.txt").write_text("x", encoding="utf-8")
    assert "reports on errors: 1" in str(diagnose("log", here).sentence)
    tilescope = CommandLine(tmp_path / "home", monkeypatch, capsys)
    first, report, line = tilescope("doctor", "--log").out.splitlines()
    assert (first, report) == (str(logs / "tilescope.log"), str(logs / "report-1.txt"))
    assert line.endswith("a line")
    assert set(tilescope("doctor", "--log", "--json").json) == {"log", "reports", "lines"}


BROKEN = """
import sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from app.cli import main
sys.exit(main(["doctor", "--json"]))
"""


@pytest.mark.parametrize("broken", ["PySide6,pyqtgraph,shiboken6", "numba,llvmlite", "clang,pygments"])
def test_the_command_answers_whatever_cannot_be_imported(tmp_path: Path, broken: str) -> None:
    environment = {**os.environ, "TILESCOPE_HOME": str(tmp_path)}
    done = run([sys.executable, "-c", BROKEN, broken], capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [finding["id"] for finding in json.loads(done.stdout)] == IDS


@pytest.mark.parametrize(
    ("availability", "state"),
    [
        (Availability.READY, CheckState.OK),
        (Availability.NO_PACKAGE, CheckState.MISSING),
        (Availability.NO_DRIVER, CheckState.MISSING),
        (Availability.DRIVER_TOO_OLD, CheckState.PROBLEM),
        (Availability.FAILED, CheckState.PROBLEM),
    ],
)
def test_a_gpu_that_is_not_there_is_missing_and_one_that_fails_a_problem(
    here: Surroundings, monkeypatch: pytest.MonkeyPatch, availability: Availability, state: CheckState
) -> None:
    status = DeviceStatus(Device.GPU, availability, "NVIDIA H200", message("A reason."), message("A remedy."))
    monkeypatch.setattr("kernels.gpu.process.probe_gpu", lambda: status)
    finding = diagnose("gpu", here)
    assert finding.state is state
    assert str(finding.next_step) == ("None" if state is CheckState.OK else "A remedy.")


@pytest.mark.parametrize("id_", ["numba-cache", "store", "settings", "log"])
def test_folders_that_cannot_be_made_are_a_problem(here: Surroundings, tmp_path: Path, id_: str) -> None:
    (tmp_path / "home").write_text("a file is in the way", encoding="utf-8")
    finding = diagnose(id_, here)
    assert finding.state is CheckState.PROBLEM
    assert "TILESCOPE_HOME" in str(finding.next_step)


def test_a_python_that_is_too_old_is_a_problem(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnose("python", here).state is CheckState.OK
    monkeypatch.setattr("app.core.diagnostics.checks.sys.version_info", (3, 10, 4))
    assert diagnose("python", here).state is CheckState.PROBLEM


def test_numba_without_openmp_says_what_to_install(here: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    numba = ModuleType("numba")
    numba.__version__ = "0.0"  # type: ignore[attr-defined]

    def import_module(name: str) -> ModuleType:
        if name == "numba":
            return numba
        raise ImportError(name)

    monkeypatch.setattr("app.core.diagnostics.checks.find_spec", lambda _name: object())
    monkeypatch.setattr("app.core.diagnostics.checks.importlib.import_module", import_module)
    finding = diagnose("numba", here)
    assert finding.state is CheckState.MISSING
    assert "libgomp1" in str(finding.next_step)


def test_the_packages_named_are_those_that_the_setup_installs() -> None:
    import debian

    for_window = {name for name, use in debian.USEFUL.items() if re.search("window under X11", use)}
    assert set(debian.QT) == set(QT_LIBRARIES.values())
    assert for_window
    assert for_window <= set(X11_LIBRARIES.values())
