"""The table of what pictures are of: it misses no lesson, no language, theme or size, and the command takes all that it says."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from picture_subjects import (
    ALL_THEMES,
    LANGUAGES,
    LESSONS,
    README,
    README_DENSITY,
    ROOT,
    SIZES,
    SMALL,
    SOLVED,
    SUBJECTS,
    THEMES,
    Look,
    drawn,
    name_of,
    options_of,
    write_files,
)
from screenshots import picture_size

from app.core.challenges.challenge import CheckQuestion
from app.core.challenges.check import check
from app.core.challenges.library import challenge_of
from app.core.challenges.result import read_attempt
from app.core.lessons.library import shipped_ids
from app.core.workbench.window_arguments import ScreenshotArguments
from tests.command_line import CommandLine


def looks(beginning: str) -> set[Look]:
    return {look for subject, look in drawn(SUBJECTS, everything=False) if subject.name.startswith(beginning)}


def test_each_lesson_has_its_key_step() -> None:
    assert list(LESSONS) == list(shipped_ids())


@pytest.mark.parametrize("beginning", ["lesson-", "window"])
def test_each_language_theme_and_size_is_met(beginning: str) -> None:
    found, themes = looks(beginning), THEMES if beginning == "window" else ALL_THEMES
    assert {(look.language, look.theme, look.size) for look in found} == {(la, th, si) for la in LANGUAGES for th in themes for si in SIZES}


@pytest.mark.parametrize("everything", [False, True])
def test_no_two_pictures_have_one_name(everything: bool) -> None:
    names = [name_of(*each) for each in drawn(SUBJECTS, everything=everything)]
    assert len(set(names)) == len(names)


def test_the_command_takes_the_options_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    tilescope = CommandLine(tmp_path / "home", monkeypatch, capsys)
    taken: list[ScreenshotArguments] = []
    module = ModuleType("app.qt.shell.screenshot")
    module.take = taken.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr("app.cli.window.require_qt", lambda: None)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    write_files(tmp_path)
    for subject in (*SUBJECTS, README):
        answer = tilescope("screenshot", tmp_path / f"{subject.name}.png", *options_of(subject, tmp_path))
        assert answer.status == 0, answer
    assert len(taken) == len(SUBJECTS) + 1


def test_the_attempt_that_is_shown_as_solved_is(tmp_path: Path) -> None:
    write_files(tmp_path)
    attempt, challenge = read_attempt((tmp_path / SOLVED).read_text(encoding="utf-8")), challenge_of("bank-conflict")
    assert isinstance(attempt, tuple)
    assert challenge is not None
    assert check(CheckQuestion(challenge, attempt[0])).solved


def test_what_the_readme_shows_is_there_and_quick_to_load() -> None:
    shown = re.findall(r"^!\[.+\]\((.+\.png)\)$", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [Path(name).name for name in shown] == [f"{README.name}-{language}.png" for language in LANGUAGES]
    for name in shown:
        assert picture_size(ROOT / name) == (README_DENSITY * SMALL[0], README_DENSITY * SMALL[1])
        assert (ROOT / name).stat().st_size <= 250_000
