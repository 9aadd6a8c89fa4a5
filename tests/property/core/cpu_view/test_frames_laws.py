"""Laws of frames: they depend on nothing but the place, agree with the trace's own questions, and end at the product."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.cpu_view.frame import frame_at
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.step_texts import tell
from app.core.frames.matrix import Role
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from tests.launches.trace_oracle import values_at, written_before

CPU_VARIANTS = [variant for variant in catalogue.VARIANTS if variant.device is Device.CPU]
sizes = st.integers(1, 7)


@st.composite
def places(draw: st.DrawFn) -> tuple[TraceIndex, int]:
    """A trace of any CPU variant, and one of its steps."""
    variant = draw(st.sampled_from(CPU_VARIANTS))
    k = draw(sizes) if variant.operation is Operation.MATMUL else 0
    parameters = {name: draw(st.integers(1, 4)) if name == "tile" else 1 for name in variant.defaults}
    index = TraceIndex(trace(variant, Problem(variant.operation, draw(sizes), draw(sizes), k), parameters, seed=draw(st.integers(0, 9))))
    return index, draw(st.integers(0, index.trace.steps - 1))


@given(places())
@settings(max_examples=60, deadline=None)
def test_values_are_those_of_the_trace(place: tuple[TraceIndex, int]) -> None:
    index, step = place
    shown = frame_at(index, step).matrix("C").values
    expected = values_at(index.trace, "C", step)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(shown[known], expected[known])
    np.testing.assert_array_equal(index.written(step), written_before(index.trace, step))


@given(places())
@settings(max_examples=60, deadline=None)
def test_nothing_that_was_not_written_has_a_value(place: tuple[TraceIndex, int]) -> None:
    index, step = place
    assert np.isnan(index.output_values(step)[~index.written(step)]).all()


@given(places())
@settings(max_examples=60, deadline=None)
def test_what_the_step_reads_lies_in_the_tile_and_the_tile_in_its_band(place: tuple[TraceIndex, int]) -> None:
    index, step = place
    frame = frame_at(index, step)
    for touch in frame.touches:
        matrix = frame.matrix(touch.matrix)
        assert matrix.tile is not None
        tile = matrix.tile.row, matrix.tile.row + matrix.tile.rows, matrix.tile.column, matrix.tile.column + matrix.tile.columns
        for first, end, left, right in (tile, index.groups.bands[touch.matrix][frame.group].tolist()):
            assert first <= touch.box.row
            assert touch.box.row + touch.box.rows <= end
            assert left <= touch.box.column
            assert touch.box.column + touch.box.columns <= right


@given(places())
@settings(max_examples=40, deadline=None)
def test_at_the_end_every_element_is_done(place: tuple[TraceIndex, int]) -> None:
    index, _ = place
    end = frame_at(index, index.trace.steps - 1, 1.0)
    np.testing.assert_array_equal(end.matrix("C").values, index.trace.outputs["C"])
    assert set(np.unique(end.matrix("C").roles)) <= {Role.DONE, Role.TOUCHED, Role.WRITE}
    assert end.added[0] == end.added[1]


@given(places(), st.sampled_from((0.0, 0.5, 1.0)))
@settings(max_examples=60, deadline=None)
def test_the_same_place_gives_the_same_frame_and_words(place: tuple[TraceIndex, int], fraction: float) -> None:
    index, step = place
    once = frame_at(index, step, fraction)
    frame_at(index, 0)
    again = frame_at(TraceIndex(index.trace), step, fraction)
    assert tell(index, once) == tell(index, again)
    assert (once.touches, once.target, once.loops, once.added) == (again.touches, again.target, again.loops, again.added)
    for one, other in zip(once.matrices, again.matrices, strict=True):
        np.testing.assert_array_equal(one.roles, other.roles)
        np.testing.assert_array_equal(one.values, other.values)
