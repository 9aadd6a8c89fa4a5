"""The view of memory order as a user has it: what stands in its header, and what a press on a mark does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.memory_order import Mark, Sign
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.gpu_view.order_view import OrderView
from kernels.simt.base.launch import Fill, Filled
from tests.launches.launch_records import launch_of, record_of

LOOK = Look(theme("light"), Translator("en"))
TEXT = """__global__ void turned(int* out)
{{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    {barrier}
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}}"""


def turned(barrier: str) -> LaunchIndex:
    return record_of(TEXT.format(barrier=barrier), 64, {"out": Filled(64, Fill.ZEROS)})


def view_of(qtbot: QtBot, index: LaunchIndex, step: int, size: tuple[int, int] = (700, 400)) -> OrderView:
    model = StageModel()
    model.shown.value = index
    model.timeline.scrub(step)
    view = OrderView(LOOK, model)
    qtbot.addWidget(view)
    view.resize(*size)
    model.picture.subscribe(lambda picture: view.show_picture(picture if isinstance(picture, GpuPicture) else None))
    view.show_picture(shown(view))
    return view


def shown(view: OrderView) -> GpuPicture:
    picture = view.model.picture.value
    assert isinstance(picture, GpuPicture)
    return picture


def point(view: OrderView, mark: Mark) -> QPoint:
    """Where a mark is pressed."""
    everywhere = (QPoint(x, y) for y in range(0, view.height(), 4) for x in range(0, view.width(), 4))
    return next(each for each in everywhere if view.mark_at(each.toPointF(), shown(view)) == mark)


def marks(view: OrderView, sign: Sign) -> list[Mark]:
    return [mark for mark in view.order(shown(view)).marks if mark.sign is sign]


def has(image: QImage, colour: QColor) -> bool:
    return any(image.pixelColor(x, y).rgb() == colour.rgb() for y in range(image.height()) for x in range(image.width()))


def test_the_header_says_whether_the_two_are_ordered(qtbot: QtBot) -> None:
    said = []
    for barrier in ("__syncthreads();", ""):
        index = turned(barrier)
        view = view_of(qtbot, index, int(index.steps_of_line(6)[0]))
        verdict = view.verdict(shown(view))
        assert verdict is not None
        said.append((str(verdict.text), verdict.good, has(view.grab().toImage(), LOOK.theme.bad)))
        assert str(view.fact(shown(view))) == "lines 4 and 6"
    assert said == [("ordered", True, False), ("not ordered", False, True)]


def test_a_press_on_a_mark_goes_to_its_step(qtbot: QtBot) -> None:
    index = turned("__syncthreads();")
    view = view_of(qtbot, index, int(index.steps_of_line(6)[0]))
    store = next(
        mark for mark in marks(view, Sign.STORE) if mark.track == view.order(shown(view)).marks[view.order(shown(view)).way[0]].track
    )
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point(view, store))
    assert shown(view).frame.step == store.step
    assert view.model.pinned.value.thread is not None


def test_a_press_with_shift_chooses_the_other_access(qtbot: QtBot) -> None:
    text = TEXT.replace("s[threadIdx.x ^ 32]", "s[0]").format(barrier="__syncthreads();")
    index = record_of(text, 64, {"out": Filled(64, Fill.ZEROS)})
    view = view_of(qtbot, index, 0)
    first = view.order(shown(view))
    loads = [mark for mark in marks(view, Sign.LOAD) if mark not in (first.marks[each] for each in first.way)]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, point(view, loads[0]))
    second = view.order(shown(view))
    assert second.marks[second.way[-1]].track == loads[0].track
    assert first.marks[first.way[-1]].track != loads[0].track
    assert shown(view).frame.step == 0


@pytest.mark.parametrize("size", [(240, 160), (300, 260), (1200, 800)])
def test_every_mark_lies_in_the_view(qtbot: QtBot, size: tuple[int, int]) -> None:
    view = view_of(qtbot, turned(""), 1, size)
    view.grab()
    for mark in view.order(shown(view)).marks:
        assert view.rect().contains(point(view, mark))


def test_it_stands_on_the_stage_where_threads_race(qtbot: QtBot) -> None:
    seen = []
    for index in (turned(""), launch_of("gpu.tiled", 32)):
        model = StageModel()
        stage = GpuStage(LOOK, model, compact=False)
        qtbot.addWidget(stage)
        stage.resize(1200, 800)
        model.shown.value = index
        seen.append(View.MEMORY_ORDER in stage.shown)
    assert seen == [True, False]
