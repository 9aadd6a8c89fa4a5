"""While a question of a lesson is open, no panel tells what is asked; with the answer all of them tell it again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.core.lesson_metrics.metric import Source
from app.core.lessons.library import named
from app.core.results.quantities import Share
from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.ladder.rung_button import RungButton
from app.qt.shell.application import Desktop
from app.qt.shell.key_answers import FINDINGS_WAIT
from app.qt.shell.timing_workspace import TimingWorkspace
from app.qt.widgets.answer_first import ANSWER_FIRST
from kernels.base.messages import Message
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Filled
from tests.launches.launch_records import record_of
from tests.qt.open_window import while_open

RACE = """__global__ void race(float* out)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""
NOBODY: frozenset[Source] = frozenset()


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.transpose-shared", (1920, 1080)), None, Settings(None)), qtbot)


def ask(desktop: Desktop, *sources: Source) -> None:
    desktop.workbench.stage.asking.value = frozenset(sources)
    desktop.process_events()


def notes(desktop: Desktop) -> int:
    """How often a reader is told to answer first."""
    return len([each for each in desktop.window.findChildren(QLabel) if each.text() == str(ANSWER_FIRST) and each.isVisible()])


def test_an_open_question_says_where_its_numbers_come_from(desktop: Desktop) -> None:
    player, asking = desktop.workbench.lesson_controller.player, desktop.workbench.stage.asking
    asked = {"columns": {Source.LAUNCH}, "worth": {Source.LAUNCH, Source.RECORDED}}
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    for number, step in enumerate(lesson.steps):
        if step.name in asked:
            player.open(lesson, number)
            assert asking.value == asked[step.name]
            player.reveal()
            assert asking.value == NOBODY
    player.open(lesson, 1)
    player.close()
    assert asking.value == NOBODY


def test_what_a_profiler_counted_and_what_only_the_file_knows_hide_more(desktop: Desktop) -> None:
    player, asking = desktop.workbench.lesson_controller.player, desktop.workbench.stage.asking
    for name, step_name, wanted in (
        ("work-per-thread", "registers", {Source.RECORDED, Source.LAUNCH, Source.SETTING}),
        ("cache-blocking", "too-large", set(Source)),
    ):
        lesson = named(name)
        assert not isinstance(lesson, Message)
        number = next(place for place, step in enumerate(lesson.steps) if step.name == step_name)
        player.open(lesson, number)
        assert asking.value == wanted
    player.close()


def test_the_inspector_covers_the_sections_that_would_tell_and_no_others(desktop: Desktop, qtbot: QtBot) -> None:
    inspector = desktop.window._stage.inspector.content
    chart = inspector._chart
    assert chart is not None
    told: list[QWidget] = [inspector.counters, inspector.predictions, inspector.roofline, chart]
    qtbot.waitUntil(lambda: all(part.isVisible() for part in (*told, inspector.occupancy)), timeout=20_000)
    ask(desktop, Source.LAUNCH)
    assert not any(part.isVisible() for part in told)
    assert inspector.occupancy.isVisible()
    assert notes(desktop) == 1
    desktop.workbench.stage.timeline.scrub(5)  # a section that wants itself shown again stays covered
    desktop.process_events()
    assert not inspector.counters.isVisible()
    ask(desktop, Source.SETTING)
    assert inspector.counters.isVisible()
    assert not inspector.occupancy.isVisible()
    ask(desktop)
    assert all(part.isVisible() for part in (*told, inspector.occupancy))
    assert notes(desktop) == 0


def test_the_table_and_the_margins_of_the_source_wait_for_the_answer(desktop: Desktop) -> None:
    table = desktop.window._over.table()
    ask(desktop, Source.LAUNCH)
    table.toggle()
    desktop.process_events()
    assert table.isVisible()
    assert not table.table.isVisible()
    assert notes(desktop) == 2
    assert list(desktop.window._stage.source.view.marks.lines) == []
    ask(desktop)
    assert table.table.isVisible()
    assert list(desktop.window._stage.source.view.marks.lines) != []
    ask(desktop, Source.SETTING)
    assert table.table.isVisible()
    assert list(desktop.window._stage.source.view.marks.lines) != []


@pytest.mark.parametrize("keys", ["F", "Shift+F"])
def test_the_keys_to_findings_wait_for_the_answer(desktop: Desktop, keys: str) -> None:
    """Nor do they say that there is none."""
    bench = desktop.workbench
    bench.stage.shown.value = record_of(RACE, 64, {"out": Filled(64)})
    for asked in (Source.LAUNCH, Source.SETTING):
        ask(desktop, asked)
        bench.stage.timeline.scrub(0)
        bench.activity.value = None
        QTest.keySequence(desktop.window, QKeySequence(keys))
        waits = asked is Source.LAUNCH
        assert (bench.activity.value == FINDINGS_WAIT) == waits
        assert (bench.stage.timeline.position.value.step > 0 or bench.races.told.value is not None) != waits


def test_the_strip_of_a_comparison_waits_and_the_pictures_stay(desktop: Desktop, qtbot: QtBot) -> None:
    comparison = desktop.workbench.comparison
    comparison.toggle()
    padded = catalogue.by_id("gpu.transpose-padded")
    desktop.session.choose_variant(padded)
    qtbot.waitUntil(lambda: comparison.pair.value is not None, timeout=30_000)
    stage = desktop.window._stage.stage
    assert stage._comparison is not None
    shown = stage._comparison[1]
    ask(desktop, Source.RECORDED)
    assert not shown.strip.isVisible()
    assert shown.left.view.isVisible()
    ask(desktop)
    assert shown.strip.isVisible()


def test_times_are_not_told_while_times_are_asked(desktop: Desktop) -> None:
    desktop.workbench.shares.by_variant.value = {"gpu.transpose-shared": Share(50.0)}
    ask(desktop, Source.RECORDED)
    assert not [each for each in desktop.window.findChildren(RungButton) if each._share is not None]
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    timing = desktop.window.findChild(TimingWorkspace)
    assert timing is not None
    assert not timing.isVisible()
    assert notes(desktop) == 1
    ask(desktop)
    assert timing.isVisible()
    told = desktop.workbench.shares.by_variant.value  # those of the recordings, where they have come meanwhile
    shown = [each._share.percent for each in desktop.window.findChildren(RungButton) if each._share is not None]
    assert sorted(shown) == sorted(share.percent for share in told.values()) != []
