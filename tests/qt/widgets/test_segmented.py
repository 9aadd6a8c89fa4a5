"""A row of buttons of which one is chosen: the focus comes to the chosen one, and stays with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.widgets.segmented import Segmented
from kernels.base.messages import message

CHOICES = tuple((name, message("Curves"), "") for name in "abc")


@pytest.fixture
def row(qtbot: QtBot) -> Iterator[Segmented[str]]:
    window = QWidget()
    column = QVBoxLayout(window)
    made = Segmented(Look(theme("light"), Translator("en")), message("What is drawn"), CHOICES, lambda _value: None)
    made.show_choice("b")
    column.addWidget(QLineEdit())
    column.addWidget(made)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    yield made
    window.close()


def buttons(row: Segmented[str]) -> list[QToolButton]:
    return row.findChildren(QToolButton)


def test_the_tab_key_comes_to_the_chosen_button_and_leaves_the_row(qtbot: QtBot, row: Segmented[str]) -> None:
    field = row.window().findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is buttons(row)[1]
    qtbot.keyClick(buttons(row)[1], Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is field


def test_the_focus_follows_the_choice_of_the_mouse_and_of_the_program(qtbot: QtBot, row: Segmented[str]) -> None:
    first, second, third = buttons(row)
    second.setFocus()
    qtbot.mouseClick(third, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is third
    row.show_choice("a")
    assert QApplication.focusWidget() is first


def test_a_choice_takes_the_focus_from_nothing_else(row: Segmented[str]) -> None:
    field = row.window().findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    row.show_choice("c")
    assert QApplication.focusWidget() is field


def test_the_arrow_keys_choose(qtbot: QtBot, row: Segmented[str]) -> None:
    first, second, third = buttons(row)
    second.setFocus()
    qtbot.keyClick(second, Qt.Key.Key_Right)
    assert third.isChecked()
    assert QApplication.focusWidget() is third
    qtbot.keyClick(third, Qt.Key.Key_Left)
    qtbot.keyClick(second, Qt.Key.Key_Left)
    assert first.isChecked()


@pytest.mark.parametrize(("chosen", "key"), [("a", Qt.Key.Key_Left), ("c", Qt.Key.Key_Right)])
def test_an_arrow_beyond_the_end_does_nothing_elsewhere(row: Segmented[str], qtbot: QtBot, chosen: str, key: Qt.Key) -> None:
    """It went on to the window, and stepped what is shown."""
    row.show_choice(chosen)
    button = next(each for each in buttons(row) if each.isChecked())
    button.setFocus()
    reached: list[QKeyEvent] = []
    window = row.window()
    window.keyPressEvent = reached.append  # type: ignore[method-assign]
    qtbot.keyClick(button, key)
    assert not reached
    assert button.isChecked()
    qtbot.keyClick(button, key, Qt.KeyboardModifier.ControlModifier)
    assert reached, "with Ctrl it is for the window"
