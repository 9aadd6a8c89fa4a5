"""The threads of the shown block in numbers and words: where each is, what it waits for, which element it computes."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.base.timeline import Unit
from app.core.gpu_view.blocks import MOST_CELLS, block_grid, cell_text, first_step, grid_text
from app.core.gpu_view.frame import Frame, WarpState, frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.threads import (
    INACTIVE,
    ThreadQueries,
    block_text,
    element_name,
    element_text,
    index_rules,
    index_sums,
    lanes_used,
    legend_text,
    shown_thread,
    state_text,
    thread_place,
    thread_table,
    thread_text,
    threads_of,
    warp_text,
)
from kernels.simt.base.launch import Filled
from tests.launches.launch_records import launch_of, record_of


def waiting_frame(index: LaunchIndex) -> Frame:
    """The first frame in which a warp waits and another has not begun."""
    frames = (frame_at(index, step) for step in range(index.steps))
    return next(frame for frame in frames if {WarpState.WAITING, WarpState.BEHIND} <= set(frame.warps))


def test_the_launch_in_words() -> None:
    index = launch_of("gpu.tiled", 64)
    assert str(grid_text(index)) == "Grid: 4 × 4 blocks"
    assert str(block_text(index)[0]) == "Block: 16 × 16 = 256 threads"
    assert str(warp_text(index)) == "8 warps of 32 lanes"
    assert str(warp_text(launch_of("gpu.hello", 0, threads_x=4, threads_y=2))) == "1 warp, 8 of 32 lanes"


def test_a_thread_in_words() -> None:
    index = launch_of("gpu.tiled", 64)
    facts, step = ThreadQueries(index), index.record.bounds[Unit.BLOCK][6]
    frame = frame_at(index, step)
    assert frame.block == (2, 1, 0)
    assert str(thread_text(index, 3 * 32 + 5)) == "Lane 5 of warp 3 is thread (5, 6)"
    assert str(element_text(facts, frame, 3 * 32 + 5)) == "It will write C[22][37]"
    row, col = index_sums(facts.rules, frame.block, thread_place(index.trace.block, 3 * 32 + 5))
    assert (str(row.words), row.names, row.numbers, row.value) == ("row of C", "blockIdx.y·16 + threadIdx.y", "1·16 + 6", 22)
    assert (str(col.words), col.names, col.numbers, col.value) == ("column of C", "blockIdx.x·16 + threadIdx.x", "2·16 + 5", 37)


def test_the_row_of_a_transposed_matrix_has_no_name_that_the_source_gives_to_the_row_of_the_other() -> None:
    """There `row` is blockIdx.y * TILE + ty, the row of A that the thread reads; C's is called `c_row`."""
    index = launch_of("gpu.transpose-shared", 64, tile=16)
    row, col = index_sums(index_rules(index), (1, 0, 0), (0, 0, 0))
    assert (str(row.words), row.names, row.value) == ("row of C", "blockIdx.x·16 + threadIdx.y", 16)
    assert (str(col.words), col.names, col.value) == ("column of C", "blockIdx.y·16 + threadIdx.x", 0)


def test_an_element_is_written_from_the_step_on_that_writes_it() -> None:
    index = launch_of("gpu.tiled", 64)
    facts = ThreadQueries(index)
    step = facts.writes(0, 40).last
    assert step is not None
    row, warp = index.place(step)
    assert (warp, index.trace.sites[index.trace.rows.site[row]].text) == (1, "C[(long long)row * N + col]")
    assert str(element_text(facts, frame_at(index, step, 0.0), 40)) == "It will write C[2][8]"
    assert str(element_text(facts, frame_at(index, step, 1.0), 40)) == "It has written C[2][8]"


def test_a_thread_outside_the_matrix_writes_nothing() -> None:
    index = launch_of("gpu.tiled", 37)
    frame = frame_at(index, index.steps - 1)
    assert frame.block == (2, 2, 0)
    assert str(element_text(ThreadQueries(index), frame, 255)) == "It writes no element."


def test_a_thread_that_writes_many_elements_says_how_many() -> None:
    index = launch_of("gpu.vectorized-k8", 128)
    facts, frame = ThreadQueries(index), frame_at(index, 0)
    assert facts.writes(0, 0).elements == 64
    assert str(element_text(facts, frame, 0)) == "It will write 64 elements, last C[67][64]"


@pytest.mark.parametrize("variant", ["gpu.naive", "gpu.tiled", "gpu.uncoalesced", "gpu.transpose-shared", "gpu.transpose-global"])
def test_the_sums_give_row_and_column_of_every_element(variant: str) -> None:
    index = launch_of(variant, 37, tile=8)
    rules = index_rules(index)
    assert [rule[0] for rule in rules] == ["row", "col"]
    for number, block in enumerate(index.trace.blocks):
        for thread in range(threads_of(index)):
            name = element_name(index, number, thread)
            row, col = (each.value for each in index_sums(rules, block, thread_place(index.trace.block, thread)))
            assert name in ("", f"C[{row}][{col}]")


