"""A whole program opened in the window, as a student does it: `main` says what is launched, nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.gpu_view.index import LaunchIndex
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.compare.bar import CompareBar
from app.qt.compare.stage import CompareStage
from app.qt.programs.page import ProgramPanel
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from app.qt.source.program_card import LaunchRow
from kernels.simt.host.result import EventKind, NotRun, ProgramRun
from tests.launches.whole_programs import TWO_LAUNCHES
from tests.qt.open_window import while_open


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(None)), qtbot)


def shown(desktop: Desktop) -> LaunchIndex:
    found = desktop.workbench.stage.shown.value
    assert isinstance(found, LaunchIndex)
    return found


@pytest.mark.parametrize(("size", "told"), [((1920, 1080), "launches: 2"), ((1280, 720), "findings: 1"), ((960, 600), "findings: 1")])
def test_what_became_of_the_run_is_told_whole(desktop: Desktop, qtbot: QtBot, tmp_path: Path, size: tuple[int, int], told: str) -> None:
    path = tmp_path / "own.cu"
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    desktop.window.resize(*size)
    assert desktop.session.draft_editor.open_file(path) is None
    panel = desktop.window.findChild(SourcePanel)
    assert isinstance(panel, SourcePanel)
    said = panel.program.said
    qtbot.waitUntil(lambda: "launches: 2" in said.text() and desktop.workbench.stage_ready, timeout=60_000)
    qtbot.wait(10)
    assert told in said._fitting()
    assert "…" not in said._fitting()


def test_its_launches_are_shown_as_they_were_and_its_output_can_be_read(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "own.cu"
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(path) is None
    program = desktop.workbench.program
    qtbot.waitUntil(lambda: program.outcome.value is not None and desktop.workbench.stage_ready, timeout=60_000)
    panel = desktop.window.findChild(SourcePanel)
    assert isinstance(panel, SourcePanel)
    assert (shown(desktop).subject.entry, shown(desktop).subject.launch.grid) == ("fill", (4, 1, 1))
    card = panel.program
    assert not card.isHidden()
    assert panel.form.isHidden()
    assert [card.launches.itemText(number) for number in range(card.launches.count())] == [
        "1: fill, grid 4, block 32, line 8",
        "2: twice, grid 2, block 64, line 9",
    ]
    card.wrote.click()
    assert card.output.toPlainText() == "last: 198\n"
    card.launches.setCurrentIndex(1)
    card.launches.activated.emit(1)
    qtbot.waitUntil(lambda: shown(desktop).subject.entry == "twice", timeout=60_000)
    assert shown(desktop).subject.launch.block == (64, 1, 1)
    told = desktop.window.findChild(ProgramPanel)
    assert isinstance(told, ProgramPanel)
    texts = [told.findings.item(number).text() for number in range(told.findings.count())]
    assert any("never given to cudaFree" in text for text in texts)
    assert panel.diagnostics.isHidden(), "its page lists them, and the text needs the room"
    underlined = {each.cursor.selectedText() for each in panel.view.extraSelections()}
    assert "cudaMalloc" in underlined


def test_two_launches_of_a_program_are_compared_without_leaving_the_comparison(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    path, comparison = tmp_path / "own.cu", desktop.workbench.comparison
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    comparison.toggle()
    assert desktop.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: desktop.workbench.program.outcome.value is not None and shown(desktop).subject.entry == "fill")
    assert not desktop.workbench.program_page.shown.value, "it would end the comparison"
    comparison.leave()
    comparison.toggle()
    row = desktop.window.findChild(LaunchRow)
    assert isinstance(row, LaunchRow)
    qtbot.waitUntil(row.isVisible)
    assert row.launches.accessibleName() == "Launch, right side"
    row.launches.setCurrentIndex(1)
    row.launches.activated.emit(1)
    qtbot.waitUntil(lambda: comparison.pair.value is not None and not comparison.pair.value.same)
    stage = desktop.window.findChild(CompareStage)
    assert isinstance(stage, CompareStage)
    assert [column.name.text() for column in (stage.left, stage.right)] == ["fill in own.cu", "twice in own.cu"]
    bar = desktop.window.findChild(CompareBar)
    assert isinstance(bar, CompareBar)
    assert bar.button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon  # the way back has its words
    phase = desktop.window._stage.stage._phase
    assert phase.isHidden() or phase.width() >= phase.sizeHint().width()
    row.launches.setFocus()
    qtbot.keyClick(row.launches, Qt.Key.Key_P)  # a key of the window's, from there too
    assert comparison.pair.value is None


def test_escape_leaves_a_file_of_ones_own_open(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "own.cu"
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(path) is None
    desktop.window.activateWindow()
    panel = desktop.window.findChild(SourcePanel)
    assert isinstance(panel, SourcePanel)
    panel.view.setFocus()
    qtbot.waitUntil(panel.view.hasFocus)
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    assert not panel.view.hasFocus()
    assert desktop.session.draft_editor.shown is not None
    assert panel.leaving.offer.isHidden()


RACING = """__global__ void shift(int* p) {
    __shared__ int all[64];
    all[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = all[63 - threadIdx.x];
}
int main() {
    int* p;
    cudaMalloc(&p, 256);
    shift<<<1, 64>>>(p);
    cudaFree(p);
    return 0;
}
"""


def test_findings_are_gone_to_from_the_page_of_a_program(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    path, page = tmp_path / "own.cu", desktop.workbench.program_page
    path.write_text(RACING, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: page.shown.value and desktop.workbench.stage_ready, timeout=60_000)
    panel = desktop.window.findChild(SourcePanel)
    assert isinstance(panel, SourcePanel)
    qtbot.waitUntil(lambda: panel.header.findings.text() == "3 findings", timeout=60_000)
    assert (desktop.workbench.program.launch.value, page.program.launches[0].searched) == (0, 1)
    seen, listed = [], desktop.window.findChild(ProgramPanel)
    assert isinstance(listed, ProgramPanel)
    for number in range(3):
        panel.header.findings.click()
        assert [listed.findings.row(each) for each in listed.findings.selectedItems()] == [number], "the row of what is shown"
        assert page.frame.value is not None
        seen.append((page.shown.value, page.frame.value.event.kind, page.line.value))
    assert seen == [(True, EventKind.LAUNCH, line) for line in (3, 9, 4)]
    assert page.open_launch()
    assert panel.header.findings.text() == "shift: 1 finding"
    page.open_page()
    desktop.window._stage.inspector.go_to_next_finding()
    assert not page.shown.value
    picture = desktop.workbench.stage.picture.value
    assert picture is not None
    assert picture.frame.line in (3, 4)


def test_an_error_that_is_being_typed_brings_no_launch_form_with_guesses(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    path, editor = tmp_path / "own.cu", desktop.session.draft_editor
    path.write_text(RACING, encoding="utf-8")
    assert editor.open_file(path) is None
    program, playground = desktop.workbench.program, desktop.workbench.playground
    qtbot.waitUntil(lambda: isinstance(program.outcome.value, ProgramRun) and desktop.workbench.stage_ready)
    desktop.workbench.program_page.leave()
    panel, seen = desktop.window._stage.source, []
    desktop.workbench.stage.busy.subscribe(lambda _busy: seen.append(panel.form.isHidden()))
    playground.diagnostics.subscribe(lambda _found: seen.append(panel.form.isHidden()))
    editor.change_text(RACING.replace("all[threadIdx.x] =", "all[threadIdx.x] = __sync"))
    qtbot.waitUntil(lambda: bool(playground.diagnostics.value) and desktop.workbench.stage_ready)
    assert seen
    assert all(seen), "the program says what is launched, whatever is wrong with it for the moment"
    editor.change_text(RACING.replace("cudaFree(p)", "unheard_of(p)"))
    qtbot.waitUntil(lambda: not playground.diagnostics.value and desktop.workbench.stage_ready)
    assert isinstance(program.outcome.value, NotRun)
    assert panel.form.isVisible(), "the kernel is executed, with a launch that is guessed"
