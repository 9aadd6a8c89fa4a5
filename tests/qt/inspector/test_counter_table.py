"""The table of counters: long titles stand in several lines, none is cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QScrollArea, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.predictions.counters import COUNTERS
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.inspector.counter_table import ROW, CounterTable, TableRow
from kernels.base.messages import message
from tests.screens.painted_region import PaintedRegion

HEADINGS = (message("as written"), message("as compiled"), message("measured"))
WIDTH = 260


def table_in(qtbot: QtBot, language: str, rows: tuple[TableRow, ...]) -> CounterTable:
    table = CounterTable(Look(theme("light"), Translator(language)), HEADINGS)
    qtbot.addWidget(table)
    table.show_rows(rows)
    table.resize(WIDTH, table.heightForWidth(WIDTH))
    return table


def inked(table: CounterTable, area: QRect) -> bool:
    """Whether something is written in an area."""
    picture = table.grab().toImage()
    ground = picture.pixelColor(area.left(), 0)
    return any(
        QColor(picture.pixelColor(x, y)) != ground for x in range(area.left(), area.right()) for y in range(area.top(), area.bottom())
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_of_a_predicted_counter_has_room(qtbot: QtBot, language: str) -> None:
    look = Look(theme("light"), Translator(language))
    rows = tuple(TableRow(look.text(each.title) + " ≠", "4.19 M", "4.19 M", "4.19 M") for each in COUNTERS)
    table = table_in(qtbot, language, rows)
    metrics, room = QFontMetrics(look.theme.font("small")), round(WIDTH * 0.33)
    for row, height in zip(rows, table.heights(WIDTH), strict=True):
        assert height >= metrics.lineSpacing() * -(-metrics.horizontalAdvance(row.title) // room)
    assert table.heightForWidth(WIDTH) >= ROW + sum(table.heights(WIDTH))


def test_in_a_column_it_gets_the_height_that_its_titles_need(qtbot: QtBot) -> None:
    table, outer = CounterTable(Look(theme("light"), Translator("en")), HEADINGS), QWidget()
    table.show_rows((TableRow("Wavefronts of shared loads", "1", "2", "3"),) * 8)
    qtbot.addWidget(outer)
    column = QVBoxLayout(outer)
    column.addWidget(table)
    column.addStretch(1)
    outer.resize(WIDTH, 900)
    outer.show()
    assert table.height() == table.heightForWidth(table.width())


def test_a_long_title_is_written_in_two_lines_beside_its_numbers(qtbot: QtBot) -> None:
    rows = (TableRow("Wavefronts of shared loads", "1", "2", "3"), TableRow("Short", "1", "2", "3"))
    table = table_in(qtbot, "en", rows)
    first, second = table.heights(WIDTH)
    assert first > ROW == second
    top = table.height() - first - second
    assert inked(table, QRect(0, top + first - 16, 80, 12))
    assert not inked(table, QRect(90, top + ROW, WIDTH - 92, first - ROW))


def test_a_title_with_one_number_reaches_up_to_it(qtbot: QtBot) -> None:
    title = "Wavefronts of shared loads"
    assert table_in(qtbot, "en", (TableRow(title, "", "", "3"),)).heights(WIDTH) == [ROW]


def test_of_other_numbers_only_the_rows_that_say_them_are_painted(qtbot: QtBot) -> None:
    rows = tuple(TableRow(f"Counter {number}", "1", "2", "3") for number in range(5))
    table = table_in(qtbot, "en", rows)
    table.show()
    qtbot.wait(50)
    painted = PaintedRegion(table)
    table.show_rows((*rows[:3], TableRow("Counter 3", "1", "7", "3"), rows[4]))
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    heights = table.heights(WIDTH)
    top = table.heightForWidth(WIDTH) - sum(heights[3:])
    assert painted.region.boundingRect().top() == top
    assert painted.region.boundingRect().height() == heights[3]


def test_with_the_focus_it_tells_what_a_row_means_and_the_arrows_go_to_others(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _owner: said.append(text))
    outer, content = QScrollArea(), QWidget()
    qtbot.addWidget(outer)
    table = CounterTable(Look(theme("light"), Translator("en")), HEADINGS)
    table.show_rows(tuple(TableRow(f"Counter {number}", "1", "2", "3", f"hint {number}") for number in range(30)))
    column, before = QVBoxLayout(content), QLineEdit()
    column.addWidget(before)
    column.addWidget(table)
    outer.setWidgetResizable(True)
    outer.setWidget(content)
    outer.resize(WIDTH, 200)
    outer.show()
    outer.activateWindow()
    qtbot.waitUntil(outer.isActiveWindow)
    before.setFocus()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: said == ["Counter 0\nhint 0"])
    QTest.keyClick(table, Qt.Key.Key_Up)
    for _ in range(40):
        QTest.keyClick(table, Qt.Key.Key_Down)
    assert said[1] == "Counter 0\nhint 0"
    assert said[-1] == "Counter 29\nhint 29"
    assert table.visibleRegion().contains(table.rect().bottomLeft())
    assert inked(table, QRect(0, table.height() - 3, 4, 3)), "a ring round the row"


def test_escape_takes_away_what_lies_over_the_stage(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden: list[bool] = []
    table = table_in(qtbot, "en", (TableRow("FLOP", "1", "2", "3"),))
    monkeypatch.setattr(QToolTip, "hideText", lambda: hidden.append(True))
    for visible in (False, True):
        monkeypatch.setattr(QToolTip, "isVisible", lambda visible=visible: visible)
        qtbot.keyClick(table, Qt.Key.Key_Escape)
        assert bool(hidden) is visible
