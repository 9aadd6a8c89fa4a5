"""The picture of a CPU kernel's matrices: what is touched, held and labelled, and the meter of reuse."""

from __future__ import annotations

import numpy as np

from app.core.cpu_view.frame import frame_at
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.matrices import matrix_picture
from app.core.cpu_view.step_texts import tell
from app.core.frames.matrix import Box, MatrixPicture, Role
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace


def index_of(variant_id: str, n: int, **parameters: int) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    return TraceIndex(trace(variant, Problem.square(variant.operation, n), {**variant.defaults, **parameters}, seed=1))


def picture(index: TraceIndex, step: int, fraction: float = 0.0) -> MatrixPicture:
    frame = frame_at(index, step, fraction)
    return matrix_picture(index, frame, tell(index, frame))


def step_where(index: TraceIndex, **values: int) -> int:
    """The first step at which the loops stand at these values."""
    columns = [next(i for i, loop in enumerate(index.trace.loops) if loop.name == name) for name in values]
    return int(np.flatnonzero((index.trace.indices[:, columns] == list(values.values())).all(axis=1))[0])


def test_a_value_in_a_register_is_held_and_the_others_are_touched() -> None:
    index = index_of("cpu.blocked", 8, tile=4)
    shown = picture(index, step_where(index, i0=0, j0=0, k0=0, i=1, k=2, j=3))
    assert (shown.matrix("A").boxes, shown.matrix("A").held) == ((), (Box(1, 2, 1, 1),))
    assert (shown.matrix("B").boxes, shown.matrix("B").held) == ((Box(2, 3, 1, 1),), ())
    assert (shown.matrix("C").boxes, shown.target, shown.pending) == ((Box(1, 3, 1, 1),), Box(1, 3, 1, 1), False)


def test_labels_stand_at_the_outer_edges_alone_and_gaps_between_all_tiles() -> None:
    shown = picture(index_of("cpu.blocked", 8, tile=4), 5)
    assert shown.arrangement.crossed
    labels = {matrix.name: tuple([tick.text for tick in edge] for edge in matrix.ticks) for matrix in shown.matrices}
    assert labels == {
        "A": (["i0 = 0", "i0 = 4"], ["k0 = 0", "k0 = 4"]), "B": (["k0 = 0", "k0 = 4"], []), "C": ([], ["j0 = 0", "j0 = 4"]),
    }  # fmt: skip
    assert all(matrix.gaps == ((0, 4), (0, 4)) for matrix in shown.matrices)
    assert [tick.present for tick in shown.matrix("A").ticks[0]] == [True, False]


def test_both_matrices_of_a_transposition_have_all_labels() -> None:
    shown = picture(index_of("cpu.transpose-blocked", 8, tile=4), 0)
    assert shown.arrangement.mirrored
    assert all(ticks for matrix in shown.matrices for ticks in matrix.ticks)
    assert shown.meter is None


def test_whole_blocks_are_not_seen_under_way() -> None:
    assert not any(matrix.moves for matrix in picture(index_of("cpu.numpy", 4), 0).matrices)
    assert all(matrix.moves for matrix in picture(index_of("cpu.naive", 4), 3).matrices)


def test_the_meter_counts_what_a_tile_step_takes() -> None:
    index = index_of("cpu.blocked", 8, tile=4)
    shown = picture(index, step_where(index, i0=0, j0=0, k0=0))
    assert shown.meter is not None
    assert [count for _, count in shown.meter.bars] == [2 * 4 * 4 * 4, 2 * 4 * 4]
    assert picture(index, 0).meter is None


def test_cells_of_a_window_are_those_of_the_whole_and_change_with_the_step() -> None:
    index = index_of("cpu.blocked", 8, tile=4)
    step = step_where(index, i0=0, j0=0, k0=0, i=1, k=2, j=3)
    cells, window = picture(index, step).matrix("A").cells, Box(1, 1, 3, 5)
    whole = cells.layers(Box(0, 0, 8, 8), 1)
    assert np.array_equal(cells.layers(window, 1).roles(), whole.roles()[1:4, 1:6])
    assert np.array_equal(cells.values(window), index.trace.inputs["A"][1:4, 1:6])
    assert cells.layers(Box(0, 0, 8, 8), 4).roles().tolist() == [[Role.TOUCHED, Role.BAND], [Role.IDLE, Role.IDLE]]
    assert picture(index, step, 0.3).matrix("A").cells.layers(Box(0, 0, 8, 8), 1).key == whole.key
    assert picture(index, step + 1).matrix("A").cells.layers(Box(0, 0, 8, 8), 1).key != whole.key
