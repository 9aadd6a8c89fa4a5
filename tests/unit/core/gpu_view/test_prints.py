"""Launches that only print: each line is a step, in an order that a GPU could have too."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

import pytest

from app.core.base.timeline import Unit
from app.core.execution.execute import execute
from app.core.gpu_view.frame import Frame, frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.prints import (
    FULL,
    ORDER,
    PrintedLine,
    line_at,
    lines_until,
    order_text,
    orders,
    printed_threads,
    prints,
    prints_beside,
)
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import extent_text, shuffled, subject_of
from app.core.gpu_view.threads import shown_thread
from app.core.session.session import Session
from app.core.stage.model import GpuPicture, picture_of
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.measure.print_orders import HOST, Recorded, Shape, recorded
from kernels.simt.base.launch import Filled, Mode
from tests.launches.launch_records import launch_of, record_of

SETTING = {"blocks": 3, "threads_x": 16, "threads_y": 6}
TWICE = """
__global__ void k()
{
    // printf("not this %d\\n", 1);
    printf("before %d\\n", threadIdx.x);
    __syncthreads();
    printf("100%% after %d\\n", threadIdx.x);
}
"""


def in_order(order: int) -> LaunchIndex:
    variant = catalogue.by_id("gpu.hello")
    subject = subject_of(variant, Problem.square(variant.operation, 0), SETTING, Session().profile.value, order)
    record = execute(subject)
    assert isinstance(record, LaunchRecord)
    return LaunchIndex(subject, record)


def lines(index: LaunchIndex) -> list[PrintedLine]:
    return [line_at(index, step) for step in range(index.steps)]


def test_each_line_is_a_step_of_the_thread_that_prints_it() -> None:
    index = launch_of("gpu.hello", 0, **SETTING)
    assert prints(index)
    assert index.steps == 3 * 96 == len(index.trace.printed)
    for step in range(index.steps):
        frame, line = frame_at(index, step), line_at(index, step)
        x, y, _ = index.trace.printed[step].thread
        assert line.thread == x + 16 * y
        assert (frame.first_thread + frame.lanes.active.nonzero()[0]).tolist() == [line.thread]
        assert frame.block_number == line.block
        assert line.text == f"Hello World from Thread ({x}, {y}) in Block {frame.block[0]}!\n"
    assert index.record.bounds == {Unit.BLOCK: (0, 96, 192)}


def test_a_step_stands_at_the_call_that_prints() -> None:
    index = launch_of("gpu.hello", 0, **SETTING)
    source = index.subject.text.splitlines()
    assert source[frame_at(index, 5).line - 1].strip().startswith("printf(")


def test_the_picture_says_what_is_printed() -> None:
    picture = picture_of(launch_of("gpu.hello", 0, **SETTING), 99, 0.5)
    assert isinstance(picture, GpuPicture)
    assert str(picture.description.title) == "Printed line 100 of 288"
    assert "Hello World from Thread (3, 0) in Block 1!" in str(picture.description.sentence)


def test_several_calls_are_told_apart_and_barriers_kept() -> None:
    index = record_of(TWICE, 64, {})
    assert index.steps == 128
    assert {frame_at(index, step).line for step in range(64)} == {5}
    assert {frame_at(index, step).line for step in range(64, 128)} == {7}


def test_a_launch_that_touches_memory_keeps_its_own_steps() -> None:
    text = '__global__ void k(float* a) { a[threadIdx.x] = 1; printf("%d\\n", threadIdx.x); }'
    index = record_of(text, 32, {"a": Filled(32)})
    assert not prints(index)
    assert index.steps == 1


def test_a_launch_that_does_nothing_has_no_steps() -> None:
    assert record_of("__global__ void k() { }", 32, {}).steps == 0


def test_lines_until_a_step_end_with_it() -> None:
    index = launch_of("gpu.hello", 0, **SETTING)
    assert [line.step for line in lines_until(index, frame_at(index, 7), 3)] == [5, 6, 7]
    assert [line.step for line in lines_until(index, frame_at(index, 1), 3)] == [0, 1]


def test_the_threads_that_have_printed_are_those_of_the_lines_so_far() -> None:
    index = in_order(2)
    for step in (0, 50, 130, index.steps - 1):
        frame: Frame = frame_at(index, step)
        expected = {line.thread for line in lines(index)[: step + 1] if line.block == frame.block_number}
        assert set(printed_threads(index, frame).nonzero()[0].tolist()) == expected


@pytest.mark.parametrize("order", range(5))
def test_every_order_is_one_that_a_gpu_can_have(order: int) -> None:
    """Each line once; the lines of a warp together and in the order of its lanes."""
    found = lines(in_order(order))
    assert sorted((line.block, line.thread) for line in found) == [(b, t) for b in range(3) for t in range(96)]
    warps = [list(group) for _, group in groupby(found, key=attrgetter("block", "warp"))]
    assert len(warps) == 9
    assert all([line.thread for line in warp] == sorted(line.thread for line in warp) for warp in warps)


def test_orders_differ() -> None:
    texts = [tuple(line.text for line in lines(in_order(order))) for order in range(4)]
    assert len(set(texts)) == 4
    assert in_order(1).subject.launch.mode is Mode.WARP
    assert extent_text(in_order(1).trace) is None, "all blocks run, only in another order"


@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_orders_of_blocks_are_permutations_and_neighbours_begin_differently(blocks: int) -> None:
    for order in range(1, 9):
        assert sorted(shuffled(blocks, order)) == list(range(blocks))
        assert blocks == 1 or shuffled(blocks, order)[0] != shuffled(blocks, order + 1)[0]


def test_a_full_buffer_is_told() -> None:
    text = '__global__ void k() { for (int i = 0; i < 1200; ++i) printf("%1000d\\n", i); }'
    full = record_of(text, 1, {})
    assert full.steps < 1200
    assert order_text(full) == (*ORDER, FULL)
    assert FULL not in order_text(launch_of("gpu.hello", 0))


def known(shape: Shape, *numbers: int) -> Recorded:
    return Recorded({"gpu": "Some GPU", "recorded": "2026-01-02"}, {shape: ((HOST, *numbers),)})


def test_what_a_gpu_printed_stands_beside_what_the_interpreter_prints() -> None:
    index, shape = launch_of("gpu.hello", 0, **SETTING), Shape(3, 16, 6)
    beside = prints_beside(index, known(shape, *range(96), *range(192, 288), *range(96, 192)))
    assert beside is not None
    assert str(beside.source) == "Some GPU, recorded 2026-01-02"
    found = [beside.line(step) for step in range(index.steps)]
    assert [line.differs for line in found] == [False] * 96 + [True] * 192
    assert (found[96].block, found[96].thread) == (2, 0)
    assert found[96 + 33].text == "Hello World from Thread (1, 2) in Block 2!"
    assert found[96 + 33].thread == 33
    assert sorted(line.text for line in found) == sorted(line.text.rstrip("\n") for line in lines(index))


def test_nothing_stands_beside_a_launch_that_was_not_recorded_or_not_wholly() -> None:
    index, shape = launch_of("gpu.hello", 0, **SETTING), Shape(3, 16, 6)
    assert prints_beside(index, None) is None
    assert prints_beside(index, known(Shape(2, 16, 6), *range(192))) is None
    assert prints_beside(index, known(shape, *range(287))) is None
    other = record_of('__global__ void k() { printf("Hi %d\\n", threadIdx.x); }', 32, {})
    assert prints_beside(other, known(Shape(1, 32, 1), *range(32))) is None


def test_the_recording_that_comes_with_the_program_is_shown() -> None:
    assert prints_beside(launch_of("gpu.hello", 0), recorded()) is not None
    beside = prints_beside(launch_of("gpu.hello", 0, blocks=4, threads_x=8, threads_y=32), recorded())
    assert beside is not None
    assert "H200" in str(beside.source)


def test_one_warp_has_one_order() -> None:
    assert not orders(launch_of("gpu.hello", 0, blocks=1, threads_x=4, threads_y=2))
    assert orders(launch_of("gpu.hello", 0, blocks=2, threads_x=4, threads_y=2))


def test_of_a_launch_that_prints_the_thread_that_prints_is_told_about() -> None:
    index = launch_of("gpu.hello", 0, **SETTING)
    for step in (0, 6, 40, 99):
        frame = frame_at(index, step, 0.0)
        assert shown_thread(frame, 96, None) == line_at(index, step).thread
        assert shown_thread(frame, 96, 7) == 7
