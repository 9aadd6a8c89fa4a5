"""When the source gets its colours: at once where it is seen, after its first picture where it was set before."""

from __future__ import annotations

from threading import Event

import pytest
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.source.view import SourceView

PYTHON = "def kernel(A, B, C):\n    pass\n"
CUDA = "__global__ void kernel(float *A) { }\n"


@pytest.fixture
def view(qtbot: QtBot) -> SourceView:
    made = SourceView(Look(theme("light"), Translator("en")))
    qtbot.addWidget(made)
    return made


def bold(view: SourceView) -> list[str]:
    """What stands in bold in the first line."""
    block = view.document().firstBlock()
    layout = block.layout()
    assert layout is not None
    pieces = [each for each in layout.formats() if each.format.fontWeight() == QFont.Weight.DemiBold]
    return [block.text()[each.start : each.start + each.length] for each in pieces]


def test_a_text_that_was_set_before_it_is_seen_is_coloured_once_it_is_seen(view: SourceView, qtbot: QtBot) -> None:
    view.show_source(PYTHON, cuda=False)
    assert bold(view) == []
    view.show()
    qtbot.waitUntil(lambda: bold(view) == ["def", "kernel", "A", "B", "C"])


def test_the_lexers_are_loaded_beside_the_interface(view: SourceView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = Event()
    monkeypatch.setattr("app.qt.source.view.load_lexers", lambda: go_on.wait(10))
    view.show_source(PYTHON, cuda=False)
    view.show()
    qtbot.wait(100)
    assert bold(view) == [], "who loads them is not waited for, and nobody else does it"
    go_on.set()
    qtbot.waitUntil(lambda: bold(view) == ["def", "kernel", "A", "B", "C"])


def test_the_lexers_are_loaded_once_all_is_painted(view: SourceView, qtbot: QtBot) -> None:
    view.show_source(PYTHON, cuda=False)
    view.show()
    view.grab()
    assert view._loading is not None
    assert view._loading.ident is None
    qtbot.waitUntil(lambda: bold(view) != [])


def test_a_text_that_is_seen_is_coloured_at_once(view: SourceView, qtbot: QtBot) -> None:
    view.show_source(PYTHON, cuda=False)
    view.show()
    qtbot.waitUntil(lambda: bold(view) != [])
    view.show_source(CUDA, cuda=True)
    assert bold(view) == ["__global__", "A"]
    view.show_source(PYTHON, cuda=False)
    assert bold(view) == ["def", "kernel", "A", "B", "C"]


def test_a_text_changed_before_it_is_seen_gets_the_colours_of_the_last(view: SourceView, qtbot: QtBot) -> None:
    view.show_source(CUDA, cuda=True)
    view.show_source(PYTHON, cuda=False)
    view.let_edit(editable=True)
    view.replace_text("class B: ...")
    view.show()
    qtbot.waitUntil(lambda: bold(view) != [])
    assert "class" in bold(view)


def test_a_text_that_is_come_back_to_is_not_lexed_again(view: SourceView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view.show()
    for text, cuda in ((CUDA, True), (PYTHON, False)):
        view.show_source(text, cuda)
        qtbot.waitUntil(lambda: bold(view) != [])
    monkeypatch.setattr(view._highlighter, "_lexed", lambda _text, _cuda: pytest.fail("it is known"))
    view.show_source(CUDA, cuda=True)
    assert bold(view) == ["__global__", "A"]
