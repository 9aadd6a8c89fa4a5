"""Where something is executed again, in another order or of another size, the stage stays at what the same warp, or iteration, does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.core.cpu_view.index import TraceIndex
from app.core.gpu_view.index import LaunchIndex, grid_progress
from app.core.stage.model import GpuPicture, StageModel
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from kernels.simt.base.launch import LaunchRequest, Mode
from tests.launches.launch_records import launch_of, recorded

TEXT = """__global__ void k(int *a) {
    int i = threadIdx.x;
    a[i] = i;
    a[i] += a[i + 32];
}
"""
REQUEST = LaunchRequest((1, 1, 1), (128, 1, 1), {"a": np.zeros(160, np.int32)})


def place(model: StageModel) -> tuple[int, int]:
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    return picture.frame.first_thread, picture.frame.site.location.line


def test_another_order_of_the_same_text_keeps_warp_and_line() -> None:
    orders: list[LaunchIndex] = [recorded(TEXT, replace(REQUEST, mode=mode, seed=seed)) for mode, seed in ((Mode.BLOCK, 0), (Mode.WARP, 3))]
    model = StageModel()
    model.shown.value = orders[0]
    for step in range(1, orders[0].steps):
        model.shown.value = orders[0]
        model.timeline.scrub(step)
        before = place(model)
        model.shown.value = orders[1]
        assert place(model) == before


def test_nobody_who_has_not_moved_is_led_away_from_the_first_step() -> None:
    model = StageModel()
    for mode, seed in ((Mode.BLOCK, 0), (Mode.WARP, 3)):
        model.shown.value = recorded(TEXT, replace(REQUEST, mode=mode, seed=seed))
        assert model.timeline.position.value.step == 0


def block_of(model: StageModel) -> tuple[int, int, int]:
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    row, _ = picture.index.place(picture.frame.step)
    return picture.index.trace.blocks[int(picture.index.trace.rows.block[row])]


@pytest.mark.parametrize("n", [48, 16])
def test_another_size_keeps_block_warp_and_line(n: int) -> None:
    model, before, after = StageModel(), launch_of("gpu.tiled", 32, tile=16), launch_of("gpu.tiled", n, tile=16)
    for step in range(1, before.steps, 7):
        model.shown.value = before
        model.timeline.scrub(step)
        block, there = block_of(model), place(model)
        asked = grid_progress(before, step, after.subject.launch.grid)
        model.shown.value = after
        if block in after.trace.blocks:
            assert (block_of(model), place(model)) == (block, there)
            x, y, _ = block
            assert int(asked * len(after.trace.blocks)) == y * after.trace.grid[0] + x, "a sketch is of the same block"


def test_who_stands_at_the_end_stays_there() -> None:
    model = StageModel()
    for n in (32, 48):
        model.shown.value = launch_of("gpu.tiled", n, tile=16)
        model.timeline.to_end()
    model.shown.value = launch_of("gpu.tiled", 64, tile=16)
    assert model.timeline.at_end


def test_a_text_that_is_saved_under_another_name_stays_where_it_is() -> None:
    model, before, after = StageModel(), recorded(TEXT, REQUEST), recorded(TEXT, REQUEST)
    for index, name in ((before, "first.cu"), (after, "second.cu")):
        index.subject = replace(index.subject, name=name)
    for step in (1, 2, before.steps - 1):
        model.shown.value = before
        model.timeline.scrub(step)
        model.shown.value = after
        assert model.timeline.position.value.step == step


def cpu(variant_id: str, n: int, **parameters: int) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    return TraceIndex(trace(variant, Problem.square(variant.operation, n), {**variant.defaults, **parameters}, seed=1))


@pytest.mark.parametrize("n", [8, 16])
@pytest.mark.parametrize(
    ("variant_id", "parameters"), [("cpu.blocked", {"tile": 4}), ("cpu.naive", {}), ("cpu.transpose-blocked", {"tile": 4})]
)
def test_another_size_keeps_line_and_iteration(variant_id: str, parameters: dict[str, int], n: int) -> None:
    model, before, after = StageModel(), cpu(variant_id, 12, **parameters), cpu(variant_id, n, **parameters)
    kept = 0
    for step in range(1, before.trace.steps, 11):
        model.shown.value = before
        model.timeline.scrub(step)
        model.shown.value = after
        now = model.timeline.position.value.step
        like = (before.trace.indices[step] == after.trace.indices).all(axis=1) & (before.trace.lines[step] == after.trace.lines)
        kept += like.any()
        assert like[now] or not like.any()
    assert kept


def test_another_tile_keeps_the_share() -> None:
    model, before, after = StageModel(), cpu("cpu.blocked", 12, tile=4), cpu("cpu.blocked", 12, tile=3)
    model.shown.value = before
    model.timeline.scrub(before.trace.steps // 2)
    model.shown.value = after
    assert model.timeline.progress == pytest.approx(0.5, abs=2 / after.trace.steps)
