"""Frame of a CPU kernel as a value: everything a painter needs for one point of the trace, and nothing of how it is drawn.

A step is also given as a table of what it reads and writes.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import Table
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.tile_steps import Array, Elements
from app.core.frames.matrix import LANDS_AT, Box, Role, Roles
from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.cpusim.trace import COPY, NOT_STARTED, READ, WRITE


@dataclass(frozen=True, slots=True)
class Touch:
    """A rectangle that the current step reads or writes. `held`: read by an earlier step, and in a register or a packed copy since."""

    matrix: str
    box: Box
    kind: int
    held: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TracedMatrix:
    """Matrix of a trace at a step: the role of each element, its value (NaN where none is known), and the rectangles of the tile step.

    `ticks` are, for rows and for columns, the loop that counts along that edge and the values of its index.
    """

    name: str
    shape: tuple[int, int]
    roles: Roles
    values: npt.NDArray[np.float32]
    tile: Box | None
    ticks: tuple[LoopFrame | None, LoopFrame | None]


@dataclass(frozen=True, slots=True)
class LoopFrame:
    """A loop: the values that its index takes (in the whole trace, or for an inner loop in this tile step) and the present one."""

    name: str
    values: tuple[int, ...]
    current: int | None
    outer: bool


@dataclass(frozen=True, slots=True)
class Reuse:
    """Input values in the current tile step: how many its multiplications take, and how many different ones these are."""

    operands: int
    distinct: int

    @property
    def uses(self) -> float:
        """How many multiplications each value serves on average."""
        return self.operands / self.distinct if self.distinct else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Frame of the stage while `step` is under way and `fraction` of it is done.

    `target` is the output rectangle that the step's data go to; `pending` says that it is written by a later step only. `added` is the
    number of tile steps added to the current output tile, and how many there will be. `reads` and `writes` count elements so far, with
    those of the step itself.
    """

    step: int
    fraction: float
    group: int
    line: int
    next_line: int | None
    matrices: tuple[TracedMatrix, ...]
    touches: tuple[Touch, ...]
    target: Box | None
    pending: bool
    loops: tuple[LoopFrame, ...]
    calls: tuple[LoopFrame, ...]
    """Of a kernel that calls itself: for each level which of its calls this is."""
    reuse: Reuse
    added: tuple[int, int]
    reads: int
    writes: int

    def matrix(self, name: str) -> TracedMatrix:
        return next(matrix for matrix in self.matrices if matrix.name == name)

    def touched(self, name: str, kind: int) -> Touch | None:
        """What the step reads or writes of a matrix, if anything."""
        return next((touch for touch in self.touches if touch.matrix == name and touch.kind == kind), None)


def frame_at(index: TraceIndex, step: int, fraction: float = 0.0) -> Frame:
    """The frame while `step` (0 to steps - 1) is under way and `fraction` (0 to 1) of it is done. A pure function."""
    trace = index.trace
    group = index.group_of(step)
    completed = step + (fraction >= LANDS_AT)
    touches = _touches(index, step, group)
    target, pending = _target(index, touches, group)
    loops = _loops(index, step, group)
    return Frame(
        step=step,
        fraction=fraction,
        group=group,
        line=int(trace.lines[step]),
        next_line=int(trace.lines[step + 1]) if step + 1 < trace.steps else None,
        matrices=_matrices(index, step, group, completed, loops),
        touches=touches,
        target=target,
        pending=pending,
        loops=loops,
        calls=tuple(
            LoopFrame(each.surrounding, tuple(range(1, each.count + 1)), each.number, outer=True) for each in index.statements(step)
        ),
        reuse=_reuse(index, group),
        added=_added(index, group, completed),
        reads=int(index.traffic[READ][step + 1]),
        writes=int(index.traffic[WRITE][step + 1]),
    )


def _matrices(index: TraceIndex, step: int, group: int, completed: int, loops: tuple[LoopFrame, ...]) -> tuple[TracedMatrix, ...]:
    grids = _role_grids(index, step, completed)
    return tuple(
        TracedMatrix(
            name,
            shape,
            grids[name],
            index.trace.inputs[name] if name in index.inputs else index.output_values(completed),
            _box(index.groups.boxes[name][group]),
            (_ticks(index, name, 0, loops), _ticks(index, name, 1, loops)),
        )
        for name, shape in index.shapes.items()
    )


def _ticks(index: TraceIndex, name: str, axis: int, loops: tuple[LoopFrame, ...]) -> LoopFrame | None:
    loop = index.axis_loops.get((name, axis))
    return None if loop is None else loops[loop]


def _box(edges: Array) -> Box | None:
    top, bottom, left, right = (int(edge) for edge in edges)
    return Box(top, left, bottom - top, right - left) if bottom > top else None


def _touches(index: TraceIndex, step: int, group: int) -> tuple[Touch, ...]:
    current = index.elements_of(step, step + 1)
    found = [
        Touch(name, box, READ if kind == COPY else kind, held=kind == COPY)
        for kind in (READ, COPY, WRITE)
        for number, name in enumerate(index.trace.arrays)
        for box in _rectangles(current.where((current.matrix == number) & (current.kind == kind)))
    ]
    missing = [name for name in index.inputs if not any(touch.matrix == name for touch in found)]
    if missing and any(touch.matrix in index.inputs for touch in found) and any(touch.kind == WRITE for touch in found):
        found += [Touch(name, box, READ, held=True) for name in missing for box in _last_read(index, step, group, name)]
    return tuple(found)


