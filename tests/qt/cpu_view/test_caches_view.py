"""The views of the caches: what they draw and say at a step, for each level, in room and without."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.cpu_view.addresses import short_name
from app.core.cpu_view.cache_question import ColdRun, HistoryQuestion
from app.core.cpu_view.caches import Filling, Lookup, StageCaches
from app.core.cpu_view.index import TraceIndex
from app.core.frames.views import CpuView
from app.core.session.choices import CacheChoice
from app.core.stage.model import Picture, StageModel
from app.core.workbench.trace_handlers import answer_caches
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.cpu_view.cache_painter import (
    AGES,
    MOST_COLUMNS,
    CachePainter,
    fetched_text,
    lay_out_cache,
    line_colour,
    name_in_cell,
    tag_place,
)
from app.qt.cpu_view.cache_view import CacheView, legend_tip, paint_legend, paint_note
from app.qt.cpu_view.cpu_stage import CpuStage
from app.qt.cpu_view.hit_rate_view import spread
from app.qt.views.frame import Badge
from app.qt.widgets.labels import ElidedLabel
from kernels.base.messages import message
from kernels.base.spec import Problem
from kernels.cachesim.history import History
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.cpusim.execute import trace

LOOK = Look(theme("light"), Translator("en"))


@pytest.fixture(scope="module")
def scaled() -> StageCaches:
    return caches_of(CacheChoice())


def caches_of(choice: CacheChoice, n: int = 16) -> StageCaches:
    variant = catalogue.by_id("cpu.blocked")
    problem = Problem.square(variant.operation, n)
    index = TraceIndex(trace(variant, problem, {"tile": 4}, seed=1))
    found = answer_caches(HistoryQuestion(ColdRun(Case(variant.id, problem, {"tile": 4}), choice.hierarchy)))
    assert isinstance(found, History)
    return StageCaches(index, found)


def stage_of(qtbot: QtBot, caches: StageCaches, *, compact: bool = False) -> tuple[StageModel, CpuStage]:
    model = StageModel()
    stage = CpuStage(LOOK, model, compact=compact)
    qtbot.addWidget(stage)
    stage.resize(770, 860)
    stage.show()
    model.shown.value = caches.index
    model.caches.value = caches
    for _ in range(2):  # of the window: the words come with the first, what is counted beside lines and steps with the second
        model.tick()
    return model, stage


def picture_of(model: StageModel) -> Picture:
    picture = model.picture.value
    assert isinstance(picture, Picture)
    return picture


@pytest.mark.parametrize(("compact", "shown"), [(False, tuple(CpuView)), (True, (CpuView.MATRICES, CpuView.CACHE))])
def test_a_compact_window_keeps_the_matrices_and_the_cache(
    qtbot: QtBot, scaled: StageCaches, compact: bool, shown: tuple[int, ...]
) -> None:
    _, stage = stage_of(qtbot, scaled, compact=compact)
    assert stage.shown == shown


@pytest.mark.parametrize("view", [CpuView.CACHE, CpuView.HIT_RATE])
@pytest.mark.parametrize("level", [0, 1])
def test_a_view_is_a_function_of_the_step(qtbot: QtBot, scaled: StageCaches, view: CpuView, level: int) -> None:
    model, stage = stage_of(qtbot, scaled)
    model.cache_level.value = level
    frame = stage.frames[view - 1]
    pictures: dict[int, QImage] = {}
    for step in (0, 900, 4000, 900, 0):
        model.timeline.scrub(step)
        seen = frame.grab().toImage()
        assert pictures.setdefault(step, seen) == seen
    assert len({bytes(each.constBits()) for each in pictures.values()}) == 3


def test_a_miss_is_said_in_the_header_the_table_and_the_step_card(qtbot: QtBot, scaled: StageCaches) -> None:
    model, stage = stage_of(qtbot, scaled)
    missed = next(step for step in range(scaled.index.trace.steps) if scaled.misses_of_steps(0)[step])
    model.timeline.scrub(missed)
    view, picture = stage.frames[CpuView.CACHE - 1].view, picture_of(model)
    assert "cache" in str(picture.description.sentence)
    verdict = view.verdict(picture)
    assert verdict is not None
    assert not verdict.good
    assert "miss" in [str(row[3]) for row in view.table(picture).rows]


def test_the_picture_says_that_the_model_is_scaled(scaled: StageCaches) -> None:
    note = scaled.history.hierarchy.note
    assert note is not None
    assert str(note).startswith("Scaled")


def test_why_there_are_no_caches_is_said_in_their_place(qtbot: QtBot, scaled: StageCaches) -> None:
    model, stage = stage_of(qtbot, scaled)
    model.caches.value = None
    model.caches_missing.value = message("No reason.")
    model.timeline.forward()
    assert CpuView.CACHE not in stage.shown
    model.alone.value = CpuView.CACHE
    assert stage.frames[CpuView.CACHE - 1].view.fact(picture_of(model)) is None


def test_caches_of_another_trace_are_not_shown(qtbot: QtBot, scaled: StageCaches) -> None:
    model, _ = stage_of(qtbot, scaled)
    model.shown.value = TraceIndex(scaled.index.trace)
    assert picture_of(model).caches is None


def test_a_press_on_the_chart_goes_to_that_access(qtbot: QtBot, scaled: StageCaches) -> None:
    model, stage = stage_of(qtbot, scaled)
    view = stage.frames[CpuView.HIT_RATE - 1].view
    view.grab()
    before = model.timeline.position.value.step
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPointF(view.width() / 2, view.height() / 5).toPoint())
    after = model.timeline.position.value.step
    assert after != before
    assert abs(after / scaled.index.trace.steps - 0.5) < 0.1


def test_the_pointer_is_told_what_a_cell_holds(qtbot: QtBot, scaled: StageCaches) -> None:
    model, stage = stage_of(qtbot, scaled)
    model.timeline.scrub(4000)
    view = stage.frames[CpuView.CACHE - 1].view
    assert isinstance(view, CacheView)
    said = str(view.tip_at(QPointF(view.width() / 2, 40), picture_of(model)))
    assert said.startswith("Set ")
    assert view.tip_at(QPointF(2, 2), picture_of(model)) is None


@pytest.mark.parametrize("sets", [1, 4, 63, 64, 65, 1024, 32768])
@pytest.mark.parametrize("ways", [1, 8, 20])
@pytest.mark.parametrize("size", [(250.0, 180.0), (500.0, 290.0), (1150.0, 820.0)])
def test_everything_of_a_cache_lies_on_the_view(size: tuple[float, float], ways: int, sets: int) -> None:
    area = QRectF(0, 0, *size)
    layout = lay_out_cache(area, sets, ways, 2)
    parts = [layout.grid, layout.legend, *layout.bars, layout.note]
    assert layout.columns <= MOST_COLUMNS
    assert layout.columns * layout.sets >= sets
    assert all(area.adjusted(-1, -1, 1, 1).contains(part) for part in parts)
    assert not any(one.intersects(other) for number, one in enumerate(parts) for other in parts[:number])
    last = layout.rect(sets - 1, ways - 1)
    assert layout.grid.adjusted(-0.01, -0.01, 0.01, 0.01).contains(last)


@pytest.mark.parametrize("height", [110.0, 180.0, 260.0, 520.0])
@pytest.mark.parametrize("width", [230.0, 640.0])
@pytest.mark.parametrize(("ways", "sets"), [(1, 16), (4, 4), (8, 64)])
def test_the_tag_of_a_fetched_line_covers_no_name(width: float, height: float, ways: int, sets: int) -> None:
    layout = lay_out_cache(QRectF(0, 0, width, height), sets, ways, 1)
    cells = [layout.rect(place, way) for place in range(sets) for way in range(ways)]
    named = [cell for cell in cells if cell.width() >= 8 and cell.height() >= 10]
    names = [QRectF(cell.left(), cell.center().y() - 7, cell.width(), 14) for cell in named]
    numbers = QRectF(0, layout.grid.top() - 17, width, 8)
    for place in range(sets):
        for way in range(ways):
            tag = tag_place(layout, place, way, 86.0, width)
            if tag is not None:
                assert tag.right() <= width
                assert not any(tag.intersects(each) for each in (*names, numbers, layout.note))
    assert width < 640 or height < 500 or tag_place(layout, 1, 0, 86.0, width) is not None


def test_the_tag_of_a_fetched_line_says_in_words_what_it_marks() -> None:
    lookup = Lookup(0, "C", "C[0][0..15]", write=False, set=2, way=0, hit=False, left="", found_in="L2")
    assert [str(fetched_text(each)) for each in (lookup, replace(lookup, way=-1))] == ["miss, way 0", "miss, not kept"]


def test_names_at_the_ends_of_curves_neither_touch_nor_leave_the_chart() -> None:
    assert spread([10, 12, 60], 14, 80) == [10, 24, 60]
    assert spread([78, 95], 14, 80) == [66, 80]


def test_a_name_without_room_is_short_and_the_pointer_is_told_the_whole(scaled: StageCaches) -> None:
    level = scaled.levels[1]
    layout = lay_out_cache(QRectF(0, 0, 280, 400), 4, 4, 1)
    others = (Filling(level, (("A", level.lines // 2), ("temporary", level.lines // 2))),)
    bar, legend = layout.bars[0], layout.legend
    places = [QPointF(x, legend.top() + 8) for x in range(int(legend.left()), int(legend.right()), 4)]
    said = [legend_tip(("A", "temporary"), others, layout, place, LOOK) for place in places]
    assert {str(each) for each in said if each is not None} == {"temporary: memory of the kernel's own"}
    held = legend_tip(("A", "temporary"), others, layout, QPointF(bar.right() - 5, bar.center().y()), LOOK)
    assert str(held).startswith(f"{level.name} holds ")
    assert short_name("A") == "A"
    assert short_name("temporary") == "temp"


@pytest.mark.parametrize(("size", "first", "second"), [
    ((100, 20), ("C[0][0..15]",), ("C[0][16..31]",)), ((57, 64), ("C[0]", "[0..15]"), ("C[0]", "[16..31]")),
    ((57, 30), ("C[0]",), ("C[0]",)), ((20, 64), ("C",), ("C",)),
])  # fmt: skip
def test_two_lines_of_a_row_are_told_apart_where_their_cells_have_room(
    qtbot: QtBot, size: tuple[int, int], first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    font = LOOK.theme.font("small")
    font.setPixelSize(12)
    metrics, cell = QFontMetricsF(font), QRectF(0, 0, *size)
    assert name_in_cell("C", "C[0][0..15]", cell, metrics) == first
    assert name_in_cell("C", "C[0][16..31]", cell, metrics) == second
    assert name_in_cell("A", "A[2][8]..[3][11]", QRectF(0, 0, 57, 64), metrics) == ("A[2][8]", "..[3][11]")


@pytest.mark.parametrize("said", ["C[0][16]..[1][7]", "C[0]..[1]", "C[0]..", "C"])
def test_a_line_of_two_rows_is_never_named_as_one_of_the_first_alone(said: str) -> None:
    metrics = QFontMetricsF(LOOK.theme.font("small"))
    assert name_in_cell("C", "C[0][16]..[1][7]", QRectF(0, 0, metrics.horizontalAdvance(said) + 5, 20), metrics) == (said,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_are_named_sets_and_rows_ways(qtbot: QtBot, scaled: StageCaches, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    drawn, draw, look = list[str](), QPainter.drawText, Look(theme("light"), Translator(language))

    def noted(painter: QPainter, *given: Any) -> Any:
        drawn.append(given[-1])
        return draw(painter, *given)

    frame, layout = scaled.frame(0, 0), lay_out_cache(QRectF(0, 0, 280, 400), 4, 4, 1)
    image = QImage(280, 400, QImage.Format.Format_RGB32)
    monkeypatch.setattr(QPainter, "drawText", noted)
    with QPainter(image) as painter:
        CachePainter(painter, look, scaled, frame, layout).paint()
        assert QFontMetricsF(painter.font()).horizontalAdvance(look.text(message("way {way}", way=0))) <= layout.grid.left()
    assert drawn[:9] == ["0", "1", "2", "3", look.text(message("set")), look.text(message("way {way}", way=0)), "1", "2", "3"]


def test_ages_are_told_in_the_colours_of_an_array_that_is_there() -> None:
    image = QImage(300, 40, QImage.Format.Format_RGB32)
    image.fill(LOOK.theme.bg2)
    painter = QPainter(image)
    paint_legend(painter, ("A", "C"), QRectF(0, 0, 300, 40), LOOK, ages=True)
    painter.end()
    drawn = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert not drawn & {line_colour("B", age, LOOK.theme).name() for age in range(AGES)}


@pytest.mark.parametrize(
    ("width", "expected"), [(400, "Scaled model, L1: 4 sets × 4 ways × 64 bytes = 1 KiB"), (230, "Scaled model, L1: 1 KiB")]
)
def test_what_a_model_is_like_is_told_briefly_where_it_would_be_cut(
    scaled: StageCaches, monkeypatch: pytest.MonkeyPatch, width: int, expected: str
) -> None:
    """On a slide it ended "… × 64 bytes =…"; sets and ways are drawn above it."""
    drawn, image = list[str](), QImage(400, 40, QImage.Format.Format_RGB32)
    monkeypatch.setattr(QPainter, "drawText", lambda _painter, *given: drawn.append(given[-1]))
    with QPainter(image) as painter:
        paint_note(painter, "scaled", scaled.levels[0], QRectF(0, 0, width, 20), LOOK)
    assert drawn == [expected]


def test_a_header_without_room_says_the_level_and_no_half_sentence(qtbot: QtBot) -> None:
    pictures = {}
    for name, texts in {"both": ("L1: 4 sets × 4 ways", "L1"), "brief": ("L1",), "cut": ("L1: 4 sets × 4 ways",)}.items():
        label = ElidedLabel()
        qtbot.addWidget(label)
        label.say(*texts)
        label.resize(40, 20)
        pictures[name] = label.grab().toImage()
    assert pictures["both"] == pictures["brief"] != pictures["cut"]


def test_views_without_caches_give_way_as_soon_as_that_is_known(qtbot: QtBot, scaled: StageCaches) -> None:
    model, stage = stage_of(qtbot, scaled)
    model.caches.value = None
    assert stage.shown == tuple(CpuView)
    model.caches_missing.value = message("No reason.")
    assert stage.shown == (CpuView.MATRICES, CpuView.LOOPS)


def test_a_miss_is_said_shorter_where_the_name_of_the_view_has_no_room_beside_it(qtbot: QtBot, scaled: StageCaches) -> None:
    model, stage = stage_of(qtbot, scaled)
    frame = next(each for each in stage.frames if isinstance(each.view, CacheView))
    frame.setParent(None)
    qtbot.addWidget(frame)
    frame.show_picture(model.picture.value)
    frame.show()
    said = set()
    for width in range(500, 220, -10):
        frame.resize(width, 300)
        QApplication.processEvents()
        name, badge = frame.findChildren(ElidedLabel)[0], frame.findChildren(Badge)[0]
        assert name._fitting() == "Cache"
        assert badge._shortened(badge.width() - 2 * badge.padding) == badge.text()
        said.add(badge.text())
    assert said == {"▲ miss in L1, from memory", "▲ miss in L1"}
