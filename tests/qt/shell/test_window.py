"""The whole window with its real workers, driven as a user does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.inspector.panel import InspectorPanel
from app.qt.ladder.rung_button import RungButton
from app.qt.shell.application import Desktop
from app.qt.shell.stage_workspace import StageWorkspace
from app.qt.source.view import SourceView
from app.qt.widgets.fields import NumberField
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from tests.qt.open_window import while_open


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", None, (1920, 1080)), None, Settings(None)), qtbot)


def _rung(desktop: Desktop, identifier: str) -> RungButton:
    variant = catalogue.by_id(identifier)
    return next(rung for rung in desktop.window.findChildren(RungButton) if rung.accessibleName().startswith(f"{variant.rung} "))


def _sentences(desktop: Desktop) -> list[str]:
    return [label.text() for label in desktop.window.findChildren(QLabel) if label.isVisible()]


def _busy(desktop: Desktop) -> bool:
    progress = desktop.workbench.timing.progress.value
    return progress is not None and any(queue.point is not None for queue in progress.queues)


def _tile_edit(desktop: Desktop) -> QLineEdit:
    inspector = desktop.window.findChild(InspectorPanel)
    assert inspector is not None
    return inspector.parameters["tile"].field.edit


def test_opens_with_a_blocked_multiplication_and_its_source(desktop: Desktop) -> None:
    source = desktop.window.findChild(SourceView)
    assert source is not None
    assert source.toPlainText() == desktop.session.stage.value.variant.source_text
    picture = desktop.workbench.stage.picture.value
    assert picture is not None
    assert source.line == picture.frame.line


def test_on_the_first_start_the_tiles_move_by_themselves(qtbot: QtBot) -> None:
    opened = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(None))
    opened.start()
    opened.welcome()
    timeline = opened.workbench.stage.timeline
    qtbot.waitUntil(lambda: timeline.position.value.step > 3, timeout=20_000)
    opened.window.close()
    opened.window.deleteLater()


def test_choosing_a_rung_shows_its_source_and_its_trace(desktop: Desktop, qtbot: QtBot) -> None:
    qtbot.mouseClick(_rung(desktop, "cpu.naive"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    picture = desktop.workbench.stage.picture.value
    assert picture is not None
    assert picture.variant_id == "cpu.naive"
    source = desktop.window.findChild(SourceView)
    assert source is not None
    assert "total += A[i, k] * B[k, j]" in source.toPlainText()


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("0", "tile must be at least 1, not 0."),
        ("many", "Tile size: 'many' is not a whole number."),
        ("9999", "tile must be at most 4096, not 9999."),
    ],
)
def test_a_tile_that_cannot_be_says_why_and_changes_nothing(desktop: Desktop, qtbot: QtBot, typed: str, reason: str) -> None:
    edit = _tile_edit(desktop)
    before = desktop.session.stage.value
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, typed[-1] if typed == "0" else typed)
    assert f"✕ {reason}" in _sentences(desktop)
    assert desktop.session.stage.value.problem == before.problem
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert f"✕ {reason}" not in _sentences(desktop)
    assert edit.text() == str(desktop.session.stage.value.parameters["tile"])


def test_64_by_64_threads_stay_in_sight_with_their_reason(desktop: Desktop, qtbot: QtBot) -> None:
    qtbot.mouseClick(_rung(desktop, "gpu.tiled"), Qt.MouseButton.LeftButton)
    inspector = desktop.window.findChild(InspectorPanel)
    assert inspector is not None
    slider = inspector.parameters["tile"].slider
    for _ in range(6):
        qtbot.keyClick(slider, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: "✕ 64 × 64 = 4096 threads a block; this GPU allows 1024." in _sentences(desktop))
    assert desktop.session.stage.value.parameters["tile"] == 32


def test_every_word_changes_with_the_language(desktop: Desktop, qtbot: QtBot) -> None:
    english = set(_sentences(desktop))
    step = desktop.workbench.stage.timeline.position.value
    desktop.choose_language("zh_CN")
    qtbot.waitUntil(lambda: "分块大小" in _sentences(desktop))
    same = english & set(_sentences(desktop))
    assert "Tile size" in english
    assert not [text for text in same if " " in text.strip() and text[0].isascii() and "=" not in text and "×" not in text]
    assert desktop.workbench.stage.timeline.position.value == step


def test_the_theme_changes_at_run_time(desktop: Desktop) -> None:
    light = desktop.window.grab().toImage().pixelColor(5, 300)
    desktop.choose_theme("dark")
    dark = desktop.window.grab().toImage().pixelColor(5, 300)
    assert light.lightness() > 200 > 60 > dark.lightness()


def test_keys_move_the_timeline_where_no_field_wants_them(desktop: Desktop, qtbot: QtBot) -> None:
    timeline = desktop.workbench.stage.timeline
    qtbot.keyClick(desktop.window, Qt.Key.Key_Home)
    qtbot.keyClick(desktop.window, Qt.Key.Key_Right)
    qtbot.keyClick(desktop.window, Qt.Key.Key_Right)
    qtbot.keyClick(desktop.window, Qt.Key.Key_Left)
    assert timeline.position.value.step == 1
    qtbot.keyClick(desktop.window, Qt.Key.Key_Space)
    assert timeline.playing.value
    qtbot.keyClick(desktop.window, Qt.Key.Key_Space)
    assert not timeline.playing.value


def test_keys_for_the_tile_leave_an_own_text_on_the_stage(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    own = tmp_path / "own.cu"
    own.write_text("#define TILE 16\n__global__ void own(float* C) { C[threadIdx.x] = TILE; }\n", encoding="utf-8")
    shown = desktop.session.stage.value
    assert desktop.session.draft_editor.open_file(own) is None
    qtbot.keyClick(desktop.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert (desktop.session.stage.value, desktop.session.draft_editor.on_stage.value) == (shown, True)
    assert str(desktop.workbench.activity.value) == "The tile size of own.cu is a value in its text."


def test_both_workspaces_and_the_narrow_window_hold_all_panels(desktop: Desktop, qtbot: QtBot) -> None:
    def drawer() -> list[QToolButton]:
        return [button for button in desktop.window.findChildren(QToolButton) if button.text() == "Settings" and button.isVisible()]

    desktop.session.show_workspace(Workspace.TIMING)
    desktop.window.resize(1280, 720)
    desktop.session.show_workspace(Workspace.STAGE)
    qtbot.waitUntil(lambda: bool(drawer()))
    assert not any(inspector.isVisible() for inspector in desktop.window.findChildren(InspectorPanel))
    drawer()[0].click()
    inspector = next(each for each in desktop.window.findChildren(InspectorPanel) if each.isVisible())
    fields = [field for field in inspector.findChildren(NumberField) if field.isVisibleTo(inspector)]
    qtbot.waitUntil(lambda: max(field.mapTo(inspector, field.rect().topRight()).x() for field in fields) < inspector.width())
    cut = [
        button.text()
        for button in desktop.window.findChildren(QToolButton)
        if button.isVisible() and button.width() < button.sizeHint().width()
    ]
    assert not cut


def test_the_settings_are_whole_in_the_narrowest_window(qtbot: QtBot) -> None:
    opened = Desktop(WindowArguments("en", "light", None, (960, 600)), None, Settings(None))
    opened.start()
    qtbot.waitUntil(lambda: opened.workbench.stage_ready, timeout=20_000)
    (workspace,) = (each for each in opened.window.findChildren(StageWorkspace) if each.isVisible())
    workspace.settings.click()
    inspector = workspace.inspector
    qtbot.waitUntil(lambda: inspector.isVisible() and inspector.mapTo(opened.window, inspector.rect().topRight()).x() < 960)
    assert opened.window.width() == 960
    opened.window.close()
    opened.window.deleteLater()


def test_what_was_shown_is_shown_again_after_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    first = Desktop(WindowArguments("en", "light", "cpu.transpose-blocked", (1280, 720)), None, Settings(file))
    first.session.set_stage_parameter("tile", 8)
    first.start()
    first.window.close()
    first.window.deleteLater()
    second = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(file))
    assert second.session.stage.value == first.session.stage.value
    second.window.close()
    second.window.deleteLater()


@pytest.mark.parametrize("chosen", [frozenset({"cpu.simd", "gpu.tiled"}), frozenset[str]()])
def test_ticked_rungs_are_ticked_again_after_a_restart(qtbot: QtBot, tmp_path: Path, chosen: frozenset[str]) -> None:
    """Those of each operation, and none that a lesson had ticked."""
    file, lesson = tmp_path / "settings.ini", named("how-to-time")
    assert isinstance(lesson, Lesson)
    first = Desktop(WindowArguments("en", "light", "cpu.transpose-blocked", (1280, 720)), None, Settings(file))
    first.session.tick_all(catalogue.of(Operation.TRANSPOSE), ticked=False)
    first.session.choose_operation(Operation.MATMUL)
    first.session.tick_all(catalogue.of(Operation.MATMUL), ticked=False)
    first.session.tick_all((variant for variant in catalogue.VARIANTS if variant.id in chosen), ticked=True)
    first.start()
    first.workbench.lesson_controller.player.open(lesson)
    assert first.session.timing.value.ticked == {"gpu.tiled", "gpu.cublas"}
    first.window.close()
    first.window.deleteLater()
    second = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(file))
    assert second.session.timing.value.ticked == chosen
    second.session.choose_operation(Operation.TRANSPOSE)
    assert second.session.timing.value.ticked == frozenset()
    assert second.session.operation is Operation.TRANSPOSE
    second.window.close()
    second.window.deleteLater()


def test_closing_in_the_middle_of_a_measurement_ends_everything(qtbot: QtBot) -> None:
    opened = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(None))
    opened.start()
    qtbot.waitUntil(lambda: opened.workbench.stage_ready, timeout=20_000)
    opened.workbench.measure()
    qtbot.waitUntil(lambda: _busy(opened))
    opened.window.close()
    opened.window.deleteLater()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--variant cpu.blocked --alone 7", "tilescope: --alone: A CPU kernel has the views 1 to 4.\n"),
        ("--variant cpu.blocked --n 4 --tile 2 --step 99999999", "tilescope: --step must be at most {last}, not 99 999 999.\n"),
    ],
)
def test_a_picture_of_what_is_not_there_is_refused(options: str, reason: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TILESCOPE_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "app", "screenshot", str(picture), *options.split()]
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert re.fullmatch(re.escape(reason).replace(r"\{last\}", r"\d+").replace(r"\ ", r"\s"), refused.stderr)
    assert not picture.exists()
