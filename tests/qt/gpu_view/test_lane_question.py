"""A question for a lane: the sectors do not say who needs them before it is answered, and it can be typed before a hall."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.lesson_metrics.metric import Source
from app.core.lessons.lesson import QuestionKind
from app.core.presenter.slide import Slide
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.sector_lines import TOP
from app.qt.presenter.answer import place_answer
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))


def test_sectors_say_who_needs_them_only_when_nobody_is_asked(qtbot: QtBot) -> None:
    model = StageModel()
    view = GlobalView(LOOK, model)
    qtbot.addWidget(view)
    view.resize(480, 360)
    model.shown.value = launch_of("gpu.vectorized-k8", 128)
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    said = view.grab().toImage()
    access = view._access(picture)
    assert access is not None
    sector = next(each for line in access.lines for each in line.sectors if each is not None)
    assert view.tip(Selection(sector=sector.number), picture) is not None
    model.asking.value = frozenset({Source.LAUNCH})
    assert view.grab().toImage() != said
    assert view.tip(Selection(sector=sector.number), picture) is None
    model.asking.value = frozenset()
    assert view.grab().toImage() == said


@pytest.mark.parametrize("width", [400, 569, 1200])
def test_a_lane_that_is_asked_for_is_seen_and_clicked_above_the_sectors(qtbot: QtBot, width: int) -> None:
    model = StageModel()
    view = GlobalView(LOOK, model)
    qtbot.addWidget(view)
    view.resize(width, 500)
    model.shown.value = launch_of("gpu.naive", 64, tile=32)
    model.timeline.scrub(1)
    model.asking.value = frozenset({Source.LAUNCH})
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    with_lanes = view.grab().toImage()
    for lane in (0, 13, 31):
        place = view.lane_places(picture)[lane]
        ratio, rows = with_lanes.devicePixelRatio(), range(int(TOP) + 1, int(TOP) + 12)
        drawn = [with_lanes.pixelColor(round(place.center().x() * ratio), round(row * ratio)) for row in rows]
        assert LOOK.theme.now in drawn, lane
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
        assert model.pinned.value == Selection(thread=lane)
    assert view.moved(Selection(thread=31), -1, 0, picture) == Selection(thread=30)
    assert view.tip(Selection(thread=30), picture) is not None


def test_the_lane_that_was_the_answer_stays_in_sight(qtbot: QtBot) -> None:
    """At 1366x768, beside the lesson and the settings, the lanes were gone with the answer."""
    model = StageModel()
    view = GlobalView(LOOK, model)
    qtbot.addWidget(view)
    view.resize(344, 540)
    model.shown.value = launch_of("gpu.naive", 64, tile=32)
    model.timeline.scrub(1)
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    assert not view.lane_places(picture)
    model.asking.value = frozenset({Source.LAUNCH})
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.lane_places(picture)[10].center().toPoint())
    asked = view.grab().toImage()
    model.asking.value = frozenset()
    assert 10 in view.lane_places(picture)
    assert view.grab().toImage() != asked, "the sectors say who needs them"
    model.pinned.value = NOTHING
    assert not view.lane_places(picture)
    model.pinned.value = Selection(thread=3)
    assert not view.lane_places(picture), "nobody was asked for that one"


@pytest.mark.parametrize("asked", [True, False])
def test_keys_reach_the_lanes_from_nothing_while_one_is_asked_for_and_from_the_sectors_below(qtbot: QtBot, asked: bool) -> None:
    model = StageModel()
    view = GlobalView(LOOK, model)
    qtbot.addWidget(view)
    view.resize(1200, 500)
    model.shown.value = launch_of("gpu.naive", 64, tile=32)
    model.timeline.scrub(1)
    model.asking.value = frozenset({Source.LAUNCH} if asked else ())
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert (model.pinned.value == Selection(thread=0)) is asked
    if asked:
        qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    sector = model.pinned.value
    assert sector.sector is not None
    place = next(place for place in view.spots(picture) if view.selection_at(place.center(), picture) == sector)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    lane = model.pinned.value.thread
    assert lane is not None
    assert place.left() <= view.lane_places(picture)[lane].center().x() <= place.right()


def test_a_lane_can_be_typed(qtbot: QtBot) -> None:
    asked = Slide("a lesson", "Which lane?", "", 1, 2, asks=QuestionKind.LANE)
    assert place_answer(asked, QRectF(0, 0, 500, 400), 1.0, LOOK).field is not None
