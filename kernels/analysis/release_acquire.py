"""Release and acquire through an atomic: how one block can rightly read what another wrote.

A block writes its part, executes `__threadfence()` and counts itself in with an atomic; a block that updates the same counter later may
then read the part (the last block of a reduction does). The fence must stand between the two; which thread of the block executes it is not
looked at, because a fence behind a barrier also orders what the threads before it wrote.
"""

from __future__ import annotations

import numpy as np

from kernels.analysis.accesses import ATOMIC, Accesses, narrow_rows, operation_of_rows
from kernels.analysis.cases import Bools, Ints
from kernels.simt.base.types import Scope, Space
from kernels.simt.trace.trace import Trace

COUNTERS_AT_MOST = 16
"""Addresses looked at; those that the fewest threads update come first, as counters of blocks do."""
NEVER = np.iinfo(np.int64).max


class ReleaseAcquire:
    """Order by release and acquire: tells which of given accesses are ordered although they stand in different blocks."""

    def __init__(self, trace: Trace, accesses: Accesses) -> None:
        self._release: list[Ints] = []
        self._acquire: list[Ints] = []
        if any(event.scope is Scope.FENCE for event in trace.barriers):
            wanted = _Times(trace, accesses.row, accesses.lane)
            fenced = _next_fence(trace, accesses.row)
            for row, lane in _counters(trace):
                updates = _Times(trace, row, lane)
                self._release.append(np.where(updates.hold(wanted), wanted.row, np.minimum(*updates.next_after(wanted, fenced))))
                self._acquire.append(np.maximum(*updates.last_before(wanted)))

    def order(self, some: Ints, others: Ints) -> Bools:
        """Tell for each pair of accesses (indices, the second may be -1) whether release and acquire through an atomic order the earlier
        before the later.
        """
        first, second = np.minimum(some, others), np.maximum(some, others)
        ordered = np.zeros(len(some), np.bool_)
        for release, acquire in zip(self._release, self._acquire, strict=True):
            ordered |= release[first] < acquire[second]
        return ordered & (others >= 0)


class _Times:
    """Times of what threads do: numbers that order the rows of each thread, and those of each block by barrier interval."""

    def __init__(self, trace: Trace, row: Ints, lane: Ints) -> None:
        block, epoch = trace.rows.block[row].astype(np.int64), trace.rows.epoch[row].astype(np.int64)
        intervals = int(trace.rows.epoch.max(initial=0)) + 2
        self.row = row
        self.row_count = len(trace.rows.site)
        self.thread = block * trace.masks.shape[1] + lane
        self.by_thread = self.thread * (self.row_count + 1) + row
        self.block = block
        self.by_block = block * (self.row_count + 1) + row
        self.by_interval = block * intervals + epoch

    def hold(self, when: _Times) -> Bools:
        """Which of `when` are among these: an update of the counter needs no fence to come before later updates."""
        return np.isin(when.by_thread, self.by_thread)

    def next_after(self, when: _Times, least: Ints) -> tuple[Ints, Ints]:
        """For each of `when` the first row by the same thread, and the first after a barrier of its block, from row `least` on (not before
        the row of `when` itself; beyond all rows for none); NEVER for none."""
        of_thread, of_block = np.argsort(self.by_thread), np.argsort(self.by_block)
        own = np.searchsorted(self.by_thread[of_thread], when.thread * (self.row_count + 1) + least)
        later = np.maximum(
            np.searchsorted(self.by_interval[of_block], when.by_interval, side="right"),
            np.searchsorted(self.by_block[of_block], when.block * (self.row_count + 1) + least),
        )
        return (
            self._row(of_thread, own, self.thread, when.thread, NEVER),
            self._row(of_block, later, self.block, when.block, NEVER),
        )

    def last_before(self, when: _Times) -> tuple[Ints, Ints]:
        """For each of `when` the last row up to then by the same thread, and the last before a barrier of its block; -1 for none."""
        of_thread, of_block = np.argsort(self.by_thread), np.argsort(self.by_interval, kind="stable")
        own = np.searchsorted(self.by_thread[of_thread], when.by_thread, side="right") - 1
        earlier = np.searchsorted(self.by_interval[of_block], when.by_interval) - 1
        return self._row(of_thread, own, self.thread, when.thread, -1), self._row(of_block, earlier, self.block, when.block, -1)

    def _row(self, order: Ints, place: Ints, party: Ints, wanted: Ints, none: int) -> Ints:
        """The rows at places of an order, where there is one and it is of the wanted party."""
        found = order[np.clip(place, 0, len(order) - 1)]
        return np.where((place >= 0) & (place < len(order)) & (party[found] == wanted), self.row[found], none)


def _next_fence(trace: Trace, row: Ints) -> Ints:
    """For each row the first row after the next fence of its block; beyond all rows where there is none."""
    events = [event for event in trace.barriers if event.scope is Scope.FENCE]
    count = len(trace.rows.site)
    fences = np.sort(np.array([event.block * (count + 1) + event.row for event in events], np.int64))
    block = trace.rows.block[row].astype(np.int64)
    place = np.searchsorted(fences, block * (count + 1) + row, side="right")
    found = np.append(fences, NEVER)[place] - block * (count + 1)
    return np.minimum(found, count)


def _counters(trace: Trace) -> list[tuple[Ints, Ints]]:
    """Rows and lanes that update each address which atomics of several blocks update, in global memory."""
    in_global = np.array([site.space is Space.GLOBAL for site in trace.sites], np.bool_)[trace.rows.site]
    rows = np.flatnonzero(in_global & (operation_of_rows(trace) == ATOMIC) & ~narrow_rows(trace))
    order, lane = np.nonzero(trace.masks[trace.rows.mask[rows]])
    row = rows[order]
    address = trace.bases[trace.rows.base[row], lane] + trace.rows.offset[row]
    addresses, counter, updates = np.unique(address, return_inverse=True, return_counts=True)
    block = trace.rows.block[row]
    some_block = np.zeros(len(addresses), np.int64)
    some_block[counter] = block
    several = np.unique(counter[some_block[counter] != block])
    chosen = several[np.argsort(updates[several], kind="stable")][:COUNTERS_AT_MOST]
    return [(row[counter == each], lane[counter == each]) for each in chosen.tolist()]
