"""Real runs before a hall: drawn large like any view, and where there is none the reason in words, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.job_queues import JobState
from app.core.lesson_metrics.metric import Source
from app.core.session.session import Session
from app.core.timelines.recorder import RecordingProgress
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.presenter.parts import RunsPart
from app.qt.presenter.window import Outside, PresenterWindow
from app.qt.timelines.ranks_timeline import RanksTimeline
from app.qt.timelines.threads_gantt import ThreadsGantt
from app.qt.widgets.answer_first import ANSWER_FIRST
from kernels.base.messages import message
from kernels.catalogue.catalogue import by_id
from kernels.measure.real_run import RunTimeline
from tests.devices.team_runs import two_loops
from tests.running_workbench import while_running

NOWHERE = Outside(lambda: None, lambda: None, None, lambda: 0.0)


@pytest.fixture
def workbench(qapp: QApplication) -> Iterator[Workbench]:
    yield from while_running(Session("cpu.parallel"))


def presented(qtbot: QtBot, workbench: Workbench) -> PresenterWindow:
    window = PresenterWindow(workbench, NOWHERE, Look(theme("light"), Translator("en")))
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    window.refresh()
    return window


def part_of(window: PresenterWindow) -> RunsPart:
    (part,) = window.surface.sheet.drawing.parts
    assert isinstance(part, RunsPart)
    return part


def run_of(workbench: Workbench) -> RunTimeline:
    """What was asked for, as if it had run."""
    wanted = workbench.real_runs.wanted
    assert wanted is not None
    return RunTimeline(wanted, two_loops(3), (10.0,) * 5, 0.0, 1.0, {})


def test_a_real_run_is_drawn_and_magnified_like_a_view(qtbot: QtBot, workbench: Workbench) -> None:
    window, runs = presented(qtbot, workbench), workbench.real_runs
    runs.show(64)
    part = part_of(window)
    assert isinstance(part.widget, ThreadsGantt)
    empty = window.surface.sheet.drawing.grab().toImage()
    runs.kept.value = (run_of(workbench),)
    assert len(part.widget.charts) == 1
    assert window.surface.sheet.drawing.magnified > 1.5
    assert window.surface.sheet.drawing.grab().toImage() != empty
    assert window.slide.headline == str(ThreadsGantt.headline)
    runs.show(0)
    assert not any(isinstance(each, RunsPart) for each in window.surface.sheet.drawing.parts)


def test_the_run_of_other_settings_is_not_shown_in_place_of_the_one_that_is_being_made(qtbot: QtBot, workbench: Workbench) -> None:
    window, runs = presented(qtbot, workbench), workbench.real_runs
    runs.show(64)
    runs.kept.value = (run_of(workbench),)
    runs.show(128)
    window.refresh()
    assert part_of(window).widget.charts == ()  # type: ignore[attr-defined]


def test_where_no_ranks_can_run_the_reason_is_said_once(qtbot: QtBot, workbench: Workbench) -> None:
    rows = by_id("mpi.rows")
    workbench.session.choose_variant(rows)
    window, runs = presented(qtbot, workbench), workbench.real_runs
    widget = part_of(window).widget
    assert isinstance(widget, RanksTimeline)
    wanted, reason = runs.wanted, message("There is no MPI on this machine.")
    assert wanted is not None
    silent = window.surface.sheet.drawing.grab().toImage()
    runs.status.value = RecordingProgress(wanted, state=JobState.FAILED, failure=reason)
    assert widget._said == reason
    assert window.surface.sheet.drawing.grab().toImage() != silent
    assert window.surface.sheet.drawing._notice is None
    assert str(reason) not in window.slide.headline


def test_a_run_that_would_tell_what_is_asked_waits_for_the_answer(qtbot: QtBot, workbench: Workbench) -> None:
    window, runs = presented(qtbot, workbench), workbench.real_runs
    runs.show(64)
    runs.kept.value = (run_of(workbench),)
    widget = part_of(window).widget
    assert isinstance(widget, ThreadsGantt)
    workbench.stage.asking.value = frozenset({Source.SETTING})
    window.refresh()
    assert (widget.charts, widget._said) == ((), ANSWER_FIRST)
    workbench.stage.asking.value = frozenset()
    window.refresh()
    assert len(widget.charts) == 1
