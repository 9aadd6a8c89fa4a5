"""While playing, a new step is drawn in one frame, told in the next, and what waits is drawn in the one after; by hand all at once."""

from __future__ import annotations

from app.core.cpu_view.cache_question import ColdRun, HistoryQuestion
from app.core.cpu_view.caches import StageCaches
from app.core.cpu_view.index import TraceIndex
from app.core.session.choices import CacheChoice
from app.core.stage.model import AnyPicture, Picture, StageModel
from app.core.workbench.trace_handlers import answer_caches
from kernels.base.spec import Operation, Problem
from kernels.cachesim.history import History
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.cpusim.execute import trace

FRAME_S = 1 / 60


def shown() -> StageModel:
    variant = by_id("cpu.blocked")
    model = StageModel()
    model.shown.value = TraceIndex(trace(variant, Problem.square(Operation.MATMUL, 8), {"tile": 4}, seed=1))
    return model


def step_of(picture: AnyPicture | None) -> int | None:
    return None if picture is None else picture.frame.step


def test_by_hand_a_step_is_told_with_its_picture() -> None:
    model = shown()
    model.timeline.scrub(17)
    assert step_of(model.picture.value) == step_of(model.told.value) == 17


def test_while_playing_no_frame_both_draws_and_tells_a_new_step() -> None:
    for speed in (1.0, 8.0, 64.0):
        model = shown()
        model.timeline.set_speed(speed)
        model.timeline.play()
        for _ in range(200):
            drawn, told = step_of(model.picture.value), step_of(model.told.value)
            model.timeline.advance(FRAME_S)
            assert drawn == step_of(model.picture.value) or told == step_of(model.told.value)
            assert not model.untold or step_of(model.told.value) == told, "it is told in the next frame, not later"


def test_what_is_drawn_when_the_play_rests_is_told() -> None:
    model = shown()
    model.timeline.set_speed(64)
    model.timeline.play()
    while not model.untold:
        model.timeline.advance(FRAME_S)
    model.timeline.pause()
    assert step_of(model.picture.value) == step_of(model.told.value) == model.timeline.position.value.step


def test_views_that_wait_come_in_the_frame_after_the_words_and_before_the_next_step() -> None:
    for speed in (1.0, 8.0, 64.0):
        model = shown()
        model.timeline.set_speed(speed)
        model.timeline.play()
        finished = 0
        for _ in range(200):
            drawn, told = step_of(model.picture.value), step_of(model.told.value)
            due = model.unfinished and not model.untold
            model.timeline.advance(FRAME_S)
            if due:
                assert (step_of(model.picture.value), step_of(model.told.value)) == (drawn, told)
                assert model.finished.value is model.picture.value
                finished += 1
            elif model.untold:
                model.unfinished = True  # as a stage of more than two views says
        assert finished > 2


def cached(model: StageModel) -> StageCaches:
    index = model.shown.value
    assert isinstance(index, TraceIndex)
    execution = Case(index.trace.variant_id, index.trace.problem, index.trace.parameters)
    history = answer_caches(HistoryQuestion(ColdRun(execution, CacheChoice().hierarchy)))
    assert isinstance(history, History)
    return StageCaches(index, history)


def test_new_caches_are_drawn_told_and_counted_one_after_the_other() -> None:
    model = shown()
    caches = cached(model)
    model.caches.value = caches
    drawn, told = model.picture.value, model.told.value
    assert isinstance(drawn, Picture)
    assert isinstance(told, Picture)
    assert (drawn.caches, told.caches, model.counted.value) == (caches, None, None)
    model.tick()
    assert (model.told.value, model.counted.value) == (drawn, None)
    model.tick()
    assert model.counted.value is caches
    model.caches.value = None
    assert model.counted.value is None


def test_a_hand_that_moves_on_while_new_caches_wait_sees_and_is_told_where_it_went() -> None:
    model = shown()
    model.caches.value = cached(model)
    model.timeline.scrub(17)
    assert step_of(model.picture.value) == step_of(model.told.value) == 17


def test_while_something_is_measured_a_frame_shows_one_step_in_all_places() -> None:
    model = shown()
    model.timeline.sparing = True
    model.timeline.set_speed(8)
    model.timeline.play()
    steps = set()
    for _ in range(50):
        model.timeline.advance(0.1)
        steps.add(step_of(model.picture.value))
        assert step_of(model.picture.value) == step_of(model.told.value)
        assert not model.waiting
    assert len(steps) > 2


def test_the_trace_of_what_was_shown_is_let_go() -> None:
    model = shown()
    model.timeline.play()
    while not model.unfinished or model.untold:
        model.timeline.advance(FRAME_S)
        model.unfinished = model.unfinished or model.untold
    model.timeline.advance(FRAME_S)
    assert model.finished.value is not None
    model.shown.value = None
    held: list[AnyPicture | None] = [model.picture.value, model.told.value, model.finished.value]
    assert held == [None, None, None]
