"""Lanes of a warp that go together while a launch follows a schedule, and which of them goes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.schedule import WHOLE_WARP, Hold, Rule, Schedule, Turn
from kernels.simt.generate.waiting_loops import ACCESS, MEET, SPIN
from kernels.simt.machine.lanes import Mask
from kernels.simt.run.drivers import Arrival, Strand
from kernels.simt.run.runtime import Runtime
from kernels.simt.trace.trace import WARP


@dataclass(slots=True, eq=False)
class Party:
    """Lanes of a warp that go together."""

    number: int
    block: int
    warp: int
    bits: int
    strand: Strand
    runtime: Runtime
    count: int = 0
    """Accesses made."""
    result: Any = None
    """What it is told when it goes on."""
    holds: list[tuple[Hold, Party]] = field(default_factory=list)

    @property
    def kind(self) -> str | None:
        """What it was stopped by; None before it begins."""
        return None if self.strand.arrival is None else self.strand.arrival[2]

    @property
    def waits(self) -> bool:
        """Whether it is at a barrier, or where lanes of its warp come together."""
        return self.strand.arrival is not None and self.strand.arrival[2] not in (ACCESS, SPIN)

    @property
    def ready(self) -> bool:
        return not self.strand.ended and not self.waits

    @property
    def held(self) -> bool:
        """Whether it may not make its next access yet."""
        return any(self.count >= hold.access and until.count < hold.reached and not until.strand.ended for hold, until in self.holds)


class Went:
    """Record of who went when: for each stretch of rows its first row, the party, how many accesses it had made before, and whether it is a
    store that is seen late."""

    def __init__(self) -> None:
        self._noted: list[tuple[int, int, int, bool]] = []

    def note(self, row: int, party: int, count: int, *, late: bool = False) -> None:
        """A party goes from a row on."""
        self._noted.append((row, party, count, late))

    def turns(self, parties: Sequence[Party], rows: int) -> tuple[Turn, ...]:
        """Return who went when, of so many rows."""
        found: list[Turn] = []
        starts = [*(row for row, *_ in self._noted[1:]), rows]
        for (row, number, _, late), end in zip(self._noted, starts, strict=True) if self._noted else ():
            party = parties[number]
            last = found[-1] if found else None
            if end == row:
                continue
            if last is not None and (last.block, last.warp, last.lanes, last.late) == (party.block, party.warp, party.bits, late):
                found[-1] = replace(last, rows=end - last.first)
            else:
                found.append(Turn(party.block, party.warp, party.bits, row, end - row, late))
        return tuple(found)

    def made(self) -> dict[int, tuple[int, int]]:
        """For each row that begins a stretch the party and its accesses before."""
        return {row: (number, count) for row, number, count, _ in self._noted}


class Scheduler:
    """Says who goes next, of those that can."""

    def __init__(self, schedule: Schedule, parties: int) -> None:
        draw = np.random.default_rng(schedule.seed)
        place = list(range(parties))
        if schedule.rule is Rule.REVERSED:
            place.reverse()
        if schedule.rule is Rule.RANDOM:
            place = draw.permutation(parties).tolist()
        self._place = place
        self._lowest = parties
        self._changes = sorted(draw.integers(1, max(schedule.span, 2), schedule.changes).tolist())

    def choose(self, free: Sequence[Party]) -> Party:
        """The one that goes."""
        return min(free, key=lambda each: self._place[each.number])

    def changes(self, party: Party, steps: int) -> bool:
        """Whether the one that goes now lets the others go first from here on."""
        if not self._changes or steps < self._changes[0]:
            return False
        self._changes.pop(0)
        self._place[party.number], self._lowest = self._lowest, self._lowest + 1
        return True


def arrival_of(party: Party) -> Arrival:
    """What it was stopped by, and with what."""
    assert party.strand.arrival is not None
    return party.strand.arrival


def named_by(party: Party) -> int:
    """The lanes that a party waits for."""
    _, mask, kind, given = arrival_of(party)
    named = given if kind == MEET else given[2][0]
    words = np.broadcast_to(np.asarray(named), mask.active.shape)[mask.indices].astype(np.uint32)
    return int(np.bitwise_or.reduce(words, initial=0)) & WHOLE_WARP


def bits_of(mask: Mask) -> int:
    """Lanes of a warp as bits."""
    return int(np.packbits(mask.active, bitorder="little").view("<u4")[0])


def flags(bits: int) -> npt.NDArray[np.bool_]:
    """Bits as lanes of a warp."""
    return (bits >> np.arange(WARP) & 1).astype(np.bool_)


def merged(masks: Sequence[Mask], given: Sequence[Any]) -> Any:
    """The value of each lane from the party that it is in."""
    first = given[0]
    if isinstance(first, tuple):
        return tuple(merged(masks, each) for each in zip(*given, strict=True))
    if len(given) == 1 or all(np.ndim(each) == 0 and each == first for each in given):
        return first
    result = np.array(np.broadcast_to(np.asarray(first), masks[0].active.shape))
    for mask, each in zip(masks[1:], given[1:], strict=True):
        result[mask.indices] = np.broadcast_to(np.asarray(each, result.dtype), mask.active.shape)[mask.indices]
    return result
