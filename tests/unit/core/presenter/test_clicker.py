"""The clicker's laws: back undoes exactly one forward, from every moment of every lesson, whatever moves meanwhile."""

from __future__ import annotations

from typing import cast

import pytest

from app.core.base.background import BackgroundTasks
from app.core.base.timeline import Timeline, Unit
from app.core.gpu_view.subject import Subject
from app.core.lessons.current_lesson import CurrentLesson, StepState
from app.core.lessons.lesson import Action, Lesson, Scene
from app.core.lessons.library import shipped
from app.core.lessons.metric_finder import MetricFinder
from app.core.presenter.clicker import Clicker, Moment
from app.core.session.draft import Draft
from app.core.tracing.stage_tracer import StageTracer
from tests.lessons.lesson_room import SlowTracer

STEPS = 40
LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in shipped()]


class Hall:
    """A clicker over a stage whose scenes take a moment to come: `settle` lets them come."""

    def __init__(self) -> None:
        self.timeline = Timeline()
        self.timeline.load(STEPS, {Unit.TILE: (0, 10, 20, 30)})
        self.coming: Scene | None = None
        self.player = CurrentLesson(MetricFinder(cast("StageTracer", SlowTracer()), BackgroundTasks()), self)
        self.clicker = Clicker(self.player, self.timeline, lambda: self.coming is not None)

    def show(self, scene: Scene, *, before: bool) -> None:
        self.coming = scene

    def subject(self, draft: Draft) -> Subject:
        return cast("Subject", draft)

    def done(self, _action: Action) -> bool:
        return False

    def do(self, _action: Action) -> None:
        self.timeline.to_end()

    def settle(self) -> None:
        """The scene comes: it stands somewhere of its own, and moves where it says so."""
        for _ in range(2):
            if self.coming is not None:
                scene, self.coming = self.coming, None
                self.timeline.scrub(7 + scene.occurrence)
                if scene.play:
                    self.timeline.play()
            self.clicker.tick()

    def stand(self, lesson: Lesson, number: int, *, told: bool) -> None:
        self.player.open(lesson, number)
        self.settle()
        if told:
            self.player.reveal()
            self.settle()

    def there_and_back(self) -> tuple[Moment, Moment, Moment]:
        before = self.clicker.moment
        self.clicker.forward()
        self.settle()
        between = self.clicker.moment
        self.clicker.back()
        self.settle()
        return before, between, self.clicker.moment


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("told", [False, True])
def test_back_undoes_one_forward(lesson: Lesson, moving: bool, told: bool) -> None:
    for number in range(len(lesson.steps)):
        hall = Hall()
        hall.stand(lesson, number, told=told)
        hall.timeline.scrub(12.5)
        if moving:
            hall.timeline.play()
        before, between, after = hall.there_and_back()
        at_the_end = number + 1 == len(lesson.steps) and before.state is StepState.TOLD and not moving
        assert (between == before) == at_the_end
        if not at_the_end:
            assert after == before


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_the_way_there_and_all_the_way_back(lesson: Lesson) -> None:
    hall = Hall()
    hall.stand(lesson, 0, told=False)
    seen = [hall.clicker.moment]
    for place in range(200):
        hall.timeline.scrub(place % STEPS + 0.25)
        seen[-1] = hall.clicker.moment
        hall.clicker.forward()
        hall.settle()
        if hall.clicker.moment.same_step(seen[-1]):
            break
        seen.append(hall.clicker.moment)
    assert (hall.clicker.moment.number, hall.clicker.moment.state) == (len(lesson.steps) - 1, StepState.TOLD)
    for before in reversed(seen[:-1]):
        hall.clicker.back()
        hall.settle()
        assert hall.clicker.moment == before


def test_forward_completes_what_moves_before_it_reveals() -> None:
    hall = Hall()
    lesson = next(each for each in shipped() if each.id == "bank-conflicts")
    hall.stand(lesson, 1, told=False)
    hall.timeline.play()
    hall.clicker.forward()
    assert (hall.timeline.at_end, hall.timeline.playing.value, hall.clicker.moment.state) == (True, False, StepState.ASKING)
    hall.clicker.forward()
    assert (hall.clicker.moment.number, hall.clicker.moment.state) == (1, StepState.TOLD)
    hall.clicker.forward()
    assert hall.clicker.moment.number == 2


def test_what_is_repeated_is_completed_at_the_end_of_its_part() -> None:
    hall = Hall()
    hall.timeline.loop_range(5, 15)
    hall.timeline.play()
    hall.clicker.forward()
    assert hall.timeline.position.value.time == 15
    hall.clicker.back()
    assert (hall.timeline.position.value.time, hall.timeline.playing.value) == (5, True)


def test_without_a_lesson_forward_and_back_step_the_stage() -> None:
    hall = Hall()
    hall.timeline.scrub(3.5)
    before, between, after = hall.there_and_back()
    assert (before.place.time, between.place.time, after.place.time) == (3.5, 4, 3.5)
    hall.clicker.back()
    assert hall.timeline.position.value.time == 3


def test_a_step_that_was_chosen_otherwise_is_left_by_one() -> None:
    hall = Hall()
    lesson = next(each for each in shipped() if each.id == "bank-conflicts")
    hall.stand(lesson, 0, told=True)
    hall.clicker.forward()
    hall.settle()
    hall.player.go(5)
    hall.settle()
    hall.clicker.back()
    hall.settle()
    assert (hall.clicker.moment.number, hall.clicker.moment.state) == (4, StepState.TOLD)
