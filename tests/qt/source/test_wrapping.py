"""Rows of a wrapped line hang below its indent, also after an edit or at another width; remarks of several rows are read whole."""

from __future__ import annotations

from importlib.resources import files
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QTextBlock
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.session.draft_changes import Remark
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.source.editing import DiagnosticsList
from app.qt.source.margins import Gutter
from app.qt.source.view import SourceView
from kernels.base.messages import message
from tests.screens.painted_region import PaintedRegion

DEEP = "            for j in range(some_first_column, min(some_first_column + tile, columns)):\n"
SHALLOW = "def multiply(first, second, result, rows, columns, inner, tile, threads, schedule):\n"


@pytest.fixture
def view(qtbot: QtBot) -> SourceView:
    made = SourceView(Look(theme("light"), Translator("en")))
    qtbot.addWidget(made)
    made.resize(420, 300)
    made.show_source(SHALLOW + DEEP + "x = 1\n", cuda=False)
    made.show()
    qtbot.waitExposed(made)
    return made


def settle() -> None:
    for _ in range(8):  # what follows comes in the next rounds
        QApplication.processEvents()


def rows(view: SourceView, number: int) -> list[tuple[float, str]]:
    """Of a line, counted from 0: how far in each of its rows begins to be read, in characters, and its text."""
    view.grab()
    block = view.document().findBlockByNumber(number)
    layout = block.layout()
    assert layout is not None
    assert block.lineCount() == layout.lineCount()
    lines = [layout.lineAt(each) for each in range(layout.lineCount())]
    said = [block.text()[line.textStart() : line.textStart() + line.textLength()] for line in lines]
    character = QFontMetricsF(view.font()).horizontalAdvance("0")
    return [((line.x() - lines[0].x()) / character + len(text) - len(text.lstrip()), text) for line, text in zip(lines, said, strict=True)]


def test_rows_hang_deeper_than_their_line(view: SourceView) -> None:
    for number, indent in ((0, 0), (1, 12)):
        (first, _), *others = rows(view, number)
        assert first == indent
        assert others
        assert [round(place) for place, _ in others] == [indent + 2] * len(others)
    assert len(rows(view, 2)) == 1


def test_nothing_of_the_line_is_lost_or_out_of_sight(view: SourceView) -> None:
    assert "".join(text for _, text in rows(view, 1)) == DEEP.rstrip("\n")
    layout = view.document().findBlockByNumber(1).layout()
    assert layout is not None
    assert all(layout.lineAt(each).naturalTextRect().right() <= view.viewport().width() for each in range(layout.lineCount()))


def test_rows_hang_still_after_an_edit_and_another_width(view: SourceView, qtbot: QtBot) -> None:
    cursor = view.textCursor()
    cursor.setPosition(len(SHALLOW) + 20)
    cursor.insertText("another_name + ")
    assert {round(place) for place, _ in rows(view, 1)[1:]} == {14}
    before = len(rows(view, 1))
    view.resize(300, 300)
    qtbot.waitUntil(lambda: len(rows(view, 1)) > before)
    assert {round(place) for place, _ in rows(view, 1)[1:]} == {14}
    view.resize(1400, 300)
    qtbot.waitUntil(lambda: len(rows(view, 1)) == 1)


def test_a_deep_indent_leaves_room_for_what_is_said(view: SourceView) -> None:
    view.show_source(" " * 36 + "total += first[row, step] * second[step, column]\n", cuda=False)
    hung = rows(view, 0)
    assert len(hung) > 1
    assert all(len(text) > 4 for _, text in hung[1:-1])


def test_the_margin_paints_the_line_that_was_marked_and_the_one_that_is(view: SourceView, qtbot: QtBot) -> None:
    view.show_source("".join(f"x = {number}\n" for number in range(12)), cuda=False)
    view.show_line(2)
    margin = view.findChildren(Gutter)[0]
    qtbot.wait(50)
    painted = PaintedRegion(margin)
    view.show_line(9)
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    tops = {number: round(top + height / 2) for number, top, height in view.visible_lines()}
    assert {number for number, middle in tops.items() if painted.region.contains(QPoint(1, middle))} == {2, 9}


