"""Locks: places that a thread takes and gives back, with what its fences make of the time between.

A lock is taken by an update that the same thread later undoes (test and set, readers that count themselves in and out), or by reading the
number of the ticket that is served, which the same thread later counts up. It orders what its holders do only if each has a fence after the
taking and one before the giving back, both, like the atomics, in a scope that holds the contenders. That is looked at for each holder
alone: who lacks a fence is ordered with nobody, whatever order happened to be executed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernels.analysis.atomics_and_fences import (
    BLOCK,
    DEVICE,
    EXCHANGE,
    READ,
    SWAP,
    WRITE,
    Fences,
    Operations,
    Times,
    place_of,
    without_fence,
)
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import MemoryOrder, Space
from kernels.simt.trace.trace import Trace

UNLOCKED = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class Hold:
    """Time for which a thread has a lock: from the operation `take` to the operation `free` (indices), whose times and lines are given.

    `acquired` and `released` are the widths of its fences behind the taking and before the giving back, `excludes` that of the atomics.
    """

    place: int
    thread: int
    take: int
    free: int
    begin: int
    end: int
    acquired: int
    released: int
    excludes: int

    @property
    def width(self) -> int:
        """What the hold orders for: 0, BLOCK or DEVICE."""
        return min(self.acquired, self.released, self.excludes)


class Locks:
    """The locks of a launch: who held them when."""

    def __init__(self, trace: Trace, times: Times, operations: Operations) -> None:
        self._trace = trace
        self._operations = operations
        self.holds: list[Hold] = []
        self._freed_by_others: dict[int, int] = {}
        """For a lock that threads give back without having it one of these operations."""
        threads = np.unique(operations.thread)
        after, before = (
            Fences.of(trace, times, threads, (MemoryOrder.ACQ_REL, order)) for order in (MemoryOrder.ACQUIRE, MemoryOrder.RELEASE)
        )
        spans = _spans(trace, operations)
        of_place = defaultdict[int, list[tuple[int, int]]](list)
        for take, free in spans:
            of_place[int(operations.place[take])].append((take, free))
        for same in of_place.values():
            if len({int(operations.thread[take]) for take, _ in same}) > 1:
                self._add(times, (after, before), same)
        self.places = frozenset(hold.place for hold in self.holds)
        by_thread = sorted(self.holds, key=lambda hold: (hold.thread, hold.begin))
        self._by_thread = by_thread
        self._starts = np.array([(hold.thread, hold.begin) for hold in by_thread], np.int64).reshape(-1, 2)

    def _add(self, times: Times, fences: tuple[Fences, Fences], spans: list[tuple[int, int]]) -> None:
        """Add the holds of one lock. Of what is done under it counts what several holders work on."""
        operations = self._operations
        touches = [_Touches.of(self._trace, operations, *span) for span in spans]
        place = np.concatenate([each.place for each in touches])
        thread = np.repeat(operations.thread[[take for take, _ in spans]], [len(each.place) for each in touches])
        places, number = np.unique(place, return_inverse=True)
        some = np.zeros(len(places), np.int64)
        some[number] = thread
        written = np.unique(place[np.concatenate([each.writes for each in touches])])
        shared = np.intersect1d(np.unique(place[some[number] != thread]), written)
        lock, other = int(operations.place[spans[0][0]]), _freed_by_another(self._trace, operations, spans)
        if other is not None:
            self._freed_by_others[lock] = other
        for (take, free), each in zip(spans, touches, strict=True):
            begin, end = (int(times.row[operations.row[one]]) for one in (take, free))
            rows = times.row[each.row[np.isin(each.place, shared)]]
            first, last = (int(rows.min()), int(rows.max())) if len(rows) else (end, begin)
            holder = int(operations.thread[take])
            acquired, released = fences[0].widest(holder, begin, first), fences[1].widest(holder, last, end)
            excludes = int(min(operations.width[take], operations.width[free]))
            acquired = 0 if lock in self._freed_by_others else acquired
            self.holds.append(Hold(int(operations.place[take]), holder, take, free, begin, end, acquired, released, excludes))

    def without_order(self) -> list[Hold]:
        """Return the holds as if they ordered nothing."""
        return [replace(hold, acquired=0) for hold in self.holds]

    def held(self, thread: Ints, time: Ints) -> tuple[Ints, Ints]:
        """For each access (thread, time) the lock that its thread has: its place, UNLOCKED for none; and for what that hold orders."""
        held, wide = np.full(len(thread), UNLOCKED), np.zeros(len(thread), np.int64)
        order = np.lexsort((time, thread))
        span = int(time.max(initial=0)) + 2
        key = (thread * span + time)[order]
        for hold in self.holds:
            first, last = np.searchsorted(key, hold.thread * span + np.minimum((hold.begin, hold.end), span - 1))
            held[order[first:last]], wide[order[first:last]] = hold.place, hold.width
        return held, wide

    def during(self, thread: int, time: int) -> list[Hold]:
        """The holds of a thread at a time."""
        low, high = np.searchsorted(self._starts[:, 0], (thread, thread + 1))
        return [hold for hold in self._by_thread[low:high] if hold.begin < time < hold.end]

    def reason(self, first: tuple[int, int], second: tuple[int, int]) -> Message | None:
        """Why two accesses (thread, time) under a common lock are not ordered by it; None if they have no lock in common."""
        pairs = [(one, other) for one in self.during(*first) for other in self.during(*second) if one.place == other.place]
        lanes = self._trace.masks.shape[1]
        needed = BLOCK if first[0] // lanes == second[0] // lanes else DEVICE
        for pair in pairs:
            for hold in pair:
                found = self._lacking(hold, needed)
                if found is not None:
                    return found
        if any(self.during(*each) for each in (first, second)) and not pairs:
            return message("One of them is under a lock, the other is not.")
        return None

    def _lacking(self, hold: Hold, needed: int) -> Message | None:
        """The first thing that a hold lacks to order for `needed`."""
        if hold.place in self._freed_by_others:
            line = self._operations.line(self._freed_by_others[hold.place], self._trace)
            return message("Line {line} gives the lock back for threads that do not have it, too.", line=line)
        take, free = (self._operations.line(each, self._trace) for each in (hold.take, hold.free))
        fence = "__threadfence()" if needed == DEVICE else "__threadfence_block()"
        if hold.excludes < needed:
            return message("Line {take} takes the lock by an atomic of the block's scope, but other blocks want it, too.", take=take)
        lacking = self._lacking_fence(hold, needed, (take, free), fence)
        return None if lacking is None else without_fence(lacking, needed)

    def _lacking_fence(self, hold: Hold, needed: int, lines: tuple[int, int], fence: str) -> Message | None:
        """Which fence a hold lacks; `lines` take the lock and give it back."""
        take, free = lines
        if hold.acquired < needed and hold.acquired:
            return message(
                "Line {take} takes the lock, but the fence behind it is of the block's scope: {fence} is needed.", take=take, fence=fence
            )
        if hold.acquired < needed:
            return message("Line {take} takes the lock, but no fence stands behind it: {fence} belongs there.", take=take, fence=fence)
        if hold.released < needed and hold.released:
            return message(
                "Line {free} gives the lock back, but the fence before it is of the block's scope: {fence} is needed.",
                free=free,
                fence=fence,
            )
        if hold.released < needed:
            return message("Line {free} gives the lock back, but no fence stands before it: {fence} belongs there.", free=free, fence=fence)
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Touches:
    """Places that a thread accesses while it has a lock, with the rows."""

    row: Ints
    place: Ints
    writes: Bools

    @staticmethod
    def of(trace: Trace, operations: Operations, take: int, free: int) -> _Touches:
        rows, lane = trace.rows, int(operations.lane[take])
        row = np.arange(operations.row[take] + 1, operations.row[free])
        row = row[(rows.block[row] == rows.block[operations.row[take]]) & trace.masks[rows.mask[row], lane]]
        kinds = np.array([["load", "store", "atomic"].index(site.operation) for site in trace.sites])[rows.site[row]]
        row, kinds = row[kinds < 2], kinds[kinds < 2]
        shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)[rows.site[row]]
        address, block = trace.bases[rows.base[row], lane] + rows.offset[row], rows.block[row].astype(np.int64)
        place = np.where(shared, place_of(Space.SHARED, block, address), address)
        return _Touches(row, place, kinds == 1)


def _spans(trace: Trace, operations: Operations) -> list[tuple[int, int]]:
    """Indices of what takes a lock, and of what gives it back."""
    found: list[tuple[int, int]] = []
    swaps = _swapped(trace, operations)
    order = np.lexsort((np.arange(len(operations.row)), operations.place))
    place = operations.place[order]
    for part in np.split(order, np.flatnonzero(place[1:] != place[:-1]) + 1) if len(order) else ():
        taken = _taken(operations, part, swaps=bool(swaps[part].any()))
        found += taken or _tickets(operations, part)
    return found


def _swapped(trace: Trace, operations: Operations) -> Bools:
    """Which operations compare and swap, or exchange: what locks are taken with."""
    names = np.array([site.function.startswith((SWAP, EXCHANGE)) for site in trace.sites], np.bool_)
    return names[trace.rows.site[operations.row]]


def _taken(operations: Operations, part: Ints, *, swaps: bool) -> list[tuple[int, int]]:
    """What takes and gives back at one place, where each thread undoes what it did."""
    if not swaps:
        return []
    found, held = [], dict[int, tuple[int, int]]()
    threads, kinds, changes = operations.thread[part].tolist(), operations.kind[part].tolist(), operations.change[part].tolist()
    for number, thread, kind, change in zip(part.tolist(), threads, kinds, changes, strict=True):
        before = held.get(thread)
        if kind == WRITE:
            if before is not None:
                found.append((before[0], number))
                del held[thread]
        elif change and before is not None and before[1] == -change:
            found.append((before[0], number))
            del held[thread]
        elif change:
            held[thread] = (number, change)
    return found


def _freed_by_another(trace: Trace, operations: Operations, spans: Sequence[tuple[int, int]]) -> int | None:
    """The first exchange that makes a lock free between its takings although its thread does not have it; None where there is none."""
    takes, frees = (np.array(each) for each in zip(*spans, strict=True))
    free = np.unique(operations.old[takes])
    if len(free) != 1 or not operations.known[takes].all():
        return None
    exchanges = np.array([site.function.startswith(EXCHANGE) for site in trace.sites], np.bool_)[trace.rows.site[operations.row]]
    makes_free = exchanges & operations.known & (operations.old + operations.change == free[0])
    row = operations.row
    within = (operations.place == operations.place[takes[0]]) & (row > row[takes].min()) & (row <= row[frees].max())
    found = np.setdiff1d(np.flatnonzero(makes_free & within), frees)
    return int(found[0]) if len(found) else None


def _tickets(operations: Operations, part: Ints) -> list[tuple[int, int]]:
    """What takes and gives back at one place that is only changed by who has read it since the last change: the ticket that is served."""
    found, read = [], dict[int, int]()
    for number, thread, kind in zip(part.tolist(), operations.thread[part].tolist(), operations.kind[part].tolist(), strict=True):
        if kind == READ:
            read[thread] = number
        elif thread in read:
            found.append((read[thread], number))
            read.clear()
        else:
            return []
    return found
