"""Lanes that leave their array, or that are misaligned, are marked in the view of global memory, and not while somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.sectors import accessed_sectors, sentence, verdict
from app.core.lesson_metrics.metric import Source
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.views.frame import Badge
from app.qt.widgets.labels import ElidedLabel
from tests.launches.launch_records import record_of

LOOK = Look(theme("light"), Translator("en"))
BAD = LOOK.theme.bad.rgb()


def past_the_end() -> LaunchIndex:
    """28 of 32 lanes read behind an array of 4 elements."""
    return record_of('extern "C" __global__ void f(float* a) { a[threadIdx.x] = 1.0f; }', 32, {"a": np.zeros(4, np.float32)})


def misaligned() -> LaunchIndex:
    """Every second lane reads four values from the middle of such a group."""
    text = """extern "C" __global__ void f(const float* a, float* b)
    {
        float4 four = *(const float4*)(a + 6 * threadIdx.x);
        b[threadIdx.x] = four.x;
    }"""
    return record_of(text, 32, {"a": np.zeros(256, np.float32), "b": np.zeros(32, np.float32)})


@pytest.mark.parametrize(
    ("launch", "said", "judged"),
    [
        (past_the_end, "Lanes 4–31: out of bounds of the array.", "Lanes out of bounds: 28"),
        (misaligned, "Lanes 1, 3, 5, 7, ", "Lanes misaligned: 16"),
    ],
)
def test_words_say_which_lanes_are_at_fault(launch: Callable[[], LaunchIndex], said: str, judged: str) -> None:
    index = launch()
    access = accessed_sectors(index, frame_at(index, 0))
    found = verdict(access)
    assert access is not None
    assert found is not None
    assert str(sentence(access)).startswith(said)
    assert (str(found.text), found.severe) == (judged, True)


def test_bytes_outside_are_told_from_those_inside_of_the_same_sector() -> None:
    index = past_the_end()
    access = accessed_sectors(index, frame_at(index, 0))
    assert access is not None
    first = access.lines[0].sectors[0]
    assert first is not None
    assert first.faulty == tuple((byte, byte + 4) for byte in range(16, 32, 4))


def test_the_marks_are_kept_back_while_lanes_are_asked_for(qtbot: QtBot) -> None:
    model = StageModel()
    view = GlobalView(LOOK, model)
    qtbot.addWidget(view)
    view.resize(640, 400)
    model.shown.value = past_the_end()
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    assert BAD in _colours(view.grab().toImage())
    model.asking.value = frozenset({Source.LAUNCH})
    assert BAD not in _colours(view.grab().toImage())
    assert view.verdict(picture) is None


def test_the_verdict_stands_there_with_the_answer(qtbot: QtBot) -> None:
    model = StageModel()
    stage = GpuStage(LOOK, model, compact=False)
    qtbot.addWidget(stage)
    model.asking.value = frozenset({Source.LAUNCH})
    model.shown.value, model.alone.value = past_the_end(), 4
    badge = next(iter(stage.frames[3].findChildren(Badge)))
    assert badge.text() == ""
    model.asking.value = frozenset()
    assert badge.text() == "▲ Lanes out of bounds: 28"


def test_a_long_verdict_of_an_earlier_step_leaves_the_name_its_room(qtbot: QtBot) -> None:
    model = StageModel()
    stage = GpuStage(LOOK, model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(310, 400)
    model.shown.value, model.alone.value = past_the_end(), 4
    frame = stage.frames[3]
    stage.show()
    badge = next(iter(frame.findChildren(Badge)))
    assert badge.text() == "▲ Lanes out of bounds: 28"
    model.asking.value = frozenset({Source.LAUNCH})  # now there is no verdict
    QApplication.processEvents()
    name = next(each for each in frame.findChildren(ElidedLabel) if each.text() == "Global memory")
    assert name.width() >= name.sizeHint().width()


def _colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
