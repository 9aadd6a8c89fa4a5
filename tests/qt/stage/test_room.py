"""What the room of the stage is given to: the views of a launch, the text beside its costs, the strip of all steps."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.frames.views import View
from app.core.gpu_view.margins import margins
from app.core.gpu_view.timeline_overview import Code, code_of_sites, shares
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.source.view import SourceView
from kernels.catalogue import catalogue
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))
WIDE, NARROW = 640, 400


@pytest.mark.parametrize(("variant", "shared"), [("gpu.naive", False), ("gpu.tiled", True)])
def test_shared_memory_has_room_where_a_kernel_uses_it(qtbot: QtBot, variant: str, shared: bool) -> None:
    model = StageModel()
    stage = GpuStage(LOOK, model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(770, 850)
    stage.show()
    model.shown.value = launch_of(variant, 32)
    assert [frame.isVisible() for frame in stage.frames[:5]] == [True, True, shared, True, False]
    beside = stage.frames[View.THREADS - 1].geometry()
    assert (stage.frames[View.GLOBAL_MEMORY - 1].width() > beside.width()) is not shared


def test_a_stage_that_is_left_little_width_has_two_views(qtbot: QtBot) -> None:
    model = StageModel()
    stage = GpuStage(LOOK, model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(575, 850)
    stage.show()
    model.shown.value = launch_of("gpu.tiled", 32)
    assert [frame.isVisible() for frame in stage.frames[:5]] == [True, False, False, True, False]
    stage.resize(770, 850)
    assert all(frame.isVisible() for frame in stage.frames[:4])


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_no_cost_covers_the_line_that_it_belongs_to(qtbot: QtBot, width: int) -> None:
    variant = catalogue.by_id("gpu.tiled")
    view = SourceView(LOOK)
    qtbot.addWidget(view)
    view.resize(width, 500)
    view.show()
    view.show_source(variant.source_text, cuda=True)
    view.show_margins(dict(margins(launch_of("gpu.tiled", 32))))
    for line in view.marks.lines:
        block = view.document().findBlockByNumber(line - 1)
        end = view.viewport().x() + view.document().documentMargin() + view.fontMetrics().horizontalAdvance(block.text())
        assert min(end, view.viewport().geometry().right()) <= view.marks.x()
    assert view.viewportMargins().right() == view.marks.width_needed()


def test_what_shares_a_pixel_of_the_strip_is_counted_whole() -> None:
    index = launch_of("gpu.tiled", 32)
    width = 100
    found = shares(index, 0, index.steps, width, by_warp=True)
    assert found.shape == (index.warps, width, len(Code))
    codes = code_of_sites(index)[index.trace.rows.site[index.record.order.row]]
    for place in (0, 41, 99):
        steps = [step for step in range(index.steps) if step * width // index.steps == place]
        for warp in range(index.warps):
            here = [codes[step] for step in steps if index.record.order.warp[step] == warp]
            wanted = np.bincount(here, minlength=len(Code)) / max(len(here), 1)
            np.testing.assert_allclose(found[warp, place], wanted, atol=1e-6)
    assert shares(index, 0, index.steps, width, by_warp=False).sum(axis=2).min() == pytest.approx(1.0)
