"""The inspector of a launch, driven as a user does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.core.gpu_view.index import LaunchIndex
from app.core.session.session import profile_named
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.inspector.panel import InspectorPanel
from app.qt.shell.application import Desktop
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Filled
from tests.launches.launch_records import launch_of, record_of

RACE = """__global__ void race(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def opened(qtbot: QtBot, variant_id: str, language: str = "en", size: tuple[int, int] = (1920, 1080)) -> Desktop:
    made = Desktop(WindowArguments(language, "light", variant_id, size), None, Settings(None))
    made.start()
    qtbot.waitUntil(lambda: made.workbench.stage_ready, timeout=30_000)
    return made


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    made = opened(qtbot, "gpu.tiled")
    yield made
    made.window.close()
    made.window.deleteLater()


def inspector(desktop: Desktop) -> InspectorPanel:
    found = desktop.window.findChild(InspectorPanel)
    assert found is not None
    return found


def texts(desktop: Desktop) -> list[str]:
    return [label.text() for label in inspector(desktop).findChildren(QLabel) if label.isVisibleTo(inspector(desktop))]


def counter(desktop: Desktop, title: str) -> tuple[str, str, str]:
    row = next(row for row in inspector(desktop).content.counters.table.rows if row.title == title)
    return row.this_step, row.so_far, row.whole


def shown(desktop: Desktop) -> LaunchIndex:
    index = desktop.workbench.stage.shown.value
    assert isinstance(index, LaunchIndex)
    return index


def test_a_field_says_what_0_stands_for(desktop: Desktop, qtbot: QtBot) -> None:
    simd = catalogue.by_id("cpu.simd")
    desktop.session.choose_variant(simd)
    qtbot.waitUntil(lambda: "Lanes of a vector (0: widest)" in texts(desktop))


def test_the_fields_of_another_variant_are_made_a_turn_after_it_is_shown_or_when_they_are_asked_for(desktop: Desktop, qtbot: QtBot) -> None:
    panel = inspector(desktop)
    before = panel.parameters
    desktop.session.choose_variant(catalogue.by_id("cpu.simd"))
    assert panel.content._fields.parameters is before
    assert panel.parameters is not before
    assert panel.parameters.keys() == desktop.session.stage.value.parameters.keys()
    desktop.session.choose_variant(catalogue.by_id("gpu.vectorized-k8"))
    qtbot.waitUntil(lambda: panel.content._fields.parameters.keys() == desktop.session.stage.value.parameters.keys())


def test_counters_of_the_whole_and_of_the_step(desktop: Desktop) -> None:
    desktop.workbench.stage.timeline.to_start()
    assert counter(desktop, "Sectors, 32 B") == ("4", "4", "4608")
    assert counter(desktop, "FLOP per byte") == ("", "", "3.56")
    desktop.workbench.stage.timeline.to_end()
    assert counter(desktop, "Sectors, 32 B")[1:] == ("4608", "4608")


def test_a_slider_changes_the_stage_and_its_counters(desktop: Desktop, qtbot: QtBot) -> None:
    slider = inspector(desktop).parameters["tile"].slider
    qtbot.keyClick(slider, Qt.Key.Key_Down)
    assert desktop.session.stage.value.parameters["tile"] == 8
    qtbot.waitUntil(lambda: shown(desktop).trace.block == (8, 8, 1), timeout=20_000)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    assert counter(desktop, "Bytes moved")[2] == "278\u202f528"
    desktop.workbench.studies.history.undo()
    assert desktop.session.stage.value.parameters["tile"] == 16
    assert inspector(desktop).parameters["tile"].field.edit.text() == "16"


def test_a_sketch_says_what_it_is_and_keeps_the_place(desktop: Desktop, qtbot: QtBot) -> None:
    timeline = desktop.workbench.stage.timeline
    timeline.scrub(timeline.extent.value.steps / 2)
    seen: list[int] = []
    desktop.workbench.stage.shown.subscribe(lambda index: seen.append(len(index.trace.blocks)) if isinstance(index, LaunchIndex) else None)
    desktop.session.set_stage_parameter("tile", 4)
    qtbot.waitUntil(lambda: 1 in seen, timeout=20_000)
    if len(shown(desktop).trace.blocks) == 1:
        assert any(text.startswith("1 of 256 blocks traced") for text in texts(desktop))
        assert counter(desktop, "Bytes moved")[2].endswith("×")
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    assert seen == [1, 256]
    assert timeline.progress == pytest.approx(0.5, abs=0.01)


def test_a_larger_matrix_shows_the_same_block_at_the_same_line(desktop: Desktop, qtbot: QtBot) -> None:
    timeline = desktop.workbench.stage.timeline
    seen: list[object] = []

    def place() -> object:
        index, step = shown(desktop), timeline.position.value.step
        row, warp = index.place(step)
        return index.trace.blocks[int(index.trace.rows.block[row])], warp, index.site(step).location.line

    timeline.scrub(timeline.extent.value.steps * 0.6)
    before = place()
    desktop.workbench.stage.shown.subscribe(lambda _index: seen.append(place()))
    assert desktop.session.set_stage_problem(Problem.square(Operation.MATMUL, 96)) is None
    qtbot.waitUntil(lambda: bool(seen) and desktop.workbench.stage_ready, timeout=20_000)
    assert set(seen) == {before}


def test_the_device_is_chosen_and_said(desktop: Desktop, qtbot: QtBot) -> None:
    box = inspector(desktop).content.occupancy.device.box
    place = box.findData("rtx-4070")
    box.setCurrentIndex(place)
    box.activated.emit(place)
    assert desktop.session.profile.value.id == "rtx-4070"
    assert "6 blocks of 8 warps on each SM. Limit: 48 warps an SM." in texts(desktop)
    assert "GeForce RTX 4070" in texts(desktop)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)


