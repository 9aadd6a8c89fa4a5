"""How far a lesson was: noted while it is played, kept in a file, read whatever the file holds."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.lessons.progress import FORMAT, Course, LessonProgress, StepCount, key_of, read_progress
from app.core.lessons.read import read_lesson
from tests.lessons.lesson_files import write_lesson


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    lesson = read_lesson(write_lesson(tmp_path / "mine"))
    assert isinstance(lesson, Lesson)
    return lesson


def asked(lesson: Lesson, *, right: bool) -> LessonMoment:
    return LessonMoment(lesson, 0, StepState.TOLD, answers={0: Judged(32.0, right, (32.0,))})


def settle(progress: LessonProgress, background_tasks: BackgroundTasks) -> None:
    """Let the tasks of one round come back."""
    end = time.monotonic() + 5
    while any(thread.is_alive() for thread in background_tasks._threads) and time.monotonic() < end:
        time.sleep(0.005)
    background_tasks.tick()
    progress.tick()


def test_steps_are_done_when_all_is_said(lesson: Lesson) -> None:
    progress = LessonProgress(None, BackgroundTasks())
    progress.note(LessonMoment(lesson, 0, StepState.ASKING))
    assert progress.steps_of(lesson) == StepCount(2, 0, 1, 0)
    progress.note(asked(lesson, right=False))
    assert progress.steps_of(lesson) == StepCount(2, 1, 1, 0)
    progress.note(asked(lesson, right=True))
    assert progress.steps_of(lesson) == StepCount(2, 1, 1, 1)
    assert progress.done_steps(lesson) == {0}


def test_a_lesson_goes_on_where_it_was_left_and_begins_anew_when_it_is_over(lesson: Lesson) -> None:
    progress = LessonProgress(None, BackgroundTasks())
    assert progress.place_of(lesson) == 0
    progress.note(LessonMoment(lesson, 1, StepState.WAITING))
    assert progress.place_of(lesson) == 1
    progress.note(LessonMoment(lesson, 1))
    progress.note(LessonMoment(lesson, 0))
    progress.note(LessonMoment(lesson, 1))
    assert progress.steps_of(lesson).over
    assert progress.place_of(lesson) == 0


def test_what_was_noted_is_there_after_the_program_was_started_again(lesson: Lesson, tmp_path: Path) -> None:
    file, background_tasks = tmp_path / "data" / "lessons.json", BackgroundTasks()
    progress = LessonProgress(file, background_tasks)
    progress.note(asked(lesson, right=True))
    settle(progress, background_tasks)  # read
    settle(progress, background_tasks)  # written
    again = LessonProgress(file, BackgroundTasks())
    again.read_now()
    assert again.steps_of(lesson) == StepCount(2, 1, 1, 1)
    assert again.courses.value == progress.courses.value


def test_ending_writes_at_once_and_keeps_what_other_lessons_had(lesson: Lesson, tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_text(json.dumps({"format": FORMAT, "lessons": {"simd": {"at": "x", "done": ["x"], "right": []}}}), encoding="utf-8")
    progress = LessonProgress(file, BackgroundTasks())
    progress.note(LessonMoment(lesson, 0))
    progress.finish()
    kept = read_progress(file)
    assert kept["simd"] == Course("x", frozenset({"x"}))
    assert len(kept) == 2


def test_a_lesson_of_the_program_is_kept_by_its_id_wherever_it_is_installed() -> None:
    shipped = named("bank-conflicts")
    assert isinstance(shipped, Lesson)
    assert key_of(shipped) == "bank-conflicts"


def test_after_stop_nothing_is_written(lesson: Lesson, tmp_path: Path) -> None:
    progress = LessonProgress(tmp_path / "lessons.json", BackgroundTasks())
    progress.stop()
    progress.note(LessonMoment(lesson, 0))
    progress.finish()
    assert not (tmp_path / "lessons.json").exists()


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[]", "3", '{"lessons": []}', '{"lessons": 3}', "[" * 5000, '{"format": "tilescope progress 9"}', "\ud83d\ude00" * 3],
)  # fmt: skip
def test_a_file_that_cannot_be_understood_counts_as_empty(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lessons.json"
    file.write_text(text, encoding="utf-8", errors="replace")
    assert read_progress(file) == {}


def test_of_a_spoilt_entry_what_can_be_understood_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_text(json.dumps({"lessons": {"a": 3, "b": {"at": 1, "done": ["x", 2, None], "right": "x"}}}), encoding="utf-8")
    assert read_progress(file) == {"a": Course(), "b": Course("", frozenset({"x"}))}
