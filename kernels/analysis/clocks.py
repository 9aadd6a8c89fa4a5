"""Vector clocks: what threads publish and take up, in the order executed.

A thread publishes what it did, and what it knows, by a fence and then an atomic or a volatile store; who reads that there knows it, too:
within the scope of the fence and of the atomics. A barrier of the block or the warp tells all that its threads know to all of them.
A clock has for each thread that synchronises so the time up to which what it did is known; for each block of such threads the barriers up
to which what all of its threads did is known, and for each warp the time of such a synchronisation.

What an atomic of CUDA C reads is taken up at once: a counter, a flag. What takes a lock, and what an atomic object of libcu++ reads, is
taken up by a fence or an order that says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field

import numpy as np
import numpy.typing as npt

from kernels.analysis.atomics_and_fences import BLOCK, CLUSTER_ARRIVAL, DEVICE, READ, WRITE, Operations, Place, Places, Times, width
from kernels.analysis.locks import Hold
from kernels.base.values import dataclass
from kernels.simt.base.types import MemoryOrder, Scope
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP, BarrierEvent, Trace

Clock = npt.NDArray[np.int32]
NEVER = np.iinfo(np.int64).max
ROWS_TO_ATOMIC = 2
"""An atomic whose order was told follows at once: in the next row, or in one for each space that its lanes' pointers point into."""
NUMBERS_AT_MOST = 1 << 25
"""In all clocks that are kept. What comes when there are more counts as ordered: nothing is told that is not known."""


@dataclass(slots=True, eq=False)
class _Thread:
    """What a thread knows of its own, apart from its block and its warp."""

    number: int
    block: int
    warp: int
    knows: Clock | None = None
    pending: dict[int, Clock] = field(default_factory=dict)
    """What it has read, but not taken up yet, by the width that it takes to do so."""
    published: dict[int, Clock] = field(default_factory=dict)
    """What its last fence of at least that width made known to be."""
    once: dict[int, Clock] = field(default_factory=dict)
    """What its next atomic publishes, by its own order."""
    ordered: int = -ROWS_TO_ATOMIC - 1
    """The row before which it was told the order of its next atomic, which takes up nothing by itself."""
    synchronised: int = -1
    """When it last met others of its warp."""


