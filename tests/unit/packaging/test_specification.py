"""packaging/bundle/tilescope.spec: what it asks PyInstaller for on each system, with stand-ins for PyInstaller."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bundle import edition
from bundle.build import SPECIFICATION

import app
from tests.elf_files import elf_file

PLUGIN, OPENGL = "PySide6/plugins/platforms/qwindows.dll", "PySide6/opengl32sw.dll"
Asked = dict[str, dict[str, Any]]


@pytest.fixture
def asked(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What the specification asks for on the system that the test names: keyword arguments by what is asked for."""
    monkeypatch.setattr(sys, "platform", request.param)
    monkeypatch.setattr(sys, "argv", ["tilescope.spec", "cpu"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(edition, "BUNDLES", tmp_path)
    edition.EDITIONS["cpu"].work.mkdir(parents=True)
    found: Asked = {}
    binary = tmp_path / "binary"
    binary.write_bytes(elf_file())
    collected = {
        "binaries": [(place, str(binary), "BINARY") for place in (PLUGIN, OPENGL)],
        "datas": [("resources/icons/tilescope.svg", str(binary), "DATA")],
        "pure": [("pygments.lexers.haskell", "", "PYMODULE"), ("app.cli", "", "PYMODULE")],
        "scripts": [("pyi_rth_pyside6", "", "PYSOURCE"), ("start", "", "PYSOURCE")],
    }

    def stand_in(name: str) -> Any:
        def asked_for(*parts: object, **options: object) -> SimpleNamespace:
            found[name] = {"parts": parts, **options}
            return SimpleNamespace(**collected)

        return asked_for

    names = {name: stand_in(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
    exec(compile(SPECIFICATION.read_text(encoding="utf-8"), SPECIFICATION.name, "exec"), {"SPECPATH": str(SPECIFICATION.parent), **names})
    return found


def on(system: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("asked", [system], indirect=True)


def places(asked: Asked) -> set[str]:
    return {entry[0] for entries in asked["COLLECT"]["parts"][1:] for entry in entries}


@on("win32")
def test_on_windows_the_program_has_its_icon_and_no_opengl(asked: Asked) -> None:
    assert Path(asked["EXE"]["icon"]).relative_to(edition.ROOT).as_posix() == "build/package/tilescope.ico"
    assert PLUGIN in places(asked)
    assert OPENGL not in places(asked)
    assert "mpi/bin/mpiexec" not in places(asked)
    assert "BUNDLE" not in asked


@on("darwin")
def test_on_macos_an_application_is_made_that_files_are_opened_with(asked: Asked) -> None:
    assert asked["BUNDLE"]["version"] == app.__version__
    assert asked["BUNDLE"]["info_plist"]["CFBundleDocumentTypes"]
    assert asked["EXE"]["argv_emulation"]
    assert asked["EXE"]["icon"] is None


@pytest.mark.parametrize("asked", ["win32", "darwin"], indirect=True)
def test_what_is_imported_late_is_asked_for_by_name_and_qt_is_prepared(asked: Asked) -> None:
    hidden = set(asked["Analysis"]["hiddenimports"])
    assert {"app.cli.trace", "app.qt.charts.chart", "kernels.mpi.rank", "kernels.jit.simd_numba", "clang.cindex"} <= hidden
    assert [entry[0] for entry in asked["EXE"]["parts"][1]] == ["pyi_rth_pyside6", "start"]
    assert [entry[0] for entry in asked["PYZ"]["parts"][0]] == ["app.cli"]
