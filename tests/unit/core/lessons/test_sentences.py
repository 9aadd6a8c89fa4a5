"""What is said about a lesson besides its own texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.lesson_metrics.expression import Expression, parse
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Judged, judge, number_given
from app.core.lessons.lesson import Action, Lesson, Question, QuestionKind
from app.core.lessons.numbers import number_text, written
from app.core.lessons.progress import StepCount
from app.core.lessons.read import read_lesson
from app.core.lessons.sentences import length_of, place_of, task_of, topic_title, verdict_of
from kernels.base.messages import Message, message
from kernels.catalogue import catalogue
from tests.lessons.lesson_files import write_lesson


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    lesson = read_lesson(write_lesson(tmp_path / "mine"))
    assert isinstance(lesson, Lesson)
    return lesson


def test_tasks_name_what_is_to_be_done(lesson: Lesson) -> None:
    waiting = LessonMoment(lesson, 1, StepState.WAITING)
    assert str(task_of(waiting)) == "Waiting for you: set Tile size to 16."
    assert task_of(replace(waiting, state=StepState.TOLD)) is None
    assert task_of(LessonMoment(lesson, 0, StepState.ASKING)) is None
    tiled = catalogue.by_id("gpu.tiled")
    for action, said in (
        (Action(at_end=True), "Waiting for you: watch the animation to its end."),
        (Action(play_race=True), "Waiting for you: play the schedule that breaks the data race (Shift+F)."),
        (Action(variant=tiled), f"Waiting for you: choose {tiled.title} in the ladder."),
    ):
        steps = (lesson.steps[0], replace(lesson.steps[1], action=action))
        assert str(task_of(replace(waiting, lesson=replace(lesson, steps=steps)))) == said


def test_verdicts_say_what_was_said_and_what_is(lesson: Lesson) -> None:
    def verdict(at: LessonMoment) -> str:
        return str(verdict_of(at, "en", {}))

    told = LessonMoment(lesson, 0, StepState.TOLD)
    assert verdict(told) == "None"
    assert verdict(replace(told, state=StepState.ASKING, given=16.0)) == "You said 16. The answer is being worked out."
    assert verdict(replace(told, answers={0: Judged(16.0, correct=False, right=(32.0,))})) == "You said 16. It is 32."
    assert verdict(replace(told, answers={0: Judged(32.0, correct=True, right=(32.0,))})) == "You said 32. That is right."
    assert verdict(replace(told, answers={0: message("It takes too long.")})) == "This cannot be worked out: It takes too long."
    assert verdict(LessonMoment(lesson, 1)) == "None"
    lane = replace(lesson.steps[0], question=Question(QuestionKind.LANE, lanes="waves"))
    told = replace(told, lesson=replace(lesson, steps=(lane, lesson.steps[1])))
    assert verdict(replace(told, answers={0: Judged(3.0, correct=False, right=(2.0, 4.0))})) == "You chose lane 3. It is none of them."
    assert verdict(replace(told, answers={0: Judged(4.0, correct=True, right=(2.0, 4.0))})) == "You chose lane 4. That is right."


def test_how_long_a_lesson_is_and_how_far_one_has_come(lesson: Lesson) -> None:
    assert str(length_of(lesson, StepCount(2, 0, 1, 0))) == "5 min, 2 steps"
    assert str(length_of(lesson, StepCount(2, 1, 0, 0))) == "5 min, 1 of 2 steps done"
    assert str(length_of(lesson, StepCount(2, 2, 1, 1))) == "5 min, 2 of 2 steps done, 1 of 1 answers right"
    assert str(place_of(LessonMoment(lesson, 1))) == "Lesson step 2 of 2"
    assert isinstance(topic_title("memory"), Message)
    assert topic_title("my own <b>topic</b>") == "my own <b>topic</b>"


@pytest.mark.parametrize(
    ("text", "number"), [("32", 32), (" 1.5 ", 1.5), ("１６", 16), ("−3", -3), ("10 000", 10000), ("1e3", 1000)]
)  # fmt: skip
def test_numbers_as_they_are_typed(text: str, number: float) -> None:
    assert number_given(text) == number


@pytest.mark.parametrize("text", ["two", "1/2", "inf", "nan", "1e999", "0x10", "<b>"])
def test_what_is_no_number_is_said(text: str) -> None:
    assert str(number_given(text)) == f"'{text}' is no number."


def test_a_lane_is_one_of_a_warp() -> None:
    assert str(number_given(" ")) == "Write a number first."
    assert number_given("31", 31) == 31.0
    assert str(number_given("32", 31)) == "Lane must be at most 31, not 32."
    assert isinstance(number_given("1.5", 31), Message)


@pytest.mark.parametrize(("given", "correct"), [(29.0, True), (35.0, True), (28.0, False), (36.0, False)])
def test_a_number_may_be_as_far_off_as_is_allowed(given: float, correct: bool) -> None:
    answer = parse("waves")
    assert isinstance(answer, Expression)
    judged = judge(Question(QuestionKind.NUMBER, answer, tolerance=0.1), given, {"waves": 32.0})
    assert judged == Judged(given, correct, (32.0,))


def test_numbers_as_texts_have_them() -> None:
    found = written({"a": 32.0, "b": 0.256, "c": frozenset({3, 1}), "d": message("no"), "e": 0.5}, "、")
    assert (found["a"], found["b"], found["c"], found["e%"], found["b%"]) == ("32", "0.256", "1、3", "50 %", "26 %")
    assert "d" not in found
    assert number_text(12345.0) == "12\u202f345"
