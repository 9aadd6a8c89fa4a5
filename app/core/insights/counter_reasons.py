"""Reasons in counters: each is given only where Nsight Compute has counted what it says, and with the numbers."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from functools import reduce

from app.core.base.i18n import compact
from app.core.insights.pairs import Pair, Reason
from app.core.predictions.counters import INSTRUCTIONS, Measured
from app.core.predictions.recorded_counters import RecordedCounters, recorded_counters, recorded_devices
from kernels.base.messages import Message, message
from kernels.base.spec import Problem
from kernels.base.values import dataclass
from kernels.measure.rows import Row

LITTLE = 0.04
"""Counts that differ by no more than this part are called the same."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """Quantity that a reason speaks of: the sum of some counters."""

    title: Message
    counters: tuple[str, ...]

    def of(self, values: Measured) -> float | None:
        """None where one of the counters is missing."""
        known = [values[counter] for counter in self.counters if counter in values]
        return sum(known) if len(known) == len(self.counters) else None


GLOBAL_LOADS = Quantity(message("load requests to global memory"), ("global_load_requests",))
GLOBAL_STORES = Quantity(message("store requests to global memory"), ("global_store_requests",))
LOADED = Quantity(message("sectors loaded"), ("global_load_sectors",))
STORED = Quantity(message("sectors stored"), ("global_store_sectors",))
GLOBAL_SECTORS = Quantity(message("sectors loaded and stored"), ("global_load_sectors", "global_store_sectors"))
L2_WRITES = Quantity(message("sectors written in the L2 cache"), ("l2_write_sectors",))
SHARED_LOADS = Quantity(message("load requests to shared memory"), ("shared_load_requests",))
SHARED_STORES = Quantity(message("store requests to shared memory"), ("shared_store_requests",))
ALL_LOADS = Quantity(message("load requests to global and shared memory"), ("global_load_requests", "shared_load_requests"))
WAVEFRONTS = Quantity(message("wavefronts of shared memory"), ("shared_wavefronts_by_line",))
LOAD_WAVEFRONTS = Quantity(message("wavefronts of loads from shared memory"), ("shared_load_wavefronts",))
STORE_WAVEFRONTS = Quantity(message("wavefronts of stores to shared memory"), ("shared_store_wavefronts",))
EXECUTED = Quantity(message("instructions of all warps"), (INSTRUCTIONS,))
DRAM = Quantity(message("bytes from and to DRAM"), ("dram_read_bytes", "dram_write_bytes"))
REGISTERS = Quantity(message("registers a thread"), ("registers",))
OCCUPANCY = Quantity(message("percent of occupancy"), ("occupancy",))


class Change(Enum):
    """Relation of the rung's count to that of what it is compared with."""

    LESS = auto()
    MORE = auto()
    SAME = auto()


@dataclass(frozen=True, slots=True)
class CounterChange:
    """A change that a reason rests on."""

    quantity: Quantity
    change: Change

    def told(self, counted: PairCounters) -> Message | None:
        """The change in numbers; None where it was not counted, or something else was."""
        rung, base = self.quantity.of(counted.rung), self.quantity.of(counted.base)
        if rung is None or base is None or change_of(rung, base) is not self.change:
            return None
        if self.change is Change.SAME:
            return message("as many {counted} ({count})", counted=self.quantity.title, count=compact(base))
        return message("{counted} {count}, against {base}", counted=self.quantity.title, count=compact(rung), base=compact(base))


@dataclass(frozen=True, slots=True)
class PairCounters:
    """The counters of a pair's launches on a GPU, at the recorded size next to the pair's."""

    gpu: str
    n: int
    rung: Measured
    base: Measured


def less(*quantities: Quantity) -> tuple[CounterChange, ...]:
    return tuple(CounterChange(quantity, Change.LESS) for quantity in quantities)


def more(*quantities: Quantity) -> tuple[CounterChange, ...]:
    return tuple(CounterChange(quantity, Change.MORE) for quantity in quantities)


def same(*quantities: Quantity) -> tuple[CounterChange, ...]:
    return tuple(CounterChange(quantity, Change.SAME) for quantity in quantities)


def because(why: Message, *facts: CounterChange) -> Reason:
    """A reason that holds where all of its facts were counted."""

    def reason(pair: Pair) -> Message | None:
        counted = counted_of(pair)
        told = [] if counted is None else [said for fact in facts if (said := fact.told(counted)) is not None]
        if counted is None or len(told) < len(facts):
            return None
        return _with_source(why, counted, told)

    return reason


def shown(why: Message, *quantities: Quantity) -> Reason:
    """A reason beside what the rung alone counts, where the other's launches cannot be counted."""

    def reason(pair: Pair) -> Message | None:
        alone = counted_of(pair, with_base=False)
        values = [] if alone is None else [(each, each.of(alone.rung)) for each in quantities]
        if alone is None or any(value is None for _, value in values):
            return None
        told = [message("{counted} {count}", counted=each.title, count=compact(value or 0.0)) for each, value in values]
        return _with_source(why, alone, told)

    return reason


def counted_of(pair: Pair, *, with_base: bool = True) -> PairCounters | None:
    """The counters of both launches, or of the rung's alone, at one size; None where they were not recorded with these parameters."""
    recording = _recording(str(pair.rung.conditions.get("gpu", "")))
    sizes = () if recording is None else recording.sizes(pair.rung.point.variant_id)
    for n in sorted(sizes, key=lambda n: (n > pair.n, abs(n - pair.n))):
        rung, base = (None if recording is None else _find(recording, result, n) for result in (pair.rung, pair.base))
        if recording is not None and rung is not None and (base is not None or not with_base):
            return PairCounters(str(recording.conditions["gpu"]), n, rung, base or {})
    return None


def change_of(rung: float, base: float) -> Change:
    """Whether a count is less, more, or as good as the same."""
    if abs(rung - base) <= LITTLE * max(rung, base):
        return Change.SAME
    return Change.LESS if rung < base else Change.MORE


def _with_source(why: Message, counted: PairCounters, told: Iterable[Message]) -> Message:
    facts = reduce(lambda first, rest: message("{first}; {rest}", first=first, rest=rest), told)
    return message(
        "{why} Nsight Compute counted on {gpu} at n = {n}: {facts}.", why=why, gpu=counted.gpu, n=counted.n, facts=facts
    )  # fmt: skip


def _recording(gpu: str) -> RecordedCounters | None:
    """Return the recording of the GPU, else the first: requests, sectors and wavefronts are of the kernel more than of the GPU."""
    known = [recording for device in recorded_devices() if (recording := recorded_counters(device)) is not None]
    return next((each for each in known if each.conditions["gpu"] == gpu), known[0] if known else None)


def _find(recording: RecordedCounters, result: Row, n: int) -> Measured | None:
    point = result.point
    return recording.find(point.variant_id, Problem.square(point.problem.operation, n), point.parameters)
