"""Comparing two launches: what is pinned, what both sides show, and what is selected on them."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.compare.comparison import AWAITED, NOTHING_SHOWN, ONLY_LAUNCHES, UNLIKE, Comparison
from app.core.compare.pairing import Pair
from app.core.cpu_view.index import TraceIndex
from app.core.frames.views import View
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shown_views import title_of
from app.core.stage.model import GpuPicture, StageModel
from kernels.analysis.device_profiles import profiles
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from tests.launches.launch_records import launch_of, record_of

FRAME_S = 1 / 60


def view(comparison: Comparison) -> View:
    return comparison.view.value


def shared() -> LaunchIndex:
    return launch_of("gpu.transpose-shared", 64, tile=32)


def padded() -> LaunchIndex:
    return launch_of("gpu.transpose-padded", 64, tile=32)


def naive_trace() -> TraceIndex:
    variant = catalogue.by_id("cpu.naive")
    return TraceIndex(trace(variant, Problem.square(Operation.MATMUL, 4), {}, seed=1))


@pytest.fixture
def comparison() -> Comparison:
    """The transposition with conflicts is pinned, the padded one is live; both stand in step 74."""
    live = StageModel()
    made = Comparison(live)
    live.shown.value = shared()
    live.timeline.scrub(74.25)
    assert made.toggle() is None
    live.shown.value = padded()
    return made


def left(comparison: Comparison) -> GpuPicture:
    picture = comparison.left.picture.value
    assert isinstance(picture, GpuPicture)
    return picture


def test_what_is_shown_is_pinned_and_stands_beside_itself() -> None:
    live = StageModel()
    comparison = Comparison(live)
    live.shown.value = shared()
    live.timeline.scrub(10.5)
    assert comparison.toggle() is None
    pair = comparison.pair.value
    assert pair is not None
    assert pair.same
    assert (left(comparison).index, left(comparison).frame.step, left(comparison).frame.fraction) == (shared(), 10, 0.5)


def test_another_kernel_is_taken_to_the_event_at_which_the_pinned_one_stands(comparison: Comparison) -> None:
    assert comparison.live.timeline.position.value.time == 74.25
    assert left(comparison).frame.step == 74
    assert (left(comparison).frame.degree, view(comparison)) == (32, View.SHARED_MEMORY)


def test_other_settings_leave_both_sides_where_something_is_to_be_seen(comparison: Comparison) -> None:
    """Who changes the tile while the conflict is shown still sees it: the pinned launch stays, the other stands at the same access."""
    for tile in (16, 8, 32):
        comparison.live.shown.value = launch_of("gpu.transpose-padded", 64, tile=tile)
        assert (left(comparison).frame.degree, left(comparison).frame.block_number) == (32, 0)
        picture = comparison.live.picture.value
        assert isinstance(picture, GpuPicture)
        assert (picture.frame.site.operation, picture.frame.block_number) == (left(comparison).frame.site.operation, 0)


def test_it_opens_at_the_first_step_that_costs_otherwise() -> None:
    live = StageModel()
    comparison = Comparison(live)
    live.shown.value = shared()
    assert comparison.toggle() is None
    live.shown.value = padded()
    step = live.timeline.position.value.step
    assert left(comparison).frame.degree == 32
    picture = live.picture.value
    assert isinstance(picture, GpuPicture)
    assert picture.frame.degree == 1
    before = [Pair(padded(), shared()).right_of(each, 0.0)[0] for each in range(step)]
    assert all(frame_at(shared(), beside).degree == frame_at(padded(), each).degree for each, beside in enumerate(before))


def test_both_step_together(comparison: Comparison) -> None:
    live = comparison.live
    for time in (0, 31.5, 200.25, 511.75, 512):
        live.timeline.scrub(time)
        position = live.timeline.position.value
        expected = Pair(padded(), shared()).right_of(position.step, position.fraction)
        assert (left(comparison).frame.step, left(comparison).frame.fraction) == expected


def test_while_playing_the_left_comes_to_a_new_step_once_its_words_are_told(comparison: Comparison) -> None:
    live = comparison.live
    live.timeline.scrub(70)
    live.timeline.play()
    while not live.untold:
        live.timeline.advance(FRAME_S)
    seen = []
    for _ in range(3):
        told = live.told.value
        assert isinstance(told, GpuPicture)
        seen.append((told.frame.step, left(comparison).frame.step))
        live.timeline.advance(FRAME_S)
    assert seen == [(70, 70), (71, 70), (71, 71)]


def test_going_somewhere_on_the_left_takes_the_right_along(comparison: Comparison) -> None:
    comparison.left.timeline.scrub(130)
    assert comparison.live.timeline.position.value.step == 130
    assert left(comparison).frame.step == 130


def test_where_nothing_travels_on_the_right_nothing_does_on_the_left(comparison: Comparison) -> None:
    comparison.live.timeline.set_speed(8)
    comparison.live.timeline.play()
    comparison.live.timeline.advance(0.05)
    assert comparison.live.timeline.position.value.fraction > 0
    assert left(comparison).frame.fraction == 0


@pytest.mark.parametrize("name", ["hovered", "pinned"])
def test_what_is_selected_on_one_side_is_on_the_other(comparison: Comparison, name: str) -> None:
    live, other = getattr(comparison.live, name), getattr(comparison.left, name)
    live.value = Selection(bank=5)
    assert other.value == Selection(bank=5)
    other.value = Selection(thread=170)
    assert live.value == Selection(thread=170)
    assert left(comparison).highlight.threads == {170}
    other.value = NOTHING
    assert live.value == NOTHING


def test_an_element_keeps_its_indices_though_rows_are_longer(comparison: Comparison) -> None:
    tile = next(number for number, each in enumerate(padded().trace.allocations) if each.name == "tile")
    comparison.live.pinned.value = Selection(element=(tile, 3 * 33 + 5))
    assert comparison.left.pinned.value == Selection(element=(tile, 3 * 32 + 5))
    comparison.live.pinned.value = Selection(element=(tile, 3 * 33 + 32))
    assert comparison.left.pinned.value == NOTHING


def test_a_sector_stays_as_far_from_the_beginning_of_its_array(comparison: Comparison) -> None:
    number, array = next((n, each) for n, each in enumerate(padded().trace.allocations) if each.name == "C")
    other = shared().trace.allocations[number]
    comparison.live.pinned.value = Selection(sector=array.address // 32 + 7)
    assert comparison.left.pinned.value == Selection(sector=other.address // 32 + 7)


def test_a_line_means_the_same_only_in_the_same_text(comparison: Comparison) -> None:
    comparison.live.pinned.value = Selection(line=54)
    assert comparison.left.pinned.value == NOTHING
    comparison.live.shown.value = shared()
    comparison.live.pinned.value = Selection(line=65)
    assert comparison.left.pinned.value == Selection(line=65)


def test_a_thread_that_the_other_block_does_not_have_is_not_selected_there(comparison: Comparison) -> None:
    comparison.live.shown.value = launch_of("gpu.transpose-shared", 64, tile=8)
    comparison.left.pinned.value = Selection(thread=1000)
    assert comparison.live.pinned.value == NOTHING


def test_the_view_is_that_in_which_they_differ_until_another_is_chosen(comparison: Comparison) -> None:
    comparison.choose(2)
    assert view(comparison) == 2
    comparison.live.shown.value = launch_of("gpu.transpose-global", 64)
    assert view(comparison) == 2
    comparison.choose(0)
    assert view(comparison) == View.GLOBAL_MEMORY
    comparison.live.shown.value = shared()
    assert view(comparison) == View.MATRICES


def test_leaving_shows_one_launch_and_forgets_the_pinned_one(comparison: Comparison) -> None:
    comparison.choose(2)
    assert comparison.toggle() is None
    assert (comparison.pinned.value, comparison.pair.value, comparison.left.shown.value) == (None, None, None)
    comparison.live.pinned.value = Selection(bank=3)
    assert comparison.left.pinned.value == NOTHING
    comparison.toggle()
    assert view(comparison) == View.MATRICES


def test_only_launches_are_compared() -> None:
    live = StageModel()
    comparison = Comparison(live)
    assert comparison.toggle() == NOTHING_SHOWN
    live.shown.value = naive_trace()
    assert comparison.toggle() == ONLY_LAUNCHES
    assert comparison.pair.value is None


def test_what_cannot_be_compared_leaves_the_pinned_launch_pinned(comparison: Comparison) -> None:
    for other, reason in ((naive_trace(), ONLY_LAUNCHES), (launch_of("gpu.tiled", 16), UNLIKE), (None, NOTHING_SHOWN)):
        comparison.live.shown.value = other
        assert (comparison.pair.value, comparison.refusal) == (None, reason)
    comparison.live.shown.value = padded()
    pair = comparison.pair.value
    assert pair is not None
    assert (pair.left, pair.right) == (shared(), padded())


def test_both_sides_are_worked_out_for_one_device_and_each_for_its_own_registers() -> None:
    live = StageModel()
    comparison = Comparison(live)
    live.shown.value = shared()
    comparison.toggle()
    live.registers.value = 40
    live.shown.value = padded()
    live.registers.value = 64
    live.profile.value = profiles()[0]
    assert (comparison.left.profile.value, comparison.left.registers.value) == (profiles()[0], 40)


def test_reduced_motion_is_that_of_both_sides(comparison: Comparison) -> None:
    comparison.live.still.value = True
    for time, drawn in ((100.9, 1.0), (100.1, 0.0)):
        comparison.live.timeline.scrub(time)
        assert (left(comparison).frame.step, left(comparison).frame.fraction) == (100, drawn)


def test_a_launch_that_is_still_computed_is_not_called_a_cpu_kernel() -> None:
    live = StageModel()
    comparison = Comparison(live)
    live.shown.value = naive_trace()
    assert comparison.toggle() == ONLY_LAUNCHES
    live.outdated.value = True
    assert comparison.toggle() == AWAITED


def test_the_matrices_of_a_text_without_any_are_called_arrays_everywhere() -> None:
    assert title_of(View.MATRICES, shared()) == View.MATRICES.title
    own = record_of("__global__ void k(float* x) { x[threadIdx.x] = 1.0f; }", 32, {"x": np.zeros(32, np.float32)})
    assert str(title_of(View.MATRICES, own)) == "Arrays"
    assert title_of(View.THREADS, own) == View.THREADS.title
