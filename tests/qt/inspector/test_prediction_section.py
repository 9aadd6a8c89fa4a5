"""Predicted and measured counters in the inspector."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.inspector.counters_section import PredictionSection
from app.qt.shell.application import Desktop
from kernels.base.messages import message
from kernels.catalogue import catalogue

PROFILE = """"ID","Kernel Name","Block Size","Grid Size","smsp__inst_executed_op_shared_st.sum"
"","","","","inst"
"0","matmul_tiled(const float *, const float *, float *, int, int, int)","(4, 4, 1)","(4, 4, 1)","{count}"
"""


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", (1920, 1080)), None, Settings(None))
    made.start()
    qtbot.waitUntil(lambda: made.workbench.studies.predictions.beside.value is not None, timeout=60_000)
    yield made
    made.window.close()
    made.window.deleteLater()


def section(desktop: Desktop) -> PredictionSection:
    found = desktop.window.findChild(PredictionSection)
    assert found is not None
    return found


def test_the_models_time_is_called_a_model(desktop: Desktop) -> None:
    shown = section(desktop)
    assert shown.isVisibleTo(desktop.window)
    assert shown.time.text().startswith("Time model: ")
    assert "This is a model" in shown.model.text()
    assert not shown.table.isVisibleTo(shown)


def test_an_imported_profile_stands_beside_the_prediction(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    shown, path = section(desktop), tmp_path / "profile.csv"
    path.write_text(PROFILE.format(count="7"), encoding="utf-8")
    shown.take_file(path)
    qtbot.waitUntil(lambda: bool(shown.table.rows), timeout=60_000)
    (row,) = (row for row in shown.table.rows if row.title.startswith("Shared store requests"))
    assert row.whole == "7"
    assert row.hint == "unexplained"
    assert "Shared store requests: unexplained" in shown.reasons.text()
    assert shown.source.text() == "Measured: imported from Nsight Compute"


def test_a_profile_that_cannot_be_read_is_refused_with_the_place(desktop: Desktop, tmp_path: Path) -> None:
    shown, path = section(desktop), tmp_path / "profile.csv"
    path.write_text(PROFILE.format(count="some"), encoding="utf-8")
    shown.take_file(path)
    assert "Line 3" in shown.source.text()
    assert shown.source.isVisibleTo(shown)


def test_a_kernel_of_the_processor_has_none(desktop: Desktop) -> None:
    naive = catalogue.by_id("cpu.naive")
    desktop.workbench.session.choose_variant(naive)
    assert not section(desktop).isVisibleTo(desktop.window)


def test_where_nothing_is_predicted_the_reason_stands_alone(desktop: Desktop) -> None:
    shown, predictions = section(desktop), desktop.workbench.studies.predictions
    predictions.beside.value = message("There is no variant {variant}.", variant="gpu.tiled")
    assert shown.isVisibleTo(desktop.window)
    assert shown.time.text() == "There is no variant gpu.tiled."
    assert not any(part.isVisibleTo(shown) for part in (shown.model, shown.table, shown.source, shown.imports))
