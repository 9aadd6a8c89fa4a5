"""The help in the window: every page in both languages, words found, and nothing but words drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.help.pages import page_ids, read_page
from app.qt.base.commands import Command, Hint
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.help.panel import HelpPanel, HelpText, KeyboardMap, page_markup
from kernels.base.messages import message

GROUPS = {
    message("Time"): (Command(message("Play or pause"), ("Space",), lambda: None), Command(message("Forward"), ("Right",), lambda: None))
}


@pytest.fixture(params=list(LANGUAGES))
def panel(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[HelpPanel]:
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(1200, 700)
    made = HelpPanel(Look(theme("light"), Translator(request.param)), over, GROUPS)
    over.show()
    yield made
    over.hide()


def titles(panel: HelpPanel) -> list[str]:
    return [panel.list.item(row).text() for row in range(panel.list.count())]


def test_it_opens_with_the_keys_and_goes_through_all_pages(panel: HelpPanel) -> None:
    panel.toggle()
    assert panel.keyboard.isVisible()
    assert panel.pages
    assert panel.list.count() == len(page_ids()) + 3
    for page in panel.pages:
        QTest.keyClick(panel.list, Qt.Key.Key_Down)
        assert panel.text.isVisible()
        shown = panel.text.toPlainText()
        assert all(text in shown for text in page.texts)
        assert "**" not in shown
        assert "`" not in shown
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert "波前" in panel.text.toPlainText()
    assert "wavefront" in panel.text.toPlainText()
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    assert panel.isHidden()


def test_words_are_found_in_keys_pages_and_glossary(panel: HelpPanel) -> None:
    panel.toggle()
    QTest.keyClicks(panel.field, "SPACE")
    assert panel.keyboard.isVisible()
    panel.field.setText("FIFO")
    assert len(titles(panel)) == 1
    assert "tree-PLRU" in panel.text.toPlainText()
    assert "GFLOP" not in panel.text.toPlainText()
    assert [mark.cursor.selectedText() for mark in panel.text.extraSelections()] == ["FIFO", "FIFO"]
    panel.field.setText("zzzz")
    assert titles(panel) == []
    assert not panel.text.isVisible()
    assert not panel.keyboard.isVisible()
    panel.field.clear()
    assert len(titles(panel)) == len(page_ids()) + 3


def test_a_page_is_opened_by_its_id(panel: HelpPanel) -> None:
    panel.show_page("without-a-gpu")
    assert panel.text.isVisible()
    assert "CuPy" in panel.text.toPlainText()


def test_markup_in_a_page_is_shown_and_does_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"no picture")
    hostile = f'<img src="{picture.as_uri()}"> <a href="https://example.org">go</a> <script>x</script> ![p]({picture})'
    look = Look(theme("light"), Translator("en"))
    text = HelpText(look)
    qtbot.addWidget(text)
    text.show_page(page_markup(look, read_page("x", f"# <b>Title</b>\n\n{hostile} **<i>** `<u>`\n")), ())
    assert hostile in text.toPlainText()
    assert "<b>Title</b>" in text.toPlainText()
    assert "<i> <u>" in text.toPlainText()
    assert "<a " not in text.toHtml()
    assert "<img" not in text.toHtml()
    assert text.loadResource(2, QUrl.fromLocalFile(str(picture))) is None


def test_end_and_home_go_to_the_ends_of_the_page(panel: HelpPanel) -> None:
    panel.show_page("stage")
    shown = panel.list.currentRow()
    bar = panel.text.verticalScrollBar()
    assert bar.maximum() > 0
    for key, place in ((Qt.Key.Key_End, bar.maximum()), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(panel.list, key)
        assert (bar.value(), panel.list.currentRow()) == (place, shown)


def test_the_arrows_go_through_what_was_found_while_the_search_is_typed_in(panel: HelpPanel) -> None:
    panel.toggle()
    panel.field.setFocus()
    QTest.keyClick(panel.field, Qt.Key.Key_Down)
    QTest.keyClick(panel.field, Qt.Key.Key_Down)
    assert panel.list.currentRow() == 2
    QTest.keyClick(panel.field, Qt.Key.Key_Up)
    assert panel.list.currentRow() == 1
    assert panel.field.hasFocus()


def test_the_map_has_room_for_what_the_keys_do(qtbot: QtBot) -> None:
    many, none = ("Up", "Down", "PgUp", "PgDown", "Home", "End"), ()
    hints = (Hint(message("In the ladder"), many), Hint(message("Forward"), ("Right",)))
    made = KeyboardMap(Look(theme("light"), Translator("en")), {message("Views"): (*hints, Command(message("Log"), none, lambda: None))})
    qtbot.addWidget(made)
    said = [each.text() for each in made.findChildren(QLabel)]
    assert "↑ / ↓\nPgUp / PgDown\nHome / End" in said
    assert "Log" not in said, "it has no key"
