"""Figures opened again: the right size, drawn as they are in the window, in the colours and the language that were asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.cpu_view.index import TraceIndex
from app.core.export.clips.encoder import Pixels
from app.core.export.kinds import PictureSize
from app.core.export.picture_text import ExportSubject, PictureText, text_of_results
from app.core.session.session import Session
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.export.clip import pixels_of
from app.qt.export.export_view import ExportedStage, ExportView, export_theme
from app.qt.export.figure import FINE, picture_of_page, write_figure
from kernels.base.messages import message
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from tests.launches.launch_records import launch_of

STEP = 100
SIZE = PictureSize(800, 480)
ENDINGS = (".png", ".svg", ".pdf")
TILED = ExportSubject(message("Tiled"), (message("gpu.tiled"),))
WHITE = (255, 255, 255)


def look_in(colours: str = "light", language: str = "en") -> Look:
    return Look(export_theme(colours), Translator(language))


def live_model(step: int = STEP) -> StageModel:
    model = StageModel()
    model.profile.value = Session().profile.value
    model.shown.value = launch_of("gpu.tiled", 32, tile=16)
    model.timeline.scrub(step)
    return model


def exported_stage(model: StageModel, look: Look, view: int = 0, width: int = SIZE.width) -> ExportedStage:
    return ExportedStage(look, model, TILED, view, width)


@pytest.fixture
def drawn(qapp: object) -> Callable[..., Pixels]:
    """The page of a moment as pixels."""

    def draw(colours: str = "light", language: str = "en", step: int = STEP, view: int = 0, size: PictureSize = SIZE) -> Pixels:
        look = look_in(colours, language)
        exported = exported_stage(live_model(step), look, view, size.width)
        pixels = pixels_of(picture_of_page(exported, size, look))
        exported.close()
        return pixels

    return draw


def colours_in(pixels: Pixels) -> int:
    return len(np.unique(pixels.reshape(-1, 3).astype(np.uint32) @ np.array((65536, 256, 1), np.uint32)))


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_png_has_the_size_that_was_asked_for(qtbot: QtBot, tmp_path: Path, scale: int) -> None:
    look, path, size = look_in(), tmp_path / "stage.png", PictureSize(800, 480, scale)
    exported = exported_stage(live_model(), look)
    assert write_figure(path, exported, size, look) is None
    exported.close()
    with Image.open(path) as file:
        assert file.size == (800 * scale, 480 * scale)
        assert file.info["Title"] == "Tiled"
        assert "step 101 of 2336" in file.info["Source"]
        assert colours_in(np.asarray(file.convert("RGB"))) > 50
    assert [each.name for each in tmp_path.iterdir()] == ["stage.png"]


@pytest.mark.parametrize(("view", "part"), [
    (0, (slice(None), slice(None))),
    (3, (slice(100, 200), slice(0, 60))),  # names of arrays, which are kept as an image
])  # fmt: skip
def test_a_larger_scale_is_sharper_not_only_larger(drawn: Callable[..., Pixels], view: int, part: tuple[slice, slice]) -> None:
    """Enlarging a small picture gives blocks of equal pixels; drawing it large does not."""
    blocks = drawn(view=view, size=PictureSize(800, 480, 2)).reshape(480, 2, 800, 2, 3)[part[0], :, part[1]]
    assert len(np.unique(blocks)) > 5
    assert not np.array_equal(blocks[:, 0, :, 0], blocks[:, 1, :, 1])


def test_an_svg_is_drawn_like_the_png_and_needs_no_font(qtbot: QtBot, tmp_path: Path, drawn: Callable[..., Pixels]) -> None:
    look, path = look_in(), tmp_path / "stage.svg"
    exported = exported_stage(live_model(), look)
    assert write_figure(path, exported, SIZE, look) is None
    exported.close()
    text = path.read_text(encoding="utf-8")
    assert "<text" not in text
    assert 'aria-label="Matrices"' in text
    assert 'width="800" height="480"' in text
    renderer = QSvgRenderer(str(path))
    assert renderer.isValid()
    assert renderer.defaultSize() == QSize(800, 480)
    image = QImage(800 * FINE, 480 * FINE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    away = np.abs(pixels_of(image).astype(int) - drawn(size=PictureSize(800, 480, FINE)))
    assert away.mean() < 3.5, away.mean()  # edges of letters: the caption is lines there too


def test_banks_and_sectors_are_lines_in_an_svg_not_images(qtbot: QtBot, tmp_path: Path) -> None:
    """What the window keeps as images to be fast is drawn anew where lines stay lines."""
    look, path, model = look_in(), tmp_path / "stage.svg", StageModel()
    model.shown.value = launch_of("gpu.tiled", 8, tile=4)
    model.timeline.scrub(30)
    for view, written in ((1, "8 × 8"), (2, "W0"), (3, "×4"), (4, "0–3")):
        exported = exported_stage(model, look, view)
        assert write_figure(path, exported, SIZE, look) is None
        exported.close()
        text = path.read_text(encoding="utf-8")
        assert text.count("<image") <= 2, view
        assert any(written in label for label in re.findall('aria-label="([^"]*)"', text)), view


def test_a_pdf_has_one_page_of_the_size(qtbot: QtBot, tmp_path: Path) -> None:
    look, path = look_in(), tmp_path / "stage.pdf"
    exported = exported_stage(live_model(), look)
    assert write_figure(path, exported, SIZE, look) is None
    exported.close()
    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    boxes = re.findall(rb"/MediaBox \[([\d. ]+)\]", content)
    assert [[float(word) for word in box.split()] for box in boxes] == [[0, 0, 600, 360]]


def test_print_has_a_white_ground_and_dark_ink(drawn: Callable[..., Pixels]) -> None:
    page = drawn("print")
    edge = np.concatenate((page[0], page[-1], page[:, 0], page[:, -1]))
    assert (edge == 255).all()
    grounds = {tuple(page[y, x].tolist()) for y, x in ((60, 5), (240, 790), (440, 400))}
    assert grounds == {WHITE}
    light, dark = drawn("light"), drawn("dark")
    assert page.min() < light.min() or page.min() == 0
    assert dark.mean() < 80 < light.mean() <= page.mean()


@pytest.mark.parametrize("colours", ["light", "dark", "print"])
def test_text_can_be_read_on_every_ground(colours: str) -> None:
    theme = export_theme(colours)
    for token in ("t1", "t2", "t3", "a", "b", "c", "now_text", "bad"):
        for ground in ("bg0", "bg1", "bg2"):
            assert contrast(getattr(theme, token).getRgbF()[:3], getattr(theme, ground).getRgbF()[:3]) >= 4.5, (token, ground)


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    def luminance(colour: tuple[float, ...]) -> float:
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_languages_steps_and_views_differ(drawn: Callable[..., Pixels]) -> None:
    pictures = [drawn(), drawn(language="zh_CN"), drawn(step=STEP + 1), drawn(view=3), drawn("dark")]
    for number, one in enumerate(pictures):
        assert colours_in(one) > 50
        for other in pictures[number + 1 :]:
            assert not np.array_equal(one, other)
    assert np.array_equal(drawn(), pictures[0])


def test_drawing_moves_nothing_in_the_window(qtbot: QtBot) -> None:
    model, look = live_model(), look_in()
    before = model.picture.value
    exported = exported_stage(model, look, view=2)
    exported.show(7)
    picture_of_page(exported, SIZE, look)
    exported.close()
    assert model.picture.value is before
    assert (model.timeline.position.value.step, model.alone.value) == (STEP, 0)


def test_a_kernel_of_the_cpu_is_drawn_too(qtbot: QtBot) -> None:
    variant = catalogue.by_id("cpu.blocked")
    model, look = StageModel(), look_in("print")
    model.shown.value = TraceIndex(trace(variant, Problem.square(variant.operation, 8), {"tile": 4}, seed=1))
    exported = exported_stage(model, look, view=1)
    assert colours_in(pixels_of(picture_of_page(exported, SIZE, look))) > 50
    exported.close()


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_folder_that_is_not_there_is_a_reason(qtbot: QtBot, tmp_path: Path, ending: str) -> None:
    look = look_in()
    exported = exported_stage(live_model(), look)
    reason = write_figure(tmp_path / "none" / f"x{ending}", exported, SIZE, look)
    exported.close()
    assert reason is not None
    assert "could not be written" in str(reason)


def test_long_words_stay_on_the_page(qtbot: QtBot) -> None:
    """They are cut or set smaller: what is right of the margin stays ground."""
    look = look_in("print")
    exported = exported_stage(live_model(), look)
    long = message("{text}", text="word " * 200)
    page = pixels_of(picture_of_page(Worded(exported, replace(text_of_results(long, long, (long,)), aside=long)), SIZE, look))
    exported.close()
    assert (page[:, -8:] == 255).all()


class Worded:
    """An export view with other words."""

    def __init__(self, exported: ExportView, words: PictureText) -> None:
        self.widget, self.words = exported.widget, words

    def close(self) -> None:
        """The other one is closed by who made it."""
