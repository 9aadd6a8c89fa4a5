"""Charts of real runs in little room and with very many messages: no word is cut, no tangle is drawn, and both is said."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPoint, Qt
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.timelines.blocks import LEAST_LINES
from app.qt.timelines.ranks_timeline import MOST_ARROWS, RanksTimeline
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.real_run import Intervals, Messages, MpiTimeline, RunTimeline

MS = 1_000_000
NARROW, WIDE = 380, 1200


def many_ranks(ranks: int) -> RunTimeline:
    """Each sends 1 KiB to every other one: rank r in the millisecond that begins at r."""
    every, begin = np.arange(ranks), np.arange(ranks) * MS
    sender, receiver = (numbers.ravel() for numbers in np.meshgrid(every, every, indexing="ij"))
    others = sender != receiver
    sent = sender[others], receiver[others], np.full(others.sum(), 1024), sender[others] * MS, sender[others] * MS + MS // 2
    spent = Intervals(every, np.zeros(ranks, dtype=int), begin, begin + MS, np.zeros(ranks, dtype=int))
    timeline = MpiTimeline(("here",) * ranks, (0,) * ranks, spent, Messages(*sent))
    point = Case("mpi.rows", Problem.square(Operation.MATMUL, 512), {"ranks": ranks})
    conditions: dict[str, str | int | float] = {"ranks": ranks, "rank_cores": 2, "oversubscribed": "yes"}
    return RunTimeline(point, timeline, (float(ranks),), 0.0, 1.0, conditions)


def shown(qtbot: QtBot, ranks: int, language: str = "en", width: int = WIDE) -> RanksTimeline:
    view = RanksTimeline(Look(theme("light"), Translator(language)))
    qtbot.addWidget(view)
    view.resize(width, 600)
    view.show_runs([many_ranks(ranks)])
    return view


def texts(view: RanksTimeline) -> str:
    """All that is written, as one text without spaces."""
    buffer, made, view.exported = QBuffer(), QSvgGenerator(), True
    made.setOutputDevice(buffer)
    made.setSize(view.size())
    painter = QPainter(made)
    view.render(painter, QPoint())
    painter.end()
    found = re.findall(r"<text[^>]*>(.*?)</text>", bytes(buffer.data().data()).decode(), re.DOTALL)
    return re.sub(r"\s", "", "".join(found))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [NARROW, 700, WIDE])
def test_what_ran_and_the_warning_are_written_whole(qtbot: QtBot, language: str, width: int) -> None:
    view = shown(qtbot, 4, language, width)
    warning = view.charts[0].warning
    assert warning is not None
    written = texts(view)
    for words in ("mpi.rows", "n = 512, ranks = 4", view.look.text(warning)):
        assert re.sub(r"\s", "", words) in written
    assert (view.placement.blocks[0].lines > LEAST_LINES) == (width == NARROW)


def test_of_very_many_messages_those_of_a_chosen_rank_are_drawn(qtbot: QtBot) -> None:
    view = shown(qtbot, 16)
    (chart,) = view.charts
    assert view.drawn_messages(chart, view.placement) == []
    row = view.placement.blocks[0].bar(3)
    for _ in range(2):
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=row.center().toPoint())
        drawn = view.drawn_messages(chart, view.placement)
        sent = chart.timeline.messages
        ends = [{int(sent.sender[number]), int(sent.receiver[number])} for number in drawn]
        assert len(drawn) == (30 if view.chosen == 3 else 0)
        assert all(3 in both for both in ends)
    chosen = [view.chosen]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape):
        QTest.keyClick(view, key)
        chosen.append(view.chosen)
    assert chosen == [None, 0, 15, None]


def test_dragging_chooses_no_rank(qtbot: QtBot) -> None:
    view = shown(qtbot, 16)
    row = view.placement.blocks[0].bar(3).center().toPoint()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=row)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=row + QPoint(40, 0))
    assert view.chosen is None


def test_that_messages_are_not_drawn_is_said_and_looking_closer_draws_them(qtbot: QtBot) -> None:
    view = shown(qtbot, 16)
    assert "240messages,toomanytodraw" in texts(view)
    view.exported = False
    view.zoom(10.0, 1.5)
    chart, placement = view.charts[0], view.placement
    assert 0 < len(view.drawn_messages(chart, placement)) <= MOST_ARROWS
    assert "toomany" not in texts(view)


def test_few_messages_are_all_drawn(qtbot: QtBot) -> None:
    view = shown(qtbot, 4)
    assert len(view.drawn_messages(view.charts[0], view.placement)) == 12
    assert "toomany" not in texts(view)
