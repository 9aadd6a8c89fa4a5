"""Searching the edges of a draft in the whole window: from the key to the launch that fails on the stage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.gpu_view.index import LaunchIndex
from app.core.stage.playground import TURNED
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.source.edge_panel import EdgePanel
from app.qt.source.panel import SourcePanel
from kernels.exploration.edge_cases import Tried, TriedProgram
from tests.launches.whole_programs import SIZE_IN_ARGUMENTS
from tests.qt.open_window import while_open

TOO_FAR = """__global__ void twice(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) c[i] = a[i] * 2;
}
void run(float* a, float* c) { twice<<<2, 128>>>(a, c, 255); }
"""
ORDERED = """__global__ void ask(int* flag, int* out) {
    if (threadIdx.x > 0) return;
    if (blockIdx.x == 0) atomicExch(flag, 1);
    else {
        out[atomicAdd(flag, 0) == 1 ? 0 : 100] = 1;
    }
}
void run(int* flag, int* out) { ask<<<2, 32>>>(flag, out); }
"""
ARGUMENTS = {
    "__global__ void twice": {"a": "255:random", "c": "255:random"},
    "__global__ void ask": {"flag": "1:zeros", "out": "1:zeros"},
}
"""Of texts by their beginning."""


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 800)), None, Settings(None)), qtbot)


def opened(desktop: Desktop, qtbot: QtBot, folder: Path, text: str) -> EdgePanel:
    path = folder / "own.cu"
    path.write_text(text, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: bool(desktop.session.draft_editor.draft.value.kernels) and desktop.workbench.stage_ready)  # type: ignore[union-attr]
    for name, given in ARGUMENTS.get(text.partition("(")[0], {}).items():
        assert desktop.session.draft_editor.set_argument(name, given) is None
    panel = desktop.window.findChild(EdgePanel)
    assert isinstance(panel, EdgePanel)
    return panel


def search(desktop: Desktop, qtbot: QtBot) -> None:
    """Press the key, and wait for the end."""
    qtbot.keyClick(desktop.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    edges = desktop.workbench.edges
    qtbot.waitUntil(lambda: edges.state.value is not None and not edges.state.value.running)


def cells(panel: EdgePanel) -> list[list[str]]:
    model = panel.table.model()
    return [[str(model.index(row, column).data()) for column in range(model.columnCount())] for row in range(model.rowCount())]


def test_what_is_found_is_seen_also_when_it_was_asked_for_beside_two_launches(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel = opened(desktop, qtbot, tmp_path, TOO_FAR)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    assert desktop.workbench.comparison.toggle() is None
    qtbot.waitUntil(lambda: desktop.workbench.comparison.pair.value is not None)
    search(desktop, qtbot)
    qtbot.waitUntil(panel.isVisible)
    assert desktop.workbench.comparison.pair.value is None


def test_the_smallest_launch_that_fails_is_one_press_away(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel = opened(desktop, qtbot, tmp_path, TOO_FAR)
    assert panel.isHidden()
    search(desktop, qtbot)
    state = desktop.workbench.edges.state.value
    assert state is not None
    assert state.plan is not None
    assert len(state.tried) == len(state.plan.edges)
    assert not panel.isHidden()
    assert panel.said.text().startswith("Fails with n = 1, line 3: ")
    rows = {row[0]: row[1] for row in cells(panel)}
    assert rows["n = 127"] == "✕ fails, line 3"
    assert rows["n = 128"] == "✓ no findings"
    number = list(rows).index("n = 127")
    qtbot.mouseClick(
        panel.table.viewport(), Qt.MouseButton.LeftButton, pos=panel.table.visualRect(panel.table.model().index(number, 0)).center()
    )
    draft = desktop.session.draft_editor.draft.value
    assert draft is not None
    assert (draft.settings.grid, draft.settings.arguments) == ((1, 1, 1), {"a": "127:random", "c": "127:random", "n": "127"})
    assert not draft.settings.guessed & {"grid", "argument n"}

    def reached() -> bool:
        shown = desktop.workbench.stage.shown.value
        return isinstance(shown, LaunchIndex) and shown.subject.texts.get("n") == "127" and desktop.workbench.stage_ready

    qtbot.waitUntil(reached)
    shown = desktop.workbench.stage.shown.value
    assert isinstance(shown, LaunchIndex)
    assert [each.kind for each in shown.record.findings] == ["out-of-bounds"]
    panel.smallest.click()
    assert desktop.session.draft_editor.draft.value.settings.arguments["n"] == "1"  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    assert not panel.isHidden()


def test_an_edge_of_another_order_is_played_in_that_order(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    """In the usual order block 0 has said that it is there before block 1 asks."""
    panel = opened(desktop, qtbot, tmp_path, ORDERED)
    search(desktop, qtbot)
    assert panel.said.text().startswith("Fails with blocks from the last to the first, warps in turns, line 5: ")
    panel.smallest.click()
    playground = desktop.workbench.playground

    def reached() -> bool:
        shown = desktop.workbench.stage.shown.value
        return isinstance(shown, LaunchIndex) and shown.subject.launch.blocks == (1, 0) and desktop.workbench.stage_ready

    qtbot.waitUntil(reached)
    shown = desktop.workbench.stage.shown.value
    assert isinstance(shown, LaunchIndex)
    assert [(each.kind, each.location.line) for each in shown.record.findings] == [("out-of-bounds", 5)]
    assert playground.remark.value == TURNED
    assert desktop.session.draft_editor.set_argument("out", "2:zeros") is None
    qtbot.waitUntil(lambda: playground.remark.value is None and desktop.workbench.stage_ready)
    shown = desktop.workbench.stage.shown.value
    assert isinstance(shown, LaunchIndex)
    assert not shown.record.findings
    assert shown.subject.launch.blocks is None


def test_an_edited_text_makes_what_was_found_go(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel = opened(desktop, qtbot, tmp_path, TOO_FAR)
    search(desktop, qtbot)
    desktop.session.draft_editor.change_text(TOO_FAR.replace("<=", "<"))
    assert panel.isHidden()
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    search(desktop, qtbot)
    state = desktop.workbench.edges.state.value
    assert state is not None
    count = len(state.tried)
    assert panel.said.text() == f"No findings with everything tried: {count}. Whether the results are right is not known."
    assert panel.smallest.isHidden()


def test_a_small_window_shows_the_text_the_table_and_the_launch_beside_each_other(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel = opened(desktop, qtbot, tmp_path, TOO_FAR)
    desktop.window.resize(1358, 720)
    source = desktop.window.findChild(SourcePanel)
    assert isinstance(source, SourcePanel)
    source.form.fold.setChecked(True)
    search(desktop, qtbot)

    def fits() -> bool:
        whole = all(said.isHidden() or said.height() >= said.heightForWidth(said.width()) for said in (panel.said, panel.notes))
        below = panel.geometry().top() > source.view.mapTo(source, source.view.rect().bottomLeft()).y()
        return (
            whole
            and below
            and panel.table.height() >= panel.table.minimumHeight()
            and panel.geometry().bottom() < source.form.geometry().top()
        )

    for varied in (False, True):
        panel.varied.setChecked(varied)
        qtbot.waitUntil(fits)


def test_a_search_can_be_stopped(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel = opened(desktop, qtbot, tmp_path, TOO_FAR)
    edges = desktop.workbench.edges
    edges.start()
    qtbot.waitUntil(lambda: edges.state.value is not None and len(edges.state.value.tried) > 1)
    assert not panel.stop.isHidden()
    panel.stop.click()
    state = edges.state.value
    assert state is not None
    assert not state.running
    tried = len(state.tried)
    qtbot.wait(100)
    assert len(edges.state.value.tried) == tried  # type: ignore[union-attr]
    panel.leave.click()
    assert panel.isHidden()


def test_a_program_is_run_with_other_words(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    desktop.workbench.program.arguments.value = "64"
    panel = opened(desktop, qtbot, tmp_path, SIZE_IN_ARGUMENTS)
    search(desktop, qtbot)
    state = desktop.workbench.edges.state.value
    assert state is not None
    assert all(isinstance(each, TriedProgram) for each in state.tried)
    assert {row[0]: row[1] for row in cells(panel)}["32"] == "✓ no findings"
    smallest = state.smallest
    assert not isinstance(smallest, Tried)
    assert smallest is not None
    assert smallest.edge.arguments == ("1",)
    panel.smallest.click()
    assert desktop.workbench.program.arguments.value == "1"
    qtbot.waitUntil(lambda: not desktop.workbench.program.running.value)
