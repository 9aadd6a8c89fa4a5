"""Hit rates and misses over the execution: a rate below the axis, what marks are said to be, names beside low lanes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.cpu_view.cache_counters import lowest_tick, rate_at
from app.core.cpu_view.cache_question import ColdRun, HistoryQuestion
from app.core.cpu_view.caches import StageCaches
from app.core.cpu_view.index import TraceIndex
from app.core.session.choices import CacheChoice
from app.core.stage.model import StageModel
from app.core.workbench.trace_handlers import answer_caches
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.cpu_view.hit_rate_view import RatePainter, StreamPainter, foot_text
from app.qt.cpu_view.timeline_overview import TimelineOverview, name_place
from kernels.base.messages import message
from kernels.base.spec import Problem
from kernels.cachesim.history import History
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.cpusim.execute import trace

LOOK = Look(theme("light"), Translator("en"))
AREA = QRectF(0, 0, 640, 240)


@pytest.fixture(autouse=True)
def fonts(qapp: QGuiApplication) -> None:
    """Text is drawn."""


def caches_of(variant_id: str, **parameters: int) -> StageCaches:
    variant = catalogue.by_id(variant_id)
    chosen = dict(variant.defaults) | parameters
    problem = Problem.square(variant.operation, 16)
    found = answer_caches(HistoryQuestion(ColdRun(Case(variant.id, problem, chosen), CacheChoice().hierarchy)))
    assert isinstance(found, History)
    return StageCaches(TraceIndex(trace(variant, problem, chosen, seed=1)), found)


def drawn(paint: Callable[[QPainter], object]) -> str:
    out, device = QBuffer(), QSvgGenerator()
    out.open(QIODevice.OpenModeFlag.WriteOnly)
    device.setOutputDevice(out)
    device.setSize(QSize(640, 300))
    painter = QPainter(device)
    paint(painter)
    painter.end()
    return bytes(out.data().data()).decode()


def now_in(rates: RatePainter, step: int) -> list[tuple[int, int]]:
    """The pixels of what marks the present, but for the line through it."""
    image = QImage(640, 300, QImage.Format.Format_RGB32)
    image.fill(LOOK.theme.bg2)
    painter = QPainter(image)
    rates.paint(painter, step)
    painter.end()
    found = [(x, y) for x in range(640) for y in range(300) if image.pixelColor(x, y) == LOOK.theme.now]
    middle = max({x for x, _ in found}, key=lambda column: sum(x == column for x, _ in found))
    return [(x, y) for x, y in found if abs(x - middle) > 1]


def test_a_rate_below_the_axis_is_a_tip_at_its_lower_edge() -> None:
    """Of the first 16 values that a block stores 12 are in the line that has come: 75 %, and the axis begins at 80."""
    caches = caches_of("cpu.blocked", tile=4)
    rates = RatePainter(LOOK, caches, 0, AREA)
    assert rate_at(caches, 0, 0) < lowest_tick(caches, 0)
    below, within = now_in(rates, 0), now_in(rates, caches.index.trace.steps - 1)
    for mark in (below, within):
        assert mark
        assert all(rates.plot.top() - 4 <= y <= rates.plot.bottom() + 1 for _, y in mark)
    assert min(y for _, y in below) >= rates.plot.bottom() - 9
    assert len({x for x, _ in below}) > 5


def test_a_level_whose_curve_ends_below_the_axis_is_named_with_an_arrow() -> None:
    ends = {variant: drawn(RatePainter(LOOK, caches_of(variant), 0, AREA)._paint_names) for variant in ("cpu.loop-order", "cpu.naive")}
    assert ">L2 ↓</text>" in ends["cpu.loop-order"]
    assert ">L1</text>" in ends["cpu.loop-order"]
    assert "↓" not in ends["cpu.naive"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", [0, 1])
def test_outlined_marks_are_explained_where_there_is_room(language: str, level: int) -> None:
    look, caches = Look(theme("light"), Translator(language)), caches_of("cpu.naive")
    said = look.text(message("not in {level}", level=caches.levels[level].name))
    for width, there in ((640, True), (200, False)):
        stream = StreamPainter(look, caches, QRectF(0, 0, width, 240))
        svg = drawn(lambda painter, stream=stream: stream.paint(painter, 60, level))  # type: ignore[misc]
        words = "".join(re.findall(r">([^<>]+)</text>", svg))  # which are more than one where fonts take turns
        assert (said.replace(" ", "") in words.replace(" ", "")) is there


@pytest.mark.parametrize("known", [False, True])
def test_names_beside_low_lanes_of_the_overview_are_legible_and_touch_no_other(qtbot: QtBot, *, known: bool) -> None:
    """As high as in a window of 1280 x 720; with the misses, whose name stands above, the lanes are lower still."""
    caches = caches_of("cpu.naive")
    model = StageModel()
    view = TimelineOverview(LOOK, model, 6)
    qtbot.addWidget(view)
    view.resize(600, view.height())
    view._show_trace(caches.index)
    model.counted.value = caches if known else None
    svg = drawn(lambda painter: _names(view, painter))
    sizes = [int(each) for each in re.findall(r'font-size="(\d+)"', svg)]
    assert min(sizes) >= 10
    assert re.findall(r">(\w+)</text>", svg) == [*(["L1"] if known else []), "A", "B", "C"]
    each = (view.height() - 6) * (0.58 if known else 1.0) / 3
    rows = [QRectF(0, view.height() - each * (3 - number), 100, each - 1) for number in range(3)]
    places = [name_place(row, number, 10, view.height()) for number, row in enumerate(rows)]
    assert not any(one.intersects(other) for number, one in enumerate(places) for other in places[:number])
    assert all(each.bottom() <= view.height() and each.right() <= 34 for each in places)
    assert [each.top() for each in places] == sorted(each.top() for each in places)


def _names(view: TimelineOverview, painter: QPainter) -> None:
    """The overview's rows, drawn as text and shapes."""
    assert view._overview is not None
    room = view.height() - 6
    bars = room * 0.42 if view._bars is not None else 0.0
    if view._bars is not None:
        view._bars.paint(painter, QRectF(34, 5, 560, bars - 2), 34, view.x_of, lambda colour: colour)
    each = (room - bars) / 3
    for number, lane in enumerate(view._overview.lanes):
        view._paint_lane(painter, lane, QRectF(34, 5 + bars + number * each, 560, each - 1), number, 1.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_below_the_stream_is_cut(language: str) -> None:
    look = Look(theme("light"), Translator(language))
    metrics = QFontMetricsF(look.theme.font("caption"))
    texts = {foot_text(look, metrics, 17_475, 17_549, width) for width in (120.0, 400.0)}
    assert len(texts) == 2
    for width in range(180, 400, 10):
        assert metrics.horizontalAdvance(foot_text(look, metrics, 17_475, 17_549, width)) <= width
