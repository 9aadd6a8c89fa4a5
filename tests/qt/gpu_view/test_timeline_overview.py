"""The overview of a launch as a hall sees it: high enough, and its phases told from the ground in each theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.timeline_overview import ROWS, tile_range
from app.core.stage.model import StageModel
from app.core.workbench.window_arguments import THEMES
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.timeline_overview import NAMES, GpuTimelineOverview, draw_overview
from tests.launches.launch_records import launch_of
from tests.screens.colour_vision import contrast

TOLD_APART = 1.5
"""Of areas that also differ in their heights."""
DETAIL = 21
"""Where the rows of the warps begin."""


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


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_position_leaves_the_words_of_an_interval_readable(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    look, model = Look(theme("light"), Translator(language)), StageModel()
    index = model.shown.value = launch_of("gpu.tiled", 64)
    strip = GpuTimelineOverview(look, model, compact=False)
    qtbot.addWidget(strip)
    strip.resize(1200, strip.height())
    first, stop = tile_range(index, 0)
    labels, draw = list[QRectF](), QPainter.drawText

    def noted(painter: QPainter, place: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:
        if place.width() > NAMES and place.height() < strip.height() / 2:
            labels.append(place)
        draw(painter, place, flags, text)

    model.timeline.scrub(first)
    with monkeypatch.context() as patch:
        patch.setattr(QPainter, "drawText", noted)
        apart = strip.grab().toImage()
    label = labels[-1].translated(NAMES, DETAIL)
    time = first + (label.center().x() - NAMES) / (strip.x_of(index.steps) - NAMES) * (stop - first)
    model.timeline.scrub(time)
    crossed = strip.grab().toImage()
    assert crossed.copy(label.toAlignedRect()) == apart.copy(label.toAlignedRect())
    below = QPoint(round(label.center().x()), strip.height() - 3)
    assert any(crossed.pixelColor(below + QPoint(by, 0)) == look.theme.now for by in (-1, 0, 1)), "the position is seen below them"
