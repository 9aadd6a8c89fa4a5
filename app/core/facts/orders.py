"""In which order the lines of greetings came, in runs that were recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.core.facts.fact import Fact, Value
from kernels.greetings import Facts, Shape, facts, recorded
from kernels.messages import Message, message
from kernels.spec import Operation

HOLDS: Mapping[str, Callable[[Facts], bool]] = {
    "runs": lambda order: order.complete,
    "runs_host_first": lambda order: order.host_first,
    "runs_warps_together": lambda order: order.warps_together,
    "runs_warps_in_order": lambda order: order.warps_in_order,
    "runs_blocks_together": lambda order: order.blocks_together,
    "runs_blocks_in_order": lambda order: order.blocks_in_order,
}
"""What may hold of a run; "runs" counts those in which every thread has its line."""


def count_orders(fact: Fact) -> Value | Message:
    """The number of recorded runs of which something holds."""
    known = recorded()
    runs = () if known is None or fact.of.variant.operation is not Operation.HELLO else known.orders.get(Shape.of(fact.of.parameters), ())
    if not runs:
        return message("No order of {variant} was recorded with these parameters.", variant=fact.of.variant.id)
    shape = Shape.of(fact.of.parameters)
    return float(sum(HOLDS[fact.count](facts(order, shape)) for order in runs))