def test_registers_that_are_typed_change_the_occupancy(desktop: Desktop, qtbot: QtBot) -> None:
    edit = inspector(desktop).content.occupancy.registers.edit
    edit.selectAll()
    qtbot.keyClicks(edit, "255")
    assert desktop.workbench.stage.registers.value == 255
    assert "255 registers, chosen by you" in texts(desktop)
    assert any("Limit: 65\u202f536 registers an SM." in text for text in texts(desktop))
    edit.selectAll()
    qtbot.keyClicks(edit, "8")
    assert "✕ Registers a thread must be at least 16, not 8." in texts(desktop)
    assert desktop.workbench.stage.registers.value == 255


def test_a_finding_leads_to_its_step(desktop: Desktop, qtbot: QtBot) -> None:
    assert any(text.startswith("16 of 16 blocks checked") for text in texts(desktop))
    desktop.workbench.stage.shown.value = record_of(RACE, 64, {"out": Filled(64)})
    qtbot.waitUntil(lambda: "Data race" in texts(desktop))
    timeline = desktop.workbench.stage.timeline
    timeline.to_start()
    assert inspector(desktop).content.findings.heading.text() == "Findings of this launch"  # those of a whole program are counted elsewhere
    button = next(b for b in inspector(desktop).content.findings.findChildren(QPushButton) if b.text().startswith("Go to step"))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    step = timeline.position.value.step
    assert button.text().startswith(f"Go to step {step + 1}, line ")
    timeline.to_start()
    assert inspector(desktop).go_to_next_finding()
    assert timeline.position.value.step == step
    desktop.workbench.stage.shown.value = launch_of("gpu.naive", 16)
    assert "Data race" not in texts(desktop)
    assert not inspector(desktop).go_to_next_finding()


def test_findings_that_stay_where_they_are_are_not_placed_again(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Placing them has the whole column laid out and painted anew."""
    placed: list[int] = []
    desktop.workbench.stage.shown.value = launch_of("gpu.naive", 16)
    column = inspector(desktop).content._column
    monkeypatch.setattr(column, "insertWidget", lambda place, _widget: placed.append(place))
    desktop.workbench.stage.shown.value = launch_of("gpu.naive", 8)
    assert not placed


def test_bars_for_all_stops_come_by_themselves(desktop: Desktop, qtbot: QtBot) -> None:
    costs = desktop.workbench.studies.stop_costs.costs
    qtbot.waitUntil(lambda: set(costs.value) == {4, 8, 16, 32}, timeout=40_000)
    moved = [cost.bytes_moved for _, cost in sorted(costs.value.items()) if cost is not None]
    assert moved == sorted(moved, reverse=True)
    assert moved[2] == 147_456


def test_a_cpu_kernel_has_neither_occupancy_nor_findings(desktop: Desktop, qtbot: QtBot) -> None:
    variant = catalogue.by_id("cpu.blocked")
    desktop.session.choose_variant(variant)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    panel = inspector(desktop)
    assert not any(each.isVisibleTo(panel) for each in (panel.content.occupancy, panel.content.findings, panel.content.roofline))
    assert panel.content.counters.isVisibleTo(panel)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_nothing_is_wider_than_the_inspector(qtbot: QtBot, size: tuple[int, int]) -> None:
    made = opened(qtbot, "gpu.vectorized-k8", "zh_CN", size)
    made.session.set_stage_problem(Problem.square(made.session.operation, 128))
    panel = inspector(made)
    qtbot.wait(50)
    wide = [
        type(child).__name__
        for child in (*panel.findChildren(QLabel), *panel.findChildren(QPushButton))
        if child.isVisible() and child.mapTo(panel, child.rect().topRight()).x() >= panel.width()
    ]
    made.window.close()
    made.window.deleteLater()
    assert wide == []


def test_the_device_is_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    first = Desktop(WindowArguments("en", "light", "gpu.naive", (1280, 720)), None, Settings(file))
    first.session.profile.value = profile_named("t4")
    first.start()
    first.window.close()
    first.window.deleteLater()
    second = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(file))
    assert second.session.profile.value.id == "t4"
    second.window.close()
    second.window.deleteLater()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_what_comes_later_and_is_wider_than_the_settings_is_not_cut(qtbot: QtBot, size: tuple[int, int]) -> None:
    """Their numbers were cut to other ones."""
    made = opened(qtbot, "gpu.tiled", size=size)
    panel = inspector(made)
    if not made.window._stage.settings.isChecked():
        made.window._stage.settings.click()
    qtbot.waitUntil(lambda: panel.content.predictions.isVisibleTo(made.window))
    panel.content.predictions.imports.setVisible(True)
    panel.content.predictions.imports.setText("Counters of a profiler that has a long name…" + 10 * "…")
    qtbot.waitUntil(lambda: panel.content.predictions.imports.minimumSizeHint().width() < panel.width())
    made.process_events()
    assert panel._area.horizontalScrollBar().maximum() == 0
    made.window.close()
    made.window.deleteLater()
