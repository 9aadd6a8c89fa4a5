"""Commands that draw, where Qt is missing or the system lacks a library of it: one line that says what to install."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from app.core.diagnostics.desktop import qt_obstacle, window_obstacle
from tests.command_line import CommandLine

EGL = "libEGL.so.1: cannot open shared object file: No such file or directory"
INSTALL = "Debian and Ubuntu: sudo apt-get install"
DRAWING = [(), ("open",), ("present",), ("screenshot", "a.png"), ("export", "figure", "a.png")]


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("app.core.diagnostics.desktop.find_spec", lambda _name: object())
    monkeypatch.setattr("app.core.diagnostics.desktop.import_module", ModuleType)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def lacking(monkeypatch: pytest.MonkeyPatch, error: str, **absent: str) -> None:
    """Let Qt fail to load with this error, and these libraries too, each named as in `libEGL`."""

    def import_module(_name: str) -> ModuleType:
        raise ImportError(error)

    named = {f"{name}.so.1": package for name, package in absent.items()}
    monkeypatch.setattr(
        "app.core.diagnostics.desktop.missing", lambda libraries: {name: named[name] for name in libraries if name in named}
    )
    monkeypatch.setattr("app.core.diagnostics.desktop.import_module", import_module)


@pytest.mark.parametrize("command", DRAWING)
def test_a_library_that_the_system_lacks_is_named_with_its_package(
    tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    lacking(monkeypatch, EGL, libEGL="libegl1", libGL="libgl1")
    named = "these libraries of the system are missing: libGL.so.1, libEGL.so.1."
    assert tilescope.refused(*command) == f"tilescope: Qt cannot be loaded; {named} {INSTALL} libgl1 libegl1"


def test_what_else_keeps_qt_from_loading_is_quoted(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking(monkeypatch, "a version that does not fit")
    said = tilescope.refused("screenshot", "a.png")
    assert said.startswith(f"tilescope: Qt cannot be loaded: a version that does not fit. {INSTALL} libgl1 libegl1 ")


def test_elsewhere_than_on_linux_no_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.diagnostics.desktop.find_spec", lambda _name: object())
    lacking(monkeypatch, "DLL load failed", libEGL="libegl1")
    obstacle = qt_obstacle("win32")
    assert obstacle is not None
    assert str(obstacle.refusal) == "Qt cannot be loaded: DLL load failed."


@pytest.mark.parametrize("command", DRAWING)
def test_without_qt_it_is_said_how_to_install_it(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setattr("app.core.diagnostics.desktop.find_spec", lambda _name: None)
    assert tilescope.refused(*command) == "tilescope: The package PySide6 is not installed. Install it: pip install tilescope"


def test_a_window_that_qt_would_not_survive_is_refused(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("app.core.diagnostics.desktop.x11_plugin_problem", lambda: "libxcb-cursor.so.0: cannot open shared object file")
    monkeypatch.setattr("app.core.diagnostics.desktop.missing", lambda _libraries: {"libxcb-cursor.so.0": "libxcb-cursor0"})
    said = "For a window under X11 these libraries are missing: libxcb-cursor.so.0."
    assert tilescope.refused() == f"tilescope: {said} {INSTALL} libxcb-cursor0"


def test_one_display_that_can_be_used_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.diagnostics.desktop.x11_plugin_problem", lambda: "libxcb-cursor.so.0: cannot open shared object file")
    monkeypatch.setattr("app.core.diagnostics.desktop.missing", lambda libraries: {n: "p" for n in libraries if "xcb" in n})
    both = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
    assert window_obstacle(both, "linux") is None
    assert window_obstacle({"DISPLAY": ":0"}, "linux") is not None
    assert window_obstacle({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, "linux") is None
    assert window_obstacle({"DISPLAY": ":0"}, "darwin") is None
