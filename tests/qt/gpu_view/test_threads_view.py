"""The view of threads as a user has it: what it draws where, and what mouse, keys and the button do."""

from __future__ import annotations

from gettext import NullTranslations
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.timeline import Unit
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.threads import threads_of
from app.core.session.session import profile_named
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.gpu_view.schedule_painter import cell_rect
from app.qt.gpu_view.threads_canvas import ThreadsCanvas
from app.qt.gpu_view.threads_geometry import lay_out, lay_out_warps
from app.qt.gpu_view.threads_view import ThreadsView
from app.qt.gpu_view.warps_painter import SMALLEST_LABELLED, named_warps
from kernels.base.messages import message
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))
SIZES = [(120, 90), (244, 540), (290, 606), (330, 366), (560, 470), (720, 470), (920, 866), (1600, 1000)]
BLOCKS = [(1, 1), (8, 4), (40, 40), (50, 5), (64, 8), (192, 24), (256, 1), (256, 16), (256, 256), (512, 64), (1000, 1000), (1024, 32)]
"""Threads of a block, and how many of them lie along x."""


class Elsewhere(NullTranslations):
    """A language that has a word before each text."""

    def gettext(self, message: str) -> str:
        return f"译{message}"


def model_of(index: LaunchIndex, step: float, profile: str | None = "h200") -> StageModel:
    model = StageModel()
    model.profile.value = profile_named(profile) if profile else None
    model.shown.value = index
    model.timeline.scrub(step)
    return model


def view_of(qtbot: QtBot, model: StageModel, size: tuple[int, int] = (290, 606), look: Look = LOOK) -> ThreadsView:
    view = ThreadsView(look, model)
    qtbot.addWidget(view)
    view.resize(*size)
    show(view)
    model.picture.subscribe(lambda picture: view.show_picture(picture if isinstance(picture, GpuPicture) else None))
    return view


def show(view: ThreadsView) -> GpuPicture:
    picture = view.model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    return picture


def image(view: ThreadsView) -> QImage:
    return view.grab().toImage()


def place_of(view: ThreadsView, thread: int) -> QPoint:
    """The middle of a thread's cell."""
    layout = ThreadsCanvas(view.look).layout(show(view), QSizeF(view.size()))
    return layout.warps.thread(thread).center().toPoint()


def block_place(view: ThreadsView, block: tuple[int, int, int]) -> QPoint:
    canvas, picture = ThreadsCanvas(view.look), show(view)
    grid = canvas.grid(picture, QSizeF(view.size()))
    return cell_rect(grid, canvas.layout(picture, QSizeF(view.size())).grid, grid.cell(block)).center().toPoint()


def test_another_launch_with_as_many_blocks_has_words_of_its_own(qtbot: QtBot) -> None:
    before, after = launch_of("gpu.tiled", 64, tile=32), launch_of("gpu.work-per-thread", 64, tile=32)
    assert before.trace.grid == after.trace.grid
    assert before.trace.block != after.trace.block
    view = view_of(qtbot, model_of(before, 0), (900, 700))
    image(view)
    view.model.shown.value = after
    view.model.timeline.scrub(0)
    assert image(view) == image(view_of(qtbot, model_of(after, 0), (900, 700)))


@pytest.mark.parametrize(("threads", "across"), BLOCKS)
@pytest.mark.parametrize("room", [(220, 180), (266, 400), (470, 560), (900, 700)])
def test_every_thread_has_a_cell_of_its_own(threads: int, across: int, room: tuple[int, int]) -> None:
    layout = lay_out_warps(QRectF(12, 100, *room), threads, across)
    for thread in range(threads):
        cell = layout.thread(thread)
        assert layout.thread_at(cell.center(), running=0) == thread
        assert QRectF(12, 0, room[0], 2000).contains(cell)
    assert layout.thread_at(QPointF(0, 0), running=0) is None


@pytest.mark.parametrize(("threads", "across"), BLOCKS)
def test_a_block_that_divides_warps_into_whole_rows_is_drawn_in_its_own_shape(threads: int, across: int) -> None:
    layout = lay_out_warps(QRectF(0, 0, 900, 2000), threads, across)
    if 32 % across == 0 and layout.columns != 16:
        assert layout.columns == across
    if layout.strip is None:
        assert layout.cell.width() >= 11


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("threads", "across"), BLOCKS)
def test_nothing_overlaps(size: tuple[int, int], threads: int, across: int) -> None:
    layout = lay_out(QSizeF(*size), 4, threads, across, 106, 34)
    used = [layout.grid, QRectF(layout.warps.area.topLeft(), QPointF(layout.warps.area.right(), layout.warps.bottom)), layout.legend]
    for one, other in pairwise(used):
        assert one.bottom() <= other.top() or not other.height()
    assert layout.legend.bottom() <= layout.details.top()
    assert layout.beside is None or layout.beside.left() > layout.warps.area.right()


@pytest.mark.parametrize("variant", ["gpu.tiled", "gpu.naive", "gpu.hello", "gpu.vectorized-k8"])
@pytest.mark.parametrize("size", SIZES)
def test_playing_and_seeking_give_the_same_picture(qtbot: QtBot, variant: str, size: tuple[int, int]) -> None:
    index = launch_of(variant, 128)
    view = view_of(qtbot, model_of(index, 0.4), size)
    for step in range(1, 9):
        view.model.timeline.scrub(step + 0.4)
        played = image(view)
    assert image(view_of(qtbot, model_of(index, 8.4), size)) == played


