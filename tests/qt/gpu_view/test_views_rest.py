"""A view that a moving step does not change is not painted again, and what is then left standing is the picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.stage.model import GpuPicture, StageModel, picture_of
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.clusters_view import ClustersView
from app.qt.gpu_view.fragments_view import FragmentsView
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.gpu_view.pipeline_view import PipelineView
from app.qt.gpu_view.shared_view import SharedView
from app.qt.gpu_view.swizzle_view import SwizzleView
from app.qt.gpu_view.threads_view import ThreadsView
from app.qt.gpu_view.view import GpuView
from app.qt.views.view import StageView
from kernels.base.messages import message
from tests.launches.launch_records import launch_of
from tests.launches.tensor_kernels import product

FRACTIONS = (0.0, 0.2, 0.6, 0.95, 1.0)


@pytest.fixture(params=[GlobalView, ThreadsView, SharedView])
def view(request: pytest.FixtureRequest, qtbot: QtBot) -> GpuView:
    made: GpuView = request.param(Look(theme("light"), Translator("en")), StageModel())
    qtbot.addWidget(made)
    made.resize(620, 560)
    return made


def test_shared_memory_rests_within_each_wavefront_of_a_conflict(qtbot: QtBot) -> None:
    view = SharedView(Look(theme("light"), Translator("en")), StageModel())
    qtbot.addWidget(view)
    view.resize(620, 560)
    index, alike, served = launch_of("gpu.async", 64), 0, set()
    for step in range(0, index.steps, max(index.steps // 24, 1)):
        moments = [picture_of(index, step, fraction / 16) for fraction in range(17)]
        for one, other in pairwise(each for each in moments if isinstance(each, GpuPicture)):
            if view.alike(one, other):
                alike += 1
                served.add(view.banks(other).now)
                view.show_picture(one)
                drawn = view.grab().toImage()
                view.picture = other
                assert view.grab().toImage() == drawn
    assert alike > 24
    assert served - {None, 0}


def shown_of(index: LaunchIndex, step: int, fraction: float, selection: Selection = NOTHING) -> GpuPicture:
    made = picture_of(index, step, fraction, selection)
    assert isinstance(made, GpuPicture)
    return made


def picture(step: int, fraction: float, selection: Selection = NOTHING) -> GpuPicture:
    return shown_of(launch_of("gpu.tiled", 16, tile=8), step, fraction, selection)


def test_pictures_called_alike_are_drawn_alike(view: GpuView) -> None:
    alike = 0
    for step in range(0, 60, 7):
        for before, after in pairwise(FRACTIONS):
            one, other = picture(step, before), picture(step, after)
            if view.alike(one, other):
                alike += 1
                view.show_picture(one)
                drawn = view.grab().toImage()
                view.picture = other
                assert view.grab().toImage() == drawn
    assert alike


def test_another_step_or_a_selection_is_drawn(view: GpuView) -> None:
    at_rest = picture(9, 0.0)
    assert not view.alike(at_rest, picture(10, 0.0))
    assert not view.alike(at_rest, picture(9, 0.0, Selection(thread=3)))
    assert not view.alike(picture(9, 0.0, Selection(thread=3)), at_rest)


def moment(step: int, fraction: float, selection: Selection = NOTHING) -> GpuPicture:
    return shown_of(product(), step, fraction, selection)


def test_the_view_of_swizzles_rests_within_a_phase_and_between_accesses(qtbot: QtBot) -> None:
    view = SwizzleView(Look(theme("light"), Translator("en")), StageModel())
    qtbot.addWidget(view)
    view.resize(900, 640)
    places = [(step, fraction) for step in range(20, 60) for fraction in (0.0, 0.2, 0.6, 0.95)]
    rested, anew = 0, 0
    for before, after in pairwise(places):
        one, other = moment(*before), moment(*after)
        if not view.alike(one, other):
            anew += 1
            continue
        rested += 1
        assert not view.alike(one, moment(*after, Selection(thread=3)))
        if before[0] != after[0] or rested % 8 == 0:
            view.show_picture(one)
            drawn = view.grab().toImage()
            view.picture = other
            assert view.grab().toImage() == drawn
    assert min(rested, anew) > 40


def test_the_view_of_pipelines_rests_within_a_step(qtbot: QtBot) -> None:
    view = PipelineView(Look(theme("light"), Translator("en")), StageModel())
    qtbot.addWidget(view)
    view.resize(900, 640)
    for step in range(20, 60, 9):
        view.show_picture(moment(step, 0.0))
        drawn = view.grab().toImage()
        for fraction in (0.2, 0.95, 1.0):
            assert view.alike(moment(step, 0.0), moment(step, fraction))
            view.picture = moment(step, fraction, Selection(thread=3))
            assert view.grab().toImage() == drawn
        assert not view.alike(moment(step, 0.0), moment(step + 1, 0.0))


@pytest.mark.parametrize(("kind", "index"), [(FragmentsView, product), (ClustersView, partial(launch_of, "gpu.wgmma-clusters-bf16", 128))])
def test_views_of_instructions_and_clusters_rest_within_a_step(kind: type[GpuView], index: Callable[[], LaunchIndex], qtbot: QtBot) -> None:
    view, launch, drawn = kind(Look(theme("light"), Translator("en")), StageModel()), index(), set[bytes]()
    qtbot.addWidget(view)
    view.resize(900, 640)
    for step in range(0, launch.steps, launch.steps // 12):
        first, later, last = (shown_of(launch, step, fraction) for fraction in (0.0, 0.3, 0.95))
        pointed = shown_of(launch, step, 0.3, Selection(thread=3))
        assert view.alike(first, later)
        assert not view.alike(first, pointed)
        images = []
        for each in (first, later, last):
            view.show_picture(each)
            images.append(view.grab().toImage())
        assert images[0] == images[1] == images[2]
        drawn.add(bytes(images[0].constBits()))
    assert len(drawn) > 1


def test_a_launch_is_not_painted_again_because_another_is_awaited(qtbot: QtBot) -> None:
    model = StageModel()
    model.shown.value = launch_of("gpu.tiled", 16, tile=8)
    stage = GpuStage(Look(theme("light"), Translator("en")), model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(1400, 900)
    stage.show()
    qtbot.waitExposed(stage)
    painted = Painted()
    for number in stage.shown:
        stage.frames[number - 1].view.installEventFilter(painted)
    qtbot.wait(50)
    painted.times = 0
    for busy in (True, False):
        model.busy.value = busy
        qtbot.wait(50)
    assert painted.times == 0
    model.notice.value = message("why")
    qtbot.wait(50)
    assert painted.times >= len(stage.shown) > 0


class Painted(QObject):
    """Counts how often what it watches is painted."""

    times = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_while_playing_no_frame_gives_a_new_step_to_more_than_two_views_or_words_besides(qtbot: QtBot) -> None:
    model = StageModel()
    stage = GpuStage(Look(theme("light"), Translator("en")), model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(1200, 900)
    model.shown.value = launch_of("gpu.tiled", 16, tile=8)
    assert len(stage.shown) == 4
    model.timeline.set_speed(64)
    model.timeline.play()
    views, whole = [stage.frames[number - 1].view for number in stage.shown], set()
    for _ in range(90):
        before, told = [step_of(view) for view in views], model.told.value
        model.timeline.advance(1 / 60)
        after = [step_of(view) for view in views]
        changed = sum(one != other for one, other in zip(before, after, strict=True))
        assert changed <= 2
        assert not changed or model.told.value is told
        if len(set(after)) == 1:
            whole.add(after[0])
    assert len(whole) > 20, "all views come to the same step"


def step_of(view: StageView[Any]) -> int | None:
    return None if view.picture is None else view.picture.frame.step
