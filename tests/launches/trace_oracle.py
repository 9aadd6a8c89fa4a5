"""What a trace says at a step, found the slow way: by looking at all accesses. The frames of the stage must say the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.cpusim.trace import COPY, WRITE, Ints, Trace

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Elements of a matrix: `rows` x `columns` of them, from (`row`, `column`) on."""

    row: int
    column: int
    rows: int
    columns: int


def bounding_boxes(trace: Trace, group_of_step: Ints, group: int) -> dict[tuple[str, int], Rectangle]:
    """What the steps of one group touch: for each matrix name and kind (READ or WRITE) the smallest rectangle around it.

    `group_of_step` is what `kernels.cpusim.trace.groups` returned. A matrix that is not touched is left out.
    """
    first, last = np.searchsorted(group_of_step, [group, group + 1])
    return accessed(trace, int(first), int(last))


def accessed(trace: Trace, first: int, last: int) -> dict[tuple[str, int], Rectangle]:
    """As `bounding_boxes`, for the steps from `first` to `last` (exclusive)."""
    accesses = np.arange(trace.access_start[first], trace.access_start[last])
    part = accesses[trace.kind[accesses] != COPY]
    row, column = trace.row[part], trace.column[part]
    bottom, right = row + trace.rows[part], column + trace.columns[part]
    key = trace.matrix[part].astype(np.int32) * 2 + trace.kind[part]
    boxes = {}
    for value in np.flatnonzero(np.bincount(key)):
        chosen = key == value
        top, left = int(row[chosen].min()), int(column[chosen].min())
        box = Rectangle(top, left, int(bottom[chosen].max()) - top, int(right[chosen].max()) - left)
        boxes[trace.arrays[value // 2], int(value % 2)] = box
    return boxes


def written_before(trace: Trace, step: int, name: str = "C") -> npt.NDArray[np.bool_]:
    """Which elements of the matrix `name` the steps before `step` have written."""
    access, place = _element_writes(trace, name)
    before = np.searchsorted(access, trace.access_start[step])
    return _last_write(place[:before], trace.problem.shapes[name]) >= 0


def values_at(trace: Trace, name: str, step: int) -> npt.NDArray[np.float32]:
    """The matrix `name` as it is when `step` begins (`trace.steps`: at the end); NaN where an output is not written yet.

    Different values that were written at once are known only where nothing overwrites them later; elsewhere they are NaN.
    """
    shape = trace.problem.shapes[name]
    access, place = _element_writes(trace, name)
    before = np.searchsorted(access, trace.access_start[step])
    last = _last_write(place[:before], shape)
    values = trace.inputs[name].copy() if name in trace.inputs else np.full(shape, np.nan, np.float32)
    written = last >= 0
    values[written] = trace.value[access[last[written]]]
    if name in trace.outputs:
        final = written & (last == _last_write(place, shape))
        values[final] = trace.outputs[name][final]
    return values


def _element_writes(trace: Trace, name: str) -> tuple[Numbers, Numbers]:
    """Every write to one element of the matrix `name`, in order: the number of its access, and its place in row-major order."""
    writes = np.flatnonzero((trace.kind == WRITE) & (trace.matrix == trace.arrays.index(name)))
    size = trace.rows[writes] * trace.columns[writes]
    access = np.repeat(writes, size)
    inside = np.arange(len(access)) - np.repeat(np.cumsum(size) - size, size)
    down, along = np.divmod(inside, trace.columns[access])
    place = (trace.row[access] + down) * trace.problem.shapes[name][1] + trace.column[access] + along
    return access, place


def _last_write(place: Numbers, shape: tuple[int, int]) -> Numbers:
    """For each element the number of the last of the writes at `place`, or -1."""
    last = np.full(shape[0] * shape[1], -1, np.int64)
    np.maximum.at(last, place, np.arange(len(place)))
    return last.reshape(shape)
