"""The stage of a CPU kernel: its numbered views, which of them are seen when, and what each says."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.cpu_view.index import TraceIndex
from app.core.frames.views import CpuView
from app.core.stage.model import Picture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.cpu_view.cpu_stage import CpuStage
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace

LOOK = Look(theme("light"), Translator("en"))


def shown(variant_id: str, n: int = 8) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    values = dict(variant.defaults) | ({"tile": 4} if "tile" in variant.defaults else {})
    return TraceIndex(trace(variant, Problem.square(variant.operation, n), values, seed=1))


def stage_of(qtbot: QtBot, model: StageModel, *, compact: bool = False) -> CpuStage:
    stage = CpuStage(LOOK, model, compact=compact)
    qtbot.addWidget(stage)
    stage.resize(760, 850)
    stage.show()
    return stage


def test_without_a_trace_only_the_matrices_have_a_place(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, StageModel())
    assert stage.shown == (CpuView.MATRICES,)


def test_a_library_call_has_no_loops_to_show(qtbot: QtBot) -> None:
    model = StageModel()
    stage = stage_of(qtbot, model)
    model.shown.value = shown("cpu.numpy")
    assert CpuView.LOOPS not in stage.shown
    model.shown.value = shown("cpu.blocked")
    assert CpuView.LOOPS in stage.shown


@pytest.mark.parametrize("variant", ["cpu.divide-and-conquer", "cpu.strassen", "cpu.transpose-cache-oblivious"])
def test_a_kernel_that_calls_itself_has_all_views(qtbot: QtBot, variant: str) -> None:
    model = StageModel()
    stage = stage_of(qtbot, model)
    model.shown.value = shown(variant)
    assert stage.shown == tuple(CpuView)


@pytest.mark.parametrize("view", list(CpuView))
def test_a_view_alone_has_the_whole_stage(qtbot: QtBot, view: CpuView) -> None:
    model = StageModel()
    stage = stage_of(qtbot, model)
    model.shown.value = shown("cpu.blocked")
    model.alone.value = view
    assert [frame.isVisible() for frame in stage.frames] == [each == view for each in CpuView]
    stage.toggle(view)
    assert len(stage.shown) > 1


def test_a_number_that_no_view_has_shows_all(qtbot: QtBot) -> None:
    model = StageModel()
    stage = stage_of(qtbot, model)
    model.shown.value = shown("cpu.blocked")
    model.alone.value = 9
    assert stage.shown[0] == CpuView.MATRICES
    assert len(stage.shown) > 1


@pytest.mark.parametrize("view", [CpuView.MATRICES, CpuView.LOOPS])
@pytest.mark.parametrize("variant", ["cpu.naive", "cpu.blocked", "cpu.transpose-naive"])
def test_each_view_draws_what_the_step_says_whatever_was_drawn_before(qtbot: QtBot, variant: str, view: CpuView) -> None:
    model = StageModel()
    stage = stage_of(qtbot, model)
    model.shown.value = shown(variant)
    model.alone.value = view
    steps = model.timeline.extent.value.steps
    pictures: dict[int, QImage] = {}
    for step in (0, steps // 2, steps - 1, steps // 2, 0):
        model.timeline.scrub(step + 0.8)
        seen = stage.frames[view - 1].grab().toImage()
        assert pictures.setdefault(step, seen) == seen
    assert pictures[0] != pictures[steps // 2]


def test_the_loops_view_is_a_table_too(qtbot: QtBot) -> None:
    model = StageModel()
    stage = stage_of(qtbot, model)
    model.shown.value = shown("cpu.blocked")
    model.timeline.scrub(30)
    picture = model.picture.value
    assert isinstance(picture, Picture)
    table = stage.frames[CpuView.LOOPS - 1].view.table(picture)
    assert [row[0] for row in table.rows][:3] == ["i0", "j0", "k0"]
    assert len(table.rows) == len(picture.frame.loops) + 3
