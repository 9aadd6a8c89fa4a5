"""Headers of views beside each other in a small window: their names are whole, the verdicts in brief words."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.frames.views import View
from app.core.stage.model import GpuPicture, StageModel, picture_of
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.gpu_view.shared_view import SharedView
from app.qt.gpu_view.view import GpuView
from app.qt.views.frame import Badge, ViewFrame
from app.qt.widgets.labels import ElidedLabel
from tests.launches.launch_records import launch_of


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("made", "variant", "step", "said"),
    [(GlobalView, "gpu.naive", 0, {"en": "sectors 2/1"}), (SharedView, "gpu.transpose-shared", 74, {"en": "▲ 32-way"})],
)
def test_the_name_of_a_view_is_whole_beside_its_verdict(
    qtbot: QtBot, made: type[GpuView], variant: str, step: int, said: dict[str, str], language: str
) -> None:
    """As wide as the second view of a window of 1280 pixels."""
    look = Look(theme("light"), Translator(language))
    shown = picture_of(launch_of(variant, 64, tile=32 if "transpose" in variant else 16), step, 0.2)
    assert isinstance(shown, GpuPicture)
    around = QWidget()
    qtbot.addWidget(around)
    frame = ViewFrame(look, 4, made(look, StageModel()), lambda: None, around)
    frame.show_picture(shown)
    frame.resize(284, 300)
    around.show()
    name, badge = frame.findChildren(ElidedLabel)[0], frame.findChildren(Badge)[0]
    assert name._fitting() == look.text(made.title)
    assert badge._shortened(badge.width() - 2 * badge.padding) == badge.text()
    assert badge.text() == said.get(language, badge.text())


@pytest.mark.parametrize(
    ("made", "variant", "step", "said"),
    [(GlobalView, "gpu.naive", 0, "sectors 2/1"), (SharedView, "gpu.transpose-shared", 74, "▲ 32-way")],
)
def test_beside_a_verdict_in_brief_words_most_of_a_name_is_seen_where_it_has_no_room(
    qtbot: QtBot, made: type[GpuView], variant: str, step: int, said: str
) -> None:
    """As wide as the second view beside a lesson in a window of 1280 pixels."""
    look = Look(theme("light"), Translator("en"))
    around = QWidget()
    qtbot.addWidget(around)
    frame = ViewFrame(look, 4, made(look, StageModel()), lambda: None, around)
    frame.show_picture(picture_of(launch_of(variant, 64, tile=32 if "transpose" in variant else 16), step, 0.2))
    frame.resize(220, 300)
    around.show()
    name, badge = frame.findChildren(ElidedLabel)[0], frame.findChildren(Badge)[0]
    assert badge.text() == said
    assert badge._shortened(badge.width() - 2 * badge.padding) == said
    assert len(name._fitting()) >= 7


def test_a_view_that_is_alone_with_nothing_to_show_says_how_the_others_come_back(qtbot: QtBot) -> None:
    model = StageModel()
    stage = GpuStage(Look(theme("light"), Translator("en")), model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(800, 500)
    stage.show()
    model.shown.value = launch_of("gpu.transpose-padded", 64, tile=32)
    for _ in range(2):
        model.tick()
    facts: dict[int, str] = {}
    for view in (View.PIPELINE, View.SHARED_MEMORY):
        model.alone.value = view
        facts[view] = stage.frames[view - 1].findChildren(ElidedLabel)[1].text()
    assert facts[View.PIPELINE] == "Esc: all views"
    assert facts[View.SHARED_MEMORY] != "Esc: all views"
    model.alone.value = 0
    stage.frames[View.PIPELINE - 1].show_picture(stage.own(model.picture.value))
    assert stage.frames[View.PIPELINE - 1].findChildren(ElidedLabel)[1].text() == ""
