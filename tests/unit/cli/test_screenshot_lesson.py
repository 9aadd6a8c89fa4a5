"""`tilescope screenshot --lesson`: which step is meant, and what is refused before Qt is imported."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from app.core.workbench.window_arguments import LessonPosition, ScreenshotArguments
from tests.command_line import CommandLine
from tests.lessons.lesson_files import write_lesson


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.window.require_qt", lambda: None)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[ScreenshotArguments]:
    calls: list[ScreenshotArguments] = []
    module = ModuleType("app.qt.shell.screenshot")
    module.take = calls.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.qt.shell.screenshot", module)
    return calls


def places(taken: list[ScreenshotArguments]) -> list[tuple[str, int, bool]]:
    meant: list[LessonPosition | None] = [arguments.lesson for arguments in taken]
    return [(each.lesson.id, each.number, each.revealed) for each in meant if each is not None]


def test_a_step_is_named_by_lesson_and_name(tilescope: CommandLine, taken: list[ScreenshotArguments], tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    tilescope("screenshot", path, "--lesson", "bank-conflicts")
    tilescope("screenshot", path, "--lesson", "bank-conflicts", "--step-name", "padding", "--reveal")
    tilescope("screenshot", path, "--lesson", write_lesson(tmp_path / "mine"), "--step-name", "second")
    tilescope("screenshot", path)
    assert places(taken) == [("bank-conflicts", 0, False), ("bank-conflicts", 3, True), ("mine", 1, False)]
    assert taken[-1].lesson is None


@pytest.mark.usefixtures("taken")
def test_what_is_no_step_is_refused(tilescope: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    line = tilescope.refused("screenshot", path, "--lesson", "bank")
    assert line.startswith("tilescope: There is no lesson 'bank'. Lessons: loop-order, ")
    line = tilescope.refused("screenshot", path, "--lesson", "bank-conflicts", "--step-name", "end")
    assert line.startswith("tilescope: --step-name: 'end' is not one of rows, columns, ")
    for alone in (("--reveal",), ("--step-name", "rows")):
        line = tilescope.refused("screenshot", path, *alone)
        assert line == "tilescope: --step-name and --reveal speak of a step of a lesson: --lesson is missing."
    line = tilescope.refused("screenshot", path, "--lesson", write_lesson(tmp_path / "mine", "topic = 3"))
    assert line == "tilescope: mine/lesson.toml: Line 1: topic must be a text, not a whole number."