@pytest.mark.parametrize("variant", ["gpu.tiled", "gpu.hello"])
@pytest.mark.parametrize("size", [(290, 606), (920, 866)])
def test_theme_and_language_change_the_picture(qtbot: QtBot, variant: str, size: tuple[int, int]) -> None:
    model = model_of(launch_of(variant, 64), 4.2)
    drawn = image(view_of(qtbot, model, size))
    assert image(view_of(qtbot, model, size)) == drawn
    assert image(view_of(qtbot, model, size, Look(theme("dark"), Translator("en")))) != drawn
    assert image(view_of(qtbot, model, size, Look(theme("light"), Translator("zh_CN", Elsewhere())))) != drawn


def test_a_click_on_a_traced_block_goes_to_its_first_step(qtbot: QtBot) -> None:
    index = launch_of("gpu.tiled", 64)
    view = view_of(qtbot, model_of(index, 40.2))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=block_place(view, (2, 1, 0)))
    assert view.model.timeline.position.value.step == index.record.bounds[Unit.BLOCK][6]
    assert show(view).frame.block == (2, 1, 0)
    assert view.model.pinned.value == NOTHING


def test_a_block_that_was_not_traced_cannot_be_gone_to(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.naive", 1024), 40.2))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=block_place(view, (32, 32, 0)))
    assert view.model.timeline.position.value.step == 40
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=block_place(view, (63, 63, 0)))
    assert show(view).frame.block == (63, 63, 0)


def test_pointing_at_a_thread_selects_it_and_says_which_it_is(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.tiled", 64), 40.2))
    at_rest = image(view)
    view.show()
    qtbot.waitExposed(view)
    qtbot.mouseMove(view, place_of(view, 101))
    assert view.model.hovered.value == Selection(thread=101)
    assert image(view) != at_rest
    assert LOOK.text(view.tip(Selection(thread=101), show(view)) or message("")) == (
        "Lane 5 of warp 3 is thread (5, 6). It will write C[6][5]"
    )


def test_a_click_pins_a_thread_and_arrows_move_it_in_the_block(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.tiled", 64), 40.2))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, 101))
    for key, thread in ((Qt.Key.Key_Right, 102), (Qt.Key.Key_Down, 118), (Qt.Key.Key_Left, 117), (Qt.Key.Key_Up, 101)):
        qtbot.keyClick(view, key)
        assert view.model.pinned.value == Selection(thread=thread)
    view.model.pinned.value = Selection(thread=255)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.model.pinned.value == Selection(thread=255)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert view.model.pinned.value == Selection(thread=show(view).frame.first_thread)


def test_lanes_of_the_strip_are_threads_of_the_running_warp(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.tiled", 64, tile=32), 40.2))
    layout = ThreadsCanvas(LOOK).layout(show(view), QSizeF(view.size())).warps
    assert layout.strip is not None
    first = show(view).frame.first_thread
    assert view.selection_at(layout.strip_lane(19).center(), show(view)) == Selection(thread=first + 19)


def test_the_verdict_counts_the_lanes_that_take_part(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.tiled", 37), 40.2))
    verdict = view.verdict(show(view))
    assert verdict is not None
    assert (str(verdict.text), verdict.good) == ("32 of 32 lanes", True)
    view.model.timeline.to_end()
    verdict = view.verdict(show(view))
    assert verdict is not None
    assert not verdict.good


def test_the_device_changes_the_schedule(qtbot: QtBot) -> None:
    model = model_of(launch_of("gpu.tiled", 64), 40.2)
    view = view_of(qtbot, model, (920, 866))
    drawn = image(view)
    model.profile.value = profile_named("t4")
    other = image(view)
    assert other != drawn
    model.registers.value = 128
    assert image(view) != other
    model.profile.value = None
    assert image(view) not in (drawn, other)


def test_printed_lines_appear_one_after_the_other(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.hello", 0), 2.2))
    assert view.another.isVisibleTo(view)
    drawn = image(view)
    view.model.timeline.forward()
    assert image(view) != drawn
    assert view.verdict(show(view)) is None


def test_the_button_asks_for_another_order(qtbot: QtBot) -> None:
    view = view_of(qtbot, model_of(launch_of("gpu.hello", 0), 2.2))
    qtbot.mouseClick(view.another, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(view.another, Qt.MouseButton.LeftButton)
    assert view.model.order.value == 2
    assert not view_of(qtbot, model_of(launch_of("gpu.tiled", 64), 2.2)).another.isVisibleTo(view)


def test_a_launch_that_prints_has_the_stage_for_its_threads(qtbot: QtBot) -> None:
    model = model_of(launch_of("gpu.hello", 0), 2.2)
    stage = GpuStage(LOOK, model, compact=False)
    qtbot.addWidget(stage)
    assert [frame.isVisibleTo(stage) for frame in stage.frames] == [view == View.THREADS for view in View]
    model.shown.value = launch_of("gpu.tiled", 64)
    assert [frame.isVisibleTo(stage) for frame in stage.frames] == [view <= View.GLOBAL_MEMORY for view in View]


def test_the_table_has_every_thread(qtbot: QtBot) -> None:
    index = launch_of("gpu.tiled", 64)
    view = view_of(qtbot, model_of(index, 40.2))
    assert len(view.table(show(view)).rows) == threads_of(index)
    QToolTip.hideText()


def test_names_of_warps_never_lie_on_each_other(qtbot: QtBot) -> None:
    index = launch_of("gpu.transpose-padded", 64, tile=32)
    for size in SIZES:
        view = view_of(qtbot, model_of(index, 0.0), size)
        assert view.picture is not None
        layout = view._canvas.layout(view.picture, QSizeF(*size)).warps
        named = named_warps(layout)
        assert named[0] == 0
        tops = [layout.warp(warp).top() for warp in named if warp < layout.per_column]
        assert all(below - above >= SMALLEST_LABELLED for above, below in pairwise(tops)), size
