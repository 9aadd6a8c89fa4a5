"""In an enlarged narrow window a view that is alone has the room of the source, and so have the settings. What the
step does is said all the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.session.session import Session
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.shell.stage_workspace import StageWorkspace
from app.qt.stage.panel import LEAST_OF_VIEWS
from app.qt.stage.step_card import StepCard, StepLine
from kernels.catalogue.catalogue import by_id
from tests.launches.launch_records import launch_of
from tests.running_workbench import while_running


@pytest.fixture
def workbench(qapp: QApplication) -> Iterator[Workbench]:
    yield from while_running(Session("gpu.tiled"))


def width_alone(qtbot: QtBot, workbench: Workbench, scale: float) -> float:
    """The share of the room that the stage has when one view is alone."""
    space = StageWorkspace(Look(theme("light", scale), Translator("en")), workbench, compact=True)
    qtbot.addWidget(space)
    space.resize(1160, 500)
    space.show()
    workbench.stage.alone.value = 1
    QApplication.processEvents()
    return space.stage.width() / space.width()


def test_a_view_that_is_alone_has_all_the_width(qtbot: QtBot, workbench: Workbench) -> None:
    assert width_alone(qtbot, workbench, 2.0) > 0.95


def test_at_its_own_size_the_source_stays_beside_it(qtbot: QtBot, workbench: Workbench) -> None:
    assert width_alone(qtbot, workbench, 1.0) < 0.8


def test_a_text_that_is_edited_stays_in_sight(qtbot: QtBot, workbench: Workbench) -> None:
    assert workbench.session.draft_editor.edit_copy() is None
    assert width_alone(qtbot, workbench, 2.0) < 0.8


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(574, 590), (766, 570), (810, 626)])
@pytest.mark.parametrize("alone", [0, 3])
def test_opened_settings_are_whole(qtbot: QtBot, workbench: Workbench, size: tuple[int, int], scale: float, alone: int) -> None:
    space = StageWorkspace(Look(theme("light", scale), Translator("en")), workbench, compact=True)
    qtbot.addWidget(space)
    space.setMinimumSize(1, 1)  # the window gives it no more than it has
    space.resize(*size)
    space.show()
    workbench.stage.alone.value = alone
    space.settings.click()
    QApplication.processEvents()
    area = space.inspector.findChild(QScrollArea)
    assert area is not None
    assert area.visibleRegion().boundingRect().width() == space.inspector.width()
    content = area.widget()
    assert content is not None
    assert content.minimumSizeHint().width() <= area.viewport().width()
    assert space.inspector.height() > size[1] / 6


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("variant", ["cpu.loop-order", "gpu.tiled"])
def test_beside_a_lesson_opened_settings_leave_the_picture_in_sight(
    qtbot: QtBot, workbench: Workbench, variant: str, language: str
) -> None:
    found = by_id(variant)
    workbench.session.choose_variant(found)
    space = StageWorkspace(Look(theme("light", 2.0), Translator(language)), workbench, compact=True, crowded=True)
    qtbot.addWidget(space)
    space.setMinimumSize(1, 1)  # the window gives it no more than it has
    space.resize(766, 572)  # beside a lesson in 1280 x 720
    space.show()
    space.settings.click()
    QApplication.processEvents()
    assert space.inspector.isVisible()
    assert max(frame.visibleRegion().boundingRect().width() for frame in space.stage.frames) >= LEAST_OF_VIEWS
    area = space.inspector.findChild(QScrollArea)
    assert area is not None
    assert not area.horizontalScrollBar().isVisible()


@pytest.mark.parametrize("size", [(574, 892), (766, 572), (975, 574)])  # beside a lesson in half a screen, in a small one; the ladder
@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
@pytest.mark.parametrize("what", ["launch", "edited", "compared"])
def test_opened_settings_take_half_of_the_height_at_most_and_hide_no_picture(
    qtbot: QtBot, workbench: Workbench, what: str, scale: float, size: tuple[int, int]
) -> None:
    workbench.stage.shown.value = launch_of("gpu.tiled", 32)
    if what == "edited":
        assert workbench.session.draft_editor.edit_copy() is None
    if what == "compared":
        assert workbench.comparison.toggle() is None
    space = StageWorkspace(Look(theme("light", scale), Translator("en")), workbench, compact=True, crowded=True)
    qtbot.addWidget(space)
    space.setMinimumSize(1, 1)  # the window gives it no more than it has
    space.resize(*size)
    space.show()
    space.settings.click()
    for _ in range(3):
        QApplication.processEvents()
    picture = space.stage.below_header
    assert not picture.geometry().intersects(space.inspector.geometry())
    assert picture.width() >= LEAST_OF_VIEWS
    beside = space.inspector.x() > picture.x()
    assert beside or picture.height() >= space.inspector.height() > 70
    for part in (picture, space.inspector):
        assert space.stage.rect().contains(part.geometry())
    area = space.inspector.findChild(QScrollArea)
    assert area is not None
    assert not area.horizontalScrollBar().isVisible()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("size", [(574, 590), (659, 552), (1054, 609)])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_the_sentence_of_the_step_is_whole_and_said_once(
    qtbot: QtBot, workbench: Workbench, size: tuple[int, int], scale: float, language: str
) -> None:
    workbench.stage.shown.value = launch_of("gpu.tiled", 32)
    space = StageWorkspace(Look(theme("light", scale), Translator(language)), workbench, compact=True)
    qtbot.addWidget(space)
    space.setMinimumSize(1, 1)  # the window gives it no more than it has
    space.resize(*size)
    space.show()
    card, line = space.findChild(StepCard), space.findChild(StepLine)
    assert card is not None
    assert line is not None
    for alone, opened in ((0, False), (3, False), (3, True), (0, True)):
        workbench.stage.alone.value = alone
        space.settings.setChecked(opened)
        for _ in range(3):
            QApplication.processEvents()
        assert card.sentence.isVisible() is not line.isVisible()
        said = card.sentence if card.sentence.isVisible() else line.sentence
        assert said.text()
        assert said.visibleRegion().boundingRect() == said.rect()
    assert workbench.comparison.toggle() is None
    assert not line.isVisible()


class Shows(QObject):
    """Counts how often what it watches is shown."""

    count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Show
        return False


def test_a_picture_that_goes_is_not_told_once_more_below(qtbot: QtBot, workbench: Workbench) -> None:
    workbench.stage.shown.value = launch_of("gpu.tiled", 32)
    space = StageWorkspace(Look(theme("light"), Translator("en")), workbench, compact=True)
    qtbot.addWidget(space)
    space.resize(1054, 609)
    space.show()
    card, line, shows = space.findChild(StepCard), space.findChild(StepLine), Shows()
    assert card is not None
    assert line is not None
    assert card.sentence.isVisible()
    line.installEventFilter(shows)
    workbench.stage.shown.value = None
    assert (card.isVisible(), line.isVisible(), shows.count) == (False, False, 0)
