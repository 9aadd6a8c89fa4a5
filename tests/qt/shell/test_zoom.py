"""Zoom: pictures are painted in pixels of 100 % and are as large as asked for; what matters less gives way."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMenu, QScrollArea, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.frames.views import CpuView
from app.core.session.session import Session, Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.commands import Command
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.base.style import style_sheet
from app.qt.base.theme import theme
from app.qt.lessons.feature import LessonsFeature
from app.qt.shell.application import STEPS, Desktop, Zooming, read_zoom
from app.qt.shell.command_bar import CommandBar
from app.qt.shell.main_window import COMPACT_BELOW, MainWindow
from app.qt.stage.timeline_bar import TimelineBar
from app.qt.widgets.responsive_row import give_way, hidden, icon_alone
from app.qt.widgets.stop_slider import StopSlider
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message
from tests.qt.open_window import while_open
from tests.screens.features import feature

TWICE = Look(theme("light", 2.0), Translator("en"))


class Picture(Zoomed):
    least = QSize(200, 100)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = self.magnify(look)
        self.pressed: list[QPointF] = []
        self.scales: set[float] = set()

    def paintEvent(self, _event: QPaintEvent) -> None:
        self.scales.add(self.painter().worldTransform().m11())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.append(event.position())


def test_a_picture_counts_in_pixels_of_100_percent(qtbot: QtBot) -> None:
    picture = Picture(TWICE)
    qtbot.addWidget(picture)
    picture.resize(800, 600)
    picture.show()
    assert (picture.width(), picture.height(), picture.rect().width()) == (400, 300, 400)
    assert picture.devicePixelRatioF() == 2 * QWidget.devicePixelRatioF(picture)
    assert picture.look.theme.scale == 1.0
    at, button, none = QPointF(300, 100), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(picture, QMouseEvent(QEvent.Type.MouseButtonPress, at, at, at, button, button, none))
    assert picture.pressed == [QPointF(150, 50)]
    picture.grab()
    assert picture.scales == {2.0}


def test_where_there_is_little_room_it_is_enlarged_less_but_never_reduced(qtbot: QtBot) -> None:
    picture = Picture(TWICE)
    qtbot.addWidget(picture)
    picture.show()
    for size, wide in ((QSize(800, 400), 400), (QSize(300, 400), 200), (QSize(150, 400), 150)):
        picture.resize(size)
        QApplication.processEvents()
        assert picture.width() == wide


def test_a_slider_twice_as_large_is_dragged_to_the_same_stops(qtbot: QtBot) -> None:
    picked: list[int] = []
    slider = StopSlider(TWICE, "tile", (4, 8, 16), picked.append, lambda _stop: True)
    qtbot.addWidget(slider)
    slider.resize(400, slider.sizeHint().height())
    assert slider.sizeHint().height() == 2 * StopSlider(TWICE.unzoomed, "tile", (4,), picked.append, bool).sizeHint().height()
    slider.show()
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(390, 20))
    assert picked == [16]


def test_what_matters_less_gives_way_and_comes_back(qtbot: QtBot) -> None:
    bar = QWidget()
    qtbot.addWidget(bar)
    row = QHBoxLayout(bar)
    button, first, second = QToolButton(), QLabel("a long text to be hidden"), QLabel("kept")
    button.setText("words beside an icon")
    button.setIcon(TWICE.icon("menu"))
    for part in (button, first, second):
        row.addWidget(part)
    bar.show()
    concessions = icon_alone(button), hidden(first)
    give_way(row, 10_000, concessions)
    whole = row.sizeHint().width()
    assert button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    give_way(row, whole - 1, concessions)
    assert (button.toolButtonStyle(), first.isHidden()) == (Qt.ToolButtonStyle.ToolButtonIconOnly, False)
    give_way(row, second.sizeHint().width(), concessions)
    assert first.isHidden()
    assert not second.isHidden()
    give_way(row, whole, concessions)
    assert not first.isHidden()


def test_buttons_without_room_stay_behind_one_that_names_them(qtbot: QtBot) -> None:
    """At 200 % the last thing to give way are the buttons of lessons, export and presenting: without a sign nobody would look for them."""
    run: list[str] = []
    commands = [("download", Command(message("Export"), ("Ctrl+Shift+E",), lambda: run.append("export")))]
    bar = CommandBar(TWICE, Session(), QMenu(), QMenu(), QMenu(), commands)
    qtbot.addWidget(bar)
    bar.setMinimumWidth(1)
    bar.show()
    (button,) = (each for each in bar.findChildren(QToolButton) if each.text() == "Export")
    for width, room in ((2400, True), (500, False), (2400, True)):
        bar.resize(width, 96)
        assert (button.isHidden(), bar.more.isHidden()) == (not room, room), width
    (action,) = bar.more.menu().actions()
    assert action.text().startswith("Export")
    action.trigger()
    assert run == ["export"]


@pytest.mark.parametrize(("saved", "zoom"), [(None, 100), ("150", 150), ("79", 100), ("201", 100), ("x", 100), ("200", 200), ("", 100)])
def test_a_saved_zoom_is_taken_where_it_can_be(saved: str | None, zoom: int) -> None:
    assert read_zoom(saved) == zoom


def test_the_window_is_enlarged_by_steps_and_remembers_it(qtbot: QtBot, tmp_path: Path) -> None:
    desktop = Desktop(WindowArguments("en", "light", "cpu.naive", (1920, 1080)), None, Settings(tmp_path / "settings.ini"))
    zooming = next(each for each in desktop._features if isinstance(each, Zooming))
    larger, smaller, first = (command.run for command in zooming.commands())
    seen = []
    for _ in range(6):
        larger()
        seen.append(zooming.percent)
    assert seen == [*(step for step in STEPS if step > 100), 200]
    assert desktop.settings.text("look/zoom") == "200"
    assert desktop.window.width() < desktop.window._made_look.px(COMPACT_BELOW)
    first()
    assert desktop.window.width() >= desktop.window._made_look.px(COMPACT_BELOW)
    for _ in range(3):
        smaller()
    assert zooming.percent == STEPS[0]
    desktop.window.close()
    desktop.window.deleteLater()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_in_large_type_the_times_beside_a_lesson_have_their_width(qtbot: QtBot, look_restored: None, language: str) -> None:
    desktop = Desktop(WindowArguments(language, "light", "gpu.transpose-shared", (1280, 720), 150), None, Settings(None))
    desktop.start()
    feature(desktop, LessonsFeature).toggle()
    desktop.session.show_workspace(Workspace.TIMING)
    for _ in range(5):
        desktop.process_events()
    assert desktop.window._stack is not None
    assert desktop.window._ladder.isHidden()
    page = desktop.window._stack.currentWidget()
    areas = [each for each in page.findChildren(QScrollArea) if each.isVisible()] if page is not None else []
    assert areas
    assert all(inner.minimumSizeHint().width() <= each.viewport().width() for each in areas if (inner := each.widget()) is not None)
    desktop.window.close()
    desktop.window.deleteLater()


def test_panels_are_built_without_the_style_sheet_and_styled_by_the_one_of_their_look(
    qtbot: QtBot, qapp: QApplication, look_restored: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one on, Qt styles each panel anew whenever it is put into another: a change took three times as long."""
    built, sheets = MainWindow._build, []

    def noted(window: MainWindow, look: Look) -> None:
        sheets.append(qapp.styleSheet())
        built(window, look)
        sheets.append(qapp.styleSheet())

    monkeypatch.setattr(MainWindow, "_build", noted)
    desktop = Desktop(WindowArguments("en", "light", "cpu.naive", (1280, 720)), None, Settings(tmp_path / "settings.ini"))
    looks = partial(desktop.choose_language, "zh_CN"), partial(desktop.choose_theme, "dark"), partial(desktop.choose_zoom, 150)
    for change in (*looks, desktop.window._rebuild):
        change()
        assert qapp.styleSheet() == style_sheet(desktop.window._made_look.theme)
    assert sheets == [""] * 10
    desktop.window.close()
    desktop.window.deleteLater()


