"""Before a hall: a refusal is said once, can be tried again, and the keys stand on the map."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.session.session import Session
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.help.panel import HelpPanel
from app.qt.presenter.window import PRESENTING, Outside, PresenterWindow, presenter_hints
from app.qt.stage.panel import StagePanel
from kernels.base.messages import message
from tests.running_workbench import while_running

NOWHERE = Outside(lambda: None, lambda: None, None, lambda: 0.0)
REASON = message("Tracing took longer than {seconds} s and was stopped.", seconds=20)
LOOK = Look(theme("light"), Translator("en"))


@pytest.fixture
def workbench(qapp: QApplication) -> Iterator[Workbench]:
    yield from while_running(Session("gpu.tiled"))


def fail(workbench: Workbench) -> None:
    workbench.stage.notice.value, workbench.stage.failed.value = REASON, True


def test_the_reason_stands_in_the_drawing_alone_and_r_tries_again(qtbot: QtBot, workbench: Workbench) -> None:
    window = PresenterWindow(workbench, NOWHERE, LOOK)
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    again = window.surface.bar.again
    assert again.isHidden()
    fail(workbench)
    said = str(REASON)
    assert said not in (window.slide.title, window.slide.headline, window.slide.band)
    assert window.surface.sheet.drawing._notice == REASON
    assert not again.isHidden()
    QTest.keyClick(window, Qt.Key.Key_R)
    assert workbench.stage.tries.value == 1
    assert again.isHidden()
    fail(workbench)
    again.click()
    assert workbench.stage.tries.value == 2


def test_the_stage_has_a_button_to_try_again_while_it_may_help(qtbot: QtBot, workbench: Workbench) -> None:
    panel = StagePanel(LOOK, workbench.stage)
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.show()
    button = next(each for each in panel.findChildren(QToolButton) if each.text() == "Trace again")
    assert not button.isVisible()
    fail(workbench)
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert workbench.stage.tries.value == 1


def test_the_presenters_keys_stand_on_the_map_of_the_keyboard(qtbot: QtBot, qapp: QApplication) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    panel = HelpPanel(LOOK, over, {PRESENTING: presenter_hints()})
    said = [each.text() for each in panel.keyboard.findChildren(QLabel)]
    for words in ("While presenting", "Black screen", "Spotlight", "Next: reveal, complete, or go on", "Trace again"):
        assert words in said