def _rectangles(elements: Elements) -> list[Box]:
    """The elements as one rectangle if they fill one, else each by itself."""
    if not len(elements.row):
        return []
    box = _around(elements)
    places = sorted(set(zip(elements.row.tolist(), elements.column.tolist(), strict=True)))
    return [box] if len(places) == box.rows * box.columns else [Box(row, column, 1, 1) for row, column in places]


def _around(elements: Elements) -> Box:
    row, column = int(elements.row.min()), int(elements.column.min())
    return Box(row, column, int(elements.row.max()) - row + 1, int(elements.column.max()) - column + 1)


def _last_read(index: TraceIndex, step: int, group: int, name: str) -> list[Box]:
    """What the latest step of the group before `step` has read of an input: the value that is still in use."""
    earlier = index.elements_of(int(index.groups.start[group]), step)
    own = earlier.where((earlier.matrix == index.trace.arrays.index(name)) & (earlier.kind == READ))
    return [_around(own.where(own.step == own.step[-1]))] if len(own.step) else []


def _target(index: TraceIndex, touches: tuple[Touch, ...], group: int) -> tuple[Box | None, bool]:
    written = next((touch.box for touch in touches if touch.kind == WRITE), None)
    if written is not None:
        return written, False
    box = _box(index.groups.boxes[index.output][group])
    return (box, True) if box is not None and box.rows * box.columns == 1 else (None, False)


def _added(index: TraceIndex, group: int, completed: int) -> tuple[int, int]:
    """Tile steps added to the current output tile: all before this one, and this one once it is complete."""
    groups = index.groups
    if index.combines or not groups.computes[group]:
        return 0, 0
    return int(groups.pass_number[group]) - int(completed < groups.start[group + 1]), int(groups.passes[group])


def _reuse(index: TraceIndex, group: int) -> Reuse:
    """Count the reuse of a tile step: each of its multiplications takes one value of each input."""
    products = int(index.groups.products[group])
    return Reuse(products * len(index.inputs), sum(int(index.groups.distinct[name][group]) for name in index.inputs))


def _loops(index: TraceIndex, step: int, group: int) -> tuple[LoopFrame, ...]:
    first, stop = index.groups.start[group : group + 2]
    frames = []
    for column, loop in enumerate(index.trace.loops):
        outer = index.delimits[column]
        inside = index.trace.indices[first:stop, column]
        values = index.loop_values[column] if outer else np.unique(inside[inside != NOT_STARTED])
        current = int(index.trace.indices[step, column])
        frames.append(LoopFrame(loop.name, tuple(values.tolist()), None if current == NOT_STARTED else current, outer))
    return tuple(frames)


_TITLES = (message("Matrix"), message("Row"), message("Column"), message("Access"), message("Value"))
_READ, _WRITTEN = message("read"), message("written")


def access_table(index: TraceIndex, frame: Frame) -> Table:
    """Return a table with one row for each element that the step touches, in the order in which it does."""
    touched = index.elements_of(frame.step, frame.step + 1)
    names = index.trace.arrays
    columns = (touched.matrix, touched.row, touched.column, touched.kind, touched.value)
    rows = tuple(
        (names[matrix], str(row), str(column), _WRITTEN if kind == WRITE else _READ, "" if math.isnan(value) else f"{value:.6g}")
        for matrix, row, column, kind, value in zip(*(each.tolist() for each in columns), strict=True)
    )
    return Table(_TITLES, rows)


def _role_grids(index: TraceIndex, step: int, completed: int) -> dict[str, Roles]:
    """The roles of all elements while `step` is under way; `completed` counts the steps whose writes have landed."""
    group = index.group_of(step)
    grids = {name: np.full(shape, Role.IDLE, np.uint8) for name, shape in index.shapes.items()}
    for name in index.inputs:
        if not index.combines:
            _fill(grids[name], index.groups.bands[name][group], Role.BAND)
        _fill(grids[name], index.groups.boxes[name][group], Role.TILE)
    output = grids[index.output]
    output[:] = Role.EMPTY
    output[index.written(completed)] = Role.PARTIAL
    output[index.final(completed)] = Role.DONE
    earlier = index.elements_of(int(index.groups.start[group]), step)
    current = index.elements_of(step, step + 1)
    landed = index.elements_of(int(index.groups.start[group]), completed)
    for number, name in enumerate(index.trace.arrays):
        touched = earlier.where(earlier.matrix == number) if name in index.inputs else landed.where(
            (landed.matrix == number) & (landed.kind == WRITE)
        )  # fmt: skip
        grids[name][touched.row, touched.column] = Role.TOUCHED
        for kind, role in ((READ, Role.READ), (WRITE, Role.WRITE)):
            now = current.where((current.matrix == number) & (current.kind == kind))
            grids[name][now.row, now.column] = role
    return grids


def _fill(grid: Roles, box: Array, role: Role) -> None:
    grid[box[0] : box[1], box[2] : box[3]] = role
