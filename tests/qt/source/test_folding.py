"""Long comments of a source fold to their first line, and stay so as long as they stand there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from threading import enumerate as enumerate_threads

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.observable import Field
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.base.theme import theme
from app.qt.shell.application import Desktop
from app.qt.source.folding import long_comments
from app.qt.source.margins import Gutter
from app.qt.source.view import SourceView
from kernels.catalogue.catalogue import VARIANTS, by_id
from tests.qt.open_window import while_open

CUDA = """// one
// two
// three
// four

#define TILE 8
/* a
   b
   c
   d */
int a; /* not
alone
at
all */
// too
// short
int b;
/* e
   f
   g */ int c;
"""
PYTHON = '''"""Head
two
three
four."""
# five

def f():
    """One line."""
    text = """
one
two
three
four
"""
    # one
    # two
    # three
    # four
'''


@pytest.fixture
def folded() -> Field[frozenset[str]]:
    return Field(frozenset())


@pytest.fixture
def view(qtbot: QtBot, folded: Field[frozenset[str]]) -> SourceView:
    made = SourceView(Look(theme("light"), Translator("en")), folded)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show_source(CUDA, cuda=True)
    made.show()
    return made


def lines(view: SourceView) -> list[int]:
    return [number for number, _, _ in view.visible_lines()]


def hidden(view: SourceView) -> list[int]:
    return sorted(set(range(1, view.document().blockCount() + 1)) - set(lines(view)))


def coloured(view: SourceView) -> bool:
    layout = view.document().findBlockByNumber(1).layout()
    return layout is not None and bool(layout.formats())


def test_long_comments_are_found() -> None:
    assert long_comments(CUDA, cuda=True) == (range(1, 5), range(7, 11))
    assert long_comments(PYTHON, cuda=False) == (range(1, 6), range(15, 19))


def test_every_shipped_kernel_begins_with_a_comment_that_folds_and_no_statement_is_in_one() -> None:
    for variant in VARIANTS:
        cuda, text = variant.source.endswith(".cu"), variant.source_text
        comments = long_comments(text, cuda)
        assert comments[0].start == 1, variant.id
        held = {line for comment in comments for line in comment}
        if cuda:
            assert all(text.split("\n")[line - 1].lstrip().startswith("//") for line in held), variant.id
        else:
            statements = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.stmt)]
            documents = [each for each in statements if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
            assert not held & {each.lineno for each in statements if each not in documents}, variant.id


def test_a_press_on_its_sign_folds_a_comment_and_opens_it(view: SourceView, qtbot: QtBot) -> None:
    gutter = view.findChild(Gutter)
    assert isinstance(gutter, QWidget)
    assert hidden(view) == []
    before = view.verticalScrollBar().maximum()
    for folded_lines in ([2, 3, 4], []):
        qtbot.mousePress(gutter, Qt.MouseButton.LeftButton, pos=QPointF(6, 8).toPoint())
        assert hidden(view) == folded_lines
    assert view.verticalScrollBar().maximum() == before
    stepped: list[int] = []
    view.line_pressed.connect(stepped.append)
    row = next(top for number, top, _ in view.visible_lines() if number == 6)
    qtbot.mousePress(gutter, Qt.MouseButton.LeftButton, pos=QPointF(6, row + 5).toPoint())
    assert stepped == [6]
    assert hidden(view) == []


def test_return_folds_the_comment_at_the_cursor_of_a_text_that_is_read(view: SourceView) -> None:
    cursor = view.textCursor()
    cursor.setPosition(view.document().findBlockByNumber(6).position())
    view.setTextCursor(cursor)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert hidden(view) == [8, 9, 10]
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert hidden(view) == []


def test_what_is_gone_to_is_seen(view: SourceView) -> None:
    view.folding.toggle_all()
    assert hidden(view) == [2, 3, 4, 8, 9, 10]
    cursor = view.textCursor()
    cursor.setPosition(view.document().findBlockByNumber(8).position())
    view.setTextCursor(cursor)
    assert hidden(view) == [2, 3, 4]
    view.bring_to_sight(3)
    view.clearFocus()
    view.show_line(3)
    assert hidden(view) == []


def test_a_cursor_in_a_comment_that_folds_goes_to_its_first_line(view: SourceView) -> None:
    cursor = view.textCursor()
    cursor.setPosition(view.document().findBlockByNumber(2).position())
    view.setTextCursor(cursor)
    view.folding.toggle_all()
    assert view.textCursor().blockNumber() == 0
    assert hidden(view) == [2, 3, 4, 8, 9, 10]


def test_folds_last_while_the_text_is_edited_elsewhere_and_when_it_comes_back(view: SourceView, folded: Field[frozenset[str]]) -> None:
    view.let_edit(editable=True)
    view.folding.toggle_all()
    cursor = view.textCursor()
    cursor.setPosition(view.document().findBlockByNumber(5).position())
    view.setTextCursor(cursor)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert hidden(view) == [2, 3, 4, 9, 10, 11]
    view.show_source(PYTHON, cuda=False)
    assert hidden(view) == []
    view.show_source(CUDA, cuda=True)
    assert hidden(view) == [2, 3, 4, 8, 9, 10]
    view.replace_text(CUDA.replace("// two", "// 2"))
    assert hidden(view) == [8, 9, 10]
    assert len(folded.value) == 2


def test_folds_do_not_wait_for_the_lexers_as_colours_do(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = Event()
    monkeypatch.setattr("app.qt.source.view.load_lexers", loaded.wait)
    view = SourceView(Look(theme("light"), Translator("en")))
    qtbot.addWidget(view)
    view.show_source(CUDA, cuda=True)
    view.resize(500, 400)
    view.show()
    try:
        qtbot.waitUntil(lambda: any(each.name == "lexers" for each in enumerate_threads()))
        view.folding.toggle_all()
        view.replace_text("\n" + CUDA)
        assert hidden(view) == [3, 4, 5, 9, 10, 11]
        view.colour_now()
        assert not coloured(view)
    finally:
        loaded.set()
    qtbot.waitUntil(lambda: coloured(view))


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(tmp_path / "settings.ini")), qtbot
    )


def test_a_key_folds_them_in_the_window_and_another_look_keeps_that(desktop: Desktop, look_restored: None) -> None:
    def view() -> SourceView:
        return desktop.window._stage.source.view

    def heading() -> bool:
        return view().document().findBlockByNumber(1).isVisible()

    assert heading()
    QTest.keyClick(desktop.window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert not heading()
    desktop.choose_language("zh_CN")
    assert not heading()
    other = by_id("gpu.naive")
    desktop.session.choose_variant(other)
    assert heading(), "another comment"
    tiled = by_id("gpu.tiled")
    desktop.session.choose_variant(tiled)
    assert not heading()
