"""Beside an open launch form, and above what is wrong with it, the text keeps its rows, on the screens of laptops and projectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from tests.launches.whole_programs import TWO_LAUNCHES
from tests.qt.open_window import while_open

ROWS = {(1366, 768): 15, (1280, 720): 13}
ROWS_ABOVE = {(1366, 768): 19, (1280, 720): 16}
"""Of the text, in windows of these sizes; above what is wrong with a whole program."""


@pytest.fixture
def desktop(qtbot: QtBot, look_restored: None, tmp_path: Path, size: tuple[int, int], language: str) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments(language, "light", "gpu.tiled", size), None, Settings(tmp_path / "settings.ini")), qtbot)


def rows(panel: SourcePanel) -> float:
    """How many rows of the text are seen."""
    return panel.view.viewport().height() / panel.view.fontMetrics().lineSpacing()


@pytest.mark.parametrize("size", ROWS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_of_the_text_are_seen_beside_an_open_launch_form(desktop: Desktop, qtbot: QtBot, size: tuple[int, int]) -> None:
    panel = desktop.window._stage.source
    QTest.keyClick(desktop.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.view.editable and desktop.workbench.stage_ready)
    panel.form.fold.setChecked(True)
    field = next(iter(panel.form.fields.values()))
    qtbot.waitUntil(field.isVisible)
    for _ in range(5):  # the step card gives way in the next round
        desktop.process_events()
    assert rows(panel) >= ROWS[size]
    assert field.edit.visibleRegion().boundingRect() == field.edit.rect(), "a field that is seen whole"
    assert (desktop.window.width(), desktop.window.height()) == size


@pytest.mark.parametrize("size", ROWS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_of_the_text_are_seen_above_what_is_wrong_with_a_program(
    desktop: Desktop, qtbot: QtBot, size: tuple[int, int], tmp_path: Path
) -> None:
    path, panel = tmp_path / "own.cu", desktop.window._stage.source
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: desktop.workbench.program.outcome.value is not None)
    desktop.workbench.program_page.leave()
    desktop.session.draft_editor.change_text(TWO_LAUNCHES.replace("p[i] = i;", "p[i] = ;").replace("p[i] *= 2;", "p[i] *= two"))
    qtbot.waitUntil(lambda: panel.diagnostics.count() >= 2 and not desktop.workbench.program.running.value)
    for _ in range(5):  # the step card gives way in the next round
        desktop.process_events()
    said = [panel.diagnostics.item(number).text() for number in range(panel.diagnostics.count())]
    assert len(said) == len(set(said)), "each once"
    assert rows(panel) >= ROWS_ABOVE[size]
