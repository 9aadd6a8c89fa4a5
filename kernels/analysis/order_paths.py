"""Path of happens-before from one access of a launch to a later one: the barriers, fences and flags through which it was known.

It follows one access alone, in the order executed, by the rules of `clocks`, which follow all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from enum import StrEnum

import numpy as np

from kernels.analysis.accesses import Accesses
from kernels.analysis.atomics_and_fences import BLOCK, DEVICE, READ, WRITE, Operations, Place, Places, Times, operations, width
from kernels.analysis.clusters import ClusterOrder, with_homes
from kernels.analysis.locks import Hold, Locks
from kernels.base.values import dataclass
from kernels.simt.base.types import Location, MemoryOrder, Scope
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import WARP, BarrierEvent, Trace

ROWS_TO_ATOMIC = 2
"""As in `clocks`: an atomic whose order was told follows in the next row, or the one after."""


class Means(StrEnum):
    """Means by which the knowledge of an access is passed on."""

    ACCESS = "access"
    GRID = "grid"
    CLUSTER = "cluster"
    BARRIER = "barrier"
    WARP = "warp"
    FENCE = "fence"
    TELLS = "tells"
    """An atomic or volatile store that publishes what was fenced before."""
    HEARS = "hears"
    """An atomic or volatile load that reads what was published."""


@dataclass(frozen=True, slots=True)
class Link:
    """Link of a path: what a thread does (numbered through the grid: block * lanes + lane), in which access row (for what is no access, the
    one before which it happens), when as `Times` has it, on which line.
    """

    means: Means
    thread: int
    row: int
    time: int
    location: Location


@dataclass(frozen=True, slots=True)
class _Node:
    link: Link
    before: _Node | None


@dataclass(slots=True)
class _Thread:
    """What a thread can do with the knowledge of the access, by width: publish it, take it up."""

    knows: _Node | None = None
    published: dict[int, _Node] = field(default_factory=dict)
    once: dict[int, _Node] = field(default_factory=dict)
    pending: dict[int, _Node] = field(default_factory=dict)
    ordered: int = -ROWS_TO_ATOMIC - 1


class OrderPaths:
    """Paths between the accesses of a launch."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.times = Times.of(trace)
        joined = with_homes(trace)
        self.operations: Operations = operations(joined)
        self._lanes = trace.masks.shape[1]
        self._holds: Sequence[Hold] = Locks(joined, self.times, self.operations).holds
        self._clusters = ClusterOrder(trace)
        self._takes = {hold.take: hold.width for hold in self._holds}
        self._frees = {hold.free: hold.width for hold in self._holds}

    def thread(self, row: int, lane: int) -> int:
        """The number through the grid of the thread that a lane of an access row is."""
        return int(self.trace.rows.block[row]) * int(self._lanes) + lane

    def path(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[Link, ...] | None:
        """What orders an access (row, lane) before a later one of another thread; None where nothing does. Empty for one thread."""
        source, target = self.thread(*first), self.thread(*second)
        if source == target:
            return ()
        begin, end = (int(self.times.row[row]) for row, _ in (first, second))
        if begin >= end:
            return None
        direct = self._through_grid(first, second) or self._through_cluster(first, second)
        if direct is not None:
            return direct
        location = self.trace.sites[self.trace.rows.site[first[0]]].location
        walk = _Walk(self, _Node(Link(Means.ACCESS, source, first[0], begin, location), None))
        for time, event, operation in self._between(begin, end):
            if event is not None:
                walk.meet(event, time)
            else:
                walk.operate(operation, time)
            found = walk.threads.get(target)
            if found is not None and found.knows is not None:
                return _links(found.knows)
        return None

    def _through_grid(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[Link, ...] | None:
        """The barrier of the whole grid between two accesses; None where there is none."""
        events = [(number, each) for number, each in enumerate(self.trace.barriers) if each.scope is Scope.GRID]
        blocks = [int(self.trace.rows.block[row]) for row, _ in (first, second)]
        met = [[(number, each) for number, each in events if each.block == block] for block in blocks]
        passed = [sum(each.row <= row for _, each in own) for own, (row, _) in zip(met, (first, second), strict=True)]
        if passed[0] >= passed[1]:
            return None
        number, event = met[0][passed[0]] if passed[0] < len(met[0]) else met[1][passed[1] - 1]
        return (Link(Means.GRID, self.thread(*first), event.row, int(self.times.event[number]), event.location),)

    def _through_cluster(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[Link, ...] | None:
        """The barrier of a cluster between two accesses of different blocks; None where there is none."""
        (row, lane), block = first, int(self.trace.rows.block[first[0]])
        pair = Accesses(np.zeros(2, np.int64), np.array([row, second[0]]), np.array([lane, second[1]]))
        if block == self.trace.rows.block[second[0]] or not self._clusters.of(pair)(np.array([0]), np.array([1])).all():
            return None
        trace = self.trace
        behind = [each for each in trace.events if each.kind is Happening.CLUSTER_ARRIVED and each.block == block and each.row > row]
        met = next(each for each in behind if trace.masks[each.mask][lane])
        before = [(number, each) for number, each in enumerate(trace.barriers) if each.block == block and row < each.row < met.row]
        number, event = next((pair for pair in reversed(before) if trace.masks[pair[1].mask][lane]), before[-1])
        fences = trace.masks[event.mask]
        thread = block * self._lanes + (lane if fences[lane] else int(fences.argmax()))
        return (Link(Means.CLUSTER, thread, event.row, int(self.times.event[number]), met.location),)

    def _between(self, begin: int, end: int) -> list[tuple[int, BarrierEvent | None, int]]:
        """The events and the operations (by number) after one time and before another, in order."""
        events = self.times.event
        chosen = np.flatnonzero((events > begin) & (events < end)).tolist()
        items: list[tuple[int, BarrierEvent | None, int]] = [(int(events[each]), self.trace.barriers[each], -1) for each in chosen]
        time = self.times.row[self.operations.row]
        items += [(int(time[each]), None, each) for each in np.flatnonzero((time > begin) & (time < end)).tolist()]
        return sorted(items, key=lambda item: (item[0], item[2]))

    def width_of(self, operation: int) -> tuple[int, bool, bool]:
        """For how many an operation orders, and whether it takes a lock, or gives one back."""
        takes, frees = operation in self._takes, operation in self._frees
        wide = self._takes[operation] if takes else self._frees[operation] if frees else int(self.operations.width[operation])
        return wide, takes, frees


class _Walk:
    """Goes through what synchronises after one access, and keeps who knows of it."""

    def __init__(self, paths: OrderPaths, start: _Node) -> None:
        self._paths = paths
        self._lanes = paths.trace.masks.shape[1]
        self.threads = {start.link.thread: _Thread(start)}
        self._places = Places[_Node]()

    def meet(self, event: BarrierEvent, time: int) -> None:
        """Threads meet at a barrier, or execute a fence."""
        mask = self._paths.trace.masks[event.mask]
        lanes = np.flatnonzero(mask) if event.scope in (Scope.WARP, Scope.FENCE) else np.arange(self._lanes)
        there = (event.block * self._lanes + lanes).tolist()
        if event.scope is Scope.FENCE:
            for each in there:
                self._fence(each, event, time)
        elif event.scope is Scope.WARP:
            for warp in sorted({each // WARP for each in there}):
                self._join([each for each in there if each // WARP == warp], Means.WARP, event, time)
        else:
            self._join(there, Means.BARRIER, event, time)

    def _join(self, there: Sequence[int], means: Means, event: BarrierEvent, time: int) -> None:
        """Tell threads that meet what any of them knows."""
        present = [self.threads[each] for each in there if each in self.threads]
        knows = next((each.knows for each in present if each.knows is not None), None)
        published = {each: thread.published[each] for thread in present for each in (BLOCK, DEVICE) if each in thread.published}
        if knows is None and not published:
            return
        for number in there:
            thread = self.threads.setdefault(number, _Thread())
            link = Link(means, number, event.row, time, event.location)
            if knows is not None and thread.knows is None:
                thread.knows = _Node(replace(link, thread=knows.link.thread), knows)
            for each, node in published.items():
                thread.published.setdefault(each, _Node(replace(link, thread=node.link.thread), node))

    def _fence(self, number: int, event: BarrierEvent, time: int) -> None:
        thread, reach = self.threads.setdefault(number, _Thread()), width(event.reach)
        link = Link(Means.FENCE, number, event.row, time, event.location)
        if event.order in (MemoryOrder.ACQ_REL, MemoryOrder.ACQUIRE):
            for each in (BLOCK, DEVICE):
                node = thread.pending.pop(each, None) if each <= reach else None
                if node is not None and thread.knows is None:
                    thread.knows = _Node(link, node)
        if event.order in (MemoryOrder.ACQUIRE, MemoryOrder.PROXY, MemoryOrder.BARRIER_INIT):
            return
        if event.order is not MemoryOrder.ACQ_REL:
            thread.ordered, thread.once = event.row, {}
        if event.order is MemoryOrder.RELAXED or thread.knows is None:
            return
        made = {each: _Node(link, thread.knows) for each in (BLOCK, DEVICE) if each <= reach}
        if event.order is MemoryOrder.ACQ_REL:
            thread.published = {**made, **thread.published}
        else:
            thread.once = made

    def operate(self, number: int, time: int) -> None:
        """A thread reads, writes or updates a place through which threads synchronise."""
        operations = self._paths.operations
        who, place = int(operations.thread[number]), int(operations.place[number])
        if who not in self.threads and place not in self._places:
            return  # neither has anything to tell the other, as in most of a launch
        thread = self.threads.setdefault(who, _Thread())
        heard, told = self._places.heard(place, int(operations.hears[number])), self._places.told(place, int(operations.phase[number]))
        row, kind = int(operations.row[number]), int(operations.kind[number])
        wide, takes, frees = self._paths.width_of(number)
        block = who // self._lanes
        strict = row - thread.ordered <= ROWS_TO_ATOMIC
        location = self._paths.trace.sites[self._paths.trace.rows.site[row]].location
        link = Link(Means.HEARS, who, row, time, location)
        if not strict:
            thread.once = {}
        if takes or (kind != WRITE and not frees):
            self._read(thread, heard, block, wide, link, strict=strict or takes)
        if frees or (kind != READ and not takes):
            self._write(thread, told, block, wide, replace(link, means=Means.TELLS), fresh=kind == WRITE and not frees)
        thread.once, thread.ordered = {}, -ROWS_TO_ATOMIC - 1

    @staticmethod
    def _read(thread: _Thread, place: Place[_Node], block: int, wide: int, link: Link, *, strict: bool) -> None:
        found = {BLOCK: place.block.get(block) if wide >= BLOCK else None, DEVICE: place.device if wide >= DEVICE else None}
        for each, node in found.items():
            if node is None:
                continue
            if strict:
                thread.pending.setdefault(each, _Node(link, node))
            elif thread.knows is None:
                thread.knows = _Node(link, node)

    @staticmethod
    def _write(thread: _Thread, place: Place[_Node], block: int, wide: int, link: Link, *, fresh: bool) -> None:
        if fresh:
            place.device, place.block = None, {}
        for each in (BLOCK, DEVICE):
            node = thread.published.get(each) or thread.once.get(each)
            if node is None or wide < each:
                continue
            made = _Node(link, node)
            if each == BLOCK:
                place.block.setdefault(block, made)
            elif place.device is None:
                place.device = made


def _links(node: _Node) -> tuple[Link, ...]:
    """The links of a path, from its first access on, which is left out."""
    found: list[Link] = []
    at: _Node | None = node
    while at is not None and at.before is not None:
        found.append(at.link)
        at = at.before
    return tuple(reversed(found))
