"""The lessons of the program are true: their numbers are found by executing, their claims hold, and both languages are whole."""

from __future__ import annotations

import pytest

from app.core.base.i18n import LANGUAGES
from app.core.lessons.check import action_problems, found_metrics, problems_of, scene_problems
from app.core.lessons.lesson import Lesson, Step
from app.core.lessons.library import shipped
from app.core.lessons.numbers import numbers_of
from app.core.lessons.sentences import TOPICS

STEPS = [pytest.param(lesson, step, id=f"{lesson.id}-{step.name}") for lesson in shipped() for step in lesson.steps]
LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in shipped()]
LONGEST_SENTENCES = 420
"""Characters of a paragraph that is still read while somebody speaks."""


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_all_that_a_step_says_is_true(lesson: Lesson, step: Step) -> None:
    numbers = numbers_of(step.values, found_metrics(lesson, step).get)
    assert numbers.keys() == step.values.keys()
    assert [str(problem) for problem in problems_of(step, numbers)] == [], numbers


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_the_stage_finds_the_line_that_a_step_shows_and_can_do_what_it_waits_for(lesson: Lesson, step: Step) -> None:
    assert list(scene_problems(step)) == []
    assert list(action_problems(lesson, step)) == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_topic_of_a_lesson_has_a_title(lesson: Lesson) -> None:
    assert lesson.topic in TOPICS


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_speaks_both_languages(lesson: Lesson) -> None:
    assert list(lesson.texts) == list(LANGUAGES)
    english, chinese = lesson.texts.values()
    for step in lesson.steps:
        one, other = english.steps[step.name], chinese.steps[step.name]
        assert bool(one.notes) == bool(other.notes), step.name
        assert bool(one.narration) == bool(other.narration), step.name
        used = [{name.removesuffix("%") for each in text.paragraphs for name in each.fields} for text in (one, other)]
        assert used[0] == used[1], step.name
        assert any("\u4e00" <= sign <= "\u9fff" for sign in other.headline), step.name


def test_a_question_about_the_read_that_comes_next_says_that_another_one_is_shown() -> None:
    lesson = next(each for each in shipped() if each.id == "coalescing")
    for text in lesson.texts.values():
        asked = "".join(each.text for each in text.steps["sectors"].question)
        assert "A[row][k]" in asked
        assert "B" in asked


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_is_said_at_once_is_short(lesson: Lesson) -> None:
    long = [
        (step.name, each.text)
        for text in lesson.texts.values()
        for step in lesson.steps
        for each in text.steps[step.name].paragraphs
        if len(each.text) > LONGEST_SENTENCES
    ]
    assert not long


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_asks_and_takes_five_to_ten_minutes(lesson: Lesson) -> None:
    assert any(step.question is not None or step.action is not None for step in lesson.steps)
    assert 5 <= lesson.minutes <= 10
