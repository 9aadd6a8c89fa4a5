"""Operands of a step in registers: the values that it reads, those that an earlier step read for it, and those that it writes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from app.core.cpu_view.frame import Frame, Touch
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.step_texts import box_name
from app.core.frames.matrix import Box
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.cpusim.trace import READ

MOST_COLUMNS = 32
MOST_ROWS = 16
"""Of a rectangle that is still called registers: the largest register tile, in floats."""
_LOOK_BACK = 32
"""Steps of an iteration that are looked back to for vectors."""
_STATES = {"read": message("is read"), "held": message("is held"), "written": message("is written")}


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """Values of one matrix in registers: one, a row of lanes, or a tile. NaN where a value is not known yet."""

    matrix: str
    name: str
    state: Message
    now: bool
    """Whether the step itself accesses memory for it."""
    values: npt.NDArray[np.float32]

    @property
    def lanes(self) -> int:
        """Values beside each other in a register."""
        return int(self.values.shape[1])


def operands(index: TraceIndex, frame: Frame) -> tuple[Operand, ...]:
    """The operands of a step, in the order of the matrices; none for what no registers could hold. What is read and written is one.

    A vector that was read before in the same iteration is still held.
    """
    found: dict[tuple[str, Box], Touch] = {}
    for touch in frame.touches:
        found.setdefault((touch.matrix, touch.box), touch)
        if touch.kind != READ:
            found[touch.matrix, touch.box] = touch
    touched = {touch.matrix for touch in found.values()}
    held = [touch for touch in _vectors_of_iteration(index, frame.step) if touch.matrix not in touched]
    fitting = [touch for touch in (*found.values(), *held) if touch.box.rows <= MOST_ROWS and touch.box.columns <= MOST_COLUMNS]
    return tuple(_operand(index, frame, touch) for touch in sorted(fitting, key=lambda touch: touch.matrix))


def _vectors_of_iteration(index: TraceIndex, step: int) -> Iterator[Touch]:
    """The last vector of each input that the steps before read, with all loops where they are now."""
    trace = index.trace
    seen: set[int] = set()
    for before in range(step - 1, max(step - _LOOK_BACK, 0) - 1, -1):
        if (trace.indices[before] != trace.indices[step]).any():
            return
        for access in range(trace.access_start[before], trace.access_start[before + 1]):
            number, columns = int(trace.matrix[access]), int(trace.columns[access])
            if trace.kind[access] == READ and columns > 1 and trace.arrays[number] in index.inputs and number not in seen:
                seen.add(number)
                box = Box(int(trace.row[access]), int(trace.column[access]), int(trace.rows[access]), columns)
                yield Touch(trace.arrays[number], box, READ, held=True)


def _operand(index: TraceIndex, frame: Frame, touch: Touch) -> Operand:
    box = touch.box
    values = frame.matrix(touch.matrix).values[box.row : box.row + box.rows, box.column : box.column + box.columns]
    state = "held" if touch.held else "read" if touch.kind == READ else "written"
    return Operand(touch.matrix, box_name(touch.matrix, box, index), _STATES[state], not touch.held, values)
