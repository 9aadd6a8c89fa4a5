"""The bars of one use of the GPU in the timing workspace."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.job_queues import JobState
from app.core.base.observable import Field
from app.core.results.curves import Provenance
from app.core.results.gpu_uses import Uses, UseScope, use_picture
from app.core.results.known_results import Results
from app.core.session.session import Session
from app.core.timing.model import TimingModel, TimingPage
from app.core.timing.use_timer import UseModel, UseProgress
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.use_bars import UseBars, paint_part
from app.qt.timing.charts_panel import TimingPanel
from app.qt.timing.uses_panel import UsesPanel
from app.qt.widgets.stops import stops_of
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.gpu_use_times import UsePart, UseTimes
from tests.measured.idle_use_timer import ABSENT, IdleUseTimer, NoActions, idle_uses
from tests.measured.timing_results import measured


def use(n: int, *, pinned: bool = False, tile: int = 16, kernel_ms: float = 2.0) -> UseTimes:
    times = {
        UsePart.CONTEXT: (200.0,), UsePart.ALLOCATE: (4.0, 1.0), UsePart.TO_DEVICE: (4.0, 4.0),
        UsePart.KERNEL: (kernel_ms, kernel_ms), UsePart.TO_HOST: (3.0,),
    }  # fmt: skip
    return UseTimes(Case("gpu.tiled", Problem.square(Operation.MATMUL, n), {"tile": tile}), pinned, "2026", times, {"gpu": "Toy GPU"})


def session() -> Session:
    made = Session("gpu.tiled")
    tiled = by_id("gpu.tiled")
    made.tick(tiled, ticked=True)
    return made


def test_measured_uses_come_before_recorded_ones_and_the_last_of_each_size_counts() -> None:
    choice = session().timing.value
    recorded = Uses((), (use(64), use(32), use(32, pinned=True)), (measured("cpu.numpy", 64, 20.0, threads=1),))
    picture = use_picture(recorded, Results(), choice, UseScope.EACH_TIME)
    assert [(row.bar.times.point.problem.n, row.bar.times.pinned, row.cpu_ms) for row in picture.rows] == [
        (32, False, None), (32, True, None), (64, False, 20.0),
    ]  # fmt: skip
    assert str(picture.title) == "Shared-memory tiled, recorded on Toy GPU"
    assert picture.rows[-1].verdict == message("{times} × faster", times=2.0)
    assert len(picture.sentences) == len(UseScope)
    both = Uses((use(128, kernel_ms=1.0), use(128, kernel_ms=2.0), use(256, tile=8)), recorded.recorded, recorded.recorded_cpu)
    here = use_picture(both, Results({Provenance.MEASURED: (measured("cpu.numpy", 128, 5.0, threads=1),)}), choice, UseScope.KERNEL)
    assert [(row.bar.ms, row.cpu_ms) for row in here.rows] == [(2.0, 5.0)]
    assert str(here.title) == "Shared-memory tiled, measured here, Toy GPU"


def test_where_uses_of_both_memories_stand_the_crossover_says_which_it_is_of() -> None:
    timed = (measured("cpu.numpy", 64, 20.0, threads=1),)
    for uses, named in (((use(64),), "Kernel alone: "), ((use(64, pinned=True),), "Kernel alone: "),
                        ((use(64), use(64, pinned=True)), "Kernel alone, not pinned: ")):  # fmt: skip
        picture = use_picture(Uses((), uses, timed), Results(), session().timing.value, UseScope.KERNEL)
        assert str(picture.sentences[-1]).startswith(named)


def test_without_uses_a_sentence_says_what_measures_them() -> None:
    choice = session().timing.value
    assert "tilescope transfers gpu.tiled" in str(use_picture(Uses(), Results(), choice, UseScope.KERNEL).title)
    other = Session("cpu.naive").timing.value
    assert str(use_picture(Uses(), Results(), other, UseScope.KERNEL).title) == "Tick a rung of the GPU in the ladder."


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_phase_looks_like_no_other_also_without_colour(qtbot: QtBot, name: str) -> None:
    seen = set()
    for part in UsePart:
        image = QImage(48, 24, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        paint_part(painter, theme(name), part, QRectF(0, 0, 48, 24))
        painter.end()
        grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
        ground = grey.pixel(1, 1)
        seen.add(tuple(grey.pixel(x, y) == ground for x in range(4, 44) for y in range(4, 20)))
    assert len(seen) == len(UsePart)


def test_the_bars_take_the_place_of_the_curves_and_count_what_is_chosen(qtbot: QtBot) -> None:
    made, model = session(), TimingModel()
    model.uses.value = Uses((), (use(64), use(128)), ())
    look = Look(theme("light"), Translator("en"))
    panel = TimingPanel(look, made, model, NoActions(), Field({}))
    page: Lazy[QWidget] = Lazy(lambda: UsesPanel(look, idle_uses(made, model), lambda _suffix: None))
    panel.add_page(TimingPage.USES, page)
    qtbot.addWidget(panel)
    panel.resize(1000, 700)
    panel.show()
    assert panel.chart.isVisible()
    assert page.made is None, "what nobody has seen costs nothing"
    model.page.value = TimingPage.USES
    QApplication.processEvents()
    uses = page()
    assert isinstance(uses, UsesPanel)
    assert uses.isVisible()
    assert not panel.chart.isVisible()
    assert not panel.header.scales.isVisible()
    assert [row.bar.ms for row, _ in uses.bars.rows_in_sight()] == [10.0, 10.0]
    model.counted.value = UseScope.FIRST_USE
    assert [row.bar.ms for row, _ in uses.bars.rows_in_sight()] == [213.0, 213.0]
    assert "Toy GPU" in uses.bars.accessibleDescription()
    assert not panel.grab().isNull()


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> tuple[UsesPanel, UseModel, IdleUseTimer]:
    timer = IdleUseTimer()
    model = idle_uses(session(), TimingModel(), timer)
    panel = UsesPanel(Look(theme("light"), Translator("en")), model, lambda suffix: tmp_path / f"uses.{suffix}")
    qtbot.addWidget(panel)
    panel.resize(1000, 500)
    panel.show()
    return panel, model, timer


def test_the_button_measures_the_ticked_rung_at_all_sizes_and_cancels(page: tuple[UsesPanel, UseModel, IdleUseTimer]) -> None:
    panel, model, timer = page
    assert panel.start.toolTip() == "Measure Shared-memory tiled"
    assert panel.reason.isHidden()
    QTest.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    sizes = model.session.timing.value.sizes
    (asked,) = timer.asked
    assert [(each.point.problem.n, each.pinned) for each in asked] == [*((n, False) for n in sizes), *((n, True) for n in sizes)]
    timer.told = UseProgress(len(asked), 1, asked[1], state=JobState.RUNNING)
    timer.found = (use(sizes[0]),)
    model.tick()
    assert panel.state.text() == f"1 of {len(asked)} points, n = {sizes[1]}"
    assert panel.start.isHidden()
    assert [each.point.problem.n for each in model.timing.uses.value.measured] == [sizes[0]]
    QTest.mouseClick(panel.cancel, Qt.MouseButton.LeftButton)
    assert timer.cancelled == 1
    timer.told = UseProgress(len(asked), 1, None, ((asked[1], message("{what}", what="Too large.")),), state=JobState.CANCELLED)
    model.tick()
    assert panel.state.text() == f"Cancelled. 1 of {len(asked)} points are kept."
    panel.redraw()
    assert panel.reason.text() == f"✕ n = {sizes[1]}: Too large."
    assert panel.cancel.isHidden()


def test_without_a_gpu_the_button_is_off_and_says_why(qtbot: QtBot) -> None:
    panel = UsesPanel(Look(theme("dark"), Translator("en")), idle_uses(session(), TimingModel(), status=ABSENT), lambda _suffix: None)
    qtbot.addWidget(panel)
    panel.show()
    assert not panel.start.isEnabled()
    assert panel.reason.text() == "✕ No NVIDIA GPU found."


def test_the_bars_that_are_shown_can_be_written_as_csv(page: tuple[UsesPanel, UseModel, IdleUseTimer], tmp_path: Path) -> None:
    panel, model, _ = page
    assert not panel.export.isEnabled()
    model.timing.uses.value = Uses((), (use(64), use(128, pinned=True)), ())
    panel.redraw()
    QTest.mouseClick(panel.export, Qt.MouseButton.LeftButton)
    rows = list(csv.DictReader((tmp_path / "uses.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["n"], row["pinned"], row["tile"], row["condition_gpu"]) for row in rows] == [
        ("64", "false", "16", "Toy GPU"), ("128", "true", "16", "Toy GPU"),
    ]  # fmt: skip
    assert [rows[0][name] for name in ("first_allocate_ms", "later_allocate_ms", "first_compile_ms", "each_time_ms")] == [
        "4.0",
        "1.0",
        "",
        "10.0",
    ]


def test_where_there_is_little_room_the_largest_sizes_stay(qtbot: QtBot) -> None:
    bars = UseBars(Look(theme("light"), Translator("en")))
    qtbot.addWidget(bars)
    known = Uses((), tuple(use(1 << power) for power in range(3, 13)), ())
    bars.show_picture(use_picture(known, Results(), session().timing.value, UseScope.EACH_TIME))
    bars.resize(900, 600)
    assert len(bars.rows_in_sight()) == 10
    bars.resize(900, 150)
    shown = bars.rows_in_sight()
    assert 0 < len(shown) < 10
    assert shown[-1][0].bar.times.point.problem.n == 4096
    assert all(place.bottom() < bars.height() for _, place in shown)


def test_without_a_ticked_rung_of_the_gpu_the_first_recorded_one_is_shown() -> None:
    uses = Uses(recorded=(use(128),))
    title = use_picture(uses, Results(), Session("cpu.naive").timing.value, UseScope.KERNEL).title
    assert str(title).startswith("Shared-memory tiled, recorded on")


def test_a_page_that_is_made_late_comes_where_it_stands_for_tab_too(qtbot: QtBot) -> None:
    made, model = session(), TimingModel()
    look = Look(theme("light"), Translator("en"))
    window = QWidget()
    panel = TimingPanel(look, made, model, NoActions(), Field({}))
    panel.add_page(TimingPage.USES, Lazy(lambda: QPushButton("page")))
    column = QVBoxLayout(window)
    column.addWidget(panel)
    column.addWidget(QPushButton("below"))
    qtbot.addWidget(window)
    window.show()
    model.page.value = TimingPage.USES
    QApplication.processEvents()
    assert [stop.text() for stop in stops_of(window) if isinstance(stop, QPushButton)][-2:] == ["page", "below"]
