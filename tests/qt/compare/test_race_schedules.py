"""A race of a text in the window: one press, and the schedule that breaks it stands beside one that works, wrong values crossed out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.core.compare.race_comparison import PLAY
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.wrong_values import wrong_elements
from app.core.inspector.finding_rows import finding_rows
from app.core.stage.model import GpuPicture
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.compare.stage import CompareStage
from app.qt.compare.strip import DifferenceStrip
from app.qt.inspector.findings_section import FindingsSection
from app.qt.shell.application import Desktop
from app.qt.source.edge_panel import EdgePanel
from app.qt.stage.step_card import StepCard
from kernels.base.messages import message
from kernels.simt.base.types import Space

REVERSE = """// Reverses 64 numbers.
__global__ void reverse(const float* in, float* out)
{
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def open_text(desktop: Desktop, qtbot: QtBot, folder: Path) -> None:
    file = folder / "reverse.cu"
    file.write_text(REVERSE, encoding="utf-8")
    editor = desktop.session.draft_editor
    assert editor.open_file(file) is None
    qtbot.waitUntil(lambda: editor.shown is not None and editor.shown.kernel is not None, timeout=60_000)
    for reason in (editor.set_grid("1"), editor.set_block("64"), editor.set_argument("in", "64:arange"), editor.set_argument("out", "64")):
        assert reason is None
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and races(desktop) == 1, timeout=60_000)


def races(desktop: Desktop) -> int:
    shown = desktop.workbench.stage.shown.value
    return sum(each.kind == "data-race" for each in shown.record.findings) if isinstance(shown, LaunchIndex) else 0


def play_button(desktop: Desktop) -> QPushButton:
    (section,) = desktop.window.findChildren(FindingsSection)
    said = desktop.window._made_look.text(PLAY)
    return next(each for each in section.findChildren(QPushButton) if each.text() == said)


@pytest.fixture(params=["en", "zh_CN"])
def desktop(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desktop]:
    made = Desktop(WindowArguments(request.param, "light", "gpu.tiled", (1920, 1080)), None, Settings(None))
    made.start()
    try:
        open_text(made, qtbot, tmp_path)
    except BaseException:
        made.window.close()
        raise
    yield made
    made.window.close()
    made.window.deleteLater()


def test_one_press_plays_both_schedules_side_by_side(desktop: Desktop, qtbot: QtBot) -> None:
    workbench = desktop.workbench
    before = workbench.stage.shown.value
    qtbot.mouseClick(play_button(desktop), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: workbench.races.playing, timeout=60_000)
    pair = workbench.comparison.pair.value
    assert pair is not None
    assert (pair.left.record.wrong, [each.operation for each in pair.right.record.wrong]) == ((), ["load", "store"])
    assert pair.left.steps == pair.right.steps
    (strip,) = (each for each in desktop.window.findChildren(DifferenceStrip) if each.isVisible())
    told = workbench.races.told.value
    assert told is not None
    assert (strip.headline.text(), strip.shown) == (desktop.window._made_look.text(told.sentence), ())
    assert "out[0] = nan" in strip.headline.text()
    assert strip.shown == ()
    (stage,) = (each for each in desktop.window.findChildren(CompareStage) if each.isVisible())
    said = desktop.window._made_look.text
    assert stage.right.verdict.text.endswith(said(message("wrong value read")))
    assert stage.left.verdict.text == ""
    assert stage.right.name.text().endswith(said(message("warp {warp}", warp=0)))
    workbench.stage.timeline.to_end()
    picture = workbench.stage.picture.value
    assert isinstance(picture, GpuPicture)
    out = next(number for number, each in enumerate(pair.right.trace.allocations) if each.name == "out")
    assert wrong_elements(pair.right, picture.frame, out).tolist() == list(range(32))
    if folder := os.environ.get("PICTURES"):
        for step in (2, 3, 7):
            workbench.stage.timeline.scrub(step + 0.9)
            qtbot.wait(300)
            desktop.window.grab().save(f"{folder}/race-{desktop.window._made_look.translator.language}-{step}.png")
        workbench.comparison.choose(1)
        qtbot.wait(300)
        desktop.window.grab().save(f"{folder}/race-{desktop.window._made_look.translator.language}-matrices.png")
    workbench.comparison.leave()
    assert workbench.stage.shown.value is before
    assert not workbench.races.playing


def test_the_card_of_the_step_that_races_offers_to_play_it(desktop: Desktop, qtbot: QtBot) -> None:
    workbench = desktop.workbench
    (card,) = desktop.window.findChildren(StepCard)
    workbench.stage.timeline.scrub(0)
    assert not card.play.isVisible()
    shown = workbench.stage.shown.value
    assert isinstance(shown, LaunchIndex)
    (row,) = (each for each in finding_rows(shown) if each.race is not None)
    assert row.step is not None
    workbench.stage.timeline.scrub(row.step)
    assert card.play.isVisible()
    qtbot.mouseClick(card.play, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: workbench.races.playing, timeout=60_000)


def test_edges_are_checked_beside_the_text_where_schedules_were_shown(desktop: Desktop, qtbot: QtBot) -> None:
    workbench = desktop.workbench
    assert workbench.races.play_first() is None
    qtbot.waitUntil(lambda: workbench.races.playing, timeout=60_000)
    qtbot.keyClick(desktop.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not workbench.races.playing
    assert workbench.edges.state.value is not None
    (panel,) = desktop.window.findChildren(EdgePanel)
    assert panel.isVisible(), "what is found stands below the text"
    workbench.edges.cancel()


def test_another_launch_ends_the_play(desktop: Desktop, qtbot: QtBot) -> None:
    workbench = desktop.workbench
    assert workbench.races.play_first() is None
    qtbot.waitUntil(lambda: workbench.races.playing, timeout=60_000)
    assert desktop.session.draft_editor.set_block("32") is None
    qtbot.waitUntil(lambda: not workbench.races.playing, timeout=60_000)
    assert workbench.comparison.pinned.value is None
    qtbot.waitUntil(lambda: workbench.stage_ready, timeout=60_000)
    shown = workbench.stage.shown.value
    assert isinstance(shown, LaunchIndex)
    assert shown.trace.block == (32, 1, 1)
    assert shown.record.wrong == ()
    assert any(each.space is Space.SHARED for each in shown.trace.allocations)
