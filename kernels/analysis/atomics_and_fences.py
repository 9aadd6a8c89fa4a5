"""Operations through which threads can synchronise: atomics, and volatile accesses, at places that several threads touch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import field, fields, replace
from typing import Generic, TypeVar

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import LANES_AT_ONCE
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import MemoryOrder, Scope, Space, ThreadScope
from kernels.simt.base.windows import RANK_SHIFT
from kernels.simt.trace.trace import Trace

Told = TypeVar("Told")
READ, WRITE, UPDATE = range(3)
BLOCK, DEVICE = 1, 2
"""Widths of what orders or excludes; 0: nothing. What holds for the device holds here for the whole system, too."""
OPERATIONS_AT_MOST = 1 << 18
"""Looked at; the places that the fewest operations touch come first, as flags, locks and counters of blocks do."""
_SHARED = -(1 << 40)
SWAP, EXCHANGE = "atomicCAS", "atomicExch"
CLUSTER_ARRIVAL = "cluster.arrive"
"""The function of sites at which threads arrive at the barrier of their cluster: what it orders its events tell."""
_WORDS, _TOKENS = ("mbarrier.", "barrier."), ("mbarrier.test_wait", "barrier.test_wait")
_PHASE, _PHASES = 61, 8
"""From which bit on a barrier's word counts its phases, modulo how many (`kernels.simt.intrinsics.barriers`)."""


def width(scope: ThreadScope) -> int:
    """Return BLOCK or DEVICE."""
    return BLOCK if scope is ThreadScope.BLOCK else DEVICE


def without_fence(lacking: Message, needed: int) -> Message:
    """Add to what names a missing fence what a GPU may show without it; `needed` is the fence's width."""
    if needed < DEVICE:
        return lacking
    return message("{lacking} Without it a cache of the GPU may still show the old value.", lacking=lacking)


