"""One execution, access by access, for the stage: what became of each at every level, and what a level held at any moment.

`history` is for a worker. What it returns answers in plain NumPy, and quickly.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.arrays import CancelCheck, never
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.cachesim.caches import Caches
from kernels.cachesim.count import refuse_count
from kernels.cachesim.geometry import Hierarchy, Level, Replacement, with_tlb
from kernels.cachesim.numbering import NotInstrumentable
from kernels.cachesim.stream import Accesses, Entries
from kernels.cpusim.trace import COPY, Trace
from kernels.jit.team_run import COPIES

if TYPE_CHECKING:
    from kernels.cachesim.load import InstrumentedKernel

MOST_ACCESSES = 500_000
"""Of one history: some tens of megabytes."""
NOT_REACHED, MISS, HIT = -1, 0, 1
"""What an access is to a level."""
NOTHING = -1
"""In place of a line, way or array: none."""
KEYFRAME_EVENTS = 4096
"""The fewest events between two keyframes; large levels have fewer keyframes, each as large as the level."""

Numbers = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """Content of a level at a moment: [set, way]. `NOTHING` everywhere where a way is empty."""

    line: Numbers
    """The line's number: its address divided by the line size."""
    array: Ints
    """The array of the access that used it last."""
    age: Ints
    """0 for the line of its set that leaves last, by LRU or FIFO, as the level does it; with a tree the one that was used last."""


