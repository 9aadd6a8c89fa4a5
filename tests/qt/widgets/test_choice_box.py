"""Boxes of choices: who scrolls past one with the wheel chooses nothing."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.widgets.choice_box import ChoiceBox
from kernels.base.messages import message


def test_the_wheel_scrolls_past_a_box_and_chooses_nothing(qtbot: QtBot) -> None:
    picked: list[int] = []
    box = ChoiceBox[int](Look(theme("light"), Translator("en")), message("Size"), picked.append)
    box.show_choices([(each, message("{n}", n=each)) for each in range(5)], 2)
    page, area = QWidget(), QScrollArea()
    column = QVBoxLayout(page)
    column.addWidget(box)
    column.addSpacing(2000)
    area.setWidget(page)
    area.setWidgetResizable(True)
    qtbot.addWidget(area)
    area.resize(200, 200)
    area.show()
    qtbot.waitExposed(area)
    middle = QPointF(box.rect().center())
    turn = QWheelEvent(
        middle, box.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003 Qt takes no keyword here
    )  # fmt: skip
    QApplication.sendEvent(box, turn)
    assert box.currentIndex() == 2
    assert picked == []
    assert not turn.isAccepted()
