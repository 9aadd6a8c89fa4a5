"""Index of a CPU trace: what frames ask of it, computed once, and the trace at a glance: how long each matrix stays on one tile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from app.core.cpu_view.tile_steps import Array, Elements, elements, group_starts, groups
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import find
from kernels.cpusim.loops import CallRole, Statement, recursion
from kernels.cpusim.trace import NOT_STARTED, READ, WRITE, Trace, region_depth


@dataclass(frozen=True, slots=True, eq=False)
class Writes:
    """Writes to one matrix, all of them. `key` is element number times (steps + 1) plus step, ascending; `value` is what was written."""

    key: Array
    value: npt.NDArray[np.float32]
    last: Array
    """For each element the step that writes it last; -1 where none does."""


class TraceIndex:
    """Index of a trace: the questions that frames ask of it, answered once. Building it takes time proportional to the elements touched."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.output = trace.arrays[-1]
        self.inputs = trace.arrays[:-1]
        depth = region_depth(trace)
        self.delimits = tuple(loop.depth < depth for loop in trace.loops)
        self.shapes = trace.problem.shapes
        self._start = group_starts(trace)
        self._elements = elements(trace, self._start)
        self.groups = groups(trace, self._start, self._elements)
        self.writes = _writes(trace, self._elements)
        self.traffic = _traffic(trace)

    @property
    def is_library(self) -> bool:
        """Whether what was traced is one call of a library's routine."""
        variant = find(self.trace.variant_id)
        return variant is not None and variant.library

    @property
    def tiled(self) -> bool:
        """Whether the kernel goes over tiles, by loops or by halving."""
        return bool(self.trace.chains) or any(loop.tile_loop for loop in self.trace.loops)

    @cached_property
    def recursion(self) -> Mapping[int, Statement]:
        """The calls of a kernel by itself, and what stands beside them, by their lines."""
        variant = find(self.trace.variant_id)
        return recursion(variant.source_text) if variant is not None and self.trace.chains else {}

    @cached_property
    def combines(self) -> bool:
        """Whether the kernel adds blocks before and after it calls itself, so that no part of a matrix belongs to one call."""
        return any(statement.role is not CallRole.CALL for statement in self.recursion.values())

    def statements(self, step: int) -> tuple[Statement, ...]:
        """The calls of the kernel by itself that a step is in, or beside, outermost first."""
        lines = self.trace.chains[self.trace.chain[step]] if self.trace.chains else ()
        return tuple(self.recursion[line] for line in lines if line in self.recursion)

    @cached_property
    def loop_values(self) -> tuple[Array, ...]:
        """For each loop the different values of its index over the whole trace, ascending."""
        columns = self.trace.indices.T.astype(np.int64)
        return tuple(np.unique(column[column != NOT_STARTED]) for column in columns)

    def elements_of(self, first: int, stop: int) -> Elements:
        """What the steps from `first` to `stop` (exclusive) touch, element by element."""
        begin, end = np.searchsorted(self._elements.step, (first, stop))
        return self._elements.part(begin, end)

    def group_of(self, step: int) -> int:
        """The tile step that a step belongs to."""
        return int(np.searchsorted(self._start, step, side="right")) - 1

    def output_values(self, completed: int) -> npt.NDArray[np.float32]:
        """The output matrix after `completed` steps; NaN where nothing, or nothing known, has been written."""
        key = np.arange(self.writes.last.size) * (self.trace.steps + 1)
        found = np.searchsorted(self.writes.key, key + completed, side="left") - 1
        known = (found >= 0) & (self.writes.key[np.maximum(found, 0)] >= key) if len(self.writes.key) else np.zeros(key.shape, bool)
        values = np.full(key.shape, np.nan, np.float32)
        values[known] = self.writes.value[found[known]]
        return values.reshape(self.shapes[self.output])

    def written(self, completed: int) -> npt.NDArray[np.bool_]:
        """Which output elements have been written at least once after `completed` steps."""
        return (self._first_write < completed).reshape(self.shapes[self.output])

    def final(self, completed: int) -> npt.NDArray[np.bool_]:
        """Which output elements have their last value after `completed` steps."""
        last = self.writes.last
        return ((last >= 0) & (last < completed)).reshape(self.shapes[self.output])

    @cached_property
    def _first_write(self) -> Array:
        first = np.full(self.writes.last.size, self.trace.steps + 1, np.int64)
        element, step = np.divmod(self.writes.key, self.trace.steps + 1)
        np.minimum.at(first, element, step)
        return first

    @cached_property
    def axis_loops(self) -> Mapping[tuple[str, int], int]:
        """The loop that counts along an edge: (matrix, axis) to the column of `trace.indices`, where one index is the first row or column
        of every group's rectangle. None where several loops could be the one, or one that is always the same and no loop over tiles."""
        at_start = self.trace.indices[self._start[:-1]]
        found: dict[tuple[str, int], int] = {}
        loops = enumerate(self.trace.loops)
        telling = [number for number, loop in loops if self.delimits[number] and (loop.tile_loop or len(self.loop_values[number]) > 1)]
        for name, boxes in self.groups.boxes.items():
            used = (boxes[:, 1] > boxes[:, 0]) & self.groups.computes
            for axis in (0, 1):
                fitting = [loop for loop in telling if used.any() and np.array_equal(at_start[used, loop], boxes[used, 2 * axis])]
                if len(fitting) == 1:
                    found[name, axis] = fitting[0]
        return found

    def reads_of(self, matrix: str, row: int, column: int, completed: int) -> int:
        """How often the first `completed` steps have read one element."""
        trace = self.trace
        stop = trace.access_start[completed]
        mask = (trace.matrix[:stop] == trace.arrays.index(matrix)) & (trace.kind[:stop] == READ)
        mask &= (trace.row[:stop] <= row) & (row < trace.row[:stop] + trace.rows[:stop])
        mask &= (trace.column[:stop] <= column) & (column < trace.column[:stop] + trace.columns[:stop])
        return int(mask.sum())


