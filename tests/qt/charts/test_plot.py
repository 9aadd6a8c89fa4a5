"""The picture of a chart's curves is kept while they do not change, and is for screens alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QBuffer, QEvent, QObject, QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.chart import Chart
from app.qt.charts.lines import _Line
from tests.qt.many_curves import SIZES, content_with


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    made = Chart(Look(theme("light"), Translator("en")), "Chart")
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show()
    return made


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[_Line]:
    """Every line that is drawn, in the order of the drawing."""
    noted: list[_Line] = []
    draw = _Line.draw

    def counted(line: _Line, painter: QPainter) -> None:
        draw(line, painter)
        noted.append(line)

    monkeypatch.setattr(_Line, "draw", counted)
    return noted


def test_curves_are_drawn_again_only_where_they_change(qtbot: QtBot, chart: Chart, drawn: list[_Line]) -> None:
    chart.show_content(content_with(2))
    qtbot.waitUntil(lambda: len(drawn) == 2)
    for x in (*SIZES[:3], None):
        chart._set_crosshair(x)
        chart.grab()
    assert len(drawn) == 2, "a crosshair that moves paints what lies over the curves"
    chart._point(chart.content.series[0].key)
    chart.grab()
    assert len(drawn) == 4, "the other one is dimmed"
    chart.resize(900, 400)
    chart.grab()
    assert len(drawn) == 6
    chart.show_content(replace(content_with(2), series=content_with(2).series[:1]))
    chart.grab()
    assert len(drawn) == 7, "one has left"


class _Painted(QObject):
    """Notes how many lines had been drawn whenever a widget is about to be painted."""

    def __init__(self, widget: QWidget, drawn: list[_Line]) -> None:
        super().__init__(widget)
        self.at: list[int] = []
        self._drawn = drawn
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.at.append(len(self._drawn))
        return False


def test_the_picture_is_drawn_before_the_painting(qtbot: QtBot, chart: Chart, drawn: list[_Line]) -> None:
    painted = _Painted(chart._plot.viewport(), drawn)
    chart.show_content(content_with(2))
    qtbot.waitUntil(lambda: bool(painted.at))
    painted.at.clear()
    chart.show_content(content_with(6))
    qtbot.waitUntil(lambda: bool(painted.at))
    assert painted.at[0] == len(drawn) == 8, "in a turn of the event loop of its own"


def test_a_figure_has_the_lines_of_a_chart_and_no_picture_of_them(chart: Chart, drawn: list[_Line]) -> None:
    chart.show_content(content_with(6))
    chart.grab()
    drawn.clear()
    written, svg = QBuffer(), QSvgGenerator()
    svg.setOutputDevice(written)
    with QPainter(svg) as painter:
        chart.render(painter, QPoint(0, 0))
    assert len(drawn) == 6
    assert b"<polyline" in bytes(written.data().data())
    large = QImage(chart.size() * 2, QImage.Format.Format_RGB32)
    with QPainter(large) as painter:
        painter.scale(2, 2)
        chart.render(painter, QPoint(0, 0))
    assert len(drawn) == 12, "for its pixels, not enlarged"
    chart.grab()
    assert len(drawn) == 12
