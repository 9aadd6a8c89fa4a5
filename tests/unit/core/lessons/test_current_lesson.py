"""Playing a lesson: forward and back by one, answers, actions, numbers that arrive later, texts of the lesson's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.lesson_metrics.metric import SubjectQuestion
from app.core.lessons.current_lesson import StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Lesson
from app.core.lessons.read import read_lesson
from kernels.base.messages import message
from tests.lessons.lesson_files import write_lesson
from tests.lessons.lesson_room import PROSE, STRUCTURE, Class


@pytest.fixture
def room(tmp_path: Path) -> Class:
    lesson = read_lesson(write_lesson(tmp_path / "mine", STRUCTURE, PROSE, mine_cu="__global__ void f() {}\n"))
    assert isinstance(lesson, Lesson), str(lesson)
    return Class(lesson)


def test_next_reveals_what_is_asked_and_then_goes_on(room: Class) -> None:
    room.player.open(room.lesson)
    seen = [room.at]
    for _ in range(8):
        room.player.next()
        seen.append(room.at)
    assert seen == [
        ("told", StepState.TOLD),
        ("number", StepState.ASKING),
        ("number", StepState.TOLD),
        ("action", StepState.WAITING),
        ("action", StepState.TOLD),
        ("lane", StepState.ASKING),
        ("lane", StepState.TOLD),
        ("choice", StepState.ASKING),
        ("choice", StepState.TOLD),
    ]
    room.player.next()
    assert room.at == seen[-1]


def test_back_undoes_exactly_one_next_all_the_way(room: Class) -> None:
    room.player.open(room.lesson)
    seen = [room.at]
    for _ in range(8):
        room.player.next()
        room.tick()
        seen.append(room.at)
    for before in reversed(seen[:-1]):
        room.player.back()
        room.tick()
        assert room.at == before
    room.player.back()
    assert room.at == seen[0]


def test_what_is_to_be_predicted_is_shown_with_the_answer(room: Class) -> None:
    room.player.open(room.lesson)
    room.player.next()
    assert room.program.shown == [(32, False), (32, True)]
    room.player.reveal()
    assert room.program.shown[2:] == [(32, False)]
    room.player.back()
    assert room.program.shown[3:] == [(32, True)]


def test_a_lane_that_is_to_be_clicked_can_be_seen(room: Class) -> None:
    room.player.open(room.lesson, 3)
    assert room.program.shown == [(16, False)]


def test_a_step_without_a_scene_leaves_the_stage_as_the_student_has_it(room: Class) -> None:
    room.player.open(room.lesson, 3)
    room.player.next()
    room.program.tile = 8
    room.player.next()
    assert room.at == ("choice", StepState.ASKING)
    assert room.program.tile == 8


def test_going_straight_to_a_step_without_a_scene_shows_that_of_the_step_before(room: Class) -> None:
    room.player.open(room.lesson, 4)
    assert room.program.shown == [(16, False)]
    room.player.go(2)
    assert room.program.shown[-1] == (32, False)


def test_an_answer_is_judged_when_its_number_arrives(room: Class) -> None:
    room.player.open(room.lesson, 1)
    room.tick()
    room.player.answer(33)
    playing = room.player.playing.value
    assert playing is not None
    assert (playing.state, playing.given, room.player.settled) == (StepState.ASKING, 33, False)
    room.tracer.answer(32.0)
    assert room.at == ("number", StepState.TOLD)
    assert room.judged == Judged(33, correct=True, right=(32.0,))  # 10 % are allowed


def test_a_wrong_answer_stays_until_it_is_taken_back(room: Class) -> None:
    room.know("most_wavefronts", 32.0)
    room.player.open(room.lesson, 1)
    room.player.answer(16)
    assert room.judged == Judged(16, correct=False, right=(32.0,))
    room.player.next()
    room.player.go(1)
    assert room.at == ("number", StepState.TOLD)
    assert room.judged == Judged(16, correct=False, right=(32.0,))
    room.player.back()
    assert room.at == ("number", StepState.ASKING)
    playing = room.player.playing.value
    assert playing is not None
    assert playing.answers == {}
    room.player.answer(32)
    assert room.judged == Judged(32, correct=True, right=(32.0,))


def test_lanes_and_choices(room: Class) -> None:
    room.know("lanes_of_bank", frozenset({2, 4}))
    room.know("most_wavefronts", 32.0)
    room.player.open(room.lesson, 3)
    room.player.answer(4.0)
    assert room.judged == Judged(4.0, correct=True, right=(2.0, 4.0))
    room.player.go(4)
    room.player.answer("few")
    assert room.judged == Judged("few", correct=False, right=("many",))


def test_a_number_that_cannot_be_found_is_told_in_place_of_a_verdict(room: Class) -> None:
    room.player.open(room.lesson, 1)
    room.tick()
    room.tracer.answer(message("It takes too long."))
    room.player.answer(3)
    assert room.at == ("number", StepState.TOLD)
    assert str(room.judged) == "It takes too long."


def test_an_action_is_noticed(room: Class) -> None:
    room.player.open(room.lesson, 2)
    room.tick()
    assert room.at == ("action", StepState.WAITING)
    room.program.tile = 16
    room.tick()
    assert room.at == ("action", StepState.TOLD)


def test_an_action_that_is_skipped_is_done_so_that_the_texts_stay_true(room: Class) -> None:
    room.player.open(room.lesson, 2)
    room.player.next()
    assert (room.at, room.program.tile) == (("action", StepState.TOLD), 16)


def test_an_action_that_was_taken_back_must_be_done_again(room: Class) -> None:
    room.player.open(room.lesson, 2)
    room.player.next()
    room.player.back()
    assert room.program.tile == 32
    room.program.tile = 16  # as a scene that takes its time would leave it for a moment
    room.tick()
    assert room.at == ("action", StepState.WAITING)
    room.program.tile = 32
    room.tick()
    room.program.tile = 16
    room.tick()
    assert room.at == ("action", StepState.TOLD)


def test_texts_of_the_lesson_are_executed_once(room: Class) -> None:
    room.player.open(room.lesson, 4)
    room.tick()
    assert isinstance(room.tracer.asked[-1][0], SubjectQuestion)
    room.tracer.answer(1.0, 2.0)
    room.know("most_wavefronts", 32.0)
    playing = room.player.playing.value
    assert playing is not None
    assert playing.numbers == {"waves": 32.0, "races": 1.0, "blocks": 2.0}
    assert room.player.settled
    room.player.go(0)
    room.player.go(4)
    room.tick()
    assert room.program.subjects == ["mine.cu"]


def test_what_one_lesson_asked_is_not_taken_for_an_answer_in_the_next(room: Class) -> None:
    room.player.open(room.lesson, 4)
    room.tick()
    room.player.open(room.lesson, 4)
    room.tracer.answer(7.0, 7.0)
    playing = room.player.playing.value
    assert playing is not None
    assert "races" not in playing.numbers
    room.tick()
    room.tracer.answer(1.0, 2.0)
    assert playing.lesson is room.lesson
    assert room.player.playing.value is not None
    assert room.player.playing.value.numbers["races"] == 1.0


def test_a_closed_lesson_wants_nothing(room: Class) -> None:
    room.player.open(room.lesson, 1)
    room.player.close()
    room.tick()
    assert (room.tracer.asked, room.player.playing.value, room.player.settled) == ([], None, True)
    for call in (room.player.next, room.player.back, room.player.reveal, room.player.show_again):
        call()
    room.player.answer(3)
    assert room.program.shown == [(32, True)]
