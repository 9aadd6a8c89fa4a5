"""What a step holds in registers: values of vectors lane by lane, as they are read and written."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.cpu_view.frame import frame_at
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.operands import MOST_COLUMNS, MOST_ROWS, operands
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from kernels.cpusim.recorder import MOST_VALUES
from kernels.cpusim.trace import READ


def index_of(variant_id: str, n: int) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    values = dict(variant.defaults) | ({"tile": 8} if "tile" in variant.defaults else {})
    return TraceIndex(trace(variant, Problem.square(variant.operation, n), values, seed=1))


@pytest.fixture(scope="module")
def vectors() -> TraceIndex:
    return index_of("cpu.simd-blocked", 16)


def test_vectors_of_different_values_are_kept_lane_by_lane(vectors: TraceIndex) -> None:
    recorded = vectors.trace
    assert recorded.values
    for access, values in recorded.values.items():
        assert np.isnan(recorded.value[access])
        assert len(values) == recorded.rows[access] * recorded.columns[access] <= MOST_VALUES


def test_what_a_vector_reads_of_c_is_what_was_written_there(vectors: TraceIndex) -> None:
    recorded, c = vectors.trace, vectors.trace.arrays.index("C")
    step_of = np.repeat(np.arange(recorded.steps), np.diff(recorded.access_start))
    seen = 0
    for access, values in recorded.values.items():
        if recorded.matrix[access] == c and recorded.kind[access] == READ:
            row, column = recorded.row[access], recorded.column[access]
            known = vectors.output_values(int(step_of[access]))
            part = known[row : row + recorded.rows[access], column : column + recorded.columns[access]]
            np.testing.assert_array_equal(part.ravel(), values)
            seen += 1
    assert seen


def test_an_operand_has_the_lanes_of_its_vector(vectors: TraceIndex) -> None:
    found = [each for step in range(vectors.trace.steps) for each in operands(vectors, frame_at(vectors, step, 1.0))]
    assert max(each.lanes for each in found) > 1
    for each in found:
        assert each.values.shape[0] <= MOST_ROWS
        assert each.lanes <= MOST_COLUMNS
        assert not np.isnan(each.values).any()


def test_what_no_registers_could_hold_is_no_operand() -> None:
    index = index_of("cpu.numpy", MOST_COLUMNS + 1)
    assert operands(index, frame_at(index, 0)) == ()


def test_what_is_read_and_written_is_one_operand() -> None:
    index = index_of("cpu.blocked", 8)
    adding = next(step for step in range(index.trace.steps) if np.diff(index.trace.access_start)[step] == 3)
    found = operands(index, frame_at(index, adding))
    assert [each.matrix for each in found] == ["A", "B", "C"]
    assert [each.now for each in found] == [False, True, True]


def test_a_vector_is_held_until_the_iteration_is_over(vectors: TraceIndex) -> None:
    recorded = vectors.trace
    b = recorded.arrays.index("B")
    loads = [step for step in range(recorded.steps - 1) if recorded.matrix[recorded.access_start[step]] == b]
    load = next(step for step in loads if recorded.columns[recorded.access_start[step]] > 1)
    after = operands(vectors, frame_at(vectors, load + 1))
    held = next(each for each in after if each.matrix == "B")
    assert not held.now
    assert held.lanes == recorded.columns[recorded.access_start[load]]
    for step in range(1, recorded.steps):
        if (recorded.indices[step] != recorded.indices[step - 1]).any():
            touched = {touch.matrix for touch in frame_at(vectors, step).touches}
            assert {each.matrix for each in operands(vectors, frame_at(vectors, step))} <= touched
