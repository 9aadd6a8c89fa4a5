"""Recording arrays: what each kind of use notes, on which line, in which loop iteration."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import pytest

from kernels.cpusim.loops import find_loops
from kernels.cpusim.recorder import ACCESS_FIELDS, AccessLimitReached, Recorder, TracedArray
from kernels.cpusim.trace import NOT_STARTED, READ, WRITE

Note = tuple[int, int, int, int, int, int]
"""kind, matrix, row, column, rows, columns."""


def record(body: str, limit: int = 1000) -> tuple[Recorder, TracedArray, TracedArray]:
    """Run the statements `body` (from line 2 on) on X = 0 1 2 3 / 4 5 6 7 / 8 9 10 11 (matrix 0) and Y of the same shape (matrix 1)."""
    source = "def kernel(X, Y):\n" + "\n".join("    " + line for line in body.splitlines())
    namespace: dict[str, Any] = {"np": np}
    exec(source, namespace)
    kernel: FunctionType = namespace["kernel"]
    recorder = Recorder(kernel.__code__, find_loops(source, "kernel"), limit)
    X = TracedArray(recorder, 0, np.arange(12, dtype=np.float32).reshape(3, 4), 4)
    Y = TracedArray(recorder, 1, np.full((3, 4), np.nan, np.float32), 4)
    kernel(X, Y)
    return recorder, X, Y


def notes(recorder: Recorder) -> list[Note]:
    numbers = np.array(recorder.accesses).reshape(-1, ACCESS_FIELDS)
    return [tuple(int(number) for number in access[:6]) for access in numbers]  # type: ignore[misc]


def values(recorder: Recorder) -> list[float]:
    return [float(value) for value in recorder.accesses[ACCESS_FIELDS - 1 :: ACCESS_FIELDS]]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("X[2, 3]", (READ, 0, 2, 3, 1, 1)),
        ("X[-1, -2]", (READ, 0, 2, 2, 1, 1)),
        ("X[1][2]", (READ, 0, 1, 2, 1, 1)),
        ("X[1, 1:][2]", (READ, 0, 1, 3, 1, 1)),
        ("X[1:, 2][1]", (READ, 0, 2, 2, 1, 1)),
        ("X[1:3, 1:4][1:, 1:][0, 1]", (READ, 0, 2, 3, 1, 1)),
        ("X[1:, 1:][1, :2][1]", (READ, 0, 2, 2, 1, 1)),
        ("Y[2, 3] = 5", (WRITE, 1, 2, 3, 1, 1)),
        ("Y[1:, 1:3] = 0", (WRITE, 1, 1, 1, 2, 2)),
        ("Y[1, :] = 0", (WRITE, 1, 1, 0, 1, 4)),
        ("Y[:, 1] = 0", (WRITE, 1, 0, 1, 3, 1)),
        ("Y[1:, 2:][:, 0] = 0", (WRITE, 1, 1, 2, 2, 1)),
        ("Y[1:, :][1:, :99] = 0", (WRITE, 1, 2, 0, 1, 4)),
    ],
)
def test_one_use_is_one_access_at_its_place(use: str, expected: Note) -> None:
    recorder, _, _ = record(use)
    assert notes(recorder) == [expected]
    assert recorder.lines == [2]


@pytest.mark.parametrize("use", ["X[1]", "X[1:, 2:]", "X[:, 1]", "X.shape", "len(X)", "X[3:, :]", "Y[3:, :] = 0", "Y[:, 4:] = X[:, 4:]"])
def test_views_shapes_and_empty_slices_touch_nothing(use: str) -> None:
    recorder, _, _ = record(use)
    assert notes(recorder) == []
    assert recorder.lines == []


def test_values_are_the_elements_values() -> None:
    recorder, _, Y = record("Y[0, 0] = X[1, 2] * X[0, 3]\nY[1, :] = 7\nY[2, :] = X[2, :]")
    assert values(recorder)[:4] == [6, 3, 18, 7]
    assert np.isnan(values(recorder)[4:]).all(), "a row of different values has no one value"
    np.testing.assert_array_equal(Y[2]._data, [8, 9, 10, 11])


def test_a_line_is_one_step_however_much_it_touches() -> None:
    recorder, _, _ = record("Y[0, 0] = 0\nfor i in range(3):\n    for j in range(2):\n        Y[0, 0] += X[i, j] * X[i, j + 1]")
    assert recorder.lines == [2] + [5] * 6
    assert recorder.indices == [(NOT_STARTED, NOT_STARTED)] + [(i, j) for i in range(3) for j in range(2)]
    assert recorder.access_start == [0, 1, 5, 9, 13, 17, 21]
    assert [note[:2] for note in notes(recorder)[1:5]] == [(READ, 1), (READ, 0), (READ, 0), (WRITE, 1)]


def test_a_loop_on_one_line_still_makes_a_step_for_each_iteration() -> None:
    recorder, _, _ = record("for i in range(3): Y[i, 0] = X[i, 1]")
    assert recorder.indices == [(0,), (1,), (2,)]


def test_an_index_counts_only_inside_its_loop() -> None:
    recorder, _, _ = record("for i in range(2):\n    X[i, 0]\nX[0, 0]\nfor j in range(1):\n    X[0, j]")
    assert recorder.indices == [(0, NOT_STARTED), (1, NOT_STARTED), (NOT_STARTED, NOT_STARTED), (NOT_STARTED, 0)]


def test_a_numpy_function_reads_its_inputs_and_writes_its_output_in_one_step() -> None:
    recorder, _, Y = record("np.matmul(X[:, :3], X, out=Y)")
    assert notes(recorder) == [(READ, 0, 0, 0, 3, 3), (READ, 0, 0, 0, 3, 4), (WRITE, 1, 0, 0, 3, 4)]
    assert recorder.lines == [2]
    assert Y._data[0, 0] == 0 * 0 + 1 * 4 + 2 * 8


def test_a_numpy_function_without_output_only_reads() -> None:
    recorder, _, Y = record("Y[0, :] = np.add(X[0], X[1])")
    assert notes(recorder) == [(READ, 0, 0, 0, 1, 4), (READ, 0, 1, 0, 1, 4), (WRITE, 1, 0, 0, 1, 4)]
    np.testing.assert_array_equal(Y[0]._data, [4, 6, 8, 10])


def test_reductions_and_slices_with_a_step_are_refused_rather_than_recorded_wrongly() -> None:
    with pytest.raises(TypeError):
        record("np.add.reduce(X)")
    with pytest.raises(NotImplementedError):
        record("Y[::2, :] = 0")


def test_outside_of_the_matrix_is_an_error() -> None:
    with pytest.raises(IndexError):
        record("X[0, 4]")


def test_a_function_in_the_kernels_text_works_on_its_own_line_within_the_loops_of_its_caller() -> None:
    recorder, _, _ = record("def first(row):\n    return row[0]\nfor i in range(2):\n    first(X[i])")
    assert recorder.lines == [3, 3]
    assert recorder.indices == [(0,), (1,)]


def test_the_limit_holds_to_the_access() -> None:
    body = "for i in range(3):\n    X[i, 0]"
    assert len(notes(record(body, limit=3)[0])) == 3
    with pytest.raises(AccessLimitReached):
        record(body, limit=2)


def test_loops_are_found_with_their_depth_and_tiles() -> None:
    source = """\
def other():
    for x in y: pass

def kernel(C, tile):
    for i0 in range(0, 8, tile):
        if i0:
            for i in range(i0, 8):
                C[i]
        else:
            for j in C: pass
    for k, c in enumerate(C):
        pass
"""
    nest = find_loops(source, "kernel")
    assert [(loop.name, loop.line, loop.depth, loop.tile_loop) for loop in nest.loops] == [
        ("i0", 5, 0, True),
        ("i", 7, 1, False),
        ("j", 10, 1, False),
    ]
    assert nest.around(8) == (0, 1)
    with pytest.raises(ValueError, match="no function 'absent'"):
        find_loops(source, "absent")


def test_loops_of_called_functions_are_below_the_call() -> None:
    source = """\
def kernel(C):
    for i in range(2):
        row(C[i], i)

def row(c, depth):
    for j in range(3):
        if depth:
            row(c, depth - 1)

def unused():
    for x in range(2): pass
"""
    nest = find_loops(source, "kernel")
    assert [(loop.name, loop.line, loop.depth) for loop in nest.loops] == [("i", 2, 0), ("j", 6, 1)]
