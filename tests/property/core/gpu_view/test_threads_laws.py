"""Laws of the threads' view: every block has one place, every element its thread, every order its lines, whatever the launch."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.gpu_view.blocks import FREE, MOST_CELLS, BlockSchedule, block_grid
from app.core.gpu_view.frame import WarpState, frame_at
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.prints import line_at
from app.core.gpu_view.subject import shuffled
from app.core.gpu_view.threads import ThreadQueries, index_rules, index_sums, lanes_used, thread_place, thread_table, threads_of
from app.core.session.session import profile_named
from kernels.analysis.occupancy import Occupancy, waves
from kernels.simt.base.launch import Filled
from tests.launches.launch_records import launch_of, record_of
from tests.launches.trace_queries import warp_addresses

RULES = """
__global__ void k(float* C, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % {step} == 0 && i < n) C[i] = 1;
}}
"""
KERNELS = ("gpu.tiled", "gpu.transpose-padded", "gpu.uncoalesced")
DEVICE = profile_named("t4")


@given(blocks=st.integers(1, 5000), per_sm=st.integers(1, 32))
def test_every_block_of_a_grid_has_one_place(blocks: int, per_sm: int) -> None:
    plan = BlockSchedule(DEVICE, 32, blocks, Occupancy(per_sm, per_sm, 1.0), waves(blocks, per_sm, DEVICE.sms))
    assert plan.waves is not None
    placed = np.concatenate([plan.places(wave).ravel() for wave in range(plan.waves.count)])
    assert np.array_equal(np.sort(placed[placed != FREE]), np.arange(blocks))
    assert all(np.all(plan.places(wave) != FREE) for wave in range(plan.waves.full))
    last = plan.places(plan.waves.count - 1)
    assert plan.wave_of(blocks - 1) == plan.waves.count - 1
    assert (last != FREE).sum() == (plan.waves.tail or plan.waves.blocks_per_wave)


@given(blocks=st.integers(1, 64), order=st.integers(0, 1000))
def test_every_order_has_all_blocks(blocks: int, order: int) -> None:
    assert sorted(shuffled(blocks, order)) == list(range(blocks))


@settings(max_examples=15, deadline=None)
@given(threads=st.integers(1, 100), step=st.integers(1, 5))
def test_states_and_lanes_are_those_of_the_trace(threads: int, step: int) -> None:
    index = record_of(RULES.format(step=step), threads, {"C": Filled(128), "n": 90})
    for number in range(index.steps):
        frame = frame_at(index, number)
        row, warp = index.place(number)
        active, present = lanes_used(index, frame)
        assert active == (warp_addresses(index.trace, row, warp) >= 0).sum()
        assert active <= present <= 32
        running = [warp for warp, state in enumerate(frame.warps) if state is WarpState.RUNNING]
        assert running == [frame.warp]
        rows = thread_table(index, frame).rows
        assert [str(row[4]) for row in rows] == [f"C[{t}]" if t % step == 0 and t < 90 else "" for t in range(threads)]


@settings(max_examples=12, deadline=None)
@given(n=st.integers(9, 40), tile=st.sampled_from([4, 8]), variant=st.sampled_from(KERNELS))
def test_sums_of_row_and_column_hold_for_every_thread_that_writes(n: int, tile: int, variant: str) -> None:
    index = launch_of(variant, n, tile=tile)
    rules = index_rules(index)
    facts = ThreadQueries(index)
    assert [rule[0] for rule in rules] == ["row", "col"]
    for number, block in enumerate(index.trace.blocks):
        _, elements = index.outputs(number)
        for thread in range(threads_of(index)):
            assert (facts.writes(number, thread).last is None) == (elements[thread] == NOWHERE)
            if elements[thread] != NOWHERE:
                row, col = index_sums(rules, block, thread_place(index.trace.block, thread))
                assert row.value * n + col.value == elements[thread]


@settings(max_examples=10, deadline=None)
@given(blocks=st.integers(1, 4), x=st.sampled_from([1, 3, 8, 32]), y=st.integers(1, 4))
def test_every_thread_prints_its_own_line(blocks: int, x: int, y: int) -> None:
    index = launch_of("gpu.hello", 0, blocks=blocks, threads_x=x, threads_y=y)
    found = [line_at(index, step) for step in range(index.steps)]
    for line in found:
        place = thread_place(index.trace.block, line.thread)
        assert line.text == f"Hello World from Thread ({place[0]}, {place[1]}) in Block {line.block}!\n"
    assert len({(line.block, line.thread) for line in found}) == index.steps == blocks * x * y


@settings(max_examples=20, deadline=None)
@given(most=st.integers(4, MOST_CELLS))
def test_cells_of_the_grid_hold_every_traced_block(most: int) -> None:
    index: LaunchIndex = launch_of("gpu.naive", 1024)
    grid = block_grid(index, 0, most)
    assert max(grid.across, grid.down) <= most or grid.factor == 1
    for number, block in enumerate(index.trace.blocks):
        column, row = grid.cell(block)
        assert 0 <= column < grid.across
        assert 0 <= row < grid.down
        assert grid.traced[column, row] <= number