def _writes(trace: Trace, elements: Elements) -> Writes:
    """All writes to the output. A write of a whole rectangle may have no value in the trace: the next read of each element tells it, or the
    finished output."""
    rows, columns = trace.problem.shapes[trace.arrays[-1]]
    own = elements.where(elements.matrix == len(trace.arrays) - 1)
    element = own.row * columns + own.column
    order = np.argsort(element * (trace.steps + 1) + own.step, kind="stable")
    own, element, value = own.where(order), element[order], own.value[order]
    told = np.isnan(value[:-1]) & (element[1:] == element[:-1]) & (own.kind[1:] == READ)
    value[:-1][told] = value[1:][told]
    written = own.kind == WRITE
    element, step, value = element[written], own.step[written], value[written]
    last = np.full(rows * columns, -1, np.int64)
    np.maximum.at(last, element, step)
    final = np.isnan(value) & (step == last[element])
    value[final] = trace.outputs[trace.arrays[-1]].reshape(-1)[element[final]]
    return Writes(element * (trace.steps + 1) + step, value, last)


def _traffic(trace: Trace) -> Mapping[int, Array]:
    """For READ and for WRITE: how many elements have been touched before each step, and in all (steps + 1 entries)."""
    size = trace.rows.astype(np.int64) * trace.columns
    step = np.repeat(np.arange(trace.steps), np.diff(trace.access_start))
    return {
        kind: np.concatenate(([0], np.cumsum(np.bincount(step, weights=size * (trace.kind == kind), minlength=trace.steps)))).astype(
            np.int64
        )
        for kind in (READ, WRITE)
    }


@dataclass(frozen=True, slots=True)
class MatrixLane:
    """Lane of one matrix: `starts` are the steps at which another rectangle of it comes into use; each is used until the next."""

    matrix: str
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """Overview of a trace: all its lanes, and the steps at which the outermost loop moves on, or the outermost call of a kernel by
    itself.
    """

    steps: int
    lanes: tuple[MatrixLane, ...]
    turns: tuple[int, ...]


def overview(index: TraceIndex) -> Overview:
    """The overview of a trace. A tile step that does not touch a matrix leaves its rectangle in use."""
    groups = index.groups
    lanes = []
    for name in index.trace.arrays:
        used = np.flatnonzero(groups.boxes[name][:, 1] > groups.boxes[name][:, 0])
        boxes = groups.boxes[name][used]
        changed = np.concatenate(([True], (boxes[1:] != boxes[:-1]).any(axis=1)))[: len(used)]
        lanes.append(MatrixLane(name, tuple(groups.start[used[changed]].tolist())))
    return Overview(index.trace.steps, tuple(lanes), _turns(index))


def _turns(index: TraceIndex) -> tuple[int, ...]:
    if not index.trace.loops and not index.trace.chains:
        return ()
    outermost = _outermost_call(index) if index.trace.chains else index.trace.indices[:, 0]
    return tuple((np.flatnonzero(outermost[1:] != outermost[:-1]) + 1).tolist())


def _outermost_call(index: TraceIndex) -> npt.NDArray[np.int64]:
    """For each step the number of the outermost call that it is in, or beside; 0 outside of all."""
    found = np.zeros(len(index.trace.chains), np.int64)
    for number, lines in enumerate(index.trace.chains):
        calls = [index.recursion[line].number for line in lines if line in index.recursion]
        found[number] = calls[0] if calls else 0
    return found[index.trace.chain]
