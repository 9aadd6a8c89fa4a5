"""What the matrices show at a step is what the trace says, access by access; and a picture depends on the step alone."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.frames.matrix import Box, Role
from app.core.gpu_view.arrays import boxes_of
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.matrices.elements import requests_before
from app.core.gpu_view.matrices.matrices import Matrices
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of

LAUNCHES = {
    "tiled": ("gpu.tiled", 24, {"tile": 8}), "odd": ("gpu.tiled", 13, {"tile": 8}), "naive": ("gpu.naive", 24, {"tile": 8}),
    "uncoalesced": ("gpu.uncoalesced", 24, {"tile": 8}), "transposed": ("gpu.transpose-shared", 24, {"tile": 8}),
    "swizzled": ("gpu.transpose-swizzled", 37, {"tile": 16}), "wide": ("gpu.vectorized-k8", 128, {}),
    "ahead": ("gpu.double-buffered-k8", 128, {}),
}  # fmt: skip
launches = st.sampled_from(sorted(LAUNCHES))
shares = st.floats(0, 1, exclude_max=True)


@cache
def matrices_of(name: str) -> Matrices:
    variant, n, parameters = LAUNCHES[name]
    return Matrices(launch_of(variant, n, **parameters))


@cache
def accesses(name: str) -> list[tuple[str, int, frozenset[int]]]:
    """For each step the operation, the global array (-1: none) and its elements, one lane at a time."""
    index = matrices_of(name).index
    found: list[tuple[str, int, frozenset[int]]] = []
    for step in range(index.steps):
        lanes, site = index.lanes(step), index.site(step)
        if site.space is not Space.GLOBAL:
            found.append((site.operation, -1, frozenset()))
            continue
        array = index.trace.allocations[site.allocation]
        first = [(int(address) - array.address) // array.element_bytes for address in lanes.address[lanes.active]]
        span = site.bytes // array.element_bytes
        found.append((site.operation, site.allocation, frozenset(each + part for each in first for part in range(span))))
    return found


def elements_of(name: str, allocation: int, operation: str, start: int, stop: int) -> set[int]:
    own = (each[2] for each in accesses(name)[start:stop] if each[:2] == (operation, allocation))
    return set().union(*own)


@settings(deadline=None, max_examples=60)
@given(launches, shares)
def test_roles_are_those_of_the_accesses(name: str, share: float) -> None:
    matrices = matrices_of(name)
    index = matrices.index
    frame = frame_at(index, int(share * index.steps), 0.9)
    shown, block = matrices.at(frame), matrices.tiles.block_span(frame.band.block)
    for matrix, array in zip(shown.matrices, matrices.arrays, strict=True):
        number = array.allocation
        roles = matrix.cells.layers(Box(0, 0, *matrix.shape), 1).roles().reshape(-1)
        operation, reached, touched = accesses(name)[frame.step]
        if reached == number:
            assert set(np.flatnonzero(roles >= Role.READ).tolist()) == touched
            assert (roles[sorted(touched)] == (Role.READ if operation == "load" else Role.WRITE)).all()
        written = elements_of(name, number, "store", 0, frame.moment)
        later = elements_of(name, number, "store", frame.moment, index.steps)
        now = set(matrices.touched(frame.step, array).tolist())
        if matrix.name == "C":
            assert set(np.flatnonzero(roles == Role.DONE).tolist()) == written - later - now
            assert set(np.flatnonzero(roles == Role.PARTIAL).tolist()) == (written & later) - now
        else:
            used = elements_of(name, number, "load", block.start, block.stop)
            assert set(np.flatnonzero(roles >= Role.BAND).tolist()) == used | now


@settings(deadline=None, max_examples=60)
@given(launches, shares)
def test_values_taken_from_shared_memory_are_those_of_the_elements_outlined(name: str, share: float) -> None:
    matrices = matrices_of(name)
    index = matrices.index
    step = int(share * index.steps)
    frame = frame_at(index, step)
    if frame.site.space is not Space.SHARED or frame.site.operation != "load":
        return
    shared = frame.site.allocation
    array = next(each for each in matrices.arrays if each.allocation == matrices.tiles.origins.source[shared])
    element, active = frame.lanes.element, frame.lanes.active
    span = frame.site.bytes // index.trace.allocations[shared].element_bytes
    places = (element[active][:, None] + np.arange(span)).ravel()
    origin = matrices.tiles.origins.of(shared, places, frame.band.block, frame.row)
    contents = index.record.contents
    held = contents.window(shared, places, frame.moment, frame.band.block).values
    assert (held[origin < 0] == 0).all()  # past the edge of the matrix
    assert np.array_equal(contents.window(array.allocation, origin[origin >= 0], frame.moment).values, held[origin >= 0])
    assert sorted(matrices.touched(step, array).tolist()) == sorted(origin[origin >= 0].tolist())


@settings(deadline=None, max_examples=30)
@given(launches, shares, st.integers(2, 5))
def test_a_cell_of_several_elements_has_the_role_of_the_most_important(name: str, share: float, factor: int) -> None:
    matrices = matrices_of(name)
    frame = frame_at(matrices.index, int(share * matrices.index.steps))
    for matrix in matrices.at(frame).matrices:
        if matrix.name == "C":
            continue  # a cell of it is final when all of it is
        window = Box(0, 0, *matrix.shape)
        fine = matrix.cells.layers(window, 1).roles()
        coarse = matrix.cells.layers(window, factor).roles()
        rows, columns = coarse.shape
        for row in range(rows):
            for column in range(columns):
                part = fine[row * factor : (row + 1) * factor, column * factor : (column + 1) * factor]
                assert coarse[row, column] == part.max()


@settings(deadline=None, max_examples=30)
@given(launches, shares, st.integers(0, 20), st.integers(0, 20))
def test_a_window_shows_what_the_whole_shows_there(name: str, share: float, top: int, left: int) -> None:
    matrices = matrices_of(name)
    frame = frame_at(matrices.index, int(share * matrices.index.steps))
    for matrix in matrices.at(frame).matrices:
        whole = matrix.cells.layers(Box(0, 0, *matrix.shape), 1).roles()
        row, column = min(top, matrix.shape[0] - 5), min(left, matrix.shape[1] - 7)
        part = matrix.cells.layers(Box(row, column, 5, 7), 1).roles()
        assert np.array_equal(part, whole[row : row + 5, column : column + 7])


@settings(deadline=None, max_examples=30)
@given(launches, shares)
def test_a_frame_is_the_same_however_it_was_come_to(name: str, share: float) -> None:
    used, step = matrices_of(name), int(share * matrices_of(name).index.steps)
    fresh = Matrices(used.index)
    frame = frame_at(used.index, step, 0.5)
    for one, other in zip(used.at(frame).matrices, fresh.at(frame).matrices, strict=True):
        assert (one.name, one.tile, one.ahead, one.focus, one.boxes, one.held, one.ticks) == (
            other.name, other.tile, other.ahead, other.focus, other.boxes, other.held, other.ticks)  # fmt: skip
    one_frame, other_frame = used.at(frame), fresh.at(frame)
    assert (one_frame.target, one_frame.route, one_frame.added, one_frame.meter) == (
        other_frame.target, other_frame.route, other_frame.added, other_frame.meter)  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(launches, shares, shares)
def test_requests_are_counted_one_warp_instruction_at_a_time(name: str, share: float, place: float) -> None:
    matrices = matrices_of(name)
    array, moment = matrices.arrays[0], int(share * matrices.index.steps)
    element = int(place * array.size)
    expected = sum(element in touched and operation == "load" and number == array.allocation
                   for operation, number, touched in accesses(name)[:moment])  # fmt: skip
    assert requests_before(matrices.index, array.allocation, element, moment) == expected


@given(st.sets(st.integers(0, 99)), st.integers(1, 12))
def test_boxes_cover_exactly_the_elements_and_each_once(elements: set[int], columns: int) -> None:
    boxes = boxes_of(np.array(sorted(elements), np.int64), columns)
    covered = [
        r * columns + c for box in boxes for r in range(box.row, box.row + box.rows) for c in range(box.column, box.column + box.columns)
    ]
    assert sorted(covered) == sorted(elements)
    assert all(box.column >= 0 and box.column + box.columns <= columns for box in boxes)


@settings(deadline=None, max_examples=20)
@given(launches, st.integers(0, 3))
def test_tile_steps_looked_up_together_are_those_looked_up_one_by_one(name: str, block: int) -> None:
    matrices = matrices_of(name)
    block = min(block, len(matrices.index.trace.blocks) - 1)
    count = matrices.index.tiles(block)
    for array in matrices.arrays:
        for every in (1, 2):
            numbers = range(0, count, every)
            assert matrices.tiles.boxes(array, block, numbers) == [matrices.tiles.box(array, block, number) for number in numbers]


@settings(deadline=None, max_examples=20)
@given(launches, st.integers(0, 3))
def test_what_a_block_reads_is_what_its_steps_read(name: str, block: int) -> None:
    matrices = matrices_of(name)
    block = min(block, len(matrices.index.trace.blocks) - 1)
    span = matrices.tiles.block_span(block)
    for array in matrices.arrays:
        expected = elements_of(name, array.allocation, "load", span.start, span.stop)
        assert matrices.tiles.read_by(array, block).tolist() == sorted(expected)
