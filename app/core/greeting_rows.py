"""Two orders of the same lines side by side: what holds of each, and what of it a GPU promises."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.greetings import Order, Shape, facts
from kernels.messages import Message, message


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
    here, there = facts(interpreter, shape), [facts(order, shape) for order in runs]
    return tuple(
        OrderRow(title, promised, getattr(here, name), sum(getattr(each, name) for each in there), len(runs))
        for name, promised, title in _PROPERTIES
    )


def differing(interpreter: Order, gpu: Order) -> int:
    """How many places of the order another line stands at."""
    return sum(one != other for one, other in zip(interpreter, gpu, strict=False)) + abs(len(interpreter) - len(gpu))
