"""In an enlarged narrow window a view that is alone has the room of the source, and so have the settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.session.session import Session
from app.core.workbench.assembly import assemble
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.shell.stage_workspace import StageWorkspace


@pytest.fixture
def workbench(qapp: QApplication) -> Iterator[Workbench]:
    bench = assemble(Session("gpu.tiled"), None).workbench
    yield bench
    bench.shutdown(2.0)


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
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()
    assert space.inspector.height() > size[1] / 4
