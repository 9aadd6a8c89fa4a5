"""What was shown before is let go of: no view keeps a launch that another has replaced."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.index import LaunchIndex
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.stage.panel import StagePanel
from app.qt.stage.table_panel import TablePanel
from app.qt.stage.timeline_bar import TimelineBar
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))


@pytest.mark.parametrize("variant", ["gpu.tiled", "gpu.transpose-shared", "gpu.hello"])
def test_a_launch_that_is_replaced_is_let_go_of(qtbot: QtBot, variant: str) -> None:
    kept = launch_of(variant, 64)
    model = StageModel()
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 900)
    panel, bar = StagePanel(LOOK, model, parent=window), TimelineBar(LOOK, model, parent=window)
    panel.resize(1200, 780)
    table = TablePanel(LOOK, model, panel)
    window.show()
    model.shown.value = LaunchIndex(kept.subject, kept.record)
    first = weakref.ref(model.shown.value)
    for step in range(0, kept.steps, max(kept.steps // 20, 1)):
        model.timeline.scrub(step + 0.5)
        panel.grab()
        bar.grab()
    table.toggle()
    assert first() is not None
    model.shown.value = LaunchIndex(kept.subject, kept.record)
    panel.grab()
    bar.grab()
    gc.collect()
    assert first() is None
    window.hide()
