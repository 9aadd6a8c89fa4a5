"""The overview of a launch as a hall sees it: high enough, and its phases told from the ground in each theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.timeline_overview import ROWS
from app.core.stage.model import StageModel
from app.core.workbench.window_arguments import THEMES
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.timeline_overview import GpuTimelineOverview, draw_overview
from tests.launches.launch_records import launch_of
from tests.screens.colour_vision import contrast

TOLD_APART = 1.5
"""Of areas that also differ in their heights."""


def rgb(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


@pytest.mark.parametrize("name", THEMES)
def test_what_has_been_computed_stands_out_from_the_ground(qapp: QApplication, name: str) -> None:
    shown = theme(name)
    drawn = draw_overview(launch_of("gpu.tiled", 64), QSizeF(600, 2 * ROWS), 1.0, shown).toImage()
    in_middle, at_edge = (drawn.pixelColor(40, y) for y in (ROWS, 0))  # most steps compute, in the middle rows
    assert at_edge == shown.bg2
    assert contrast(rgb(in_middle), rgb(at_edge)) >= TOLD_APART


def test_a_low_bar_has_two_pixels_for_each_row(qtbot: QtBot) -> None:
    look, model = Look(theme("light"), Translator("en")), StageModel()
    index = model.shown.value = launch_of("gpu.tiled", 64)
    strip = GpuTimelineOverview(look, model, compact=True)
    qtbot.addWidget(strip)
    strip.resize(600, strip.height())
    model.timeline.scrub(index.steps)
    image = strip.grab().toImage()
    ground = image.pixelColor(100, image.height() - 1)
    assert sum(image.pixelColor(100, y) != ground for y in range(image.height())) >= 2 * ROWS
