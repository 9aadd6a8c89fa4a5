"""Frames of real traces: tiles, roles, values, loops and counts at chosen steps."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.cpu_view.frame import Frame, Reuse, frame_at
from app.core.cpu_view.index import TraceIndex, overview
from app.core.frames.matrix import LANDS_AT, Box, Role
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from kernels.cpusim.trace import READ, WRITE


def index_of(variant_id: str, m: int, n: int, k: int = 0, **parameters: int) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    return TraceIndex(trace(variant, Problem(variant.operation, m, n, k), {**variant.defaults, **parameters}, seed=1))


@pytest.fixture(scope="module")
def blocked() -> TraceIndex:
    return index_of("cpu.blocked", 7, 6, 5, tile=4)


def step_where(index: TraceIndex, **values: int) -> int:
    """The first step at which the loops stand at these values."""
    columns = [next(i for i, loop in enumerate(index.trace.loops) if loop.name == name) for name in values]
    return int(np.flatnonzero((index.trace.indices[:, columns] == list(values.values())).all(axis=1))[0])


def test_the_tiles_of_a_blocked_product_are_cut_at_the_edge(blocked: TraceIndex) -> None:
    frame = frame_at(blocked, step_where(blocked, i0=4, j0=4, k0=4))
    assert {m.name: m.tile for m in frame.matrices} == {"A": Box(4, 4, 3, 1), "B": Box(4, 4, 1, 2), "C": Box(4, 4, 3, 2)}
    bands = {name: tuple(boxes[frame.group].tolist()) for name, boxes in blocked.groups.bands.items()}
    assert bands == {"A": (4, 7, 0, 5), "B": (0, 5, 4, 6), "C": (4, 7, 4, 6)}


def test_the_loops_that_count_along_edges_are_found(blocked: TraceIndex) -> None:
    frame = frame_at(blocked, 5)
    names = {m.name: tuple(tick.name if tick else None for tick in m.ticks) for m in frame.matrices}
    assert names == {"A": ("i0", "k0"), "B": ("k0", "j0"), "C": ("i0", "j0")}
    rows = frame.matrix("A").ticks[0]
    assert rows is not None
    assert rows.values == (0, 4)


def test_inner_loops_show_the_range_of_this_tile(blocked: TraceIndex) -> None:
    frame = frame_at(blocked, step_where(blocked, i0=4, j0=0, k0=4))
    ranges = {loop.name: (loop.values, loop.current) for loop in frame.loops}
    assert ranges["k0"] == ((0, 4), 4)
    assert ranges["i"] == ((4, 5, 6), 4)
    assert ranges["k"][0] == (4,)


def test_each_tile_of_c_counts_the_steps_added(blocked: TraceIndex) -> None:
    first, second = (step_where(blocked, i0=0, j0=0, k0=k0) for k0 in (0, 4))
    assert frame_at(blocked, first).added == (0, 2)
    assert frame_at(blocked, second - 1).added == (0, 2)
    assert frame_at(blocked, second - 1, 1.0).added == (1, 2)
    assert frame_at(blocked, second).added == (1, 2)


def test_clearing_a_tile_is_no_step_of_the_product(blocked: TraceIndex) -> None:
    frame = frame_at(blocked, 0)
    assert frame.added == (0, 0)
    assert [touch.kind for touch in frame.touches] == [WRITE]


def test_a_value_in_a_register_is_shown_as_held(blocked: TraceIndex) -> None:
    step = step_where(blocked, i0=0, j0=0, k0=0, i=1, k=2, j=3)
    touches = {(touch.matrix, touch.kind): touch for touch in frame_at(blocked, step).touches}
    assert touches["A", READ].held
    assert touches["A", READ].box == Box(1, 2, 1, 1)
    assert touches["B", READ].box == Box(2, 3, 1, 1)
    assert not touches["B", READ].held
    assert frame_at(blocked, step).target == touches["C", WRITE].box == Box(1, 3, 1, 1)


def test_a_write_is_seen_when_it_lands_and_not_before(blocked: TraceIndex) -> None:
    step = step_where(blocked, i0=0, j0=0, k0=0, i=0, k=0, j=0)
    product = blocked.trace.inputs["A"][0, 0] * blocked.trace.inputs["B"][0, 0]
    assert frame_at(blocked, step, LANDS_AT - 0.01).matrix("C").values[0, 0] == 0
    assert frame_at(blocked, step, LANDS_AT).matrix("C").values[0, 0] == product


def test_roles_follow_the_state_of_the_output(blocked: TraceIndex) -> None:
    start = frame_at(blocked, 0).matrix("C").roles
    assert set(np.unique(start[4:])) == {Role.EMPTY}
    assert (start[:4, :4] == Role.WRITE).all()
    later = frame_at(blocked, step_where(blocked, i0=0, j0=4)).matrix("C").roles
    assert (later[:4, :4] == Role.DONE).all()
    assert (later[4:] == Role.EMPTY).all()


def test_roles_of_an_input_tell_band_tile_and_what_was_read(blocked: TraceIndex) -> None:
    roles = frame_at(blocked, step_where(blocked, i0=0, j0=0, k0=0, i=0, k=1)).matrix("A").roles
    assert roles[0, :5].tolist() == [Role.TOUCHED, Role.READ, Role.TILE, Role.TILE, Role.BAND]
    assert (roles[4:] == Role.IDLE).all()


def test_reuse_counts_operands_and_different_values(blocked: TraceIndex) -> None:
    whole = frame_at(blocked, step_where(blocked, i0=0, j0=0, k0=0)).reuse
    assert whole == Reuse(operands=2 * 4 * 4 * 4, distinct=2 * 4 * 4)
    assert whole.uses == 4
    edge = frame_at(blocked, step_where(blocked, i0=4, j0=4, k0=4)).reuse
    assert edge == Reuse(operands=2 * 3 * 2, distinct=3 + 2)


def test_a_vector_with_a_value_in_every_lane_multiplies_in_each_of_them() -> None:
    """The lesson "SIMD, and why blocking comes with it" says it: a vector of B serves eight rows."""
    index = index_of("cpu.simd", 32, 32, 32, lanes=8)
    reuse = frame_at(index, 0).reuse
    assert (reuse, reuse.uses) == (Reuse(operands=2 * 8 * 8 * 32, distinct=2 * 8 * 32), 8)


SEEN = [each.id for each in catalogue.of(Operation.MATMUL) if each.device is Device.CPU and each.id != "cpu.strassen"]
"""Kernels whose multiplications are all in their own text."""


@pytest.mark.parametrize("variant_id", SEEN)
def test_every_multiplication_is_counted_once(variant_id: str) -> None:
    index = index_of(variant_id, 16, 16, 16)
    assert index.groups.products.sum() == 16**3


def test_copying_into_rows_of_b_transposed_is_no_multiplication() -> None:
    index = index_of("cpu.hints", 3, 4, 5)
    assert index.groups.computes.sum() == 3 * 4
    assert frame_at(index, index.trace.steps - 1).reuse == Reuse(operands=2 * 5, distinct=5 + 5)


@pytest.mark.parametrize("variant_id", SEEN)
def test_what_is_left_over_is_not_read_where_nothing_is_left(variant_id: str) -> None:
    """16 is a multiple of every unit that rows and vectors are taken in: after the last product nothing is read any more."""
    index = index_of(variant_id, 16, 16, 16)
    groups = index.groups
    after = range(int(np.flatnonzero(groups.computes)[-1]) + 1, len(groups.start) - 1)
    assert not [group for group in after if any(groups.distinct[name][group] for name in index.inputs)]


def test_the_last_tile_step_is_one_that_multiplies() -> None:
    index = index_of("cpu.simd-blocked", 16, 16, 16, tile=8, lanes=8)
    assert index.groups.computes.sum() == 8
    assert frame_at(index, index.trace.steps - 1, 1.0).added == (2, 2)


def test_the_sum_of_a_naive_product_waits_for_its_element() -> None:
    index = index_of("cpu.naive", 3, 4, 5)
    frame = frame_at(index, step_where(index, i=1, j=2, k=3))
    assert (frame.target, frame.pending) == (Box(1, 2, 1, 1), True)
    assert {m.name: m.tile for m in frame.matrices} == {"A": Box(1, 0, 1, 5), "B": Box(0, 2, 5, 1), "C": Box(1, 2, 1, 1)}
    assert frame.reuse.uses == 1


def test_ikj_works_on_a_row_of_c_and_a_row_of_b() -> None:
    index = index_of("cpu.loop-order", 3, 4, 5)
    frame = frame_at(index, step_where(index, i=1, k=2, j=0))
    assert {m.name: m.tile for m in frame.matrices} == {"A": Box(1, 2, 1, 1), "B": Box(2, 0, 1, 4), "C": Box(1, 0, 1, 4)}
    assert frame.added == (2, 5)


def test_the_library_touches_whole_matrices_at_once() -> None:
    index = index_of("cpu.numpy", 3, 4, 5, threads=1)
    frame = frame_at(index, 0)
    assert {(touch.matrix, touch.box) for touch in frame.touches} == {
        ("A", Box(0, 0, 3, 5)),
        ("B", Box(0, 0, 5, 4)),
        ("C", Box(0, 0, 3, 4)),
    }
    assert np.isnan(frame.matrix("C").values).all()
    done = frame_at(index, 0, 1.0).matrix("C").values
    np.testing.assert_allclose(done, index.trace.inputs["A"] @ index.trace.inputs["B"], rtol=1e-6)


def test_a_blocked_transposition_pairs_mirrored_tiles() -> None:
    index = index_of("cpu.transpose-blocked", 7, 5, tile=4)
    frame = frame_at(index, step_where(index, i0=4, j0=0, i=5, j=2), 1.0)
    assert (frame.matrix("A").tile, frame.matrix("C").tile) == (Box(4, 0, 3, 4), Box(0, 4, 4, 3))
    assert frame.matrix("C").values[2, 5] == index.trace.inputs["A"][5, 2]


def test_the_traffic_counts_elements(blocked: TraceIndex) -> None:
    end = frame_at(blocked, blocked.trace.steps - 1, 1.0)
    elements = blocked.trace.rows.astype(int) * blocked.trace.columns
    assert end.reads == elements[blocked.trace.kind == READ].sum()
    assert end.writes == elements[blocked.trace.kind == WRITE].sum()


def test_an_element_of_a_is_read_once_for_each_column_of_tiles(blocked: TraceIndex) -> None:
    assert blocked.reads_of("A", 1, 2, 0) == 0
    assert blocked.reads_of("A", 1, 2, blocked.trace.steps) == 2


def test_the_overview_shows_how_long_a_tile_stays() -> None:
    index = index_of("cpu.blocked", 8, 8, 8, tile=4)
    lanes = {lane.matrix: len(lane.starts) for lane in overview(index).lanes}
    assert lanes == {"A": 8, "B": 8, "C": 4}
    assert len(overview(index).turns) == 1


def test_the_next_line_is_known_until_the_end(blocked: TraceIndex) -> None:
    last = blocked.trace.steps - 1
    assert frame_at(blocked, last).next_line is None
    assert frame_at(blocked, last - 1).next_line == frame_at(blocked, last).line


def test_frames_know_their_matrices() -> None:
    frame: Frame = frame_at(index_of("cpu.transpose-naive", 2, 3), 0)
    assert [m.name for m in frame.matrices] == ["A", "C"]
    assert frame.matrix("C").shape == (3, 2)
