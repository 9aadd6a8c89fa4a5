"""The transport bar and its strip: buttons, slider, dragging, and a timer that runs only while playing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.timeline import SPEEDS, Unit
from app.core.cpu_view.index import TraceIndex
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.stage.timeline_bar import COMPACT_HEIGHT, HEIGHT, TimelineBar
from app.qt.widgets.labels import SteadyLabel
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def model() -> StageModel:
    variant = catalogue.by_id("cpu.blocked")
    model = StageModel()
    model.shown.value = TraceIndex(trace(variant, Problem.square(Operation.MATMUL, 8), {"tile": 4}, seed=1))
    return model


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bar(qtbot: QtBot, model: StageModel, clock: Clock) -> Iterator[TimelineBar]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1100, 200)
    bar = TimelineBar(LOOK, model, clock=clock, parent=window)
    bar.resize(1100, bar.height())
    window.show()
    yield bar
    window.hide()


def timer_of(bar: TimelineBar) -> QTimer:
    return bar.findChildren(QTimer)[0]


def texts(bar: TimelineBar) -> list[str]:
    return [label.text() for label in bar.findChildren(QLabel)]


def click(button: QToolButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_buttons_move_the_timeline(bar: TimelineBar, model: StageModel) -> None:
    tiles = model.timeline.extent.value.bounds[Unit.TILE]
    visited = []
    moves = bar.transport
    for button in (moves.forward, moves.forward, moves.back, moves.next_tile, moves.to_end, moves.to_start):
        click(button)
        visited.append(model.timeline.position.value.time)
    assert visited == [1, 2, 1, tiles[2], model.timeline.extent.value.steps, 0]


def test_tab_comes_to_the_unit_that_is_chosen(bar: TimelineBar, model: StageModel) -> None:
    for unit in (Unit.TILE, Unit.STEP):
        model.timeline.unit.value = unit
        assert [each for each, button in bar.units.items() if button.focusPolicy() & Qt.FocusPolicy.TabFocus] == [unit]


def test_play_starts_the_timer_and_pause_stops_it(bar: TimelineBar, model: StageModel) -> None:
    assert not timer_of(bar).isActive()
    click(bar.transport.play)
    assert model.timeline.playing.value
    assert timer_of(bar).isActive()
    assert bar.transport.play.accessibleName() == "Pause (Space)"
    click(bar.transport.play)
    assert not timer_of(bar).isActive()
    assert bar.transport.play.accessibleName() == "Play (Space)"


def test_playing_moves_by_the_clock(bar: TimelineBar, model: StageModel, clock: Clock) -> None:
    model.timeline.play()
    clock.now += 1.2
    timer_of(bar).timeout.emit()
    assert model.timeline.position.value.time == pytest.approx(1.5)


def test_the_timer_ends_with_the_trace(bar: TimelineBar, model: StageModel, clock: Clock) -> None:
    model.timeline.play()
    clock.now += 1e6
    timer_of(bar).timeout.emit()
    assert model.timeline.at_end
    assert not timer_of(bar).isActive()


def test_the_step_is_numbered_from_one(bar: TimelineBar, model: StageModel) -> None:
    steps = model.timeline.extent.value.steps
    assert f"Step 1 of {steps}" in texts(bar)
    model.timeline.to_end()
    assert f"Step {steps} of {steps}" in texts(bar)


def test_where_words_have_no_room_the_step_is_told_in_numbers(qtbot: QtBot, bar: TimelineBar, model: StageModel) -> None:
    model.timeline.scrub(17)
    steps = model.timeline.extent.value.steps
    whole, short = f"Step 18 of {steps}", f"18 / {steps}"

    def told(said: str) -> bool:
        step = next((each for each in bar.findChildren(SteadyLabel) if each.text() == said), None)
        return step is not None and step.width() >= step.sizeHint().width() > 0

    for width, said in ((1200, whole), (420, short), (350, short), (1200, whole)):
        bar.setFixedWidth(width)
        qtbot.waitUntil(partial(told, said))


def test_the_letters_of_low_lanes_do_not_touch(bar: TimelineBar, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[QRectF] = []
    draw = QPainter.drawText

    def noted(painter: QPainter, place: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:
        found.append(QFontMetricsF(painter.font()).tightBoundingRect(text))
        found[-1].moveCenter(place.center())
        draw(painter, place, flags, text)

    monkeypatch.setattr(QPainter, "drawText", noted)
    bar.strip.setFixedHeight(24)
    bar.strip.grab()
    assert len(found) >= 3
    assert not any(first.intersects(second) for first, second in combinations(found[:3], 2))


def test_the_speed_slider_and_the_speed_follow_each_other(bar: TimelineBar, model: StageModel) -> None:
    bar.speed.setValue(len(SPEEDS) - 1)
    assert model.timeline.speed.value == 64
    model.timeline.slower()
    assert bar.speed.value() == len(SPEEDS) - 2
    assert "32×" in texts(bar)


def test_the_unit_switch(bar: TimelineBar, model: StageModel) -> None:
    assert bar.units[Unit.STEP].isChecked()
    click(bar.units[Unit.TILE])
    assert model.timeline.unit.value is Unit.TILE
    click(bar.transport.forward)
    assert model.timeline.position.value.step == model.timeline.extent.value.bounds[Unit.TILE][1]


def test_dragging_on_the_strip_scrubs(bar: TimelineBar, model: StageModel) -> None:
    model.timeline.play()
    strip, steps = bar.strip, model.timeline.extent.value.steps
    middle = QPoint(round(strip.x_of(steps / 2)), strip.height() // 2)
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert model.timeline.progress == pytest.approx(0.5, abs=0.005)
    assert not model.timeline.playing.value
    beyond = QPointF(strip.width() + 50, 3)
    held = Qt.MouseButton.LeftButton
    drag = QMouseEvent(
        QEvent.Type.MouseMove, beyond, strip.mapToGlobal(beyond), Qt.MouseButton.NoButton, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(strip, drag)
    assert model.timeline.at_end


def test_place_and_time_on_the_strip_are_inverse(bar: TimelineBar) -> None:
    for time in (0.0, 17.25, 300.0):
        assert bar.strip.time_at(bar.strip.x_of(time)) == pytest.approx(time)


def test_the_playhead_is_drawn_where_the_trace_stands(bar: TimelineBar, model: StageModel) -> None:
    model.timeline.scrub(model.timeline.extent.value.steps * 0.75)
    strip = bar.strip
    head = round(strip.x_of(model.timeline.position.value.time))
    drawn = strip.grab().toImage()
    assert any(drawn.pixelColor(x, strip.height() - 2) == LOOK.theme.now for x in (head - 1, head))


def test_without_a_trace_the_bar_is_disabled(bar: TimelineBar, model: StageModel) -> None:
    assert bar.isEnabled()
    model.shown.value = None
    assert not bar.isEnabled()


def test_two_heights(qtbot: QtBot, bar: TimelineBar, model: StageModel) -> None:
    compact = TimelineBar(LOOK, model, compact=True)
    qtbot.addWidget(compact)
    assert (bar.height(), compact.height()) == (HEIGHT, COMPACT_HEIGHT)
    assert compact.minimumSizeHint().height() <= COMPACT_HEIGHT


def test_hit_targets_are_large_enough(bar: TimelineBar) -> None:
    for button in bar.findChildren(QToolButton):
        assert min(button.width(), button.height()) >= 24
        assert button.accessibleName() or button.text()


def test_what_is_shown_again_has_its_place_at_once(qtbot: QtBot, model: StageModel) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = TimelineBar(LOOK, model)
    bar.resize(420, bar.height())
    bar._fit(420)  # as one that is made narrow before it is in a window
    switch = bar.units[Unit.STEP].parentWidget()
    assert switch is not None
    assert switch.isHidden()
    QVBoxLayout(window).addWidget(bar)
    window.resize(1100, 200)
    window.show()  # and nothing is waited for: the bar may be painted before
    assert not switch.isHidden()
    assert not switch.geometry().intersects(bar.transport.geometry())
    window.hide()


def test_the_legend_names_what_a_launch_does_and_gives_way_before_the_step(qtbot: QtBot, model: StageModel) -> None:
    for compact in (False, True):
        bar = TimelineBar(LOOK, model, compact=compact)
        qtbot.addWidget(bar)
        model.shown.value = launch_of("gpu.tiled", 64)
        whole = ("load A", "load B", "compute", "store", *(() if compact else ("barrier",)))
        seen = []
        for width in range(1700, 500, -20):
            bar._fit(width)
            assert not bar._step.isHidden()
            seen.append(() if bar.legend.isHidden() else bar.legend.words)
        assert list(dict.fromkeys(seen)) == [whole, ("A", "B", *whole[2:]), ()]
        model.shown.value = None
        assert bar.legend.words == ()
