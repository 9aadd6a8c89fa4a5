"""What keys open, where they lead, and what readers of the screen are told of the stage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.session.session import Workspace
from app.core.stage.model import GpuPicture, Picture
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.commands import HINTS, shown_keys
from app.qt.base.refresh import REST_MS
from app.qt.base.settings import Settings
from app.qt.help.panel import HelpPanel
from app.qt.ladder.rung_button import RungButton
from app.qt.shell.application import Desktop
from app.qt.stage.panel import StagePanel
from app.qt.stage.table_panel import TablePanel
from app.qt.stage.timeline_bar import Transport
from app.qt.views.view import StageView
from app.qt.widgets.fields import NumberField
from app.qt.widgets.stop_slider import StopSlider
from app.qt.widgets.stops import stops_of
from kernels.base.messages import message
from kernels.catalogue import catalogue
from kernels.simt.base.types import Space
from tests.qt.open_window import while_open


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments("en", "light", "gpu.transpose-shared", (1920, 1080)), None, Settings(tmp_path / "settings.ini")),
        qtbot,
        active=True,
    )


def press(desktop: Desktop, keys: str) -> None:
    QTest.keySequence(desktop.window, QKeySequence(keys))


def stage(desktop: Desktop) -> StagePanel:
    return desktop.window._stage.stage


def table_of(desktop: Desktop) -> TablePanel:
    return desktop.window._over.table()


def map_of(desktop: Desktop) -> HelpPanel:
    return desktop.window._over.help()


def view(desktop: Desktop, number: int) -> StageView[Any]:
    return stage(desktop).gpu.frames[number - 1].view


def cells(panel: TablePanel) -> list[list[str]]:
    model = panel.table.model()
    return [[str(model.index(row, column).data()) for column in range(model.columnCount())] for row in range(model.rowCount())]


def wanted(desktop: Desktop, shown: StageView[Any]) -> list[list[str]]:
    picture = desktop.workbench.stage.picture.value
    assert isinstance(picture, GpuPicture)
    return [[str(cell) for cell in row] for row in shown.table(picture).rows]


def test_the_view_with_the_focus_is_shown_as_a_table_that_follows_the_step(desktop: Desktop, qtbot: QtBot) -> None:
    shared, timeline = view(desktop, 3), desktop.workbench.stage.timeline
    index = desktop.workbench.stage.shown.value
    assert isinstance(index, LaunchIndex)
    timeline.scrub(int(index.steps_in(Space.SHARED)[0]))
    shared.setFocus()
    press(desktop, "F8")
    panel = table_of(desktop)
    assert panel.isVisible()
    assert panel.table.hasFocus()
    assert cells(panel) == wanted(desktop, shared) != []
    before = cells(panel)
    timeline.play()
    timeline.advance(0.9)
    qtbot.wait(2 * REST_MS)
    assert cells(panel) == before
    timeline.pause()
    qtbot.waitUntil(lambda: cells(panel) == wanted(desktop, shared))
    assert cells(panel) != before
    QTest.keyClick(panel.table, Qt.Key.Key_Escape)
    assert panel.isHidden()
    assert shared.hasFocus()


def test_without_a_view_with_the_focus_the_table_is_of_the_one_that_is_alone_or_the_first(desktop: Desktop) -> None:
    stage(desktop).setFocus()
    press(desktop, "F8")
    assert cells(table_of(desktop)) == wanted(desktop, view(desktop, 1))
    press(desktop, "F8")
    assert table_of(desktop).isHidden()
    desktop.window.show_view(4)
    press(desktop, "F8")
    assert cells(table_of(desktop)) == wanted(desktop, view(desktop, 4))


def test_a_table_is_copied_with_tabs(desktop: Desktop) -> None:
    view(desktop, 4).setFocus()
    press(desktop, "F8")
    panel = table_of(desktop)
    QTest.keySequence(panel.table, QKeySequence("Ctrl+C"))
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == "Lane\tThread\tElement\tOffset in bytes\tSector\t128-byte line"
    assert [line.split("\t") for line in lines[1:]] == cells(panel)
    cell = panel.table.model().index
    panel.table.selectionModel().select(QItemSelection(cell(1, 1), cell(2, 1)), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    QTest.keySequence(panel.table, QKeySequence("Ctrl+C"))
    assert QGuiApplication.clipboard().text() == f"Thread\n{cells(panel)[1][1]}\n{cells(panel)[2][1]}"


def test_a_step_of_a_cpu_kernel_is_a_table_too(desktop: Desktop, qtbot: QtBot) -> None:
    variant = catalogue.by_id("cpu.naive")
    desktop.session.choose_variant(variant)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    desktop.workbench.stage.timeline.scrub(5)
    press(desktop, "F8")
    picture = desktop.workbench.stage.picture.value
    assert isinstance(picture, Picture)
    touched = {(touch.matrix, str(touch.box.row), str(touch.box.column)) for touch in picture.frame.touches if not touch.held}
    assert {(row[0], row[1], row[2]) for row in cells(table_of(desktop))} == touched != set()


def test_the_map_shows_every_key_of_the_menu_of_the_timeline_and_of_the_views(desktop: Desktop) -> None:
    press(desktop, "F1")
    shown = map_of(desktop)
    assert shown.isVisible()
    assert shown.keyboard.isVisible()
    texts = {label.text().replace("\n", " / ") for label in shown.keyboard.findChildren(QLabel)}
    everything = desktop.window._commands.every
    rows = [(each.title, each.keys) for each in everything] + [(hint.title, hint.keys) for hint in HINTS]
    for title, keys in ((title, keys) for title, keys in rows if keys):
        assert {str(title), " / ".join(map(shown_keys, keys))} <= texts
    press(desktop, "F1")
    assert shown.isHidden()


def test_every_command_stands_in_the_menu_and_no_key_is_given_twice(desktop: Desktop) -> None:
    menus = desktop.window.findChildren(QMenu)
    titles = {action.text().partition("\t")[0] for menu in menus for action in menu.actions()}
    everything = desktop.window._commands.every
    assert {str(command.title) for command in everything} <= titles
    keys = [QKeySequence(each).toString() for command in everything for each in command.keys]
    assert sorted(keys) == sorted(set(keys))


def test_views_tell_readers_of_the_screen_what_the_step_does_there(desktop: Desktop, qtbot: QtBot) -> None:
    timeline, index = desktop.workbench.stage.timeline, desktop.workbench.stage.shown.value
    assert isinstance(index, LaunchIndex)
    conflict = next(step for step in range(index.steps) if frame_at(index, step).degree > 1)
    ways = frame_at(index, conflict).degree
    timeline.scrub(conflict + 1.5 / ways)
    qtbot.waitUntil(lambda: view(desktop, 3).accessibleName() == f"Shared memory, {ways}-way conflict, wavefront 2 of {ways}")
    picture = desktop.workbench.stage.picture.value
    assert picture is not None
    assert view(desktop, 3).accessibleDescription() == str(picture.description.sentence)


def test_what_comes_into_sight_by_a_key_is_told_to_readers_of_the_screen_at_once(desktop: Desktop, qtbot: QtBot) -> None:
    timeline = desktop.workbench.stage.timeline
    timeline.scrub(100)
    qtbot.waitUntil(lambda: bool(view(desktop, 1).accessibleDescription()))
    press(desktop, "5")
    picture = desktop.workbench.stage.picture.value
    assert picture is not None
    assert view(desktop, 5).accessibleDescription() == str(picture.description.sentence)
    timeline.scrub(101)
    qtbot.waitUntil(lambda: desktop.workbench.stage.told.value is desktop.workbench.stage.picture.value)
    press(desktop, "0")
    picture = desktop.workbench.stage.picture.value
    assert picture is not None
    assert {frame.view.accessibleDescription() for frame in stage(desktop).frames} == {str(picture.description.sentence)}


def test_a_view_that_a_cpu_kernel_has_not_is_refused(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.choose_variant(catalogue.by_id("cpu.transpose-blocked"))
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    press(desktop, "7")
    assert str(desktop.workbench.activity.value) == "A CPU kernel has the views 1 to 4."
    assert desktop.workbench.stage.alone.value == 0
    press(desktop, "4")
    assert desktop.workbench.stage.alone.value == 4


def test_the_focus_and_half_typed_text_outlast_another_look(desktop: Desktop) -> None:
    edit = desktop.window._stage.inspector.parameters["tile"].field.edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "abc")
    desktop.choose_language("zh_CN")
    fresh = desktop.window._stage.inspector.parameters["tile"].field.edit
    assert QApplication.focusWidget() is fresh
    assert fresh is not edit
    assert fresh.text() == "abc"
    assert "abc" in fresh.accessibleDescription()


@pytest.mark.parametrize("size", [(1280, 720)])
def test_the_focus_stays_where_it_was_in_another_size(desktop: Desktop, qtbot: QtBot, size: tuple[int, int]) -> None:
    def forward() -> QWidget:
        transport = desktop.window._stage.findChild(Transport)
        assert transport is not None
        return transport.forward

    before = forward()
    before.setFocus()
    desktop.window.resize(*size)
    qtbot.waitUntil(lambda: forward() is not before)
    assert QApplication.focusWidget() is forward()
    view(desktop, 1).setFocus()
    desktop.choose_theme("dark")
    assert QApplication.focusWidget() is view(desktop, 1)


def test_reduced_motion_is_remembered_and_lets_nothing_travel(desktop: Desktop, qtbot: QtBot) -> None:
    model = desktop.workbench.stage
    reduced = next(
        action for menu in desktop.window.findChildren(QMenu) for action in menu.actions() if action.text().startswith("Reduced")
    )
    reduced.trigger()
    assert model.still.value
    assert desktop.settings.text("look/motion") == "reduced"
    seen = set()
    model.timeline.play()
    for _ in range(40):
        model.timeline.advance(0.1)
        assert model.picture.value is not None
        seen.add(model.picture.value.frame.fraction)
    assert seen == {0.0, 1.0}
    desktop.choose_motion("full")
    assert not model.still.value


def test_with_reduced_motion_the_first_start_rests(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.save_text("look/motion", "reduced")
    opened = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, settings)
    opened.start()
    opened.welcome()
    qtbot.waitUntil(lambda: opened.workbench.stage_ready, timeout=20_000)
    qtbot.wait(100)
    assert not opened.workbench.stage.timeline.playing.value
    opened.window.close()
    opened.window.deleteLater()


def find(desktop: Desktop, typed: str) -> None:
    """Go to the first thing that the palette finds."""
    press(desktop, "Ctrl+K")
    field = desktop.window._over.palette().field
    field.setText(typed)
    QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.mark.parametrize("rung", ["gpu.naive", "cpu.naive"])
def test_a_rung_that_is_found_from_the_bar_or_the_stage_leaves_the_focus_to_the_views(desktop: Desktop, qtbot: QtBot, rung: str) -> None:
    for before in (desktop.window._bar.menu, stage(desktop)):
        find(desktop, "gpu.tiled")
        before.setFocus()
        find(desktop, rung)
        assert isinstance(QApplication.focusWidget(), StageView)
        qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
        desktop.process_events()
        focused = QApplication.focusWidget()
        assert isinstance(focused, StageView)
        QTest.keyClick(focused, Qt.Key.Key_Space)
        assert desktop.workbench.stage.timeline.playing.value
        desktop.workbench.stage.timeline.pause()


def test_a_field_that_goes_with_its_rung_leaves_the_focus_to_the_views(desktop: Desktop, qtbot: QtBot) -> None:
    find(desktop, "gpu.tiled")
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    desktop.window._go_to_setting("tile")
    find(desktop, "gpu.naive")
    assert desktop.session.stage.value.variant.id == "gpu.naive"
    assert isinstance(QApplication.focusWidget(), StageView)


def test_a_text_that_is_left_leaves_the_focus_to_the_views(desktop: Desktop, qtbot: QtBot) -> None:
    press(desktop, "Ctrl+E")
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    desktop.window._stage.source.view.setFocus()
    find(desktop, "gpu.naive")
    assert isinstance(QApplication.focusWidget(), StageView)


def test_a_panel_that_is_closed_leaves_the_focus_where_it_can_be_seen(desktop: Desktop) -> None:
    press(desktop, "Ctrl+L")
    desktop.process_events()
    panel = QApplication.focusWidget()
    press(desktop, "Ctrl+L")
    desktop.process_events()
    focused = QApplication.focusWidget()
    assert focused is not panel
    assert isinstance(focused, RungButton)


def test_beside_the_times_no_table_opens_out_of_sight(desktop: Desktop) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    before = QApplication.focusWidget()
    press(desktop, "F8")
    assert table_of(desktop).isHidden()
    assert QApplication.focusWidget() is before
    assert str(desktop.workbench.activity.value) == "Only views of the stage can be shown as a table."


def test_a_key_that_does_nothing_is_answered_for_a_while(desktop: Desktop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.qt.shell.key_answers.ANSWER_MS", 50)
    find(desktop, "gpu.tiled")  # it has no conflicts
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    press(desktop, "F")
    assert str(desktop.workbench.activity.value) == "No step has a finding."
    qtbot.waitUntil(lambda: desktop.workbench.activity.value is None)
    press(desktop, "F")
    desktop.workbench.tell(message("Something else."))
    qtbot.wait(100)
    assert str(desktop.workbench.activity.value) == "Something else."


def test_the_line_of_a_conflict_comes_to_sight_also_where_it_is_the_one_before(desktop: Desktop) -> None:
    source, timeline = desktop.window._stage.source.view, desktop.workbench.stage.timeline
    index = desktop.workbench.stage.shown.value
    assert isinstance(index, LaunchIndex)
    stage(desktop).setFocus()
    timeline.scrub(int(index.conflicts[0]))
    desktop.process_events()
    bar, line = source.verticalScrollBar(), source._line
    desktop.window.resize(1920, 500)
    desktop.process_events()
    bar.setValue(bar.minimum())
    assert line not in [number for number, _, _ in source.visible_lines()]
    press(desktop, "C")
    desktop.process_events()
    assert source._line == line
    assert line in [number for number, _, _ in source.visible_lines()]


def test_conflicts_are_gone_to_one_after_the_other(desktop: Desktop) -> None:
    index, timeline = desktop.workbench.stage.shown.value, desktop.workbench.stage.timeline
    assert isinstance(index, LaunchIndex)
    steps = [step for step in range(index.steps) if frame_at(index, step).degree > 1]
    timeline.to_start()
    reached = []
    for _ in (*steps, steps[0]):
        press(desktop, "C")
        reached.append(timeline.position.value.step)
    assert reached == [*steps, steps[0]]


def test_where_there_are_conflicts_the_key_of_findings_says_how_to_get_to_them(desktop: Desktop, qtbot: QtBot) -> None:
    press(desktop, "F")
    assert str(desktop.workbench.activity.value) == "No step has a finding. Bank conflicts are none: C goes to the next."
    find(desktop, "gpu.tiled")
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    press(desktop, "F")
    assert str(desktop.workbench.activity.value) == "No step has a finding."
    press(desktop, "C")
    assert str(desktop.workbench.activity.value) == "No step has a bank conflict."


def test_the_key_of_the_settings_leads_to_the_first_of_them(desktop: Desktop) -> None:
    settings = desktop.window._stage.settings
    settings.setChecked(False)
    press(desktop, "I")
    focused = QApplication.focusWidget()
    assert focused is stops_of(desktop.window._stage.inspector)[0]
    press(desktop, "I")
    assert QApplication.focusWidget() is settings


def test_an_answer_that_is_given_again_stays_its_whole_time(desktop: Desktop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.qt.shell.key_answers.ANSWER_MS", 600)
    press(desktop, "F")
    qtbot.wait(400)
    press(desktop, "F")
    qtbot.wait(350)
    assert str(desktop.workbench.activity.value).startswith("No step has a finding.")
    qtbot.waitUntil(lambda: desktop.workbench.activity.value is None)


def test_without_the_settings_a_tile_that_cannot_be_is_refused_beside_the_slider_in_sight(desktop: Desktop) -> None:
    if desktop.window._stage.settings.isChecked():
        desktop.window._stage.settings.click()
    desktop.process_events()
    press(desktop, "Alt+Right")
    assert desktop.session.stage.value.parameters["tile"] == 32
    said = [each.text() for each in desktop.window._stage.tile.findChildren(QLabel) if each.isVisible()]
    assert any(text.startswith("✕ ") for text in said), said


@pytest.mark.parametrize("focused", [StopSlider, NumberField])
def test_a_field_of_the_settings_leaves_the_keys_of_the_tile_to_the_window(desktop: Desktop, focused: type[QWidget]) -> None:
    """The area around the settings took them for scrolling."""
    if not desktop.window._stage.settings.isChecked():
        desktop.window._stage.settings.click()
    desktop.process_events()
    field = next(each for each in desktop.window._stage.inspector.findChildren(focused) if each.isVisible())
    control = field.edit if isinstance(field, NumberField) else field
    control.setFocus()
    QTest.keyClick(control, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert desktop.session.stage.value.parameters["tile"] == 16


def test_where_no_slider_for_the_tile_is_in_sight_a_refusal_is_told(desktop: Desktop) -> None:
    if desktop.window._stage.settings.isChecked():
        desktop.window._stage.settings.click()
    desktop.window.show_view(1)
    desktop.process_events()
    if desktop.window._stage.tile.isVisible():
        desktop.window._stage.tile.want(wanted=False)
    press(desktop, "Alt+Right")
    press(desktop, "Alt+Right")
    assert desktop.session.stage.value.parameters["tile"] == 32
    assert desktop.workbench.activity.value is not None
