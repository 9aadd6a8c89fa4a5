"""Fields that take effect while one types: Escape takes back what was typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.widgets import labels
from app.qt.widgets.fields import NumberField, TextField
from kernels.base.messages import Message, message

LOOK = Look(theme("light"), Translator("en"))
REASON = message("Tile")


def test_a_field_gets_its_look_again_only_where_that_changes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[object] = []
    monkeypatch.setattr(labels, "repolish", looks.append)
    edit = QLineEdit()
    qtbot.addWidget(edit)
    for reason, count in ((None, 1), (None, 1), (REASON, 2), (REASON, 2), (None, 3)):
        labels.mark_refused(edit, LOOK, reason)
        assert len(looks) == count


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
