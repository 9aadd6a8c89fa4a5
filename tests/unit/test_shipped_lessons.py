"""The lessons of the program are true: their numbers are found by executing, their claims hold, and both languages are whole."""

from __future__ import annotations

from functools import cache

import pytest

from app.core.facts.answer import answer, answer_facts
from app.core.facts.fact import Fact, SubjectQuestion, Value
from app.core.i18n import LANGUAGES
from app.core.lessons.asking import right_answers
from app.core.lessons.lesson import Lesson, QuestionKind, Step
from app.core.lessons.library import shipped
from app.core.lessons.numbers import calculated, numbers_of
from app.core.playground.subject import subject_of_draft
from app.core.session import DEFAULT_PROFILE, profile_named
from kernels.messages import Message

STEPS = [pytest.param(lesson, step, id=f"{lesson.id}-{step.name}") for lesson in shipped() for step in lesson.steps]
LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in shipped()]
LONGEST_SENTENCES = 420
"""Characters of a paragraph that is still read while somebody speaks."""


def found(lesson: Lesson, step: Step) -> dict[str, Value | Message]:
    """The numbers of a step, executed here and now."""
    return numbers_of(step.values, lambda fact: executed(lesson.id, fact) if fact.kernel else answer(fact))


@cache
def executed(lesson_id: str, fact: Fact) -> Value | Message:
    lesson = next(each for each in shipped() if each.id == lesson_id)
    subject = subject_of_draft(lesson.kernels[fact.kernel], profile_named(DEFAULT_PROFILE))
    return answer_facts(SubjectQuestion(subject, (fact,))).values[0]


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_all_that_a_step_says_is_true(lesson: Lesson, step: Step) -> None:
    numbers = found(lesson, step)
    unknown = {name: str(value) for name, value in numbers.items() if isinstance(value, Message)}
    assert not unknown
    false = [claim.text for claim in step.claims if not calculated(claim, numbers)]
    assert not false, f"not true with {numbers}"


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_each_question_has_one_right_answer(lesson: Lesson, step: Step) -> None:
    if step.question is None:
        return
    right = right_answers(step.question, found(lesson, step))
    assert isinstance(right, tuple)
    assert right if step.question.kind is QuestionKind.LANE else len(right) == 1


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