@dataclass(frozen=True, slots=True, eq=False)
class LevelHistory:
    """History of one level. An event is one line that was looked up, in order; an access across two lines is two events.

    Columns of events: the access, its line, the set, the way (`NOTHING` where a write was not fetched), whether the line was there, and the
    line that left for it (`NOTHING`: none). Where a streaming write made a line leave, `line` is `NOTHING`. `outcome` has a value for each
    access of the execution.
    """

    level: Level
    access: Numbers
    line: Numbers
    set: Numbers
    way: Numbers
    found: npt.NDArray[np.bool_]
    left: Numbers
    outcome: npt.NDArray[np.int8]
    _array_of_access: npt.NDArray[np.uint8]
    _renewing: Numbers
    """The events that make a line the newest of its set."""
    _interval: int
    """Events from one keyframe to the next."""
    _keyframes: list[Ints] = field(default_factory=list)
    """For each slot the last renewing event before keyframe k's first event, or `NOTHING`."""

    @property
    def bytes(self) -> int:
        """Memory that the history takes, in bytes."""
        columns = self.access, self.line, self.set, self.way, self.found, self.left, self.outcome, self._renewing
        return sum(column.nbytes for column in (*columns, *self._keyframes))

    def events_of(self, access: int) -> slice:
        """The rows of the events of one access; empty where it did not reach the level."""
        first, last = np.searchsorted(self.access, [access, access + 1])
        return slice(int(first), int(last))

    def hit_rate(self) -> npt.NDArray[np.float64]:
        """For each access the share of hits among those that reached the level until then, it included; NaN before the first."""
        reached = np.cumsum(self.outcome != NOT_REACHED)
        hits = np.cumsum(self.outcome == HIT)
        rate = np.full(len(hits), np.nan)
        np.divide(hits, reached, out=rate, where=reached > 0)
        return rate

    def content(self, access: int) -> Content:
        """What the level holds when this access begins."""
        last = self._last_events(access)
        slot = np.flatnonzero(last != NOTHING)
        slot = slot[self.line[last[slot]] != NOTHING]
        event = last[slot]
        place = slot // self.level.ways
        newest_first = np.lexsort((-event, place))
        sorted_place = place[newest_first]
        rank = np.empty(len(slot), np.int64)
        rank[newest_first] = np.arange(len(slot)) - np.searchsorted(sorted_place, sorted_place)
        array = self._array_of_access[self.access[event]].astype(np.int32)
        return Content(*(self._by_way(slot, values) for values in (self.line[event], array, rank.astype(np.int32))))

    def _by_way(self, slot: Numbers, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The values of the slots that hold something, as [set, way]."""
        made = np.full(self.level.lines, NOTHING, values.dtype)
        made[slot] = values
        return made.reshape(self.level.sets, self.level.ways)

    def _last_events(self, access: int) -> Ints:
        """For each slot the last renewing event before an access."""
        end = int(np.searchsorted(self.access, access))
        keyframe = min(end // self._interval, len(self._keyframes) - 1)
        last = self._keyframes[keyframe].copy()
        self._replay(last, keyframe * self._interval, end)
        return last

    def _replay(self, last: Ints, first: int, end: int) -> None:
        rows = self._renewing[np.searchsorted(self._renewing, first) : np.searchsorted(self._renewing, end)]
        last[self.set[rows] * self.level.ways + self.way[rows]] = rows  # of several for one slot NumPy keeps the last

    def _make_keyframes(self) -> None:
        last = np.full(self.level.lines, NOTHING, np.int32)
        for first in range(0, len(self.access) + 1, self._interval):
            self._keyframes.append(last.copy())
            self._replay(last, first, first + self._interval)

    @staticmethod
    def of(level: Level, events: Numbers, accesses: Accesses, keyframe_events: int = KEYFRAME_EVENTS) -> LevelHistory:
        """Return the history from the rows that the model noted of one level; `keyframe_events` is the least distance of two keyframes."""
        access, line, place, way, found, left = (np.ascontiguousarray(column) for column in events.T)
        outcome = np.full(len(accesses), NOT_REACHED, np.int8)
        looked_up = line != NOTHING
        outcome[access[looked_up]] = HIT
        outcome[access[looked_up & (found == 0)]] = MISS
        renews = way != NOTHING if level.replacement is not Replacement.FIFO else (way != NOTHING) & (found == 0)
        renewing, interval = np.flatnonzero(renews), max(keyframe_events, level.lines)
        columns = access, line, place, way, found.astype(np.bool_), left
        made = LevelHistory(level, *columns, outcome, accesses.array, renewing, interval)
        made._make_keyframes()
        return made


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """An execution, or its first accesses where it has more than may be kept (`complete` says which)."""

    hierarchy: Hierarchy
    arrays: tuple[str, ...]
    """What `accesses.array` and `Content.array` number."""
    accesses: Accesses
    levels: tuple[LevelHistory, ...]
    tlb: LevelHistory | None
    complete: bool

    @property
    def bytes(self) -> int:
        """Memory that the history takes, in bytes."""
        return self.accesses.bytes + sum(level.bytes for level in with_tlb(self.levels, self.tlb))

    def access_at_steps(self, trace: Trace) -> Numbers:
        """For each step of a trace of the same execution, and for its end, the access that it begins with.

        Both touch the same bytes of the matrices in the same order; a trace notes a slice as one access, of working memory only from where
        its content was copied, and a thread's own copy of C as C. So what is touched of working memory is parted by its lines.
        """
        known = [number for number, name in enumerate(self.arrays) if name in (*trace.arrays, COPIES)]
        size = np.where(np.isin(self.accesses.array, known), self.accesses.size, 0)
        here = np.concatenate(([0], np.cumsum(size, dtype=np.int64)))
        packed = (trace.kind == COPY) & (trace.matrix != trace.arrays.index("C"))
        touched = np.where(packed, 0, trace.rows.astype(np.int64) * trace.columns * FLOAT32_BYTES)
        begun = np.concatenate(([0], np.cumsum(touched)))[trace.access_start]
        most = len(self.accesses)
        first = np.minimum(np.searchsorted(here, begun), most)
        return _parted(self.accesses.place, first, np.minimum(np.searchsorted(here, begun, side="right") - 1, most))


def _parted(place: npt.NDArray[np.int16], first: Numbers, last: Numbers) -> Numbers:
    """Where steps begin between the last access to a matrix before them, after which `first` comes, and their own, `last`.

    Of what is touched between, the line of the step before goes on with it, as `Bt[j, k] = B[k, j]` does. Where both steps are of one
    line, so much of it is of the later one as that line touches before its matrix when it is come to from another line.
    """
    changes = np.flatnonzero(np.diff(place)) + 1
    lines = np.append(place.astype(np.int64), -1)
    before, after = np.where(first > 0, lines[first - 1], -1), lines[last]
    stops, starts = np.append(changes, len(place)), np.insert(changes, 0, 0)
    goes_on = np.where(lines[first] == before, stops[np.searchsorted(changes, first, side="right")], first)
    begins = np.maximum(starts[np.searchsorted(changes, last - 1, side="right")], first)
    ahead = np.where((before != after) & (last > first) & (lines[last - 1] == after), last - begins, 0)
    most_ahead = np.zeros(lines.max(initial=0) + 2, np.int64)
    np.maximum.at(most_ahead, after, ahead)
    own = np.where(before == after, last - most_ahead[after], last)
    return np.clip(np.minimum(goes_on, own), first, last)


def history(
    variant: Variant,
    problem: Problem,
    parameters: Parameters,
    hierarchy: Hierarchy,
    limit: int = MOST_ACCESSES,
    check: CancelCheck = never,
) -> History | Message:
    """Execute the variant once, as `count` does, and keep what becomes of its first `limit` accesses; or the reason why that cannot be."""
    from kernels.cachesim.execute import execute
    from kernels.cachesim.load import instrumented

    refusal = refuse_count(variant)
    if refusal is not None:
        return refusal
    try:
        kernel = instrumented(variant, parameters, stores=False)
        recording = _Recording(hierarchy, limit, check)
        execute(kernel, problem, parameters, recording.take)
    except NotInstrumentable as reason:
        return message("{variant} does what the cache model does not know: {reason}", variant=variant.id, reason=str(reason))
    return recording.history(kernel)


class _Recording:
    """Caches that are being filled, and what has been noted so far."""

    def __init__(self, hierarchy: Hierarchy, limit: int, check: CancelCheck) -> None:
        self._hierarchy = hierarchy
        self._limit = limit
        self._check = check
        self._caches = Caches.empty(hierarchy)
        self._entries: list[Entries] = []
        self._events: list[Numbers] = []
        self._kept = 0
        self._complete = True

    def take(self, entries: Entries) -> bool:
        """Note what becomes of these accesses; False when there are enough."""
        from kernels.cachesim.events import COLUMNS, simulate_noting

        self._check()
        kept = entries[: self._limit - self._kept].copy()
        self._complete = len(kept) == len(entries)
        shortest = min(level.line for level in self._hierarchy.all_levels)
        longest = int(Accesses.unpacked(kept).size.max(initial=0)) // shortest + 2
        events = np.empty((len(kept) * longest * len(self._hierarchy.all_levels), COLUMNS), np.int64)
        used = simulate_noting(kept, self._caches.levels, len(self._hierarchy.levels), self._kept, events)
        self._entries.append(kept)
        self._events.append(events[:used].copy())
        self._kept += len(kept)
        return self._complete

    def history(self, kernel: InstrumentedKernel) -> History:
        """All that was noted."""
        accesses = Accesses.unpacked(np.concatenate([np.empty(0, np.int64), *self._entries]))
        events = np.concatenate([np.empty((0, 7), np.int64), *self._events])
        levels = [
            LevelHistory.of(level, events[events[:, 0] == number, 1:], accesses) for number, level in enumerate(self._hierarchy.all_levels)
        ]
        depth = len(self._hierarchy.levels)
        tlb = levels[depth] if self._hierarchy.tlb is not None else None
        return History(self._hierarchy, kernel.arrays, accesses, tuple(levels[:depth]), tlb, self._complete)
