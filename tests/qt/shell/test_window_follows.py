"""The window follows what is chosen: other rungs, other counts, other sizes, and what goes on elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from gettext import NullTranslations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import missing_catalogue
from app.core.base.job_queues import JobState
from app.core.base.picture_parts import Counters
from app.core.session.session import Workspace
from app.core.stage.model import Picture
from app.core.stage.studies import CacheStudy
from app.core.timing.use_timer import UseProgress
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.inspector.panel import InspectorPanel
from app.qt.ladder.group_heading import GroupBox
from app.qt.ladder.rung_button import RungButton
from app.qt.ladder.rung_groups import RungGroups
from app.qt.ladder.rung_list import LadderPanel
from app.qt.shell.application import Desktop
from app.qt.shell.running import LOADED_LATER, load_rest_later
from app.qt.shell.status_panel import StatusPanel
from app.qt.widgets.fields import NumberField
from app.qt.widgets.labels import ElidedLabel
from kernels.base.messages import message
from kernels.base.spec import Device, Operation
from kernels.catalogue import catalogue
from kernels.gpu.detect import GpuDetection, status_of
from tests.qt.open_window import while_open


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(None)), qtbot)


def _status(desktop: Desktop) -> list[str]:
    panel = desktop.window.findChild(StatusPanel)
    assert panel is not None
    return [label.text() for label in panel.findChildren(QLabel)]


def _rung_boxes(ladder: LadderPanel) -> list[QCheckBox]:
    listed = next(groups for groups in ladder.findChildren(RungGroups) if groups.isVisible())
    return [box for box in listed.findChildren(QCheckBox) if not isinstance(box, GroupBox)]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_without_a_gpu_it_is_said_whole_that_only_timing_needs_one(desktop: Desktop, qtbot: QtBot, language: str) -> None:
    qtbot.waitUntil(lambda: desktop.workbench.settled, timeout=20_000)
    desktop.choose_language(language)
    devices = desktop.workbench.devices
    devices.value = {**devices.value, Device.GPU: status_of(GpuDetection(system="linux"))}
    QTest.qWait(20)
    panel = desktop.window.findChild(StatusPanel)
    assert panel is not None
    (told,) = (each for each in panel.findChildren(ElidedLabel) if each.text().startswith("GPU"))
    assert ("Only timing needs a GPU" if language == "en" else "只有计时需要 GPU") in told.text()
    assert QFontMetricsF(told.font()).horizontalAdvance(told.text()) <= told.width()


def test_a_language_whose_catalogue_was_not_compiled_is_said_at_the_start_and_when_it_is_chosen(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.base.i18n.load_catalogue", lambda _language: NullTranslations())
    desktop.choose_language("en")
    assert not [text for text in _status(desktop) if "compile" in text]
    desktop.choose_language("zh_CN")
    said = str(missing_catalogue("zh_CN"))
    assert said in _status(desktop)
    again = Desktop(WindowArguments("zh_CN", "light", None, (1280, 720)), None, Settings(None))
    assert said in _status(again)
    again.window.close()
    again.window.deleteLater()


def test_another_operation_brings_its_own_rungs(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.choose_operation(Operation.TRANSPOSE)
    ladder = desktop.window.findChild(LadderPanel)
    assert ladder is not None
    rungs = {rung.text(): rung.isChecked() for rung in ladder.findChildren(RungButton) if rung.isVisible()}
    shown = desktop.session.stage.value.variant
    assert len(rungs) == len(catalogue.of(Operation.TRANSPOSE))
    assert rungs == {variant.title.template: variant is shown for variant in catalogue.of(Operation.TRANSPOSE)}
    assert _rung_boxes(ladder) == []
    desktop.session.show_workspace(Workspace.TIMING)
    boxes = _rung_boxes(ladder)
    assert [box.isChecked() for box in boxes] == [v.id in desktop.session.timing.value.ticked for v in catalogue.of(Operation.TRANSPOSE)]


def test_boxes_are_made_anew_with_the_rungs(desktop: Desktop) -> None:
    ladder = desktop.window.findChild(LadderPanel)
    assert ladder is not None
    for operation in (Operation.MATMUL, Operation.TRANSPOSE):
        desktop.session.show_workspace(Workspace.STAGE)
        desktop.session.choose_operation(operation)
        QTest.qWait(1)  # those of before are gone
        desktop.session.choose_variant(catalogue.of(operation)[1])
        desktop.session.show_workspace(Workspace.TIMING)
        assert sum(box.isVisible() for box in _rung_boxes(ladder)) == len(catalogue.of(operation))


def test_the_counts_are_those_of_the_trace_in_sight(desktop: Desktop, qtbot: QtBot) -> None:
    for operation in (Operation.TRANSPOSE, Operation.MATMUL):
        desktop.session.choose_operation(operation)
        qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
        picture = desktop.workbench.stage.picture.value
        assert isinstance(picture, Picture)
        counted = Counters(picture.index.trace).at(picture.frame.step)
        assert desktop.workbench.counters.value[: len(counted)] == counted  # the caches' come behind them when they are known


def test_panes_keep_their_width_while_the_stage_plays(desktop: Desktop, qtbot: QtBot) -> None:
    split = desktop.window.findChild(QSplitter)
    assert split is not None
    timeline = desktop.workbench.stage.timeline
    widths = set()
    for part in range(40):
        timeline.scrub(timeline.extent.value.steps * part / 40)
        qtbot.wait(1)
        widths.add(tuple(split.sizes()))
    assert len(widths) == 1


def test_fields_of_another_rung_take_the_place_of_the_old_ones_in_sight_and_when_they_come_into_it(desktop: Desktop, qtbot: QtBot) -> None:
    inspector = desktop.window.findChild(InspectorPanel)
    assert inspector is not None

    def fields() -> int:
        return len([field for field in inspector.findChildren(NumberField) if field.isVisibleTo(inspector)])

    desktop.session.choose_variant(catalogue.by_id("cpu.naive"))
    if not inspector.isVisible():
        QTest.keyClick(desktop.window, Qt.Key.Key_I)
    qtbot.waitUntil(lambda: inspector.isVisible() and fields() == 3)
    desktop.session.choose_variant(catalogue.by_id("cpu.blocked"))
    qtbot.waitUntil(lambda: fields() == 4)


def _press(desktop: Desktop, key: Qt.Key, *, shift: bool = False) -> LadderPanel:
    """Press it with Ctrl; returns the ladder that is there then."""
    held = Qt.KeyboardModifier.ControlModifier | (Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier)
    QTest.keyClick(desktop.window, key, held)
    desktop.process_events()
    return desktop.window._ladder


def test_the_ladder_is_hidden_until_it_is_asked_for_again(desktop: Desktop) -> None:
    hidden, ladder = "The ladder is hidden. Ctrl+B shows it.", desktop.window._ladder
    width = ladder.width()
    ladder.shown_rung.setFocus()  # type: ignore[union-attr]
    assert _press(desktop, Qt.Key.Key_B).isHidden()
    assert hidden in _status(desktop)
    assert desktop.window._stage.stage.hasFocus(), "what had the focus is gone"
    for workspace in (Workspace.TIMING, Workspace.STAGE):
        desktop.session.show_workspace(workspace)
        assert desktop.window._ladder.isHidden()
    assert (_press(desktop, Qt.Key.Key_B).isHidden(), desktop.window._ladder.width()) == (False, width)
    assert hidden not in _status(desktop)


def test_the_ladder_is_widened_and_narrowed(desktop: Desktop) -> None:
    narrow = desktop.window._ladder.width()
    _press(desktop, Qt.Key.Key_B)
    assert not _press(desktop, Qt.Key.Key_B, shift=True).isHidden(), "who wants it wide wants to see it"
    assert _press(desktop, Qt.Key.Key_B, shift=True).width() > narrow
    assert _press(desktop, Qt.Key.Key_B, shift=True).width() == narrow


def test_rungs_can_be_ticked_in_the_narrow_window_too(desktop: Desktop) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    ladder = desktop.window.findChild(LadderPanel)
    assert ladder is not None
    boxes = _rung_boxes(ladder)
    assert len(boxes) == len(catalogue.of(Operation.MATMUL))
    assert all(box.isVisible() for box in boxes)
    edges = [box.mapTo(ladder, edge).x() for box in boxes for edge in (box.rect().topLeft(), box.rect().topRight())]
    assert 0 <= min(edges) < max(edges) < ladder.width()


def test_measuring_is_told_of_beside_the_stage(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.timing.value = replace(desktop.session.timing.value, sizes=(256, 512, 1024), ticked=frozenset({"cpu.numpy"}))
    desktop.workbench.measure()
    qtbot.waitUntil(lambda: any(text.startswith("Measuring: ") and "of 3 points" in text for text in _status(desktop)), timeout=30_000)
    qtbot.waitUntil(lambda: "Done: 3 of 3 points." in _status(desktop), timeout=30_000)
    desktop.session.timing.value = replace(desktop.session.timing.value, sizes=(256,))
    qtbot.waitUntil(lambda: desktop.workbench.timing.progress.value is not None and not desktop.workbench.timing.progress.value.queues)
    assert "Done: 3 of 3 points." not in _status(desktop), "it is about another choice"


def test_measuring_nothing_says_what_is_missing(desktop: Desktop) -> None:
    desktop.session.timing.value = replace(desktop.session.timing.value, ticked=frozenset())
    desktop.workbench.measure()
    assert "Tick rungs in the ladder to measure them." in _status(desktop)


def test_an_export_that_fails_returns_its_reason(desktop: Desktop, tmp_path: Path) -> None:
    reason = desktop.workbench.export(tmp_path / "missing" / "points.csv")
    assert reason is not None
    assert "could not be written" in str(reason)
    assert desktop.workbench.export(tmp_path / "points.csv") is None


def test_a_number_that_is_refused_takes_back_what_its_first_digits_did(desktop: Desktop, qtbot: QtBot) -> None:
    inspector = desktop.window.findChild(InspectorPanel)
    assert inspector is not None
    edit = inspector.parameters["tile"].field.edit
    desktop.window.activateWindow()
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    edit.selectAll()
    QTest.keyClicks(edit, "99999")
    assert desktop.session.stage.value.parameters["tile"] == 8
    edit.selectAll()
    QTest.keyClicks(edit, "16")
    assert desktop.session.stage.value.parameters["tile"] == 16


def test_a_stage_out_of_sight_stands_still(desktop: Desktop, qtbot: QtBot) -> None:
    timeline = desktop.workbench.stage.timeline
    timeline.play()
    desktop.session.show_workspace(Workspace.TIMING)
    assert not timeline.playing.value
    qtbot.keyClick(desktop.window, Qt.Key.Key_Space)
    assert not timeline.playing.value


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_edge_of_a_box_to_tick_can_be_seen(desktop: Desktop, qtbot: QtBot, name: str) -> None:
    desktop.choose_theme(name)
    desktop.session.show_workspace(Workspace.TIMING)
    ladders = desktop.window.findChildren(LadderPanel)
    qtbot.waitUntil(lambda: ladders[-1].isVisible())
    box = next(box for box in ladders[-1].findChildren(QCheckBox) if not box.isChecked())
    picture = box.grab().toImage()
    shades = [picture.pixelColor(x, picture.height() // 2).lightnessF() for x in range(picture.width())]
    assert max(shades) - min(shades) > 0.25


def test_card_and_counters_count_the_same(desktop: Desktop) -> None:
    desktop.workbench.stage.timeline.scrub(500)
    picture = desktop.workbench.stage.picture.value
    assert isinstance(picture, Picture)
    rows = desktop.workbench.counters.value
    assert picture.frame.reads == sum(row.so_far for row in rows if str(row.title).startswith("Reads"))
    assert picture.frame.writes == sum(row.so_far for row in rows if str(row.title).startswith("Writes"))


@pytest.mark.parametrize("workspace", Workspace)
def test_all_that_takes_the_focus_has_a_name(desktop: Desktop, qtbot: QtBot, workspace: Workspace) -> None:
    desktop.session.show_workspace(workspace)
    qtbot.wait(20)
    nameless = [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in desktop.window.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not widget.accessibleName() and not (isinstance(widget, QAbstractButton) and widget.text())
    ]
    assert nameless == []


def test_the_status_bar_tells_how_far_one_use_of_the_gpu_is(desktop: Desktop) -> None:
    uses = desktop.workbench.uses
    uses.progress.value = UseProgress(8, 3, state=JobState.RUNNING)
    assert "One use of the GPU: 3 of 8 points, cancelling" in _status(desktop)
    uses.progress.value = UseProgress(8, 3, state=JobState.FAILED, failure=message("The GPU was not done."))
    assert "One use of the GPU: The GPU was not done." in _status(desktop)


def test_the_charts_are_loaded_once_the_stage_shows_something_however_much_is_still_to_be_found_out(
    desktop: Desktop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = list[str]()
    monkeypatch.setattr("app.qt.shell.running.import_module", loaded.append)
    monkeypatch.setattr(CacheStudy, "settled", property(lambda _: False))
    load_rest_later(desktop)
    qtbot.waitUntil(lambda: loaded == list(LOADED_LATER), timeout=20_000)


def test_a_key_for_matrix_instructions_says_that_there_are_none(desktop: Desktop) -> None:
    QTest.keyClick(desktop.window, Qt.Key.Key_M)
    assert "What is shown executes no matrix instruction." in _status(desktop)


def test_that_there_is_no_matrix_instruction_is_said_no_more_of_another_rung(desktop: Desktop, qtbot: QtBot) -> None:
    """The sentence stayed for minutes, also below the fragments of a rung that was chosen after it."""
    QTest.keyClick(desktop.window, Qt.Key.Key_M)
    shown = desktop.workbench.stage.shown.value
    desktop.session.choose_variant(catalogue.by_id("gpu.naive"))
    qtbot.waitUntil(lambda: desktop.workbench.stage.shown.value not in (None, shown), timeout=20_000)
    assert "What is shown executes no matrix instruction." not in _status(desktop)