def test_sums_that_the_elements_do_not_follow_are_not_called_row_and_column() -> None:
    assert [rule[0] for rule in index_rules(launch_of("gpu.vectorized-k8", 256))] == ["x", "y"]
    one_block = launch_of("gpu.tiled", 16, tile=16)
    assert [rule[0] for rule in index_rules(one_block)] == ["x", "y"], "of one block nothing tells which index is multiplied"


def test_a_place_in_the_grid_has_no_name_that_the_source_may_give_to_another_value() -> None:
    index = launch_of("gpu.hello", 0, blocks=2, threads_x=4, threads_y=2)
    x, y = index_sums(index_rules(index), (1, 0, 0), (3, 1, 0))
    assert [str(x.place), str(y.place)] == ["Place in the grid: column 7", "Place in the grid: row 1"]
    tiled = launch_of("gpu.tiled", 64)
    assert [each.place for each in index_sums(index_rules(tiled), (1, 0, 0), (3, 1, 0))] == [None, None], "row and column of the element"


def test_marks_in_words() -> None:
    index = launch_of("gpu.tiled", 64)
    frame = waiting_frame(index)
    words = {state: str(text) for state, text in state_text(ThreadQueries(index), frame)}
    assert words == {
        WarpState.RUNNING: f"runs line {frame.line}",
        WarpState.BEHIND: "no mark: not yet there",
        WarpState.WAITING: "waits at the barrier, line 57",
    }


def test_the_barrier_waited_for_is_the_one_that_ends_the_interval() -> None:
    index = launch_of("gpu.tiled", 64)
    facts = ThreadQueries(index)
    for band in index.record.bands:
        line = facts.barrier_line(frame_at(index, band.start))
        assert line == (None if band.epoch == 8 else 64 if band.epoch % 2 else 57)


def test_inactive_lanes_are_counted_and_named() -> None:
    index = record_of("__global__ void k(float* a) { if (threadIdx.x % 3) a[threadIdx.x] = 1; }", 40, {"a": Filled(64)})
    frame = frame_at(index, 1)
    assert frame.warp == 1
    assert lanes_used(index, frame) == (5, 8)
    assert lanes_used(index, frame_at(index, 0)) == (21, 32)
    assert [str(text) for _, text in legend_text(ThreadQueries(index), frame)] == ["runs line 1", "finished", "hatched: inactive lanes"]
    table = thread_table(index, frame)
    assert len(table.rows) == 40
    assert table.rows[33] == ("1", "1", "(33, 0)", INACTIVE, "")
    assert [str(cell) for cell in table.rows[34]] == ["1", "2", "(34, 0)", "runs", "a[34]"]


def test_the_table_names_every_thread_once() -> None:
    index = launch_of("gpu.tiled", 64)
    places = [row[2] for row in thread_table(index, frame_at(index, 99)).rows]
    assert len(set(places)) == len(places) == 256


def test_without_a_choice_lane_0_of_the_running_warp_is_told_about() -> None:
    index = launch_of("gpu.tiled", 64)
    frame = frame_at(index, 20)
    assert shown_thread(frame, 256, None) == 32 * frame.warp
    assert shown_thread(frame, 256, 7) == 7
    assert shown_thread(frame, 8, 7) == 7
    assert shown_thread(frame, 8, 9) == 32 * frame.warp, "a thread that this launch does not have"


def test_the_grid_has_a_cell_for_each_block_as_long_as_there_are_few() -> None:
    index = launch_of("gpu.tiled", 64)
    grid = block_grid(index, 0)
    assert (grid.across, grid.down, grid.factor, grid.whole) == (4, 4, 1, True)
    assert len(grid.traced) == 16
    assert cell_text(grid) is None


def test_large_grids_are_aggregated_and_show_what_was_traced() -> None:
    index = launch_of("gpu.naive", 1024)
    grid = block_grid(index, 0)
    assert (grid.across, grid.down, grid.factor, grid.whole) == (32, 32, 2, False)
    assert set(grid.traced) == {(0, 0), (31, 0), (0, 31), (31, 31)}
    assert str(cell_text(grid)) == "1 cell = 2 × 2 blocks"
    coarse = block_grid(index, 0, most=19)
    assert (coarse.across, coarse.factor) == (16, 4)
    assert max(coarse.across, coarse.down) <= MOST_CELLS


def test_each_traced_block_has_its_first_step() -> None:
    index = launch_of("gpu.tiled", 64)
    steps = [first_step(index, number) for number in range(16)]
    assert tuple(steps) == index.record.bounds[Unit.BLOCK]
    assert first_step(index, 16) is None
    assert all(frame_at(index, step).block_number == number for number, step in enumerate(steps) if step is not None)


def test_thread_places_count_x_first() -> None:
    numbers = np.arange(24)
    assert [thread_place((2, 3, 4), int(each)) for each in numbers[:7]] == [
        (0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0), (1, 2, 0), (0, 0, 1),
    ]  # fmt: skip
