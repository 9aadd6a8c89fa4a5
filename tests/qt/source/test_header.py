"""The head of the source: in a narrow window its icons stand beside the name where both have room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.source.header import SourceActions, SourceHeader
from kernels.base.messages import message

NOTHING = SourceActions(*[lambda *_: None] * 9)


def header(qtbot: QtBot, width: int, *, compact: bool, editing: bool = False, name: str = "matmul_tiled.cu") -> SourceHeader:
    made = SourceHeader(Look(theme("light"), Translator("en")), NOTHING, compact=compact)
    qtbot.addWidget(made)
    made.show_heads(message("sectors   banks"))
    if editing:
        made.show_editing(name, changed=False)
    else:
        made.show_reading(name, None)
    made.resize(width, made.sizeHint().height())
    made.show()
    settle(made, width)
    return made


def settle(made: SourceHeader, width: int) -> None:
    """The header as wide as this, and as high as it then wants to be."""
    made.resize(width, made.height())
    QApplication.processEvents()
    made.resize(width, made.sizeHint().height())
    QApplication.processEvents()


@pytest.mark.parametrize(("width", "editing"), [(450, False), (540, True)])
def test_icons_stand_beside_the_name_where_both_have_room(qtbot: QtBot, width: int, editing: bool) -> None:
    made = header(qtbot, width, compact=True, editing=editing)
    button = made.run if editing else made.edit
    assert abs(made.name.geometry().center().y() - made.mapFromGlobal(button.mapToGlobal(button.rect().center())).y()) <= 2
    assert made.name.width() >= made.name.fontMetrics().horizontalAdvance(made.name.text())
    assert made.height() < 40
    assert made.heads.isVisible()


@pytest.mark.parametrize(("width", "compact", "name"), [
    (300, True, "matmul_tiled.cu"), (450, False, "matmul_tiled.cu"), (450, True, "a_name_that_takes_almost_all_of_the_line.cu"),
])  # fmt: skip
def test_else_they_have_a_line_of_their_own(qtbot: QtBot, width: int, compact: bool, name: str) -> None:
    made = header(qtbot, width, compact=compact, name=name)
    assert made.mapFromGlobal(made.edit.mapToGlobal(made.edit.rect().topLeft())).y() >= made.name.geometry().bottom()
    settle(made, 900)
    joined = made.mapFromGlobal(made.edit.mapToGlobal(made.edit.rect().topLeft())).y() < made.name.geometry().bottom()
    assert joined is compact


@pytest.mark.parametrize("width", [300, 540, 900])
def test_a_sign_before_the_name_says_that_a_text_is_edited_also_where_the_word_has_no_room(qtbot: QtBot, width: int) -> None:
    made = header(qtbot, width, compact=True, editing=True)
    assert made.name.text() == "matmul_tiled.cu"
    made.show_editing("matmul_tiled.cu", changed=True)
    QApplication.processEvents()
    assert made.name.text() == "● matmul_tiled.cu"
    assert "edited" in made.name.toolTip()
    assert made.name.accessibleName() == "matmul_tiled.cu, edited"
    made.show_editing("matmul_tiled.cu", changed=False)
    assert made.name.text() == "matmul_tiled.cu"
    made.show_reading("matmul_tiled.cu", None)
    assert made.name.text() == "matmul_tiled.cu"


@pytest.mark.parametrize("name", ["a.cu", "uncoalesced.cu", "matmul_tiled.cu"])
def test_the_first_keystroke_does_not_move_the_text(qtbot: QtBot, name: str) -> None:
    """The sign before the name has its room from the start: where it had none, the icons went into a line of their own."""
    made = header(qtbot, 400, compact=True, editing=True, name=name)
    for width in range(360, 600, 5):
        made.show_editing(name, changed=False)
        settle(made, width)
        unchanged = made.sizeHint().height()
        made.show_editing(name, changed=True)
        assert made.sizeHint().height() == unchanged
