"""Where a text is executed again, in another order, the stage stays at what the same warp does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.core.gpu_view.index import LaunchIndex
from app.core.stage.model import GpuPicture, StageModel
from kernels.simt.base.launch import LaunchRequest, Mode
from tests.launch_records import recorded

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
