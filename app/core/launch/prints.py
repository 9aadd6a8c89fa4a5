"""Launches that print and touch no memory: each text that a thread printed is a step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from app.core.launch.print_rows import PRINT
from kernels.analysis.cases import Bools
from kernels.greetings import HOST, Order, Recorded, Shape, facts, recorded
from kernels.messages import Message, message
from kernels.simt.intrinsics.printf import PRINT_LIMIT
from kernels.simt.trace import WARP

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
class Line:
    """One printed text. `block` is the block's place among the traced ones; `thread` the number in its block."""

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


def order_words(index: LaunchIndex) -> tuple[Message, ...]:
    """What is to be said of the lines of a launch."""
    sizes = [len(each.text) + 1 for each in index.trace.printed]
    observed = observed_words(index, recorded())
    return (*ORDER, *([] if observed is None else [observed]), *([FULL] if sum(sizes) + max(sizes) > PRINT_LIMIT else []))


def recorded_runs(index: LaunchIndex, known: Recorded | None) -> tuple[Shape, tuple[Order, ...]] | None:
    """The orders in which a GPU printed the lines of this launch, run after run; None where none was recorded."""
    trace = index.trace
    shape = Shape(trace.grid[0], trace.block[0], trace.block[1])
    greets = any(each.text.rstrip("\n") == shape.line(0) for each in trace.printed)
    return (shape, known.orders[shape]) if known is not None and shape in known.orders and greets else None


def observed_words(index: LaunchIndex, known: Recorded | None) -> Message | None:
    """In which order the blocks of this launch came on a GPU, or None where that is not known."""
    found = recorded_runs(index, known)
    if known is None or found is None:
        return None
    shape, runs = found
    together = sum(facts(order, shape).blocks_together for order in runs)
    blocks = [str(block) for block in dict.fromkeys(number // shape.threads for number in runs[0] if number != HOST)]
    return message(
        "{gpu}, recorded: blocks came in the order {order}; their lines stood together in {together} of {runs} runs.",
        gpu=known.conditions["gpu"], order=", ".join(blocks[:MOST_BLOCKS]) + ", …" * (len(blocks) > MOST_BLOCKS),
        together=together, runs=len(runs),
    )  # fmt: skip


def lines_until(index: LaunchIndex, frame: Frame, count: int) -> tuple[Line, ...]:
    """The last `count` lines printed up to and including the step, oldest first."""
    begin = max(0, frame.step + 1 - count)
    return tuple(line_at(index, step) for step in range(begin, frame.step + 1))


def line_at(index: LaunchIndex, step: int) -> Line:
    """What a step prints."""
    row = int(index.record.order.row[step])
    rows = index.trace.rows
    return Line(step, int(rows.block[row]), int(rows.mask[row]), index.trace.printed[row].text)


def printed_threads(index: LaunchIndex, frame: Frame) -> Bools:
    """Of each lane of the block whether it has printed, the present one included."""
    rows, found = index.trace.rows, np.zeros(index.trace.masks.shape[1], np.bool_)
    done = index.record.order.row[: frame.step + 1]
    found[rows.mask[done[rows.block[done] == frame.block_number]]] = True
    return found


def orders(index: LaunchIndex) -> bool:
    """Whether there is more than one order of the warps and blocks that ran."""
    return len(index.trace.blocks) * index.warps > 1


def says(index: LaunchIndex, frame: Frame) -> Message:
    """The sentence of a step that prints."""
    line = line_at(index, frame.step)
    x, y, _ = frame.block
    return message(
        "Lane {lane} of warp {warp} of block ({x}, {y}) prints “{text}”",
        lane=line.thread % WARP, warp=line.warp, x=x, y=y, text=line.text.rstrip("\n"),
    )  # fmt: skip