@dataclass(frozen=True, slots=True, eq=False)
class Operations:
    """Columns of equal length, in the order executed."""

    row: Ints
    lane: Ints
    thread: Ints
    """Numbered through the grid: block * lanes + lane."""
    place: Ints
    """As `place_of` numbers them."""
    kind: Ints
    """READ, WRITE, or UPDATE: both at once."""
    width: Ints
    """Of what it excludes: BLOCK or DEVICE."""
    change: Ints
    """What an update adds to the number there; 0 where that is not known."""
    old: Ints
    """What an update reads; 0 where that is not known."""
    known: Bools
    """Whether `change` and `old` are."""
    phase: Ints
    """Of a barrier's word the phase in which it is made; 0 elsewhere."""
    hears: Ints
    """It takes up what was published in phases before this one."""

    def only(self, chosen: Bools | Ints) -> Operations:
        """Return some of them."""
        return Operations(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def line(self, operation: int, trace: Trace) -> int:
        """The line of the text on which one of them stands."""
        return int(trace.sites[trace.rows.site[self.row[operation]]].location.line)


def place_of(space: Space, block: Ints, address: Ints) -> Ints:
    """Number the places of all memory: each block has shared memory of its own, if the address does not say another's (`with_homes`)."""
    if space is not Space.SHARED:
        return address
    above = address >> RANK_SHIFT
    return _SHARED - np.where(above > 0, address - (1 << RANK_SHIFT), (block << RANK_SHIFT) + address)


def operations(trace: Trace) -> Operations:
    """The operations at places that several threads touch so, and one changes."""
    found = [_of_space(trace, space) for space in (Space.SHARED, Space.GLOBAL)]
    joined = Operations(*(np.concatenate([getattr(part, each.name) for part in found]) for each in fields(Operations)))
    if not len(joined.row):
        return joined
    _, number, count = np.unique(joined.place, return_inverse=True, return_counts=True)
    some = np.zeros(len(count), np.int64)
    some[number] = joined.thread
    several, changed = np.zeros((2, len(count)), np.bool_)
    several[number[some[number] != joined.thread]] = True
    changed[number[joined.kind != READ]] = True
    fewest = np.argsort(count, kind="stable")
    fewest = fewest[(several & changed)[fewest]]
    chosen = np.zeros(len(count), np.bool_)
    chosen[fewest[np.cumsum(count[fewest]) <= OPERATIONS_AT_MOST]] = True
    kept = np.flatnonzero(chosen[number])
    return _with_phases(trace, joined.only(kept[np.lexsort((joined.lane[kept], joined.row[kept]))]))


def _with_phases(trace: Trace, found: Operations) -> Operations:
    """Tell the phases of barriers' words. What arrives in one is known when it is complete: to those who look at the word then, and of
    these to those with the token of an arrival of theirs what had arrived up to its phase."""
    functions = [site.function for site in trace.sites]
    words = np.array([each.startswith(_WORDS) for each in functions], np.bool_)
    tokens = np.array([each in _TOKENS for each in functions], np.bool_)
    site = trace.rows.site[found.row]
    at = np.flatnonzero(np.isin(found.place, found.place[words[site]]) & found.known)
    if not len(at):
        return found
    at = at[np.lexsort((at, found.place[at]))]
    step = np.diff(found.old[at] >> _PHASE, prepend=0) % _PHASES
    phase, hears = found.phase.copy(), found.hears.copy()
    phase[at] = hears[at] = np.cumsum(step)
    at = at[np.lexsort((at, found.thread[at], found.place[at]))]
    own = np.r_[True, (np.diff(found.place[at]) != 0) | (np.diff(found.thread[at]) != 0)].cumsum() * (int(phase.max()) + 2)
    arrived = np.maximum.accumulate(own + np.where(words[site[at]] & (found.change[at] != 0), phase[at] + 1, 0)) - own
    chosen = tokens[site[at]] & (arrived > 0)
    hears[at[chosen]] = np.minimum(hears[at], arrived)[chosen]
    return replace(found, phase=phase, hears=hears)


@dataclass(slots=True, eq=False)
class Place(Generic[Told]):
    """Knowledge that can be taken up at a place: by all threads of the device, and by those of each block."""

    device: Told | None = None
    block: dict[int, Told] = field(default_factory=dict)


class Places(Generic[Told]):
    """Knowledge that was published at places, phase by phase."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[list[int], list[Place[Told]]]] = {}

    def __contains__(self, place: int) -> bool:
        """Whether anything was told at a place, or there was a place to tell it."""
        return place in self._found

    def told(self, place: int, phase: int) -> Place[Told]:
        """What is published up to a phase, of those that were told of the last one, to be added to."""
        phases, found = self._found.setdefault(place, ([], []))
        if not phases or phases[-1] < phase:
            phases.append(phase)
            found.append(Place(found[-1].device, dict(found[-1].block)) if found else Place())
        return found[-1]

    def heard(self, place: int, before: int) -> Place[Told]:
        """What was published in phases before one."""
        phases, found = self._found.get(place, ([], []))
        number = bisect_left(phases, before)
        return found[number - 1] if number else Place()


def _of_space(trace: Trace, space: Space) -> Operations:
    rows = trace.rows
    wanted = np.array([site.space is space and (site.operation == "atomic" or site.volatile) for site in trace.sites], np.bool_)
    chosen = np.flatnonzero(wanted[rows.site])
    step = max(1, LANES_AT_ONCE // trace.masks.shape[1])
    parts = [np.nonzero(trace.masks[rows.mask[chosen[start : start + step]]]) for start in range(0, len(chosen), step)]
    row = np.concatenate([chosen[start * step + order] for start, (order, _) in enumerate(parts)] or [np.zeros(0, np.int64)])
    lane = np.concatenate([lane for _, lane in parts] or [np.zeros(0, np.int64)])
    block = rows.block[row].astype(np.int64)
    address = trace.bases[rows.base[row], lane] + rows.offset[row]
    change, old, known = _updates(trace, row)
    return Operations(
        row, lane, block * trace.masks.shape[1] + lane, place_of(space, block, address), _kinds(trace, row, change, known),
        np.array([width(site.scope) for site in trace.sites], np.int64)[rows.site[row]], change, old, known,
        np.zeros(len(row), np.int64), np.ones(len(row), np.int64),
    )  # fmt: skip


def _updates(trace: Trace, row: Ints) -> tuple[Ints, Ints, Bools]:
    """For the lanes of some rows, which stand together, what was added, what was read, and whether that was recorded."""
    change, old, known = np.zeros(len(row), np.int64), np.zeros(len(row), np.int64), np.zeros(len(row), np.bool_)
    updates = trace.rows.updates
    if updates is None or not len(row) or not len(updates.row):
        return change, old, known
    begins = np.r_[True, row[1:] != row[:-1]]
    within = np.arange(len(row)) - np.maximum.accumulate(np.where(begins, np.arange(len(row)), 0))
    at = np.searchsorted(updates.row, row)
    known = updates.row[np.minimum(at, len(updates.row) - 1)] == row
    place = updates.start[at[known]] + within[known]
    old[known] = updates.before[place]
    change[known] = updates.after[place] - updates.before[place]
    return change, old, known


def _kinds(trace: Trace, row: Ints, change: Ints, known: Bools) -> Ints:
    """What each operation does. An update that leaves what it read only reads, but for an exchange."""
    kinds = {"load": READ, "store": WRITE, "atomic": UPDATE}
    plain = np.array([kinds.get(site.operation, READ) for site in trace.sites], np.int64)  # of printing, of which no row is asked
    exchanges = np.array([site.function.startswith(EXCHANGE) for site in trace.sites], np.bool_)
    kind, site = plain[trace.rows.site[row]], trace.rows.site[row]
    kind[(kind == UPDATE) & known & (change == 0) & ~exchanges[site]] = READ
    return kind


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Times of rows and of what happens between them: all different, in the order executed."""

    row: Ints
    event: Ints

    @staticmethod
    def of(trace: Trace) -> Times:
        """Number the rows and the events of a launch."""
        before = np.array([event.row for event in trace.barriers], np.int64)
        rows = np.arange(len(trace.rows.site))
        return Times(rows + np.searchsorted(before, rows, side="right"), before + np.arange(len(before)))


@dataclass(frozen=True, slots=True, eq=False)
class Fences:
    """Fences by thread, ordered by thread, then by time."""

    thread: Ints
    time: Ints
    epoch: Ints
    width: Ints

    @staticmethod
    def of(trace: Trace, times: Times, only: Ints | None = None, orders: Sequence[MemoryOrder] = (MemoryOrder.ACQ_REL,)) -> Fences:
        """The fences of a launch, of some orders; if not said otherwise, those that belong to no atomic. `only`: of these threads."""
        events = [(number, event) for number, event in enumerate(trace.barriers) if event.scope is Scope.FENCE and event.order in orders]
        lanes, parts = trace.masks.shape[1], []
        for number, event in events:
            thread = event.block * lanes + np.flatnonzero(trace.masks[event.mask])
            if only is not None and not len(only):
                continue
            if only is not None:
                thread = thread[only[np.minimum(np.searchsorted(only, thread), len(only) - 1)] == thread]
            same = (np.full(len(thread), each) for each in (times.event[number], event.epoch, width(event.reach)))
            parts.append((thread, *same))
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0, np.int64)] * 4
        order = np.lexsort((columns[1], columns[0]))
        return Fences(*(column[order] for column in columns))

    def widest(self, thread: int, begin: int, end: int) -> int:
        """The width of the widest that a thread executes in between; 0 if there is none."""
        low, high = np.searchsorted(self.thread, (thread, thread + 1))
        first, last = np.searchsorted(self.time[low:high], (begin, end)) + low
        return int(self.width[first:last].max(initial=0))

    def wide(self) -> Fences:
        """Those of the whole device."""
        chosen = self.width == DEVICE
        return Fences(self.thread[chosen], self.time[chosen], self.epoch[chosen], self.width[chosen])

    def next(self, thread: Ints, time: Ints) -> Ints:
        """For each thread and time the index of its next fence; -1 for none."""
        if not len(self.thread):
            return np.full(len(thread), -1)
        span = int(max(self.time.max(), time.max(initial=0))) + 2
        place = np.searchsorted(self.thread * span + self.time, thread * span + time)
        inside = np.clip(place, 0, len(self.thread) - 1)
        return np.where((place == inside) & (self.thread[inside] == thread), inside, -1)
