"""A recording goes out of the window and in again by its menu; the chart then names its machine and day."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from app.core.results.curves import Provenance
from app.core.timing.recordings import provenance_text
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.recording_file import load_recorded, recorded_text
from kernels.measure.results import Result, Status
from tests.measured.timing_results import wholes

RESULT = Result(
    Case("gpu.tiled", Problem.square(Operation.MATMUL, 256), {"tile": 16}), Status.SINGLE, "2026-11-20T10:00:00+00:00", (1.5,), 1e-7, 1e-5,
    conditions={"processor": "P", "gpu": "NVIDIA T4"},
)  # fmt: skip


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    opened = Desktop(WindowArguments("en", "light", None, (1920, 1080)), None, Settings(None))
    opened.start()
    qtbot.waitUntil(lambda: opened.workbench.settled, timeout=20_000)
    yield opened
    opened.window.close()
    opened.window.deleteLater()


def choose(desktop: Desktop, title: str) -> None:
    (action,) = (action for action in desktop.window.findChildren(QAction) if action.text() == title)
    action.trigger()


def status(desktop: Desktop) -> str:
    activity = desktop.workbench.activity.value
    return "" if activity is None else str(activity)


def test_what_was_measured_is_exported(desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.json"), ""))
    choose(desktop, "Export the measurements as a recording…")
    assert status(desktop) == "Nothing was measured here yet."
    desktop.workbench.timing.add(Provenance.MEASURED, [RESULT])
    choose(desktop, "Export the measurements as a recording…")
    assert load_recorded(tmp_path / "mine.json") == (RESULT,)


@pytest.mark.parametrize(("kind", "name"), [("JSON (*.json)", "points.json"), ("CSV (*.csv)", "points.csv")])
def test_a_table_has_the_ending_of_the_kind_that_was_chosen(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str
) -> None:
    """A name without one was a table with commas, whatever was chosen."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "points"), kind))
    choose_path = desktop.window._choices.choose_path
    assert choose_path("csv") == tmp_path / name
    (tmp_path / name).touch()
    assert "choose it by its whole name to replace it" in str(choose_path("csv"))


def test_a_recording_is_imported_or_refused_in_words(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "theirs.json"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    path.write_text('{"format": "tilescope recording 1", "points": [7]}', encoding="utf-8")
    choose(desktop, "Import a recording…")
    qtbot.waitUntil(lambda: "points must hold objects" in status(desktop), timeout=5000)
    path.write_text(recorded_text([RESULT]), encoding="utf-8")
    choose(desktop, "Import a recording…")
    qtbot.waitUntil(lambda: status(desktop) == "Imported: 1 results, recorded on NVIDIA T4, 2026-11-20.", timeout=5000)
    results = desktop.workbench.timing.results
    assert RESULT in wholes(results.rows(Provenance.RECORDED))
    assert "NVIDIA T4" in str(provenance_text(Provenance.RECORDED, results))
    assert any(label.text().startswith("Imported: ") for label in desktop.window.findChildren(QLabel))