def test_what_has_no_font_of_its_own_follows_the_zoom_back(qtbot: QtBot) -> None:
    """A window in sight kept the font before, and the settings were as wide as a button in it: their numbers were cut to other ones."""
    desktop = Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(None))
    desktop.start()
    desktop.process_events()
    for percent in (150, 100):
        desktop.choose_zoom(percent)
        desktop.process_events()
        imports = desktop.window._stage.inspector.content.predictions.imports
        assert imports.font().pixelSize() == theme("light", percent / 100).font("body").pixelSize()
    desktop.window.close()
    desktop.window.deleteLater()


@pytest.mark.parametrize("zoom", [120, 150, 200])
def test_in_large_type_the_steps_own_view_stays_beside_the_matrices(qtbot: QtBot, look_restored: None, tmp_path: Path, zoom: int) -> None:
    """The rungs give way on the stage, and beside lessons the source; a picture is enlarged no further than there is room."""
    desktop = Desktop(WindowArguments("en", "light", "cpu.blocked", (1280, 720), zoom), None, Settings(tmp_path / "settings.ini"))
    window = desktop.window
    for _ in while_open(desktop, qtbot):
        assert window._stage.stage.cpu.shown == (CpuView.MATRICES, CpuView.CACHE)
        assert window._ladder.isHidden() == (zoom >= 150)
        desktop.session.show_workspace(Workspace.TIMING)
        assert not window._ladder.isHidden(), "rungs to be measured are ticked there"
        desktop.session.show_workspace(Workspace.STAGE)
        feature(desktop, LessonsFeature).toggle()
        qtbot.waitUntil(lambda: window._stage.stage.cpu.shown == (CpuView.MATRICES, CpuView.CACHE))
        assert window._stage.reading.isHidden() == (zoom >= 150)


def test_the_number_of_the_step_is_whole_as_soon_as_the_window_is_enlarged(qtbot: QtBot, look_restored: None) -> None:
    """At 200 % it was "Step 1 of 15 5…" of 15 561, until another page was shown and left."""
    for desktop in while_open(Desktop(WindowArguments("en", "light", "cpu.blocked", (1280, 720)), None, Settings(None)), qtbot):
        for percent in (150, 200):
            desktop.choose_zoom(percent)
            qtbot.wait(400)  # it is laid out once more when what was there before is gone
        step = next(each._step for each in desktop.window.findChildren(TimelineBar) if each.isVisible())
        assert step.text() == "Step 1 of 15\u202f561"
        assert step.width() >= step.needed
