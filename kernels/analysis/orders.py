"""What orders accesses besides barriers, and why it does not where it might: made only where a launch has fences or volatile places."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from kernels.analysis.accesses import ATOMIC, FLAG, STORE, Accesses, Region, operation_of_rows
from kernels.analysis.atomics_and_fences import (
    BLOCK,
    CLUSTER_ARRIVAL,
    DEVICE,
    READ,
    WRITE,
    Fences,
    Operations,
    Times,
    operations,
    place_of,
    without_fence,
)
from kernels.analysis.clusters import ClusterOrder
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.happens_before import HappensBefore
from kernels.analysis.locks import UNLOCKED, Locks
from kernels.analysis.race_pairs import Conflict, Ordered
from kernels.base.messages import Message, message
from kernels.simt.base.types import MemoryOrder, Scope, Space
from kernels.simt.trace.trace import Trace

FENCES = {BLOCK: "__threadfence_block()", DEVICE: "__threadfence()"}
At = tuple[int, int]
"""A thread, numbered through the grid, and a time."""


class Orders:
    """Order of a launch's accesses by fences, atomics, flags and locks, and by barriers of clusters."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        passing = any((site.operation == "atomic" and site.function != CLUSTER_ARRIVAL) or site.volatile for site in trace.sites)
        fenced = passing and any(event.scope is Scope.FENCE for event in trace.barriers)
        self._fenced = fenced and len(self._operations.row) > 0
        self._clusters = ClusterOrder(trace)
        self._volatile = np.array([site.volatile for site in trace.sites], np.bool_)

    @cached_property
    def intervals(self) -> set[tuple[int, int]]:
        """The blocks and epochs in which threads took up what others published, or met those of their cluster."""
        return (self._happens.intervals() if self._fenced else set()) | self._clusters.intervals()

    def operation(self, region: Region, accesses: Accesses) -> Ints:
        """LOAD, STORE, ATOMIC or FLAG for each access: what is volatile counts as an atomic where it is a flag, or as FLAG if it stores."""
        operation = operation_of_rows(self._trace)[accesses.row]
        if self._volatile.any():
            volatile = self._volatile[self._trace.rows.site[accesses.row]]
            flags = np.union1d(self._flags, np.array(sorted(self._locks.places), np.int64))
            flag = volatile & np.isin(self._places(region, accesses), flags)
            operation[flag] = np.where(operation[flag] == STORE, FLAG, ATOMIC)
        return operation

    def of(self, region: Region, accesses: Accesses) -> Ordered | None:
        """What tells which accesses to a region are ordered; None where nothing orders any."""
        by_cluster = self._clusters.of(accesses) if self._clusters.exists else None
        if not self._fenced:
            return by_cluster
        order, lucky = self._happens.among(accesses), self._lucky(accesses)
        itself, last = self._happens.later_here(accesses, self._places(region, accesses))
        atomic = operation_of_rows(self._trace)[accesses.row] == ATOMIC
        itself &= np.isin(self.operation(region, accesses), (ATOMIC, FLAG))

        def ordered(some: Ints, others: Ints) -> Bools:
            first, second = np.minimum(some, others), np.maximum(some, others)
            counted = itself[first] & ~atomic[second] & (last[second] > accesses.row[first]) & (others >= 0)
            found = counted | order.of(some, others)
            sure = found if lucky is None else found & ~lucky(some, others)
            return np.asarray(sure if by_cluster is None else sure | by_cluster(some, others))

        return ordered

    def _lucky(self, accesses: Accesses) -> Ordered | None:
        """Tell which accesses come before one under a lock only as its holders happened to follow each other: those whose hold, or the
        other's, does not order for both; those under another lock; and those under none, though their thread works on the same piece under
        that one, too."""
        if not any(hold.width for hold in self._locks.holds):
            return None
        block, lanes = self._trace.rows.block[accesses.row].astype(np.int64), self._trace.masks.shape[1]
        thread = block * lanes + accesses.lane
        time = self._times.row[accesses.row]
        held, wide = self._locks.held(thread, time)
        locked = held != UNLOCKED
        under = set(zip(thread[locked].tolist(), accesses.piece[locked].tolist(), held[locked].tolist(), strict=True))
        sure = self._without_locks.among(accesses)

        def common(one: int, other: int) -> bool:
            places = [{hold.place for hold in self._locks.during(int(thread[each]), int(time[each]))} for each in (one, other)]
            return bool(places[0] & places[1])

        def lucky(some: Ints, others: Ints) -> Bools:
            first, second = np.minimum(some, others), np.maximum(some, others)
            relevant = (others >= 0) & locked[second]
            needed = np.where(block[first] == block[second], BLOCK, DEVICE)
            found = relevant & (held[first] == held[second]) & (np.minimum(wide[first], wide[second]) < needed)
            chosen = np.flatnonzero(relevant & (held[first] != held[second]))
            found[chosen] = [
                (locked[one] and not common(one, other)) or (int(thread[one]), int(accesses.piece[one]), int(held[other])) in under
                for one, other in zip(first[chosen].tolist(), second[chosen].tolist(), strict=True)
            ]
            return np.asarray(found & ~sure.of(some, others)) if found.any() else found

        return lucky

    def reason(self, conflict: Conflict) -> Message | None:
        """Why a lock that both threads have, or a message from one to the other, does not order the two; None if there is neither."""
        if not any(site.operation == "atomic" or site.volatile for site in self._trace.sites):
            return None
        lanes, rows, time = self._trace.masks.shape[1], self._trace.rows, self._times.row
        one, other = (
            (int(rows.block[row]) * lanes + lane, int(time[row]))
            for row, lane in ((conflict.row, conflict.lane), (conflict.other_row, conflict.other_lane))
        )
        return self._locks.reason(other, one) or self._messages.reason(other, one)

    @cached_property
    def _flags(self) -> Ints:
        return _flags(self._trace)

    @cached_property
    def _times(self) -> Times:
        return Times.of(self._trace)

    @cached_property
    def _locks(self) -> Locks:
        return Locks(self._trace, self._times, self._operations)

    @cached_property
    def _operations(self) -> Operations:
        return operations(self._trace)

    @cached_property
    def _messages(self) -> _MessagesPassed:
        return _MessagesPassed(self._trace, self._times, self._operations)

    @cached_property
    def _happens(self) -> HappensBefore:
        return HappensBefore(self._trace, self._times, self._operations, self._locks.holds)

    @cached_property
    def _without_locks(self) -> HappensBefore:
        return HappensBefore(self._trace, self._times, self._operations, self._locks.without_order())

    def _places(self, region: Region, accesses: Accesses) -> Ints:
        address = region.address + accesses.piece * region.piece
        return place_of(region.space, self._trace.rows.block[accesses.row].astype(np.int64), address)


