"""Players of the stage: what painters draw is read back whole, and a browser shows the pixels that the window would."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.export.choice import Range
from app.core.export.clips.encoding import CANCELLED
from app.core.export.display_list import Fill, Glyphs, Raster, Stroke
from app.core.export.kinds import PictureSize
from app.core.export.picture_text import ExportSubject
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.export.clip import pixels_of
from app.qt.export.display_recorder import FINE, DisplayRecorder
from app.qt.export.figure import settle
from app.qt.export.player import PlayerDrawing
from app.qt.export.scenes import StageScene, export_theme
from app.qt.views.view import StageView
from kernels.base.messages import message
from tests.launch_records import launch_of

SIZE = PictureSize(1200, 640)
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
FIRST = 126


def scene(look: Look) -> StageScene:
    model = StageModel()
    model.shown.value = launch_of("gpu.tiled", 32, tile=16)
    return StageScene(look, model, ExportSubject(message("Tiled"), ()), 0, SIZE.width)


def written(path: Path, last: int) -> PlayerDrawing:
    drawing = PlayerDrawing(path, scene, Range(FIRST, last, 1, 1.0), SIZE, Translator("en"))
    while not drawing.done:
        drawing.step()
    return drawing


class Shapes(QWidget):
    """One of each thing that painters draw."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(2, 3, 10, 20, QColor("#123456"))
        painter.setPen(QColor(1, 2, 3, 128))
        painter.drawLine(0, 0, 30, 40)
        painter.setPen(QColor("#000000"))
        painter.drawText(QPoint(5, 30), "il")
        image = QImage(2, 1, QImage.Format.Format_RGBA8888)
        image.setPixelColor(0, 0, QColor("#ff0000"))
        image.setPixelColor(1, 0, QColor(0, 255, 0, 51))
        painter.drawImage(QPoint(7, 8), image)
        painter.end()


def test_what_is_drawn_is_told(qtbot: QtBot) -> None:
    shapes = Shapes()
    qtbot.addWidget(shapes)
    shapes.resize(60, 50)
    marks = DisplayRecorder().record(shapes)
    assert Fill("#123456ff", "M2 3h10v20h-10Z", (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), even=False) in [_plain(each) for each in marks]
    strokes = [each for each in marks if isinstance(each, Stroke)]
    assert (strokes[0].colour, strokes[0].width) == ("#01020380", 1.0)
    (text,) = [each for each in marks if isinstance(each, Glyphs)]
    first, second = text.glyphs
    assert first[0] != second[0]
    assert first[1:] == (5.0, 30.0)
    assert second[1] > first[1]
    (image,) = [each for each in marks if isinstance(each, Raster)]
    assert image.pixels.tolist() == [[0xFF0000FF, 0x00FF0033]]
    assert image.place == (7.0, 8.0, 2.0, 1.0)


def _plain(mark: object) -> object:
    """Which of two ways fills a rectangle is all the same."""
    return replace(mark, even=False) if isinstance(mark, Fill) else mark


def test_a_step_is_written_as_it_differs_from_the_one_before(qtbot: QtBot, tmp_path: Path) -> None:
    few, many = tmp_path / "few.html", tmp_path / "many.html"
    assert written(few, FIRST + 1).reason is None
    drawing = written(many, FIRST + 21)
    assert (drawing.drawn, drawing.total) == (22, 22)
    assert many.stat().st_size < 2.5 * few.stat().st_size


def test_a_player_that_is_cancelled_leaves_no_file(qtbot: QtBot, tmp_path: Path) -> None:
    drawing = PlayerDrawing(tmp_path / "scene.html", scene, Range(0, 9, 1, 1.0), SIZE, Translator("en"))
    drawing.step()
    drawing.cancel()
    assert drawing.done
    assert drawing.reason == CANCELLED
    assert list(tmp_path.iterdir()) == []


def shot(page: Path, asked: str, to: Path) -> np.ndarray:
    """What a browser shows of a page."""
    assert BROWSER is not None
    profile = to.with_suffix(".profile")
    subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", f"--user-data-dir={profile}", "--hide-scrollbars", f"--force-device-scale-factor={FINE}",
         "--virtual-time-budget=10000", f"--window-size={SIZE.width},{SIZE.height}", f"--screenshot={to}", f"{page.as_uri()}#{asked}"],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    with Image.open(to) as image:
        return np.asarray(image.convert("RGB").reduce(FINE), np.int16)


def window(theme: str, step: int) -> np.ndarray:
    """What the painters draw on a screen."""
    made = scene(Look(export_theme(theme), Translator("en")))
    settle(made.widget, QSize(SIZE.width, SIZE.height))
    made.show(float(step))
    for view in made.widget.findChildren(StageView):
        view.drawn_at = FINE
    image = QImage(SIZE.width * FINE, SIZE.height * FINE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(FINE)
    painter = QPainter(image)
    made.widget.render(painter, QPoint(0, 0))
    painter.end()
    made.close()
    return np.asarray(Image.fromarray(pixels_of(image)).reduce(FINE), np.int16)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_browser_shows_what_the_window_does(qtbot: QtBot, tmp_path: Path, theme: str) -> None:
    page = tmp_path / "scene.html"
    assert written(page, FIRST + 12).reason is None
    for step in (FIRST, FIRST + 12):
        drawn, expected = shot(page, f"step={step}&theme={theme}&only=stage", tmp_path / f"{step}.png"), window(theme, step)
        assert drawn.shape == expected.shape
        assert _unlike(drawn, expected) < 0.002
    assert _unlike(expected, window(theme, FIRST)) > 0.004  # a comparison that tells steps apart


def _unlike(one: np.ndarray, other: np.ndarray) -> float:
    """The share of pixels that differ by more than edges do that are smoothed in another way."""
    return float((np.abs(one - other).max(axis=2) > 96).mean())


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_the_words_are_elements_of_the_page(qtbot: QtBot, tmp_path: Path) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    assert BROWSER is not None
    made = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}",
         "--virtual-time-budget=10000", "--dump-dom", f"{page.as_uri()}#step={FIRST + 1}"],
        check=True, capture_output=True, timeout=120, text=True,
    )  # fmt: skip
    assert re.search(r'<span class="place">127 / \d', made.stdout)
    assert "<h1>Tiled</h1>" in made.stdout
    assert len(re.findall(r'class="now"', made.stdout)) == 1
    assert re.search(r'<canvas [^>]*aria-label="[^"]+"', made.stdout)
