"""What stands on a slide, of every moment of every lesson, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.base.i18n import LANGUAGES, Translator
from app.core.lesson_metrics.metric import Value
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Lesson, QuestionKind
from app.core.lessons.library import shipped
from app.core.lessons.numbers import written
from app.core.lessons.prose import filled
from app.core.presenter.slide import COMPUTING, WIDEST_BAND, Mark, Slide, notes_of, slide_of, width_of
from kernels.base.messages import Message, message
from tests.lessons.presented_lessons import moments_of

LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in shipped()]
WAVES = {"waves": 32.0}


@pytest.fixture(params=list(LANGUAGES))
def translator(request: pytest.FixtureRequest) -> Translator:
    return Translator(request.param)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_slide_has_one_headline_and_a_short_sentence_below(lesson: Lesson, translator: Translator) -> None:
    for playing in moments_of(lesson):
        slide, headline = slide_of(playing, translator), lesson.step_text(playing.number, translator.language).headline
        assert slide.headline
        assert width_of(slide.band) <= max(WIDEST_BAND, width_of(headline))
        assert (slide.number, slide.count) == (playing.number + 1, len(lesson.steps))
        assert slide.band not in slide.said
        assert "{" not in slide.headline + slide.band


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_of_the_answer_is_told_while_it_is_asked_for(lesson: Lesson, translator: Translator) -> None:
    for playing in moments_of(lesson):
        if playing.state is StepState.ASKING:
            slide, text = slide_of(playing, translator), lesson.step_text(playing.number, translator.language)
            assert slide.asks is not None
            assert not slide.hero
            assert all(choice.mark is Mark.OPEN for choice in slide.choices)
            assert not {paragraph.text for paragraph in text.answer} & set(slide.said)


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_notes_have_all_that_the_step_says(lesson: Lesson, translator: Translator) -> None:
    for playing in moments_of(lesson):
        notes, text = notes_of(playing, translator), lesson.step_text(playing.number, translator.language)
        answer = text.answer if playing.state is StepState.TOLD else ()
        assert len(notes.told) == len(text.narration) + len(text.question) + len(answer)
        assert len(notes.notes) == len(text.notes)
        assert notes.coming or playing.last


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_notes_say_a_hidden_answer_once_and_whole(lesson: Lesson, translator: Translator) -> None:
    for playing in moments_of(lesson):
        notes, text = notes_of(playing, translator), lesson.step_text(playing.number, translator.language)
        answers = [filled(each.text, written(playing.numbers)) for each in text.answer]
        hidden = playing.state is not StepState.TOLD
        assert [each in notes.told for each in answers] == [not hidden] * len(answers)
        assert [each in notes.coming for each in answers] == [hidden] * len(answers)


def columns() -> LessonMoment:
    lesson = next(each for each in shipped() if each.id == "bank-conflicts")
    number = next(place for place, step in enumerate(lesson.steps) if step.name == "columns")
    return LessonMoment(lesson, number, StepState.ASKING, WAVES)


def marks(slide: Slide) -> dict[str, Mark]:
    return {choice.text: choice.mark for choice in slide.choices}


def test_the_revealed_number_is_the_hero_and_its_sentence_does_not_repeat_it() -> None:
    slide = slide_of(replace(columns(), state=StepState.TOLD), Translator("en"))
    assert slide.hero == "32"
    assert slide.said[0].startswith("Rows of 32 words")
    assert marks(slide) == {"1": Mark.LEFT, "2": Mark.LEFT, "16": Mark.LEFT, "32": Mark.RIGHT}


def test_an_answer_whose_numbers_are_still_computed_has_no_holes() -> None:
    """What is revealed too early says that its numbers are computed; none of the choices is marked as if it were wrong."""
    playing = replace(columns(), state=StepState.TOLD, numbers={})
    slide = slide_of(playing, Translator("en"))
    assert str(COMPUTING) in slide.said
    assert "…" not in " ".join(slide.said)
    assert set(marks(slide).values()) == {Mark.OPEN}
    assert str(COMPUTING) not in slide_of(replace(playing, numbers=WAVES), Translator("en")).said


def test_a_wrong_answer_stays_marked_beside_the_right_one() -> None:
    playing = columns()
    judged = Judged(16.0, correct=False, right=(32.0,))
    told = replace(playing, state=StepState.TOLD, answers={playing.number: judged})
    assert marks(slide_of(told, Translator("en")))["16"] is Mark.WRONG
    asked_again = replace(told, state=StepState.ASKING)
    assert set(marks(slide_of(asked_again, Translator("en"))).values()) == {Mark.OPEN}


def test_an_answer_that_cannot_be_judged_yet_is_marked_as_chosen() -> None:
    slide = slide_of(replace(columns(), numbers={}, given=2.0), Translator("en"))
    assert marks(slide)["2"] is Mark.CHOSEN


def test_why_a_number_cannot_be_found_is_said() -> None:
    reason = message("There is no profile {name}.", name="x")
    slide = slide_of(replace(columns(), state=StepState.TOLD, numbers={"waves": reason}), Translator("en"))
    assert slide.hero == ""
    assert slide.said[0] == "There is no profile x."


def test_lanes_are_no_hero() -> None:
    lesson: Lesson = next(each for each in shipped() if each.id == "bank-conflicts")
    number = next(place for place, step in enumerate(lesson.steps) if step.question and step.question.kind is QuestionKind.LANE)
    slide = slide_of(LessonMoment(lesson, number, StepState.TOLD, {"others": frozenset((2, 4)), "ways": 8.0}), Translator("en"))
    assert slide.hero == ""
    assert "2, 4" in slide.said[0]


@pytest.mark.parametrize(("lane", "mark", "said"), [(5.0, Mark.WRONG, "You chose lane 5. It is none of them."),
                                                    (4.0, Mark.RIGHT, "You chose lane 4. That is right.")])  # fmt: skip
def test_a_lane_that_was_chosen_is_marked_and_spoken_of(lane: float, mark: Mark, said: str) -> None:
    slide = slide_of(answered("which-lanes", {"others": frozenset((2, 4)), "ways": 8.0}, lane, (2.0, 4.0)), Translator("en"))
    assert ({str(int(lane)): mark}, said) == (marks(slide), slide.said[0])
    assert "2, 4" in slide.said[1]


def test_a_wrong_number_is_marked_beside_the_right_one() -> None:
    wrong, right = (slide_of(answered("how-much", {"two": 2.0, "three": 1.0, "four": 4.0}, given, (2.0,)), Translator("en"))
                    for given in (7.0, 2.0))  # fmt: skip
    assert (wrong.hero, marks(wrong)) == ("2", {"7": Mark.WRONG})
    assert (right.hero, marks(right)) == ("2", {})


def answered(name: str, numbers: dict[str, Value | Message], given: float, right: tuple[float, ...]) -> LessonMoment:
    """A step of the lesson on bank conflicts whose question was answered."""
    lesson = next(each for each in shipped() if each.id == "bank-conflicts")
    number = [step.name for step in lesson.steps].index(name)
    return LessonMoment(lesson, number, StepState.TOLD, numbers, answers={number: Judged(given, given in right, right)})
