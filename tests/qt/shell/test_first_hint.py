"""The hints of the first start: they come after the first play, leave when anything is touched, and never come again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.inspector.stop_chart import StopChart
from app.qt.shell.application import Desktop
from app.qt.shell.first_hint import DONE, FirstHint
from app.qt.widgets.labels import ElidedLabel


def opened(path: Path, qtbot: QtBot, size: tuple[int, int] = (1920, 1080)) -> Desktop:
    made = Desktop(WindowArguments("en", "light", None, size), None, Settings(path / "settings.ini"))
    made.start()
    qtbot.waitUntil(lambda: made.workbench.stage_ready, timeout=30_000)
    made.process_events()
    return made


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    made = opened(tmp_path, qtbot)
    yield made
    made.window.close()
    made.window.deleteLater()


def a_lesson() -> Lesson:
    found = named("float32-error")
    assert isinstance(found, Lesson), found
    return found


def hint_of(desktop: Desktop) -> FirstHint:
    return next(each for each in desktop._features if isinstance(each, FirstHint))


def test_hints_come_after_the_first_play_and_leave_when_touched(desktop: Desktop, qtbot: QtBot) -> None:
    hint, timeline = hint_of(desktop), desktop.workbench.stage.timeline
    timeline.play()
    assert hint._watched.isActive()
    assert hint.hints == []
    hint._watched.timeout.emit()
    assert not timeline.playing.value
    assert "Drag, or Alt+→" in said(hint)
    slider = desktop.window._stage.inspector.parameters["tile"].slider
    drag, over = hint.hints[0], desktop.window.centralWidget()
    assert over is not None
    above = slider.mapTo(over, slider.rect().topLeft()).y()
    assert abs(drag.geometry().bottom() - above) <= 4, "below it the chart of its stops is drawn"
    desktop.choose_theme("dark")
    qtbot.waitUntil(lambda: bool(hint.hints) and hint.hints[0].isVisible())
    QTest.keyClick(desktop.window, Qt.Key.Key_Home)
    QTest.mouseClick(desktop.window, Qt.MouseButton.LeftButton, pos=desktop.window.rect().center())
    assert [each for each in hint.hints if each.isVisible()], "they stay until they are followed or closed"
    QTest.keyClick(desktop.window, Qt.Key.Key_Escape)
    assert hint.hints == []
    assert desktop.settings.text(DONE) is not None


def words(each: QWidget) -> int:
    """How far the words of a widget go; a label that is wider than they are is empty behind them."""
    if not isinstance(each, QLabel) or not each.alignment() & Qt.AlignmentFlag.AlignLeft:
        return each.width()
    return min(each.width(), each.fontMetrics().horizontalAdvance(each.text()))


def said(hint: FirstHint) -> set[str]:
    return {each.text().removesuffix(" →").strip("↑↓←✕ ") for each in hint.hints if each.isVisible()}


def test_each_hint_leaves_by_itself(desktop: Desktop, qtbot: QtBot) -> None:
    hint = hint_of(desktop)
    hint.show()
    assert said(hint) == {"Drag, or Alt+→", "Lessons begin here"}
    desktop.window._stage.settings.click()  # the slider is in another place now
    qtbot.waitUntil(lambda: bool(hint.hints) and all(each.isVisible() for each in hint.hints))
    assert said(hint) == {"Drag, or Alt+→", "Lessons begin here"}
    desktop.session.set_stage_parameter("tile", 16)
    assert said(hint) == {"Lessons begin here"}
    QTest.mouseClick(hint.hints[0], Qt.MouseButton.LeftButton)
    assert hint.hints == []
    assert desktop.settings.text(DONE) is not None


def test_lessons_that_are_opened_need_no_hint(desktop: Desktop, qtbot: QtBot) -> None:
    hint, over = hint_of(desktop), desktop.window.centralWidget()
    hint.show()
    assert over is not None
    next(each for each in over.findChildren(QToolButton) if each.accessibleName() == "Lessons").click()
    qtbot.waitUntil(lambda: said(hint) == {"Drag, or Alt+→"})


def test_a_lesson_that_plays_is_not_interrupted(desktop: Desktop) -> None:
    hint, bench = hint_of(desktop), desktop.workbench
    bench.lesson_controller.player.open(a_lesson())
    bench.stage.timeline.play()
    hint._watched.timeout.emit()
    assert bench.stage.timeline.playing.value
    assert hint.hints == []
    bench.stage.timeline.pause()


@pytest.mark.parametrize(("size", "settings"), [((1280, 720), False), ((1358, 724), False), ((1366, 768), False), ((1920, 1080), True)])
def test_one_slider_for_the_tile_is_in_sight_and_has_the_hint(qtbot: QtBot, tmp_path: Path, size: tuple[int, int], settings: bool) -> None:
    desktop = opened(tmp_path, qtbot, size)
    stage, hint = desktop.window._stage, hint_of(desktop)
    assert stage.tile.slider is not None
    sliders = {True: stage.inspector.parameters["tile"].slider, False: stage.tile.slider}
    assert [sliders[each].isVisible() for each in (settings, not settings)] == [True, False]
    hint.show()
    over, below = desktop.window.centralWidget(), sliders[settings]
    assert over is not None
    drag = next(each for each in hint.hints if "Drag, or Alt+→" in each.text())
    place = QRect(below.mapTo(over, QPoint(0, 0)), below.size())
    assert min(abs(drag.geometry().top() - place.bottom()), abs(drag.geometry().bottom() - place.top())) <= 4
    assert len(hint.hints) == 2
    said = [each for each in over.findChildren(QWidget) if each.isVisible() and isinstance(each, QLabel | ElidedLabel | QToolButton)]
    for one in hint.hints:
        others = (each for each in said if each not in hint.hints)
        lines = [QRect(each.mapTo(over, QPoint(0, each.height() // 2 - 6)), QSize(words(each), 12)) for each in others]
        assert not [each for each in lines if each.intersects(one.geometry())]
        charts = [QRect(each.mapTo(over, QPoint(0, 0)), each.size()) for each in over.findChildren(StopChart) if each.isVisible()]
        assert bool(charts) == settings
        assert not [each for each in charts if each.intersects(one.geometry())]
    stage.settings.click()
    assert [sliders[each].isVisible() for each in (settings, not settings)] == [False, True]
    shown = sliders[not settings]
    QTest.keyClick(shown, Qt.Key.Key_Up)
    assert desktop.session.stage.value.parameters["tile"] == 16
    desktop.window.close()
    desktop.window.deleteLater()


def test_a_touch_during_the_first_play_ends_it_without_hints(desktop: Desktop, qtbot: QtBot) -> None:
    hint, timeline = hint_of(desktop), desktop.workbench.stage.timeline
    timeline.play()
    QTest.keyClick(desktop.window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not timeline.playing.value)
    assert not hint._watched.isActive()
    desktop.process_events()
    timeline.play()
    assert not hint._watched.isActive()
    desktop.process_events()
    assert timeline.playing.value
    timeline.pause()


def test_a_hint_stands_further_aside_where_its_place_is_taken(desktop: Desktop) -> None:
    """As at 1366 pixels: the word for the step lies below the left half of the button, other buttons beside it."""
    hint, about = hint_of(desktop), QRect(803, 0, 87, 40)
    taken = [QRect(780, 40, 42, 30), QRect(626, 0, 170, 40), QRect(892, 0, 150, 40)]
    hint.show()
    button = QToolButton(desktop.window.centralWidget())
    button.setFixedSize(175, 21)
    assert hint._place(button, about, taken) == "↑ {}"
    assert not any(button.geometry().intersects(each) for each in taken)
    assert button.geometry().left() < about.center().x() < button.geometry().right()


def test_where_nothing_moves_hints_come_with_the_picture(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.save_text("look/motion", "reduced")
    for again in (False, True):
        desktop = opened(tmp_path, qtbot)
        hint = hint_of(desktop)
        assert bool([each for each in hint.hints if each.isVisible()]) is not again
        QTest.keyClick(desktop.window, Qt.Key.Key_Escape)
        assert hint.hints == []
        desktop.window.close()
        desktop.window.deleteLater()