def test_the_margins_move_with_the_text_and_show_what_they_would_painted_anew(view: SourceView, qtbot: QtBot) -> None:
    view.resize(420, 400)
    view.show_source("".join(f"value_{number} = {'number + ' * (number % 7)}{number}\n" for number in range(90)), cuda=False)
    view.show_line(2)
    margin, last = view.findChildren(Gutter)[0], 2
    for line in (24, 29, 33, 27, 70, 66, 12):
        view.show_line(line)
        settle()
        qtbot.wait(20)
        seen, anew = view.screen().grabWindow(view.winId()).toImage(), view.grab().toImage()
        assert seen.convertToFormat(anew.format()) == anew, (last, line)
        last = line
    qtbot.wait(50)
    painted = PaintedRegion(margin)
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 2)
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    assert painted.region.boundingRect().height() < margin.height() / 2


def test_line_numbers_stay_beside_their_lines_where_a_hand_scrolls_up_into_what_was_not_laid_out(view: SourceView, qtbot: QtBot) -> None:
    view.resize(420, 400)
    text = "".join(f"{'    ' * (number % 4)}value_{number} = {'number + ' * (number % 9)}{number}\n" for number in range(120))
    view.show_source(text, cuda=False)
    settle()
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    for _ in range(12):
        settle()
        bar.setValue(bar.value() - 3)
        settle()
        qtbot.wait(20)
        seen, anew = view.screen().grabWindow(view.winId()).toImage(), view.grab().toImage()
        assert seen.convertToFormat(anew.format()) == anew, bar.value()


def test_each_line_is_laid_out_once_on_the_way_down(view: SourceView, monkeypatch: pytest.MonkeyPatch) -> None:
    view.show_source("".join(f"x = {number}\n" for number in range(200)), cuda=False)
    settle()
    asked, lay_out = list[int](), view._indents.lay_out

    def noted(block: QTextBlock, last: int) -> bool:
        asked.append(block.blockNumber())
        return lay_out(block, last)

    monkeypatch.setattr(view._indents, "lay_out", noted)
    for line in (50, 90, 120):
        view._row_of(line)
    assert asked == [0, 51, 91]


def test_of_a_row_that_is_painted_anew_no_other_lines_are_asked_for(view: SourceView, qtbot: QtBot) -> None:
    view.show_source("".join(f"x = {number}\n" for number in range(12)), cuda=False)
    qtbot.wait(50)
    for number, top, height in list(view.visible_lines()):
        row = QRect(0, round(top + height / 2), view.width(), 1)
        assert [each for each, _, _ in view.visible_lines(row)] == [number]


@pytest.mark.parametrize("words", [6, 14, 22])
def test_a_remark_of_several_rows_is_read_whole(qtbot: QtBot, words: int) -> None:
    remarks = DiagnosticsList(Look(theme("light"), Translator("en")), lambda _line, _column: None)
    qtbot.addWidget(remarks)
    remarks.resize(300, 200)
    remarks.show()
    remarks.show_remarks((Remark("", message("{text}", text="warps " * words), severe=False),))
    row, drawn = remarks.visualItemRect(remarks.item(0)), remarks.grab().toImage()
    inked = [
        y for y in range(row.top(), row.bottom()) if any(drawn.pixelColor(x, y).lightness() < 128 for x in range(row.left(), row.right()))
    ]
    rows = 1 + sum(below - above > 1 for above, below in pairwise(inked))
    assert rows == -(-words // 6)


@pytest.mark.parametrize("width", [285, 300, 330])
def test_no_word_of_a_deep_line_is_broken_that_has_room_in_a_row(qtbot: QtBot, width: int) -> None:
    made = SourceView(Look(theme("light", 1.5), Translator("en")))
    qtbot.addWidget(made)
    made.resize(width, 300)
    made.show_source(f"{' ' * 16}for j in range(len(b)):\n{' ' * 20}c[j] += a * b[j]\n", cuda=False)
    made.show()
    qtbot.waitExposed(made)
    said = [[text.strip() for _, text in rows(made, number)] for number in (0, 1)]
    assert all(text for line in said for text in line), "no row of spaces alone"
    assert [" ".join(line) for line in said] == ["for j in range(len(b)):", "c[j] += a * b[j]"], "broken at spaces"
    assert all(len(line) <= 2 for line in said)


@pytest.mark.parametrize("editable", [False, True])
def test_home_and_end_go_to_the_edge_of_the_row_and_then_of_the_line(qtbot: QtBot, *, editable: bool) -> None:
    view = SourceView(Look(theme("light"), Translator("en")))
    qtbot.addWidget(view)
    view.resize(260, 300)
    line = "int sum = " + " + ".join(["value"] * 12) + ";"
    view.setPlainText(f"{line}\nsecond")
    view.let_edit(editable=editable)
    view.show()
    QTest.qWait(0)
    layout = view.document().firstBlock().layout()
    assert layout is not None
    rows = [layout.lineAt(number).textStart() for number in range(layout.lineCount())]
    assert len(rows) > 3
    cursor = view.textCursor()
    cursor.setPosition(rows[1] + 2)
    view.setTextCursor(cursor)
    reached = []
    for key in (Qt.Key.Key_End,) * 3 + (Qt.Key.Key_Home,) * 3:
        QTest.keyClick(view, key)
        reached.append(view.textCursor().position())
    assert reached == [rows[2] - 1, len(line), len(line), rows[-1], 0, 0]
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    assert view.textCursor().selectedText() == line[rows[1] - 1 :]


def test_home_goes_to_the_text_of_an_indented_line_and_then_to_its_edge(view: SourceView) -> None:
    view.setPlainText("    total += 1;\n\nlast")
    view.let_edit(editable=True)
    cursor = view.textCursor()
    cursor.setPosition(10)
    view.setTextCursor(cursor)
    reached = []
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Home)
        reached.append(view.textCursor().position())
    assert reached == [4, 0, 4]
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    assert view.textCursor().selectedText() == "total += 1;"


