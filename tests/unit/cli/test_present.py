"""`tilescope present`: what it hands to the window, and what it refuses."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from app.core.base.i18n import Translator
from app.core.workbench.window_arguments import WindowArguments
from tests.command_line import CommandLine


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[WindowArguments]:
    """What the window was opened with; a stand-in for the real one."""
    calls: list[WindowArguments] = []

    def run(arguments: WindowArguments, _translator: Translator) -> int:
        calls.append(arguments)
        return 0

    module = ModuleType("app.qt.shell.running")
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.qt.shell.running", module)
    return calls


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.window.require_qt", lambda: None)
    line = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return line


def test_a_lesson_goes_on_where_it_was_left(tilescope: CommandLine, opened: list[WindowArguments]) -> None:
    assert tilescope("present", "bank-conflicts", "--theme", "dark", "--lang", "zh_CN").status == 0
    (arguments,) = opened
    assert (arguments.language, arguments.theme) == ("zh_CN", None)
    presented = arguments.presented
    assert presented is not None
    assert (presented.resumed, presented.theme) == (True, "dark")
    assert presented.place is not None
    assert (presented.place.lesson.id, presented.place.number) == ("bank-conflicts", 0)


def test_a_lesson_begins_at_the_step_that_is_named(tilescope: CommandLine, opened: list[WindowArguments]) -> None:
    assert tilescope("present", "bank-conflicts", "--step-name", "columns", "--reveal").status == 0
    presented = opened[0].presented
    assert presented is not None
    assert presented.place is not None
    assert (presented.resumed, presented.place.lesson.steps[presented.place.number].name, presented.place.revealed) == (
        False,
        "columns",
        True,
    )


def test_without_a_lesson_the_stage_is_presented(tilescope: CommandLine, opened: list[WindowArguments]) -> None:
    assert tilescope("present").status == 0
    presented = opened[0].presented
    assert presented is not None
    assert (presented.place, presented.resumed) == (None, False)


@pytest.mark.parametrize("given", [["nothing-of-the-kind"], ["bank-conflicts", "--step-name", "nowhere"], ["--theme", "pink"]])
def test_what_there_is_not_is_refused(tilescope: CommandLine, opened: list[WindowArguments], given: list[str]) -> None:
    assert tilescope("present", *given).status == 2
    assert not opened
