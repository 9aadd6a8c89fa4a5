"""Printed lines of launches that touch no memory: each text that a thread printed is a step.

Orders of the same lines, as the interpreter printed them and as a GPU did, stand side by side, with what holds of each and what of it a GPU
promises.
"""

from __future__ import annotations

import numpy as np

from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.print_rows import PRINT
from kernels.analysis.columns import Bools
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.measure.print_orders import HOST, Order, Recorded, Shape, properties_of, recorded
from kernels.simt.intrinsics.printf import PRINT_LIMIT
from kernels.simt.trace.trace import WARP

ORDER = (
    message("The threads of a warp print in the order of their lanes."),
    message("Which warp and which block comes first is not defined: each runs when and where there is room."),
    message("On a GPU the order can change from run to run, and lines of different blocks can mix."),
)
"""What is said of the order of lines: what holds here, and what no launch promises."""
MOST_BLOCKS = 12
"""Of a recorded order that are named."""
FULL = message("The buffer of printf is full: lines after the last one are lost, as on a GPU.")


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Line of output. `block` is the block's place among the traced ones; `thread` the number in its block."""

    step: int
    block: int
    thread: int
    text: str

    @property
    def warp(self) -> int:
        return self.thread // WARP


def prints(index: LaunchIndex) -> bool:
    """Whether the steps of a launch are what it prints."""
    return bool(index.trace.sites) and index.trace.sites[0].operation == PRINT


def order_text(index: LaunchIndex) -> tuple[Message, ...]:
    """What is to be said of the lines of a launch."""
    sizes = [len(each.text) + 1 for each in index.trace.printed]
    observed = observed_text(index, recorded())
    return (*ORDER, *([] if observed is None else [observed]), *([FULL] if sum(sizes) + max(sizes) > PRINT_LIMIT else []))


def recorded_runs(index: LaunchIndex, known: Recorded | None) -> tuple[Shape, tuple[Order, ...]] | None:
    """The orders in which a GPU printed the lines of this launch, run after run; None where none was recorded."""
    trace = index.trace
    shape = Shape(trace.grid[0], trace.block[0], trace.block[1])
    greets = any(each.text.rstrip("\n") == shape.line(0) for each in trace.printed)
    return (shape, known.orders[shape]) if known is not None and shape in known.orders and greets else None


def observed_text(index: LaunchIndex, known: Recorded | None) -> Message | None:
    """Return in which order the blocks of this launch came on a GPU, or None where that is not known."""
    found = recorded_runs(index, known)
    if known is None or found is None:
        return None
    shape, runs = found
    together = sum(properties_of(order, shape).blocks_together for order in runs)
    blocks = [str(block) for block in dict.fromkeys(number // shape.threads for number in runs[0] if number != HOST)]
    return message(
        "{gpu}, recorded: blocks came in the order {order}; their lines stood together in {together} of {runs} runs.",
        gpu=known.conditions["gpu"], order=", ".join(blocks[:MOST_BLOCKS]) + ", …" * (len(blocks) > MOST_BLOCKS),
        together=together, runs=len(runs),
    )  # fmt: skip


def lines_until(index: LaunchIndex, frame: Frame, count: int) -> tuple[PrintedLine, ...]:
    """The last `count` lines printed up to and including the step, oldest first."""
    begin = max(0, frame.step + 1 - count)
    return tuple(line_at(index, step) for step in range(begin, frame.step + 1))


def line_at(index: LaunchIndex, step: int) -> PrintedLine:
    """Return the line that a step prints."""
    row = int(index.record.order.row[step])
    rows = index.trace.rows
    return PrintedLine(step, int(rows.block[row]), int(rows.mask[row]), index.trace.printed[row].text)


def printed_threads(index: LaunchIndex, frame: Frame) -> Bools:
    """Tell for each lane of the block whether it has printed, the present one included."""
    rows, found = index.trace.rows, np.zeros(index.trace.masks.shape[1], np.bool_)
    done = index.record.order.row[: frame.step + 1]
    found[rows.mask[done[rows.block[done] == frame.block_number]]] = True
    return found


def orders(index: LaunchIndex) -> bool:
    """Whether there is more than one order of the warps and blocks that ran."""
    return len(index.trace.blocks) * index.warps > 1


def says(index: LaunchIndex, frame: Frame) -> Message:
    """Return the sentence of a step that prints."""
    line = line_at(index, frame.step)
    x, y, _ = frame.block
    return message(
        "Lane {lane} of warp {warp} of block ({x}, {y}) prints “{text}”",
        lane=line.thread % WARP, warp=line.warp, x=x, y=y, text=line.text.rstrip("\n"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LineBeside:
    """A line that a GPU printed. `differs`: the interpreter printed another one in this place."""

    block: int
    thread: int
    text: str
    differs: bool


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
        own: PrintedLine = line_at(self.index, step)
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


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A property of orders, whether every launch has it, whether the interpreter's had it, and in how many of the GPU's runs it held."""

    title: Message
    promised: bool
    interpreter: bool
    gpu: int
    runs: int


_PROPERTIES = (
    ("complete", True, message("Every thread prints its line, once")),
    ("host_first", True, message("What the host prints before it waits comes first")),
    ("warps_together", False, message("The lines of a warp come together, in the order of its lanes")),
    ("blocks_together", False, message("Blocks are contiguous: no line of another between two lines of one")),
    ("warps_in_order", False, message("Warps of a block begin in the order of their numbers")),
    ("blocks_in_order", False, message("Blocks begin in the order of their numbers")),
)
"""Name in `Facts`, whether CUDA promises it, as long as the buffer of printf holds all lines, and its title."""


def order_rows(interpreter: Order, runs: tuple[Order, ...], shape: Shape) -> tuple[OrderRow, ...]:
    """The rows of the comparison. Both kinds of order begin with the host's line, where it came first."""
    here, there = properties_of(interpreter, shape), [properties_of(order, shape) for order in runs]
    return tuple(
        OrderRow(title, promised, getattr(here, name), sum(getattr(each, name) for each in there), len(runs))
        for name, promised, title in _PROPERTIES
    )


def differing(interpreter: Order, gpu: Order) -> int:
    """How many places of the order another line stands at."""
    return sum(one != other for one, other in zip(interpreter, gpu, strict=False)) + abs(len(interpreter) - len(gpu))