def test_what_is_typed_in_stands_still_when_something_below_takes_room_and_goes(view: SourceView, qtbot: QtBot) -> None:
    """While an error is listed fewer rows are seen, and the text was scrolled to the cursor: it never came back."""
    view.show_source("".join(f"line {number}\n" for number in range(60)), cuda=False)
    view.let_edit(editable=True)
    view.setFocus()
    cursor = view.textCursor()
    cursor.setPosition(view.document().findBlockByNumber(12).position())
    view.setTextCursor(cursor)
    before = view.verticalScrollBar().value()
    assert view.viewport().rect().contains(view.cursorRect())
    view.resize(view.width(), 120)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > before)
    view.resize(view.width(), 300)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() == before)
    view.resize(view.width(), 120)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > before)
    view.verticalScrollBar().triggerAction(view.verticalScrollBar().SliderAction.SliderPageStepAdd)
    chosen = view.verticalScrollBar().value()
    view.resize(view.width(), 300)
    QApplication.processEvents()
    assert view.verticalScrollBar().value() != before, "a hand has scrolled since"
    assert chosen


def test_the_marked_line_stays_in_sight_when_the_text_becomes_narrower(view: SourceView, qtbot: QtBot) -> None:
    view.resize(445, 225)
    view.show_source(files("kernels").joinpath("cpu", "matmul_blocked.py").read_text(encoding="utf-8"), cuda=False)
    for line in (41, 29):
        view.show_line(line)
        settle()
    view.resize(375, 225)
    settle()
    assert 29 in [number for number, *_ in view.visible_lines(view.viewport().rect())]


@pytest.mark.parametrize("width", [250, 300, 360])
def test_what_is_nested_is_seen_nested_in_a_narrow_view_but_where_it_is_edited(qtbot: QtBot, width: int) -> None:
    """All deep lines began in one column there, long ones left of short ones: of loops in loops nothing was to be seen."""
    made = SourceView(Look(theme("light", 1.5), Translator("en")))
    qtbot.addWidget(made)
    made.resize(width, 400)
    made.show_source(
        "".join(f"{' ' * 4 * depth}for {name} in range({name}0, {name}0 + tile):\n" for depth, name in enumerate("abcdef")), cuda=False
    )
    made.show()
    qtbot.waitExposed(made)

    def begins() -> list[float]:
        made.grab()
        found, character = [], QFontMetricsF(made.font()).horizontalAdvance("0")
        for number in range(made.blockCount() - 1):
            cursor, block = made.textCursor(), made.document().findBlockByNumber(number)
            cursor.setPosition(block.position() + 4 * number)
            found.append(made.cursorRect(cursor).left() / character)
        return found

    read = begins()
    steps = [after - before for before, after in pairwise(read)]
    assert min(steps) == pytest.approx(max(steps), abs=0.1)
    assert min(steps) > 0.25
    made.let_edit(editable=True)
    made.show_source(f"a:\n{' ' * 4}b\n", cuda=False)
    first, second = begins()
    assert second - first == pytest.approx(4, abs=0.1)
    made.let_edit(editable=False)
    assert made.text == f"a:\n{' ' * 4}b\n"
