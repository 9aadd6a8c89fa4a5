"""Qt's own texts are Chinese while the program is, and English again after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QFileDialog, QLabel, QLineEdit, QMenu, QTreeView
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.qt_texts import QtTexts


@pytest.fixture
def texts() -> Iterator[QtTexts]:
    made = QtTexts()
    yield made
    QCoreApplication.removeTranslator(made)


def dialog(qtbot: QtBot, folder: Path) -> QFileDialog:
    """The file dialog that Qt draws itself, with a folder in what it lists."""
    (folder / "inner").mkdir(exist_ok=True)
    made = QFileDialog(None, "", str(folder), "*.cu")
    made.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(made)
    made.show()
    return made


def said_by(made: QFileDialog) -> list[str]:
    """Every text of the dialog: labels, buttons and their tips, its menus' entries."""
    parts = [*(each.text() for each in made.findChildren(QLabel)), *(each.text() for each in made.findChildren(QAbstractButton))]
    parts += [each.toolTip() for each in made.findChildren(QAbstractButton)]
    return [text for text in (*parts, *(each.text() for each in made.findChildren(QAction))) if text]


def kind_of_first(qtbot: QtBot, made: QFileDialog) -> str:
    """What the list says that its first row is."""
    view = made.findChild(QTreeView, "treeView")
    assert isinstance(view, QTreeView)
    qtbot.waitUntil(lambda: view.model().rowCount(view.rootIndex()) == 1)
    return str(view.model().index(0, 2, view.rootIndex()).data())


def menu_of(field: QLineEdit) -> list[str]:
    menu: QMenu = field.createStandardContextMenu()
    return [action.text() for action in menu.actions() if action.text()]


def test_dialogs_buttons_and_menus_are_chinese(qtbot: QtBot, texts: QtTexts, tmp_path: Path) -> None:
    texts.speak(Translator("zh_CN"))
    made = dialog(qtbot, tmp_path)
    said = said_by(made)
    assert len(said) > 15
    assert [text for text in said if not any("\u4e00" <= letter <= "\u9fff" for letter in text)] == []
    assert kind_of_first(qtbot, made) == "文件夹"
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Discard)
    qtbot.addWidget(buttons)
    assert [button.text() for button in buttons.buttons()] == ["保存", "丢弃"]
    field = QLineEdit("x")
    qtbot.addWidget(field)
    assert not [text for text in menu_of(field) if text[0].isascii()]


def test_english_comes_back(qtbot: QtBot, texts: QtTexts, tmp_path: Path) -> None:
    before = said_by(dialog(qtbot, tmp_path))
    texts.speak(Translator("zh_CN"))
    QApplication.processEvents()
    texts.speak(Translator("en"))
    made = dialog(qtbot, tmp_path)
    assert said_by(made) == before
    assert "&Look in:" in before
    assert kind_of_first(qtbot, made) == "Folder"
