"""`tilescope lessons`: the list, and whether lessons of one's own are true."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.gpu_view.subject import subject_of_draft
from app.core.lesson_metrics.answer import answer_metrics
from app.core.lesson_metrics.metric import SubjectQuestion
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import shipped_ids
from app.core.lessons.read import read_lesson
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.base.messages import Message
from tests.command_line import CommandLine
from tests.lessons.lesson_files import ENGLISH, STRUCTURE, write_lesson

ENDLESS = """
[[step]]
name = "third"

[step.values]
steps = { launch = "mine", count = "steps" }

[[kernel]]
name = "mine"
file = "mine.cu"

[kernel.launch]
grid = [1, 1, 1]
block = [32, 1, 1]
arguments = { a = "32:zeros" }
"""
LOOP = "__global__ void f(int* a) { while (true) a[0] = a[0] + 1; }\n"


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def test_the_lessons_of_the_program_in_teaching_order(tilescope: CommandLine) -> None:
    lines = tilescope("lessons").out.splitlines()
    assert lines[0].split() == ["Lesson", "Topic", "Minutes", "Steps", "Done", "Title"]
    assert [line.split()[0] for line in lines[1:]] == shipped_ids()


def test_as_json_in_another_language(tilescope: CommandLine) -> None:
    lessons = tilescope("lessons", "--json", "--lang", "zh_CN").json
    assert [lesson["id"] for lesson in lessons] == shipped_ids()
    conflicts = next(lesson for lesson in lessons if lesson["id"] == "bank-conflicts")
    assert conflicts["title"].startswith("存储体冲突")
    assert conflicts["languages"] == ["en", "zh_CN"]
    assert conflicts["steps"][:2] == ["rows", "columns"]
    assert conflicts["done"] == 0


def test_a_true_lesson_passes(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope("lessons", write_lesson(tmp_path / "mine"), "--check")
    assert (answer.status, answer.out, answer.err) == (0, "", "mine: 2 steps, all true\n")


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ('"waves == 32"', '"waves == 31"', "mine/lesson.toml: Line 4: step first: it is not true that waves == 31: waves = 32."),
        ("choices = [16, 32]", "choices = [16, 31]", "mine/lesson.toml: Line 4: step first: no answer to the question is right."),
        ("choices = [16, 32]", "choices = [32, 32]", "mine/lesson.toml: Line 4: step first: 2 answers to the question are right."),
        ('half = "waves / 2"', 'half = "waves / (waves - waves)"',
         "mine/lesson.toml: Line 4: step first: half cannot be found: waves / (waves - waves) has no value."),
        ('line = "tile[tx][ty]", space', 'line = "tile[9]", space',
         "mine/lesson.toml: Line 4: step first: waves cannot be found: No access of transpose_shared.cu is on a line with 'tile[9]'."),
        ('view = 3, line = "tile[tx][ty]"', 'view = 3, line = "til[tx]"',
         "mine/lesson.toml: Line 4: step first: no line of what is shown holds “til[tx]”."),
    ],
)  # fmt: skip
def test_what_is_not_true_is_told_with_file_and_line(tilescope: CommandLine, tmp_path: Path, before: str, after: str, problem: str) -> None:
    assert before in STRUCTURE
    write_lesson(tmp_path / "own" / "mine", STRUCTURE.replace(before, after, 1))
    write_lesson(tmp_path / "own" / "spoilt", "topic = 3")
    answer = tilescope("lessons", tmp_path / "own", "--check")
    assert answer.status == 2
    assert problem in answer.err.splitlines()
    assert "spoilt/lesson.toml: Line 1: topic must be a text, not a whole number." in answer.err.splitlines()


def test_problems_as_json(tilescope: CommandLine, tmp_path: Path) -> None:
    write_lesson(tmp_path / "own" / "mine", STRUCTURE.replace('"waves == 32"', '"waves > 32"'))
    answer = tilescope("lessons", tmp_path / "own", "--check", "--json")
    assert answer.json == {
        "lessons": ["mine"],
        "problems": ["mine/lesson.toml: Line 4: step first: it is not true that waves > 32: waves = 32."],
    }


def test_folders_without_lessons_are_refused(tilescope: CommandLine, tmp_path: Path) -> None:
    assert tilescope.refused("lessons", tmp_path / "nowhere") == f"tilescope: There is no folder {tmp_path / 'nowhere'}."
    reason = f"tilescope: There is no lesson in {tmp_path}: each has a folder with lesson.toml."
    assert tilescope.refused("lessons", tmp_path) == reason
    write_lesson(tmp_path / "spoilt", "topic = 3")
    line = "tilescope: spoilt/lesson.toml: Line 1: topic must be a text, not a whole number."
    assert tilescope.refused("lessons", tmp_path / "spoilt") == line


def test_a_kernel_that_never_ends_is_stopped_and_said(tmp_path: Path) -> None:
    lesson = read_lesson(write_lesson(tmp_path / "mine", STRUCTURE + ENDLESS, ENGLISH + "\n## third\nidea\n", mine_cu=LOOP))
    assert isinstance(lesson, Lesson), str(lesson)
    subject = subject_of_draft(lesson.kernels["mine"], profile_named(DEFAULT_PROFILE))
    hurried = replace(subject, launch=replace(subject.launch, budget=replace(subject.launch.budget, seconds=0.3)))
    (reason,) = answer_metrics(SubjectQuestion(hurried, lesson.steps[2].metrics)).values
    assert isinstance(reason, Message)
    assert str(reason) == "The execution was stopped before its end: Stopped here after 0.3 seconds."
