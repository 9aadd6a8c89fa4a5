"""Panels draw when somebody sees them; the table of points takes a new one as a row."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyledItemDelegate, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.results.curves import Provenance
from app.core.results.quantities import Quantity, Smallest
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.base.theme import theme
from app.qt.charts.style import line_style
from app.qt.timing.points_table import AT_FIRST, TIME, VARIANT, PointsModel, PointsTable
from kernels.base.messages import message
from kernels.catalogue.catalogue import by_id
from tests.measured.timing_results import EARLY, LATE, measured, refused

TOLD = (Quantity.RATE, Smallest(SIZE_AXIS))


def test_a_hidden_page_draws_nothing_and_catches_up_when_it_is_shown(qtbot: QtBot) -> None:
    page, drawn = QWidget(), list[int]()
    qtbot.addWidget(page)
    refresh = Refresh(lambda: drawn.append(1), page)
    for _ in range(5):
        refresh.soon()
    qtbot.wait(150)
    assert drawn == []
    page.show()
    assert drawn == [1]
    refresh.soon()
    refresh.soon()
    qtbot.waitUntil(lambda: drawn == [1, 1])
    page.hide()
    page.show()
    assert drawn == [1, 1]


def test_a_finished_point_is_a_row_that_is_inserted(qtbot: QtBot) -> None:
    model, choice = TimingModel(), Session().timing.value
    model.add(Provenance.MEASURED, [measured("cpu.naive", n, 1.0, created=EARLY) for n in (64, 128)])
    look = Look(theme("light"), Translator("en"))
    points = PointsModel(look, model.results, choice)
    table = PointsTable(look, points)
    qtbot.addWidget(table)
    resets, inserted, removed = list[int](), list[int](), list[int]()
    points.modelReset.connect(lambda: resets.append(1))
    points.rowsInserted.connect(lambda _parent, first, _last: inserted.append(first))
    points.rowsRemoved.connect(lambda _parent, first, _last: removed.append(first))
    model.add(Provenance.MEASURED, [measured("cpu.naive", 256, 3.0, created=LATE), measured("cpu.naive", 64, 9.0, created=LATE)])
    points.show_points((), model.results, choice, TOLD)
    assert (resets, inserted, removed) == ([], [0, 0], [2])
    assert [points.index(row, TIME).data() for row in range(points.rowCount())] == ["9.00", "3.00", "1.00"]
    model.add(Provenance.MEASURED, [refused("cpu.naive", n, message("No.")) for n in (512, 1024, 2048)])
    points.show_points((), model.results, choice, TOLD)
    assert (resets, points.top, points.rowCount()) == ([], 1, 4)
    assert points.index(0, TIME).data() == "No. (3 points, n = 512–2048)"
    assert points.correct == 3


def test_of_many_points_the_table_holds_those_that_were_asked_for(qtbot: QtBot) -> None:
    model, choice = TimingModel(), Session().timing.value
    model.add(Provenance.MEASURED, [measured("cpu.naive", n, float(n)) for n in range(64, 64 + 3 * AT_FIRST)])
    look = Look(theme("light"), Translator("en"))
    points = PointsModel(look, model.results, choice)
    table = PointsTable(look, points)
    qtbot.addWidget(table)
    table.show()
    assert (points.rowCount(), points.correct) == (AT_FIRST, 3 * AT_FIRST)
    table.scrollToBottom()
    qtbot.waitUntil(lambda: points.rowCount() == 2 * AT_FIRST)
    oldest = measured("cpu.naive", 64, 1.0, created=LATE)
    model.add(Provenance.MEASURED, [oldest])
    points.show_points((), model.results, choice, TOLD)
    assert (points.rowCount(), points.correct) == (2 * AT_FIRST + 1, 3 * AT_FIRST)
    assert points.index(0, TIME).data() == "1.00"


def test_rows_are_low_again_when_the_table_was_narrow_for_a_moment(qtbot: QtBot) -> None:
    """Rows that wrapped push each other out of sight; as they shrink, those that come into sight again must do so too."""
    model, choice = TimingModel(), Session().timing.value
    model.add(Provenance.MEASURED, [measured("cpu.loop-order", n, 1.0, order=1) for n in (64, 128, 256, 512, 1024, 2048)])
    look = Look(theme("light"), Translator("en"))
    table = PointsTable(look, PointsModel(look, model.results, choice))
    qtbot.addWidget(table)
    table.resize(460, 200)
    table.show()
    low = table.rowHeight(0)
    for row in range(6):
        table.setRowHeight(row, 3 * low)
    table._fit_columns()
    assert [table.rowHeight(row) for row in range(6)] == [low] * 6


def test_a_row_with_a_time_begins_with_the_marker_that_its_rung_has_in_charts(qtbot: QtBot) -> None:
    model, choice, look = TimingModel(), Session().timing.value, Look(theme("light"), Translator("en"))
    model.add(
        Provenance.MEASURED, [measured("cpu.naive", 64, 1.0), measured("cpu.blocked", 64, 1.0), refused("cpu.naive", 32, message("No."))]
    )
    points = PointsModel(look, model.results, choice)
    rows = range(points.rowCount())
    drawn = [points.index(row, VARIANT).data(Qt.ItemDataRole.DecorationRole) for row in rows]
    assert drawn[0] is None, "what did not run has no place in a chart"
    colours = []
    for row, picture in zip(rows[1:], drawn[1:], strict=True):
        image = picture.toImage()
        colours.append(image.pixelColor(image.rect().center()))
        assert colours[-1] == line_style(look.theme, by_id(points.variant_at(row)), Provenance.MEASURED).colour
    assert colours[0] != colours[1]
    assert points.index(1, TIME).data(Qt.ItemDataRole.DecorationRole) is None


@pytest.mark.parametrize("width", [300, 420, 700])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_cells_of_times_look_as_qt_would_paint_them(qtbot: QtBot, width: int, language: str) -> None:
    model, choice, look = TimingModel(), Session().timing.value, Look(theme("light"), Translator(language))
    rungs = ("cpu.naive", "cpu.blocked", "cpu.loop-order")
    model.add(Provenance.MEASURED, [measured(rung, n, n / 7) for rung in rungs for n in (64, 1024)])
    points = PointsModel(look, model.results, choice)
    table = PointsTable(look, points)
    qtbot.addWidget(table)
    table.resize(width, 300)
    table.show()
    qtbot.wait(50)
    table.setFocus()
    table.selectRow(1)
    own, plain = table.grab().toImage(), QStyledItemDelegate(table)
    table.setItemDelegate(plain)
    assert own == table.grab().toImage()


def test_who_disturbed_a_point_is_told_beside_its_mark(qtbot: QtBot) -> None:
    model, choice = TimingModel(), Session().timing.value
    result = measured("cpu.naive", 64, 1.0)
    result.conditions["disturbed_share"], result.conditions["disturbed_by"] = 0.5, "window"  # type: ignore[index]
    model.add(Provenance.MEASURED, [result])
    points = PointsModel(Look(theme("light"), Translator("en")), model.results, choice)
    assert points.index(0, TIME).data() == "≈ 1.00"
    for column in (VARIANT, TIME):
        assert points.index(0, column).data(Qt.ItemDataRole.ToolTipRole) == "disturbed by Tilescope itself"
