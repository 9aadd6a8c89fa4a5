"""Happens-before: which accesses are ordered although no barrier stands between, by what threads publish and take up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from kernels.analysis.accesses import Accesses
from kernels.analysis.atomics_and_fences import Fences, Operations, Times
from kernels.analysis.clocks import NEVER, Clocks
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.locks import Hold
from kernels.base.values import dataclass
from kernels.simt.base.types import Scope
from kernels.simt.trace.trace import WARP, Trace


@dataclass(frozen=True, slots=True, eq=False)
class _Sources:
    """Of accesses what a clock must have for them to be known."""

    time: Ints
    thread: Ints
    """Index into the clock; -1: none."""
    block: Ints
    warp: Ints
    epoch: Ints
    fenced: Ints
    """The barriers before the thread's own next fence of the device."""
    met: Ints
    """When the thread next meets others of its warp."""
    fenced_met: tuple[Ints, Ints]
    """When it does so after its next fence: of the device, of any scope."""
    number: Ints
    """The thread through the grid."""


class HappensBefore:
    """Tells which of some accesses are ordered by what threads publish and take up."""

    def __init__(self, trace: Trace, times: Times, operations: Operations, holds: Sequence[Hold]) -> None:
        self._trace, self._times, self._operations = trace, times, operations
        self._clocks = Clocks(trace, times, operations, holds)
        clocks = self._clocks.clocks
        self._matrix = np.stack(clocks) if clocks else np.zeros((0, self._clocks.size), np.int32)

    def intervals(self) -> set[tuple[int, int]]:
        """The blocks and epochs in which threads took something up, or in which that was not followed any more."""
        lanes, rows, time = self._trace.masks.shape[1], self._trace.rows, self._times.row
        late = time >= self._clocks.exhausted
        found = set(zip(rows.block[late].tolist(), rows.epoch[late].tolist(), strict=True))
        for (what, number), (begins, _) in self._clocks.known.items():
            if what == "block":
                continue
            block = int(self._clocks.threads[number]) // lanes if what == "thread" else number * WARP // lanes
            for begin in begins:
                row = min(int(np.searchsorted(time, begin)), len(time) - 1)
                found.add((block, int(rows.epoch[row]) if rows.block[row] == block else -1))
        return found

    def among(self, accesses: Accesses) -> AccessOrder:
        """Return the order of some accesses."""
        return AccessOrder(self, accesses)

    def sources(self, accesses: Accesses) -> _Sources:
        """What a clock must have for each access to be known."""
        trace, clocks, lanes = self._trace, self._clocks, self._trace.masks.shape[1]
        block = trace.rows.block[accesses.row].astype(np.int64)
        thread, time = block * lanes + accesses.lane, self._times.row[accesses.row]
        met, fences = self._met, self._fences.wide()
        fence = fences.next(thread, time)
        fenced_at = [np.append(each.time, NEVER)[each.next(thread, time)] for each in (fences, self._fences)]
        numbers = (_index(clocks.threads, thread), _index(clocks.blocks, block), _index(clocks.warps, thread // WARP))
        return _Sources(
            time, numbers[0], np.where(numbers[1] < 0, -1, clocks.first_block + 2 * numbers[1]),
            np.where(numbers[2] < 0, -1, clocks.first_warp + 2 * numbers[2]), trace.rows.epoch[accesses.row].astype(np.int64),
            np.append(fences.epoch, NEVER)[fence], _next(met, thread, time),
            (_next(met, thread, fenced_at[0]), _next(met, thread, fenced_at[1])), thread,
        )  # fmt: skip

    @cached_property
    def _fences(self) -> Fences:
        return Fences.of(self._trace, self._times)

    @cached_property
    def _met(self) -> tuple[Ints, Ints]:
        """When threads meet others of their warp: columns of threads and times, in that order."""
        trace, lanes = self._trace, self._trace.masks.shape[1]
        parts = []
        for event, time in zip(trace.barriers, self._times.event.tolist(), strict=True):
            if event.scope is Scope.WARP and event.block in self._clocks.blocks:
                there = event.block * lanes + np.flatnonzero(trace.masks[event.mask])
                parts.append((there, np.full(len(there), time)))
        if not parts:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        thread, time = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.lexsort((time, thread))
        return thread[order], time[order]

    def knowledge(self, source: _Sources) -> list[Ints]:
        """The clocks of each access: what its thread, its warp and its block know, as indices; -1 for none."""
        lanes = self._trace.masks.shape[1]
        whose = (("thread", source.thread), ("warp", source.number // WARP), ("block", source.number // lanes))
        return [self._of(what, number, source.time) for what, number in whose]

    def _of(self, what: str, number: Ints, time: Ints) -> Ints:
        found = np.full(len(number), -1)
        for each in np.unique(number).tolist():
            begins, clocks = self._clocks.known.get((what, each), ([], []))
            if begins:
                chosen = number == each
                place = np.searchsorted(np.array(begins), time[chosen], side="right") - 1
                found[chosen] = np.append(clocks, -1)[place]
        return found

    def knows(self, clock: Ints, index: Ints) -> Ints:
        """Numbers in clocks; -1 where there is no clock, or no such number."""
        if not len(self._matrix):
            return np.full(len(clock), -1)
        return np.where((clock < 0) | (index < 0), -1, self._matrix[clock, index])

    def exhausted(self, time: Ints) -> Bools:
        """Whether so much happened before that it was not followed further."""
        return time >= self._clocks.exhausted

    def later_here(self, accesses: Accesses, place: Ints) -> tuple[Ints, Ints]:
        """For each access whether it is an operation itself, and the last row up to it in which its thread, or its block before a barrier,
        worked on the same place."""
        trace, operations, lanes = self._trace, self._operations, self._trace.masks.shape[1]
        rows, count = trace.rows, len(trace.rows.site) + 1
        places, mine = np.unique(operations.place), _index(np.unique(operations.place), place)
        number = np.searchsorted(places, operations.place)
        blocks, epochs = len(trace.blocks), int(rows.epoch.max(initial=0)) + 2
        thread = rows.block[accesses.row].astype(np.int64) * lanes + accesses.lane
        own = np.sort((number * blocks * lanes + operations.thread) * count + operations.row)
        wanted = (mine * blocks * lanes + thread) * count
        before = np.searchsorted(own, wanted + accesses.row, side="right") - 1
        of_thread = np.where((before >= 0) & (mine >= 0), own[np.maximum(before, 0)] - wanted, -1)
        itself = of_thread == accesses.row
        block_epoch = (number * blocks + rows.block[operations.row]) * epochs + rows.epoch[operations.row]
        order = np.lexsort((operations.row, block_epoch))
        least = (mine * blocks + rows.block[accesses.row]) * epochs
        place_before = np.searchsorted(block_epoch[order], least + rows.epoch[accesses.row]) - 1
        good = (place_before >= 0) & (mine >= 0)
        good &= block_epoch[order][np.maximum(place_before, 0)] >= least
        of_block = np.where(good, operations.row[order][np.maximum(place_before, 0)], -1)
        return itself, np.maximum(np.where((of_thread >= 0) & (of_thread < count), of_thread, -1), of_block)


class AccessOrder:
    """The order of some accesses."""

    def __init__(self, happens: HappensBefore, accesses: Accesses) -> None:
        self._happens = happens
        self._source = happens.sources(accesses)
        self._clocks = happens.knowledge(self._source)
        self._lanes = happens._trace.masks.shape[1]

    def of(self, some: Ints, others: Ints) -> Bools:
        """Tell for each pair of accesses (indices, in ascending order of rows; the second may be -1) whether the earlier comes first."""
        first, second = np.minimum(some, others), np.maximum(some, others)
        source, knows = self._source, self._happens.knows
        near = source.number[first] // self._lanes == source.number[second] // self._lanes
        fenced_met = np.where(near, source.fenced_met[1][first], source.fenced_met[0][first])
        ordered = self._happens.exhausted(source.time[second])
        for clock in self._clocks:
            known = clock[second]
            if not (known >= 0).any():
                continue
            block, warp = source.block[first], source.warp[first]
            ordered |= knows(known, source.thread[first]) > source.time[first]
            ordered |= knows(known, block) > source.epoch[first]
            ordered |= knows(known, np.where(block < 0, -1, block + 1)) > source.fenced[first]
            ordered |= knows(known, warp) >= source.met[first]
            ordered |= knows(known, np.where(warp < 0, -1, warp + 1)) >= fenced_met
        return ordered & (others >= 0)


def _index(values: Ints, wanted: Ints) -> Ints:
    """Where each is among ascending values; -1 where it is not."""
    if not len(values):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return np.where(values[place] == wanted, place, -1)


def _next(met: tuple[Ints, Ints], thread: Ints, time: Ints) -> Ints:
    """When each thread next meets others after a time; NEVER if it does not."""
    threads, times = met
    if not len(threads):
        return np.full(len(thread), NEVER)
    span = int(times.max()) + 2
    place = np.searchsorted(threads * span + times, thread * span + np.minimum(time, span - 1))
    inside = np.minimum(place, len(threads) - 1)
    return np.where((place < len(threads)) & (threads[inside] == thread) & (times[inside] >= time), times[inside], NEVER)
