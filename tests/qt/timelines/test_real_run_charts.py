"""The charts of real runs: they paint what a run was, tell what is under the pointer, zoom, and say how far the next run is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.results.measuring import MeasuringService
from app.core.session.session import Session
from app.core.timelines.model import ExecutionTimelines
from app.core.timelines.recorder import Recorder
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.timelines.blocks import AXIS, LEGEND
from app.qt.timelines.painters import least_height
from app.qt.timelines.ranks_timeline import RanksTimeline
from app.qt.timelines.runs_stage import RunSwitch, TimelinesStage
from app.qt.timelines.threads_gantt import ThreadsGantt
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.real_run import Intervals, Messages, MpiTimeline, RunTimeline
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from tests.devices.team_runs import FakeTeamRunner, chunks_of, two_loops
from tests.screens.text_fits import painted_cut

RUNGS = {variant.id: variant for variant in catalogue.VARIANTS}
PATIENCE_MS = 120_000


def look(name: str = "light", language: str = "en") -> Look:
    return Look(theme(name), Translator(language))


def threads_run(threads: int = 3, elapsed_ms: float = 10.0, chunk: int = 0) -> RunTimeline:
    parameters = RUNGS["cpu.parallel"].defaults | {"threads": threads, "chunk": chunk}
    point = Case("cpu.parallel", Problem.square(Operation.MATMUL, 64), parameters)
    return RunTimeline(point, two_loops(threads, elapsed_ms), (elapsed_ms,) * 5, 0.0, 1.0, {})


def ranks_run(oversubscribed: str = "no") -> RunTimeline:
    """Rank 0 sends 1 MiB to rank 1 between 2 and 6 ms of 10; rank 1 waits, receives and computes."""
    spent = np.array([(0, 2, 0, 6), (0, 0, 6, 10), (1, 1, 0, 2), (1, 2, 2, 6), (1, 0, 6, 10)]).T
    intervals = Intervals(spent[0], spent[1], spent[2] * 1_000_000, spent[3] * 1_000_000, np.array([7, 0, 9, 9, 0]))
    sent = (np.array([value]) for value in (0, 1, 1 << 20, 2_000_000, 6_000_000))
    point = Case("mpi.rows", Problem.square(Operation.MATMUL, 512), {"ranks": 2})
    timeline = MpiTimeline(("here", "here"), (0, 0), intervals, Messages(*sent))
    conditions: dict[str, str | int | float] = {"ranks": 2, "rank_cores": 1, "oversubscribed": oversubscribed}
    return RunTimeline(point, timeline, (10.0,), 0.0, 1.0, conditions)


def gpus_run() -> RunTimeline:
    """Two GPUs multiply from 2 to 10 ms of 10; rank 0 sends to rank 1 from 0 to 2 ms and, meanwhile, from 3 to 5 ms."""
    spent = np.array([(rank, *row) for rank in range(2) for row in ((2, 0, 2, 64), (0, 2, 10, 0))]).T
    beside = np.array([(rank, *row) for rank in range(2) for row in ((2, 0, 2, 64), (2, 3, 5, 64))]).T
    sent = np.array([(0, 1, 1 << 20, 0, 2), (0, 1, 1 << 20, 3, 5)]).T
    ns = np.array([[1], [1], [1_000_000], [1_000_000], [1]])
    point = Case("mpi.gpu-summa", Problem.square(Operation.MATMUL, 512), {"ranks": 2, "panel": 256})
    timeline = MpiTimeline(("here", "here"), (0, 0), Intervals(*spent * ns), Messages(*sent * ns[[0, 1, 1, 2, 2]]), Intervals(*beside * ns))
    return RunTimeline(point, timeline, (10.0,), 0.0, 1.0, {})


def colours(view: ThreadsGantt | RanksTimeline, left: float, top: float, width: float, height: float) -> set[str]:
    """The colours that are drawn in a part of the view."""
    image: QImage = view.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(int(left), int(left + width)) for y in range(int(top), int(top + height))}


@pytest.fixture
def gantt(qtbot: QtBot) -> ThreadsGantt:
    view = ThreadsGantt(look())
    qtbot.addWidget(view)
    view.resize(760, 600)
    return view


@pytest.fixture
def timeline(qtbot: QtBot) -> RanksTimeline:
    view = RanksTimeline(look())
    qtbot.addWidget(view)
    view.resize(760, 600)
    return view


def test_bars_stand_where_the_chunks_were(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run()])
    placement, chunks = gantt.placement, gantt.charts[0].chunks
    block = placement.blocks[0]
    for thread, start, end in zip(chunks.thread.tolist(), chunks.start_ms.tolist(), chunks.end_ms.tolist(), strict=True):
        shades = {shade.name() for shade in theme("light").warps[thread]}
        bar = block.bar(thread)
        assert colours(gantt, placement.x(start) + 1, bar.top() + 1, placement.x(end) - placement.x(start) - 3, 3) <= shades
    idle = block.bar(0)
    assert theme("light").line2.name() in colours(gantt, placement.x(3), idle.top(), 40, idle.height()), "idle time is hatched"


def test_the_barrier_and_the_loops_are_marked(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run()])
    placement, chart = gantt.placement, gantt.charts[0]
    x, area = placement.x(chart.shares.loops[0].end_ms), placement.blocks[0].area
    assert theme("light").ink.name() in colours(gantt, x - 2, area.top() + 2, 4, 4)
    assert [str(chart.loop_title(loop.loop)) for loop in chart.shares.loops] == ["loop over strips", "loop over rows"]


def test_a_chunk_a_pause_and_nothing_are_told_apart(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run()])
    placement, block = gantt.placement, gantt.placement.blocks[0]
    row = block.bar(1).center().y()
    busy, waits = gantt.tip_at(QPointF(placement.x(0.5), row)), gantt.tip_at(QPointF(placement.x(4.5), row))
    assert busy is not None
    assert str(busy).startswith("Thread 1, loop over strips: iterations 4 to 5, 1.51 ms")
    assert waits is not None
    assert "waits at the barrier" in str(waits)
    assert gantt.tip_at(QPointF(placement.x(0.5), 4)) is None


def test_runs_share_one_time_axis(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run(elapsed_ms=5.0), threads_run(elapsed_ms=20.0, chunk=4)])
    assert len(gantt.placement.blocks) == 2
    assert (gantt.span.low, gantt.span.high) == (0.0, 20.0)
    gantt.resize(760, 300)
    assert len(gantt.placement.blocks) == 1, "what has no room is left out, the oldest first"


def test_many_threads_have_low_rows_but_all_of_them(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run(64)])
    block = gantt.placement.blocks[0]
    assert block.bar(63).bottom() <= gantt.height() - 54
    gantt.grab()


def test_wheel_keys_and_double_click_zoom(gantt: ThreadsGantt, qtbot: QtBot) -> None:
    gantt.show_runs([threads_run()])
    gantt.zoom(4.0, at=2.0)
    assert (gantt.span.low, gantt.span.high) == pytest.approx((1.5, 4.0))
    qtbot.keyClick(gantt, Qt.Key.Key_Right)
    assert gantt.span.low == pytest.approx(1.75)
    qtbot.keyClick(gantt, Qt.Key.Key_Minus)
    assert gantt.span.high - gantt.span.low == pytest.approx(3.125)
    gantt.show_runs([threads_run()])
    assert gantt.span.zoomed_in, "another run is seen at the same place"
    qtbot.mouseDClick(gantt, Qt.MouseButton.LeftButton)
    assert not gantt.span.zoomed_in


def test_no_zoom_leaves_the_run(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run()])
    for factor, at in ((0.5, 5.0), (1e9, 0.0), (3.0, 10.0)):
        gantt.zoom(factor, at)
        assert 0 <= gantt.span.low < gantt.span.high <= 10.0


def test_a_run_without_chunks_is_drawn(gantt: ThreadsGantt) -> None:
    run = threads_run()
    gantt.show_runs([RunTimeline(run.point, chunks_of(2, [], 1.0), (1.0,), 0.0, 1.0, {})])
    gantt.grab()
    assert gantt.table().rows == ()


@pytest.mark.parametrize("width", [350, 480, 676, 800, 1200])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_words_of_the_summary_have_room(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, language: str, width: int) -> None:
    view = ThreadsGantt(look(language=language))
    qtbot.addWidget(view)
    view.resize(width, 600)
    view.show_runs([threads_run()])
    assert painted_cut(view) == []
    free, said, draw = view.placement.free, dict[str, QRectF](), QPainter.drawText

    def noted(painter: QPainter, place: QRectF, flags: Any, text: str) -> None:
        said[text] = place
        draw(painter, place, flags, text)

    monkeypatch.setattr(QPainter, "drawText", noted)
    view.redraw()
    view.grab()
    below = {text: place for text, place in said.items() if free.top() < place.top() < free.bottom()}
    assert below
    assert [text for text, place in below.items() if place.right() > view.width()] == []
    keys = [view.look.text(part.title) for part in view.charts[0].parts]
    assert width < 480 or set(keys) <= set(below), "no key is shortened"
    assert not any(one.intersects(other) for one, other in combinations([below[key] for key in keys if key in below], 2))


def test_where_there_is_room_the_run_is_summed_up_below(gantt: ThreadsGantt) -> None:
    gantt.show_runs([threads_run()])
    free = gantt.placement.free
    assert free.height() >= least_height(3)
    shades = {active.name() for _, active in theme("light").warps[:3]}
    assert shades <= colours(gantt, free.left(), free.top(), free.width(), free.height()), "a bar for each thread"
    gantt.resize(760, 240)
    low = gantt.placement
    assert low.free.height() < least_height(3)
    assert low.blocks[0].bar(2).bottom() <= 240 - AXIS - LEGEND, "the rows come first"


def test_each_of_several_runs_is_summed_up_in_its_column(gantt: ThreadsGantt) -> None:
    gantt.resize(1000, 900)
    gantt.show_runs([threads_run(2), threads_run(2, chunk=4)])
    free, shade = gantt.placement.free, theme("light").warps[1][1].name()
    for half in (0.0, free.width() / 2):
        assert shade in colours(gantt, free.left() + half, free.top(), free.width() / 2, free.height())


def test_the_time_of_every_thread_and_rank_is_accounted_for(gantt: ThreadsGantt, timeline: RanksTimeline) -> None:
    gantt.show_runs([threads_run()])
    timeline.show_runs([ranks_run()])
    for parts, rows in ((gantt.charts[0].parts, 3), (timeline.charts[0].parts, 2)):
        assert [sum(part.of_rows[row] for part in parts) for row in range(rows)] == pytest.approx([1.0] * rows)
    assert [str(figure.value) for figure in timeline.charts[0].figures] == ["40 %", "1 MiB", "1.5 MiB"]


def test_activities_of_ranks_differ_without_colour(timeline: RanksTimeline) -> None:
    timeline.show_runs([ranks_run()])
    placement, light = timeline.placement, theme("light")
    bar, x = placement.blocks[0].bar(1), placement.x
    computing = colours(timeline, x(7), bar.top() + 2, 30, 20)
    waiting = colours(timeline, x(0.5), bar.top() + 2, 30, 20)
    moving = colours(timeline, x(4.5), bar.bottom() - 20, 10, 10)
    assert computing == {light.warps[1][1].name()}, "filled"
    assert {light.bg2.name(), light.line2.name()} <= waiting, "hatched"
    assert {light.warps[1][0].name(), light.t2.name()} <= moving, "dotted"


def test_a_message_is_named_and_its_bytes_are_those_of_the_formula(timeline: RanksTimeline) -> None:
    timeline.show_runs([ranks_run()])
    placement = timeline.placement
    block = placement.blocks[0]
    middle = QPointF(placement.x(4.0), (block.bar(0).bottom() + block.bar(1).top()) / 2)
    said = timeline.tip_at(middle)
    assert str(said) == "Rank 0 to rank 1: 1 MiB, under way for 4 ms (0.262 GB/s), from 2 ms on"
    waiting = timeline.tip_at(QPointF(placement.x(1.0), block.bar(1).center().y()))
    assert str(waiting) == "Rank 1 waits for 2 ms, in the call of line 9"
    assert [str(cell) for cell in timeline.charts[0].cells(1)] == ["4 ms", "2 ms", "4 ms", "0 B", "1 MiB", "1.5 MiB"]
    assert timeline.table().rows == (("0", "1", "1048576", "2.0000", "6.0000"),)


def test_more_ranks_than_cores_is_said(timeline: RanksTimeline) -> None:
    timeline.show_runs([ranks_run("yes")])
    assert timeline.charts[0].warning is not None
    assert theme("light").bad.name() in colours(timeline, 14, 32, 300, 17)
    timeline.show_runs([ranks_run()])
    assert theme("light").bad.name() not in colours(timeline, 14, 32, 300, 17)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("size", [(330, 260), (760, 900)])
def test_every_size_and_theme_paints(qtbot: QtBot, name: str, size: tuple[int, int]) -> None:
    for view, run in ((ThreadsGantt(look(name, "zh_CN")), threads_run()), (RanksTimeline(look(name, "zh_CN")), ranks_run("yes"))):
        qtbot.addWidget(view)
        view.resize(*size)
        view.show_runs([run])
        assert len(colours(view, 0, 0, *size)) > 3


class Host:
    """A stage of runs with its model, on a runner that runs nothing."""

    def __init__(self, qtbot: QtBot, runner: FakeTeamRunner, status: DeviceStatus | None = None) -> None:
        ready = DeviceStatus(Device.CPU, Availability.READY, "Fake")
        measurers = {Device.CPU: lambda: Sampler(runner)}
        self.service = MeasuringService(ResultStore.in_memory(), measurers, lambda _device: status or ready, dict)
        self.session = Session("cpu.parallel")
        self.runs = ExecutionTimelines(self.session, Recorder(self.service.lend))
        self.runs.n.value = 16
        self.stage = TimelinesStage(look(), self.runs)
        qtbot.addWidget(self.stage)
        self.stage.resize(760, 600)
        self.qtbot = qtbot

    def until(self, said: str) -> None:
        """Wait until the bar says this."""

        def told() -> bool:
            self.runs.tick()
            return said in self.stage.bar.state.toolTip()

        self.qtbot.waitUntil(told, timeout=PATIENCE_MS)


@pytest.fixture
def runner() -> FakeTeamRunner:
    return FakeTeamRunner()


@pytest.fixture
def host(qtbot: QtBot, runner: FakeTeamRunner) -> Iterator[Host]:
    made = Host(qtbot, runner)
    yield made
    runner.gate.set()
    made.service.shutdown(5)


def test_the_bar_says_how_far_the_run_is(host: Host, runner: FakeTeamRunner) -> None:
    blocked = threading.Event()
    host.service.lend(Device.CPU, lambda _lent, _check: (blocked.wait(120), None)[1])
    runner.gate.clear()
    host.runs.chosen.value = True
    host.until("Queued")
    assert host.stage.bar.cancel.isEnabled()
    blocked.set()
    host.until("Compiling")
    host.stage.bar.cancel.click()
    host.until("Cancelled")
    assert not host.stage.bar.cancel.isEnabled()
    assert host.stage.threads.charts == ()
    runner.gate.set()
    host.stage.bar.again.click()
    host.until("Done")
    assert len(host.stage.threads.charts) == 1


def test_why_a_run_failed_is_said_with_a_sign(qtbot: QtBot) -> None:
    missing = DeviceStatus(Device.CPU, Availability.FAILED, "", message("It is not there."))
    host = Host(qtbot, FakeTeamRunner(), missing)
    host.runs.chosen.value = True
    host.until("It is not there.")
    assert host.stage.bar.state.text().startswith("✕")
    host.service.shutdown(5)


def test_another_schedule_stands_above_the_one_before(host: Host) -> None:
    host.runs.chosen.value = True
    host.until("Done")
    assert not host.stage.bar.forget.isVisibleTo(host.stage)
    host.session.set_stage_parameter("schedule", 1)
    host.qtbot.waitUntil(lambda: (host.runs.tick(), len(host.stage.threads.charts) == 2)[1], timeout=PATIENCE_MS)  # type: ignore[func-returns-value]
    shown = [chart.recording.point.parameters["schedule"] for chart in host.stage.threads.charts]
    assert shown == [1, RUNGS["cpu.parallel"].defaults["schedule"]]
    host.stage.bar.forget.click()
    assert len(host.stage.threads.charts) == 1


def test_a_size_that_cannot_be_is_refused_beside_the_field(host: Host, qtbot: QtBot) -> None:
    host.stage.bar.size_field.edit.setText("")
    qtbot.keyClicks(host.stage.bar.size_field.edit, "900000")
    assert host.stage.bar.size_field.edit.property("invalid") == "true"
    qtbot.keyClick(host.stage.bar.size_field.edit, Qt.Key.Key_Escape)
    assert host.runs.n.value < 900000


def test_the_switch_is_there_where_there_is_a_choice(host: Host, qtbot: QtBot) -> None:
    switch = RunSwitch(look(), host.runs)
    qtbot.addWidget(switch)
    switch.click()
    assert host.runs.watched.value
    host.session.choose_variant(RUNGS["cpu.naive"])
    assert (host.runs.offered.value, host.runs.watched.value) == (False, False)
    host.session.choose_variant(RUNGS["mpi.rows"])
    assert (host.runs.offered.value, bool(host.runs.watched.value)) == (False, True)
    assert host.stage.view is host.stage.ranks


def test_what_a_gpu_sends_while_it_multiplies_has_a_lane_of_its_own(timeline: RanksTimeline) -> None:
    timeline.show_runs([gpus_run()])
    placement, block = timeline.placement, timeline.placement.blocks[0]
    upper, lower = block.bar(1).top() + 0.2 * block.bar(1).height(), block.bar(1).bottom() - 3
    told = [timeline.tip_at(QPointF(placement.x(moment), y)) for moment in (4.5, 8.0) for y in (upper, lower)]
    assert [None if tip is None else str(tip) for tip in told] == [
        "Rank 1 computes for 8 ms", "Rank 1 communicates for 2 ms, in the call of line 64", "Rank 1 computes for 8 ms", None,
    ]  # fmt: skip
    tint = theme("light").warps[1][0].name()
    assert tint in colours(timeline, placement.x(3) + 3, lower - 2, 20, 3)
    assert tint not in colours(timeline, placement.x(6), lower - 2, 20, 3)
    assert "50 % of the time of transfers behind products" in map(str, timeline.charts[0].facts)
