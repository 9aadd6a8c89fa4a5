"""Fields that take effect while one types: Escape takes back what was typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.widgets.fields import NumberField, TextField
from kernels.base.messages import Message, message

LOOK = Look(theme("light"), Translator("en"))


def test_escape_in_a_field_for_a_number_brings_back_the_value_that_it_had(qtbot: QtBot) -> None:
    held = [64]

    def propose(number: int) -> Message | None:
        held.append(number)
        field.show_value(number)
        return None

    field = NumberField(LOOK, message("Tile"), propose)
    qtbot.addWidget(field)
    field.show_value(64)
    field.show()
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "32")
    assert held[-1] == 32
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert (held[-1], field.edit.text()) == (64, "64")


def test_escape_in_a_field_for_a_text_brings_back_the_value_that_it_had(qtbot: QtBot) -> None:
    held: list[str] = []
    field = TextField(LOOK, "block", "", lambda text: held.append(text))
    qtbot.addWidget(field)
    field.show_value("16, 16")
    field.show()
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "8, 8")
    field.apply()
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert (held, field.edit.text()) == (["8, 8", "16, 16"], "16, 16")