def _flags(trace: Trace) -> Ints:
    """The places that loops wait for, reading them as volatile."""
    found = [np.zeros(0, np.int64)]
    for space in (Space.SHARED, Space.GLOBAL):
        waits = np.array([site.waits and site.space is space for site in trace.sites], np.bool_)
        rows = np.flatnonzero(waits[trace.rows.site]) if waits.any() else np.zeros(0, np.int64)
        keys = np.unique(np.stack([trace.rows.mask[rows], trace.rows.base[rows], trace.rows.offset[rows], trace.rows.block[rows]]), axis=1)
        for mask, base, offset, block in keys.T.tolist():
            lanes = np.flatnonzero(trace.masks[mask])
            found.append(place_of(space, np.full(len(lanes), block), trace.bases[base, lanes] + offset))
    return np.unique(np.concatenate(found))


class _MessagesPassed:
    """The messages of a launch."""

    def __init__(self, trace: Trace, times: Times, operations: Operations) -> None:
        self._trace = trace
        self._operations = operations
        self._time = times.row[operations.row]
        self._fences = Fences.of(trace, times, np.unique(operations.thread), (MemoryOrder.ACQ_REL, MemoryOrder.RELEASE))

    def reason(self, first: At, second: At) -> Message | None:
        """Why the first of two accesses does not come before the second, although its thread told the other's afterwards; None if it
        did not. Where neither told the other, what threads of their two blocks told counts, if a fence is missing there."""
        operations, time, lanes = self._operations, self._time, self._trace.masks.shape[1]
        for share in (1, lanes) if first[0] // lanes != second[0] // lanes else (1,):
            told = np.flatnonzero((operations.thread // share == first[0] // share) & (time > first[1]) & (operations.kind != READ))
            heard = np.flatnonzero((operations.thread // share == second[0] // share) & (time < second[1]) & (operations.kind != WRITE))
            for teller in told.tolist():
                same = heard[(operations.place[heard] == operations.place[teller]) & (time[heard] > time[teller])]
                if len(same):
                    return self._lacking(first, teller, int(same[0]), second)
        return None

    def _lacking(self, first: At, teller: int, hearer: int, second: At) -> Message | None:
        lanes = self._trace.masks.shape[1]
        needed = BLOCK if first[0] // lanes == second[0] // lanes else DEVICE
        flag, wait = (self._operations.line(each, self._trace) for each in (teller, hearer))
        fence = FENCES[needed]
        for operation, line in ((teller, flag), (hearer, wait)):
            if self._operations.width[operation] < needed:
                return message("Line {line} passes the message by an atomic of the block's scope, which reaches no other block.", line=line)
        width = self._fences.widest(int(self._operations.thread[teller]), first[1], int(self._time[teller]))
        if width >= needed and self._operations.thread[teller] != first[0]:
            return None
        return without_fence(self._lacking_fence(width, needed, (flag, wait), fence), needed)

    def _lacking_fence(self, width: int, needed: int, lines: tuple[int, int], fence: str) -> Message:
        """Which fence is missing, where the one before the flag is as wide as `width`; `lines` pass and hear the message."""
        flag, wait = lines
        if not width:
            return message("Line {line} passes the message, but no fence stands before it: {fence} belongs there.", line=flag, fence=fence)
        if width < needed:
            return message(
                "Line {line} passes the message, but the fence before it is of the block's scope: {fence} is needed.",
                line=flag,
                fence=fence,
            )
        return message(
            "Line {line} hears the message, but orders nothing behind it: {fence}, or an order that acquires, belongs there.",
            line=wait, fence=fence,
        )  # fmt: skip