class Clocks:
    """Goes through what synchronises, in the order executed, and keeps what threads, warps and blocks know from when on."""

    def __init__(self, trace: Trace, times: Times, operations: Operations, holds: Sequence[Hold]) -> None:
        self._lanes = trace.masks.shape[1]
        self.threads = np.unique(operations.thread)
        self.blocks = np.unique(self.threads // self._lanes)
        self.warps = np.unique(self.threads // WARP)
        self.first_block = len(self.threads)
        self.first_warp = self.first_block + 2 * len(self.blocks)
        self.size = self.first_warp + 2 * len(self.warps)
        self.clocks: list[Clock] = []
        self.known: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
        """For a thread, a warp or a block the times from which on it knew more, and the clocks."""
        self.exhausted = NEVER
        self._made = 0
        self._of_thread = {
            thread: _Thread(number, thread // self._lanes, thread // WARP) for number, thread in enumerate(self.threads.tolist())
        }
        self._members: dict[int, list[_Thread]] = {}
        for each in self._of_thread.values():
            self._members.setdefault(each.block, []).append(each)
        self._shared: dict[tuple[str, int], Clock] = {}
        self._epochs: dict[int, int] = {}
        self._places = Places[Clock]()
        self._takes = {hold.take: hold for hold in holds}
        self._frees = {hold.free: hold for hold in holds}
        self._trace, self._times = trace, times
        self._met = defaultdict[tuple[int, int], list[Clock]](list)
        """By cluster and phase of its barrier: what those published that arrived."""
        self._phase: dict[int, tuple[int, int]] = {}
        """By thread: at which it arrived last."""
        self._arrivals = np.array([site.function == CLUSTER_ARRIVAL for site in trace.sites], np.bool_)[
            trace.rows.site[operations.row]
        ].tolist()
        self._rows = operations.row.tolist()
        self._run(operations)

    def _run(self, operations: Operations) -> None:
        trace, times = self._trace, self._times
        epoch = trace.rows.epoch.astype(np.int64)
        block = trace.rows.block.astype(np.int64)
        wanted = np.isin(block, self.blocks)
        begins = np.flatnonzero(wanted)
        _, first = np.unique(block[begins] * (int(epoch.max(initial=0)) + 1) + epoch[begins], return_index=True)
        begins = begins[first]
        events = [
            (int(time), 1, number)
            for number, (event, time) in enumerate(zip(trace.barriers, times.event.tolist(), strict=True))
            if event.scope in (Scope.FENCE, Scope.WARP) and event.block in self._members
        ]
        items = [(int(times.row[row]), 0, int(row)) for row in begins]
        items += events
        items += [(time, 2, number) for number, time in enumerate(times.row[operations.row].tolist())]
        kinds = (Happening.CLUSTER_ARRIVED, Happening.CLUSTER_WAITED)
        items += [
            (int(times.row[each.row - 1]), 3, number)
            for number, each in enumerate(trace.events)
            if each.kind in kinds and each.block in self._members
        ]
        items.sort()
        columns = [getattr(operations, name).tolist() for name in ("thread", "place", "kind", "width", "phase", "hears")]
        for time, what, number in items:
            if self._made > NUMBERS_AT_MOST:
                self.exhausted = time
                return
            if what == 0:
                self._begin(int(block[number]), int(epoch[number]), time)
            elif what == 1:
                self._event(trace.barriers[number], time)
            elif what == 3:
                self._meet_cluster(trace.events[number], time)
            elif not self._arrivals[number]:
                thread, place, kind, wide, phase, hears = (column[number] for column in columns)
                row = self._rows[number]
                self._begin(int(block[row]), int(epoch[row]), time)
                heard, told = self._places.heard(place, hears), self._places.told(place, phase)
                self._operate(self._of_thread[thread], heard, told, kind, wide, number, time)

    # ------------------------------------------------------------ meeting

    def _begin(self, block: int, epoch: int, time: int) -> None:
        """The block's threads have met before this epoch."""
        if self._epochs.get(block, 0) >= epoch:
            return
        self._epochs[block] = epoch
        members = self._members[block]
        warps = {("warp", each.warp) for each in members}
        told = [each.knows for each in members if each.knows is not None]
        told += [self._shared.pop(warp) for warp in warps if warp in self._shared]
        for each in members:
            each.knows = None
        if told:
            self._tell(("block", block), told, time)

    def _meet(self, event: BarrierEvent, time: int) -> None:
        lanes = event.block * self._lanes + np.flatnonzero(self._trace.masks[event.mask])
        present = [self._of_thread[thread] for thread in lanes[np.isin(lanes, self.threads)].tolist()]
        told: dict[int, list[Clock]] = {}
        for each in present:
            each.synchronised = time
            if each.knows is not None:
                told.setdefault(each.warp, []).append(each.knows)
                each.knows = None
        for warp, clocks in told.items():
            self._tell(("warp", warp), clocks, time)

    def _tell(self, whom: tuple[str, int], told: list[Clock], time: int) -> None:
        before = self._shared.get(whom)
        clock = np.maximum.reduce([*told, *([] if before is None else [before])])
        self._shared[whom] = clock
        self._note(whom, clock, time)

    def _note(self, whom: tuple[str, int], clock: Clock, time: int) -> None:
        begins, clocks = self.known.setdefault(whom, ([], []))
        begins.append(time)
        clocks.append(len(self.clocks))
        self.clocks.append(clock)
        self._made += self.size

    def _meet_cluster(self, event: Event, time: int) -> None:
        """Threads arrive at the barrier of their cluster, and publish what they have fenced; or have waited for it, and take up what is."""
        lanes = event.block * self._lanes + np.flatnonzero(self._trace.masks[event.mask])
        for number in lanes[np.isin(lanes, self.threads)].tolist():
            thread = self._of_thread[number]
            if event.kind is Happening.CLUSTER_WAITED:
                self._take_up(thread, self._met.get(self._phase.get(number, (-1, -1)), []), time)
                continue
            self._phase[number] = (event.other, event.value)
            self._met[self._phase[number]].append(self._published(thread, DEVICE))

    # ------------------------------------------------------------ fences

    def _event(self, event: BarrierEvent, time: int) -> None:
        self._begin(event.block, event.epoch, time)
        if event.scope is Scope.WARP:
            self._meet(event, time)
            return
        lanes = event.block * self._lanes + np.flatnonzero(self._trace.masks[event.mask])
        for thread in lanes[np.isin(lanes, self.threads)].tolist():
            self._fence(self._of_thread[thread], event, time)

    def _fence(self, thread: _Thread, event: BarrierEvent, time: int) -> None:
        reach = width(event.reach)
        if event.order in (MemoryOrder.ACQ_REL, MemoryOrder.ACQUIRE):
            self._take_up(thread, [thread.pending.pop(each) for each in (BLOCK, DEVICE) if each <= reach and each in thread.pending], time)
        if event.order is MemoryOrder.ACQUIRE:
            return
        if event.order in (MemoryOrder.PROXY, MemoryOrder.BARRIER_INIT):
            return
        if event.order is not MemoryOrder.ACQ_REL:
            thread.ordered, thread.once = event.row, {}
        if event.order is MemoryOrder.RELAXED:
            return
        clock = self._all(thread)
        clock[thread.number] = time
        at = self.first_block + 2 * int(np.searchsorted(self.blocks, thread.block))
        clock[at] = max(int(clock[at]), event.epoch)
        at = self.first_warp + 2 * int(np.searchsorted(self.warps, thread.warp))
        clock[at] = max(int(clock[at]), thread.synchronised)
        published = {each: clock for each in (BLOCK, DEVICE) if each <= reach}
        if event.order is MemoryOrder.ACQ_REL:
            thread.published.update(published)
        else:
            thread.once = published

    def _all(self, thread: _Thread) -> Clock:
        """All that a thread knows, as a new clock."""
        known = [thread.knows, self._shared.get(("block", thread.block)), self._shared.get(("warp", thread.warp))]
        self._made += self.size
        return np.asarray(np.maximum.reduce([np.full(self.size, -1, np.int32), *(each for each in known if each is not None)]))

    def _take_up(self, thread: _Thread, clocks: list[Clock], time: int) -> None:
        if not clocks:
            return
        before = thread.knows
        after = np.maximum.reduce([*clocks, *([] if before is None else [before])])
        if before is None or (after > before).any():
            thread.knows = after
            self._note(("thread", thread.number), after, time)

    # ------------------------------------------------------------ atomics and volatile accesses

    def _operate(self, thread: _Thread, heard: Place[Clock], told: Place[Clock], kind: int, wide: int, number: int, time: int) -> None:
        strict = self._rows[number] - thread.ordered <= ROWS_TO_ATOMIC
        if not strict:
            thread.once = {}
        if number in self._takes:
            self._read(thread, heard, self._takes[number].width, time, strict=True)
        elif number in self._frees:
            self._write(thread, told, self._frees[number].width, replace=False)
        elif kind != WRITE:
            self._read(thread, heard, wide, time, strict=strict)
        if kind != READ and number not in self._takes and number not in self._frees:
            self._write(thread, told, wide, replace=kind == WRITE)
        thread.once, thread.ordered = {}, -ROWS_TO_ATOMIC - 1

    def _read(self, thread: _Thread, place: Place[Clock], wide: int, time: int, *, strict: bool) -> None:
        found = {BLOCK: place.block.get(thread.block) if wide >= BLOCK else None, DEVICE: place.device if wide >= DEVICE else None}
        taken = {each: clock for each, clock in found.items() if clock is not None}
        if not strict:
            self._take_up(thread, list(taken.values()), time)
            return
        for each, clock in taken.items():
            before = thread.pending.get(each)
            thread.pending[each] = clock if before is None else np.maximum(clock, before)

    def _write(self, thread: _Thread, place: Place[Clock], wide: int, *, replace: bool) -> None:
        if replace:
            place.device, place.block = None, {}
        if wide >= BLOCK:
            clock = self._published(thread, BLOCK)
            before = place.block.get(thread.block)
            place.block[thread.block] = clock if before is None else np.maximum(clock, before)
        if wide >= DEVICE:
            clock = self._published(thread, DEVICE)
            place.device = clock if place.device is None else np.maximum(clock, place.device)

    def _published(self, thread: _Thread, wide: int) -> Clock:
        """What an atomic of the thread makes known: also what others of its block or warp did and fenced before they met."""
        parts = [each[wide] for each in (thread.published, thread.once) if wide in each]
        clock: Clock = np.maximum.reduce([np.full(self.size, -1, np.int32), *parts])
        self._made += self.size
        clock[self.first_block + 2 * int(np.searchsorted(self.blocks, thread.block)) + 1] = self._epochs.get(thread.block, 0)
        clock[self.first_warp + 2 * int(np.searchsorted(self.warps, thread.warp)) + 1] = thread.synchronised
        return clock
