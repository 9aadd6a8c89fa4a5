"""The handle of a slider stands at the value that holds, also where that is beyond what is offered."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.inspector.setting_bars import StopTimes
from app.core.results.curves import Provenance
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.inspector.stop_chart import StopChart
from app.qt.widgets.stop_slider import StopSlider

LOOK = Look(theme("light"), Translator("en"))
RANKS = (2, 4, 8)


def slider(qtbot: QtBot, picked: list[int]) -> StopSlider:
    made = StopSlider(LOOK, "Ranks", RANKS, picked.append, lambda _stop: True)
    qtbot.addWidget(made)
    made.resize(300, 40)
    return made


@pytest.mark.parametrize(("value", "right_of", "left_of"), [(16, 8, None), (3, 2, 4), (1, None, 2)])
def test_the_handle_stands_where_the_value_lies(qtbot: QtBot, value: int, right_of: int | None, left_of: int | None) -> None:
    made = slider(qtbot, [])
    made.show_value(value)
    handle = made.x_of(made._place())
    assert right_of is None or handle > made.x_of_stop(right_of) + 20
    assert left_of is None or handle < made.x_of_stop(left_of) - 20
    assert 0 <= handle <= made.width()


def test_a_value_beyond_the_stops_is_one_only_while_it_holds(qtbot: QtBot) -> None:
    picked: list[int] = []
    made = slider(qtbot, picked)
    last = made.x_of_stop(8)
    made.show_value(16)
    assert made.x_of_stop(8) < last
    made.step(-1)
    made.show_value(8)
    assert picked == [8]
    assert made.x_of_stop(8) == last


def test_keys_start_from_the_value_that_is_shown_and_pass_what_is_refused(qtbot: QtBot) -> None:
    """A press on a stop that is refused moves nothing, the keys' place neither; one after the other they pass it, and turn at the value."""
    picked: list[int] = []
    made = StopSlider(LOOK, "Tile", (4, 8, 16, 32, 64), picked.append, lambda stop: stop not in {16, 64})
    qtbot.addWidget(made)
    made.resize(300, 40)
    made.show_value(8)
    for turn, found in (((-1,), [4]), ((1,), [16]), ((1, 1), [16, 32]), ((1, -1), [16, 4])):
        picked.clear()
        made.show_value(8)
        made._pick_at(made.x_of_stop(64))
        for direction in turn:
            made.step(direction)
        assert picked == [64, *found]


def test_bars_below_the_slider_stay_below_their_stops(qtbot: QtBot) -> None:
    made = slider(qtbot, [])
    chart = StopChart(LOOK, made, RANKS)
    qtbot.addWidget(chart)
    made.show_value(1)
    assert [chart._x(stop) for stop in RANKS] == [made.x_of_stop(stop) for stop in RANKS]


@pytest.mark.parametrize("wide", [False, True])
def test_where_the_title_of_times_is_too_wide_the_machine_is_left_out_not_the_unit(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, *, wide: bool
) -> None:
    drawn, draw = list[str](), QPainter.drawText
    chart = StopChart(LOOK, slider(qtbot, []), RANKS)
    qtbot.addWidget(chart)
    times = StopTimes(Provenance.RECORDED, "Intel(R) Xeon(R) Processor", 2048, {4: 960.0})
    chart.resize(900 if wide else 250, 120)
    chart.show_times(times, 4)

    def noted(painter: QPainter, *given: Any) -> Any:
        drawn.append(given[-1])
        return draw(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", noted)
    chart.grab()
    assert LOOK.text(times.title if wide else times.brief) in drawn
    assert "n = 2048, ms" in LOOK.text(times.brief)
    assert chart.toolTip() == LOOK.text(times.title)


def test_a_wide_text_at_an_end_moves_in_and_no_other_lies_over_it(qtbot: QtBot) -> None:
    made = StopSlider(
        LOOK, "Rows", (0, 64, 128), lambda _stop: None, lambda _stop: True, lambda stop: str(stop) if stop else "as many as columns"
    )
    qtbot.addWidget(made)
    made.resize(200, 40)
    made.show_value(0)
    assert made._label_span(0)[0] >= 0
    assert made._labelled() == {0, 128}


@pytest.mark.parametrize(("key", "found"), [(Qt.Key.Key_Right, [8]), (Qt.Key.Key_Up, [8]), (Qt.Key.Key_Left, [2]), (Qt.Key.Key_Down, [2])])
def test_all_four_arrows_move_it(qtbot: QtBot, key: Qt.Key, found: list[int]) -> None:
    """Left and Right did nothing at all: the area around took them for scrolling."""
    picked: list[int] = []
    made = slider(qtbot, picked)
    made.show_value(4)
    qtbot.keyClick(made, key)
    assert picked == found
    qtbot.keyClick(made, key, Qt.KeyboardModifier.ControlModifier)
    assert picked == found
