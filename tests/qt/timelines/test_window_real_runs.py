"""Real runs in the whole window: choosing a rung on ranks shows its run; closing in the middle of one ends it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.stage.timeline_bar import TimelineBar
from app.qt.timelines.runs_stage import RunSwitch, TimelinesStage
from app.qt.widgets.text_table import TextTable
from kernels.catalogue import catalogue
from tests.devices.mpi_ranks import needs_mpi

RUNGS = {variant.id: variant for variant in catalogue.VARIANTS}
PATIENCE_MS = 30_000


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    opened = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(None))
    opened.workbench.real_runs.choose_size(64)
    opened.start()
    qtbot.waitUntil(lambda: opened.workbench.stage_ready, timeout=PATIENCE_MS)
    yield opened
    opened.window.close()
    opened.window.deleteLater()


def stage(desktop: Desktop) -> TimelinesStage:
    return desktop.window.findChildren(TimelinesStage)[0]


@needs_mpi
def test_a_rung_on_ranks_shows_its_run_and_its_messages_as_a_table(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.choose_variant(RUNGS["mpi.rows"])
    assert stage(desktop).isVisible()
    assert not desktop.window.findChildren(TimelineBar)[0].isVisible()
    assert desktop.workbench.real_runs.choose_size(48) is None
    qtbot.waitUntil(lambda: len(stage(desktop).ranks.charts) == 1, timeout=PATIENCE_MS)
    chart = stage(desktop).ranks.charts[0]
    assert (chart.rows, chart.recording.point.problem.n) == (2, 48)
    assert chart.timeline.received_bytes.tolist() == list(chart.expected.received)
    qtbot.keyClick(desktop.window, Qt.Key.Key_F8)
    table = desktop.window.findChildren(TextTable)[0]
    qtbot.waitUntil(table.isVisible, timeout=PATIENCE_MS)
    assert table.model().rowCount() == len(chart.timeline.messages.bytes)
    desktop.session.choose_variant(RUNGS["cpu.blocked"])
    assert not stage(desktop).isVisible()
    assert desktop.window.findChildren(TimelineBar)[0].isVisible()


@needs_mpi
def test_closing_while_ranks_are_started_leaves_nothing(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.choose_variant(RUNGS["mpi.rows"])
    runs = desktop.workbench.real_runs
    runs.again()
    qtbot.waitUntil(lambda: runs.status.value is not None, timeout=PATIENCE_MS)
    desktop.window.close()


def test_threads_have_a_switch_between_animation_and_real_run(desktop: Desktop, qtbot: QtBot) -> None:
    switch = desktop.window.findChildren(RunSwitch)[0]
    assert not switch.isVisible()
    desktop.session.choose_variant(RUNGS["cpu.parallel"])
    assert switch.isVisible()
    assert not stage(desktop).isVisible()
    switch.click()
    assert stage(desktop).isVisible()
    switch.click()
    assert not stage(desktop).isVisible()
