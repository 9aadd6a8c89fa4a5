"""Clips of the stage: each picture is the figure of its step, whatever came before it; and what is stopped leaves nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.export.choice import Range
from app.core.export.clips.encoding import CANCELLED
from app.core.export.kinds import PictureSize
from app.core.export.picture_text import ExportSubject
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.export.clip import ClipDrawing, DrawingJob, FileDrawing, pixels_of
from app.qt.export.export_view import ExportedStage, export_theme
from app.qt.export.figure import picture_of_page
from kernels.base.messages import message
from tests.launches.launch_records import launch_of

SIZE = PictureSize(640, 400)
LOOK = Look(export_theme("light"), Translator("en"))
FIRST, LAST = 126, 134
"""Warps change here, and a barrier is met."""
SUBJECT = ExportSubject(message("Tiled"), ())


def exported(view: int = 0) -> ExportedStage:
    model = StageModel()
    model.shown.value = launch_of("gpu.tiled", 32, tile=16)
    return ExportedStage(LOOK, model, SUBJECT, view, SIZE.width)


def draw(path: Path, chosen: Range) -> ClipDrawing:
    drawing = ClipDrawing(path, exported(), chosen, SIZE, LOOK)
    while not drawing.done:
        drawing.step()
        drawing.wait()
    return drawing


def figure(time: float) -> np.ndarray:
    made = exported()
    made.show(time)
    pixels = pixels_of(picture_of_page(made, SIZE, LOOK))
    made.close()
    return pixels


@pytest.mark.parametrize("ending", [".webp", ".apng"])
def test_every_picture_is_the_figure_of_its_step(qtbot: QtBot, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"clip{ending}"
    assert draw(path, Range(FIRST, LAST, 15, 15.0)).reason is None
    with Image.open(path) as file:
        assert file.size == (SIZE.width, SIZE.height)
        assert getattr(file, "n_frames", 1) == LAST - FIRST
        found = []
        for number in range(LAST - FIRST):
            file.seek(number)
            found.append(np.asarray(file.convert("RGB")).copy())
    for number in (LAST - FIRST - 1, 3, 0):
        assert np.array_equal(found[number], figure(FIRST + number)), number
    assert all(not np.array_equal(one, other) for one, other in pairwise(found))


def test_a_slow_clip_shows_data_on_its_way(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "clip.apng"
    chosen = Range(0, 1, 4, 1.0)
    assert draw(path, chosen).reason is None
    with Image.open(path) as file:
        file.seek(2)
        between = np.asarray(file.convert("RGB")).copy()
    assert np.array_equal(between, figure(0.5))
    assert not np.array_equal(between, figure(0.0))


def test_a_gif_has_all_pictures_in_nearly_their_colours(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "clip.gif"
    assert draw(path, Range(FIRST, LAST, 15, 15.0)).reason is None
    with Image.open(path) as file:
        assert getattr(file, "n_frames", 1) == LAST - FIRST
        file.seek(5)
        away = np.abs(np.asarray(file.convert("RGB")).astype(int) - figure(FIRST + 5))
    assert away.mean() < 0.5
    assert away.max() < 64


@pytest.mark.parametrize("portions", [0, 1, 4])
def test_cancelling_leaves_no_file(qtbot: QtBot, tmp_path: Path, portions: int) -> None:
    drawing = ClipDrawing(tmp_path / "clip.webp", exported(), Range(0, 60, 15, 15.0), SIZE, LOOK)
    for _ in range(portions):
        drawing.step()
    drawing.cancel()
    assert drawing.done
    assert drawing.reason == CANCELLED
    assert list(tmp_path.iterdir()) == []
    drawing.cancel()
    assert drawing.reason == CANCELLED


def test_the_window_lives_between_two_pictures(qtbot: QtBot, tmp_path: Path) -> None:
    told: list[int] = []
    owner = QObject()
    drawing = ClipDrawing(tmp_path / "clip.webp", exported(view=3), Range(0, 6, 15, 15.0), SIZE, LOOK)
    DrawingJob(drawing, lambda each: told.append(each.drawn), owner)
    assert told == []
    qtbot.waitUntil(lambda: drawing.done, timeout=20_000)
    assert drawing.reason is None
    assert told == sorted(told)
    assert {0, 1, 6} <= set(told)
    owner.deleteLater()


def test_a_job_that_is_cancelled_draws_no_more(qtbot: QtBot, tmp_path: Path) -> None:
    told: list[FileDrawing] = []
    owner = QObject()
    drawing = ClipDrawing(tmp_path / "clip.webp", exported(view=3), Range(0, 60, 15, 15.0), SIZE, LOOK)
    job = DrawingJob(drawing, told.append, owner)
    qtbot.waitUntil(lambda: drawing.drawn > 2, timeout=20_000)
    job.cancel()
    count = drawing.drawn
    assert told[-1].done
    qtbot.wait(100)
    assert drawing.drawn == count
    assert list(tmp_path.iterdir()) == []
    owner.deleteLater()
