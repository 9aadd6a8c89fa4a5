"""Laws of a launch on the stage: its order, its sums, its frames, its selection, and its clock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.base.timeline import Unit
from app.core.gpu_view.frame import WarpState, frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import Selection, highlight
from app.core.gpu_view.timeline_overview import Code, detail, overview, tile_range
from app.core.stage.model import GpuPicture, StageModel
from kernels.analysis.banks import BANKS, WORD_BYTES
from kernels.analysis.reuse import Mode
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP
from tests.launches.bank_costs import wavefronts
from tests.launches.launch_records import launch_of
from tests.launches.trace_queries import warp_addresses

VARIANTS = [each.id for each in catalogue.VARIANTS if each.interpreted and each.operation is not Operation.HELLO]
LAUNCHES = [(variant, n) for variant in VARIANTS for n in (8, 37, 64)]
launches = st.sampled_from(LAUNCHES).map(lambda chosen: launch_of(*chosen))
shares = st.floats(0, 1, exclude_max=True)
at_any_time = settings(deadline=None, max_examples=60)  # the first use of a launch executes it


@pytest.mark.parametrize(("variant", "n"), LAUNCHES)
def test_each_warp_executes_its_rows_in_order_and_nobody_passes_a_barrier(variant: str, n: int) -> None:
    index = launch_of(variant, n)
    order, rows = index.record.order, index.trace.rows
    lanes: np.typing.NDArray[np.bool_] = index.trace.masks[rows.mask].reshape(len(rows.mask), -1, WARP)
    pairs = set(zip(order.row.tolist(), order.warp.tolist(), strict=True))
    assert pairs == {(int(row), int(warp)) for row, warp, _ in np.argwhere(lanes)}
    assert len(pairs) == index.steps
    for warp in range(index.warps):
        assert (np.diff(order.row[order.warp == warp]) > 0).all()
    block, epoch = rows.block[order.row], rows.epoch[order.row]
    for number in np.unique(block):  # blocks of a cluster take turns
        assert (np.diff(epoch[block == number]) >= 0).all()
    assert index.trace.cluster != (1, 1, 1) or (np.diff(block) >= 0).all()
    assert (order.rank[order.row, order.warp] == np.arange(index.steps)).all()


@pytest.mark.parametrize(("variant", "n"), LAUNCHES)
def test_the_sums_over_all_steps_are_the_counts_of_the_launch(variant: str, n: int) -> None:
    index = launch_of(variant, n)
    sums, counted = index.record.sums, index.record.counts[Mode.AS_WRITTEN]
    totals = counted.totals
    atomics = sum(each.sectors or 0 for each in counted.lines if (each.space, each.operation) == ("global", "atomic"))
    assert sums["sectors"][-1] == totals.global_load_sectors + totals.global_store_sectors + atomics
    shared = totals.shared_load_wavefronts + totals.shared_store_wavefronts + totals.shared_atomic_wavefronts
    assert sums["wavefronts"][-1] == shared + totals.shared_operand_wavefronts
    assert sums.get("operand_wavefronts", [0])[-1] == totals.shared_operand_wavefronts
    assert sums["wavefronts_ideal"][-1] == totals.shared_wavefronts_ideal
    whole = {name: int(column[-1]) for name, column in sums.items()}
    assert whole.get("global_load", 0) == totals.global_load_requests
    assert whole.get("global_store", 0) == totals.global_store_requests
    assert whole.get("shared_load", 0) == totals.shared_load_requests
    assert whole.get("shared_store", 0) == totals.shared_store_requests
    assert whole.get("copied_bytes", 0) == totals.shared_copied_bytes


@at_any_time
@given(index=launches, share=shares, fraction=st.floats(0, 1))
def test_a_frame_says_what_the_trace_says(index: LaunchIndex, share: float, fraction: float) -> None:
    step = int(share * index.steps)
    frame = frame_at(index, step, fraction)
    addresses = warp_addresses(index.trace, frame.row, frame.warp)
    assert (frame.lanes.address == addresses).all()
    assert (frame.lanes.active == (addresses >= 0)).all()
    assert frame.band.start <= step < frame.band.stop
    assert frame.warps[frame.warp] is WarpState.RUNNING
    assert sum(state is WarpState.RUNNING for state in frame.warps) == 1
    for lane in np.flatnonzero(frame.lanes.allocation >= 0).tolist():
        array = index.trace.allocations[int(frame.lanes.allocation[lane])]
        assert array.address + int(frame.lanes.element[lane]) * array.element_bytes <= addresses[lane] < array.address + array.bytes
    if frame.site.tile or frame.site.barrier:
        assert frame.wavefronts == frame.sectors == 0  # where a fragment's elements lie is not specified; a barrier meets no banks
    elif frame.site.space is Space.SHARED and frame.site.copied:
        assert frame.wavefronts == frame.degree == 0
    elif frame.site.space is Space.SHARED:
        words = [int(address) // WORD_BYTES if address >= 0 else -1 for address in addresses]
        assert frame.wavefronts == wavefronts(words, frame.site.bytes, frame.site.operation, "source")
    assert frame_at(index, step, fraction).lanes.address.tolist() == frame.lanes.address.tolist()


@at_any_time
@given(index=launches, share=shares, data=st.data())
def test_what_lights_up_belongs_to_the_selection(index: LaunchIndex, share: float, data: st.DataObject) -> None:
    frame = frame_at(index, int(share * index.steps))
    lane = data.draw(st.sampled_from(np.flatnonzero(frame.lanes.active).tolist()))
    found = highlight(index, frame, Selection(thread=frame.first_thread + lane))
    assert np.flatnonzero(found.lanes).tolist() == [lane]
    allocation = int(frame.lanes.allocation[lane])
    assert int(frame.lanes.element[lane]) in found.elements[allocation]
    element = highlight(index, frame, Selection(element=(allocation, int(frame.lanes.element[lane]))))
    assert element.lanes[lane]
    for bank in found.banks:
        assert highlight(index, frame, Selection(bank=bank)).lanes[lane]
        assert 0 <= bank < BANKS
    for sector in found.sectors:
        assert highlight(index, frame, Selection(sector=sector)).lanes[lane]
    assert (highlight(index, frame, Selection(line=frame.line)).lanes == frame.lanes.active).all()
    assert not highlight(index, frame, Selection(line=frame.line + 1000)).lanes.any()


@at_any_time
@given(index=launches, seconds=st.lists(st.floats(0.001, 3.0), min_size=1, max_size=8), speed=st.sampled_from((0.25, 1.0, 2.0, 8.0)))
def test_playing_to_a_place_and_seeking_it_give_the_same_picture(index: LaunchIndex, seconds: list[float], speed: float) -> None:
    played, sought = StageModel(), StageModel()
    for model in (played, sought):
        model.shown.value = index
        model.timeline.set_speed(speed)
    played.timeline.play()
    for passed in seconds:
        played.timeline.advance(passed)
    played.timeline.pause()
    place = played.timeline.position.value
    played.timeline.scrub(place.time)
    sought.timeline.scrub(place.time)
    one, other = played.picture.value, sought.picture.value
    assert isinstance(one, GpuPicture)
    assert isinstance(other, GpuPicture)
    assert (one.frame.step, one.frame.fraction, one.description) == (other.frame.step, other.frame.fraction, other.description)
    assert one.frame.warps == other.frame.warps


@at_any_time
@given(index=launches, share=shares, unit=st.sampled_from(tuple(Unit)))
def test_back_undoes_forward(index: LaunchIndex, share: float, unit: Unit) -> None:
    model = StageModel()
    model.shown.value = index
    timeline = model.timeline
    starts = index.record.bounds.get(unit, tuple(range(index.steps))) or (0,)
    timeline.scrub(starts[int(share * len(starts))])
    before = timeline.position.value
    timeline.next(unit)
    timeline.previous(unit)
    assert timeline.position.value == before


@at_any_time
@given(index=launches, share=shares, width=st.integers(1, 900))
def test_the_strip_shows_each_step_where_it_is(index: LaunchIndex, share: float, width: int) -> None:
    step = int(share * index.steps)
    first, stop = tile_range(index, step)
    assert first <= step < stop
    rows = detail(index, first, stop, width)
    place = (step - first) * width // (stop - first)
    assert rows.shape == (index.warps, width)
    warp = int(index.record.order.warp[step])
    assert rows[warp, place] != Code.NOTHING or (stop - first) > width
    assert (overview(index, width) != Code.NOTHING).all()
