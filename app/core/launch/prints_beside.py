"""The lines of a launch in the order in which a GPU printed them, to stand beside the interpreter's."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.launch.index import LaunchIndex
from app.core.launch.prints import Line, line_at, recorded_runs
from kernels.greetings import HOST, Order, Recorded, Shape
from kernels.messages import Message, message
from kernels.simt.trace import WARP


@dataclass(frozen=True, slots=True)
class LineBeside:
    """A line that a GPU printed. `differs`: the interpreter printed another one in this place."""

    block: int
    thread: int
    text: str
    differs: bool

    @property
    def warp(self) -> int:
        return self.thread // WARP


@dataclass(frozen=True, slots=True, eq=False)
class PrintsBeside:
    """The first recorded run of a launch, without the host's line; `source` says on which GPU and when."""

    index: LaunchIndex
    source: Message
    shape: Shape
    order: Order

    def line(self, step: int) -> LineBeside:
        """The line in the place of what a step of the interpreter prints."""
        block, thread = divmod(self.order[step], self.shape.threads)
        own: Line = line_at(self.index, step)
        same = (self.index.trace.blocks[own.block][0], own.thread) == (block, thread)
        return LineBeside(block, thread, self.shape.line(self.order[step]), not same)


def prints_beside(index: LaunchIndex, known: Recorded | None) -> PrintsBeside | None:
    """What was recorded of a launch; None where nothing was, or where not every line is in both."""
    found = recorded_runs(index, known)
    if known is None or found is None:
        return None
    shape, runs = found
    order = tuple(number for number in runs[0] if number != HOST)
    if len(order) != index.steps:
        return None
    source = message("{gpu}, recorded {date}", gpu=known.conditions["gpu"], date=known.conditions["recorded"])
    return PrintsBeside(index, source, shape, order)
