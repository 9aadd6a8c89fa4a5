"""While playing, a new step is drawn in one frame and told in the next; by hand both at once."""

from __future__ import annotations

from app.core.cpu_view.index import TraceIndex
from app.core.stage.model import AnyPicture, StageModel
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import find
from kernels.cpusim.execute import trace

FRAME_S = 1 / 60


def shown() -> StageModel:
    variant = find("cpu.blocked")
    assert variant is not None
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
