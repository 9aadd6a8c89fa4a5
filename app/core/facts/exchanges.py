"""Whether ranks get through their blocking calls, as a file writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.core.facts.fact import Fact, Value
from kernels.messages import Message, message
from kernels.mpi.exchange import Call, Outcome, calls_of, exchange
from kernels.spec import Device

COUNTS: Mapping[str, Callable[[Outcome], float]] = {
    "stuck_ranks": lambda outcome: float(len(outcome.stuck)),
    "rounds": lambda outcome: float(outcome.rounds),
}


def count_of_exchange(fact: Fact) -> Value | Message:
    """The answer to a fact about ranks that all call `every`, but rank 0 `zero` and those of odd number `odd` where these are given."""
    setting = fact.of
    if setting.variant.device is not Device.MPI:
        return message("{variant} sends no messages.", variant=setting.variant.id)
    ranks = setting.parameters.get("ranks", 2)
    programs: list[tuple[Call, ...]] = []
    for rank in range(ranks):
        calls = calls_of(_text(fact, rank), rank, ranks)
        if isinstance(calls, Message):
            return calls
        programs.append(calls)
    return COUNTS[fact.count](exchange(programs, buffered=bool(fact.number("buffered"))))


def _text(fact: Fact, rank: int) -> str:
    every = fact.text("every")
    if rank == 0:
        return fact.text("zero", every)
    return fact.text("odd", every) if rank % 2 else every
