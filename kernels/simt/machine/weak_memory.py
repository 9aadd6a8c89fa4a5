"""Memory as the threads of a GPU may see it: stores that others see late, and loads that find an old value.

A store may be held back for as long as nobody comes to its place who must see it: its own thread, and who is ordered behind it
(`Knowledge`). A load may find any value that was there after the last store that it must see, and none older than its thread has seen there
already. Atomics and volatile accesses go to memory at once; only an atomic of the block's scope may miss what other blocks did.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.instructions import BARRIER_INIT
from kernels.simt.base.schedule import Late, Old
from kernels.simt.base.types import MemoryOrder, ThreadScope
from kernels.simt.base.windows import OWN_ADDRESS, RANK_SHIFT, SHARED_WINDOW
from kernels.simt.machine.knowledge import Knowledge
from kernels.simt.machine.log import AccessLog, History
from kernels.simt.trace.trace import Site, Unordered

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
_BLOCK = 20
"""Bits of a place in the shared memory of one block."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Bytes that lanes access: `size` from each of `first` on. Each block's shared memory has places of its own."""

    first: Ints
    size: int

    def meeting(self, other: Places) -> npt.NDArray[np.bool_]:
        """Which lanes here and there touch common bytes."""
        mine, theirs = self.first[:, None], other.first[None, :]
        return np.asarray((mine < theirs + other.size) & (theirs < mine + self.size))


@dataclass(frozen=True, slots=True, eq=False)
class HeldStore:
    """Store that has not reached memory yet. `store` counts its party's stores, `access` its accesses; `made`: so many rows there were."""

    party: int
    store: int
    access: int
    made: int
    places: Places
    late: Late
    happen: Callable[[HeldStore], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Write:
    party: int
    store: int
    row: int
    places: Places
    before: Bytes


class WeakMemory:
    """Memory that the sites of a launch ask while it follows a schedule. `show` lets a store happen that was held back."""

    def __init__(self, log: AccessLog, show: Callable[[HeldStore], None]) -> None:
        self.held: list[HeldStore] = []
        self.party, self.access = 0, 0
        """Who goes, and which of its accesses it makes."""
        self._log, self._show = log, show
        self._writes: list[_Write] = []
        self._seen = defaultdict[int, dict[object, tuple[Places, Ints]]](dict)
        """By party: at which places it has seen how many of all writes."""
        self._shown: dict[int, tuple[int, int]] = {}
        """By row: how many rows there were when the store was made, and which of its party's it is."""
        self._read, self._missed = History(), array("q")

    def begin(
        self,
        blocks: Sequence[int],
        homes: Sequence[Mapping[int, int]],
        late: Mapping[int, Sequence[Late]],
        old: Mapping[int, Sequence[Old]],
    ) -> None:
        """Parties of these blocks begin; `homes` are for each block those of its cluster by rank. `late` and `old` say by party which of
        its lines are concerned."""
        self.knowledge = Knowledge(blocks)
        self._late, self._old = late, old
        ranks = max(max(each) for each in homes) + 1
        self._homes = np.array([[block, *(each.get(rank, -1) for rank in range(ranks))] for block, each in enumerate(homes)], np.int64)

    # ------------------------------------------------------------ stores

    def holds(self, site: Site) -> Late | None:
        """Why a store of the party that goes is held back, if it is."""
        if site.volatile or site.function not in ("", BARRIER_INIT):
            return None
        return next((each for each in self._late.get(self.party, ()) if _at(site, each)), None)

    def hold(self, places: Places, late: Late, happen: Callable[[HeldStore], None]) -> None:
        """Hold a store back."""
        self.arrive(places)
        store = self.knowledge.store(self.party)
        self.held.append(HeldStore(self.party, store, self.access, self._log.count, places, late, happen))

    def arrive(self, places: Places) -> None:
        """The party that goes comes to places: what it must see there happens now."""
        for each in tuple(self.held):
            if each in self.held and self.knowledge.must_see(self.party, each.party, each.store) and each.places.meeting(places).any():
                self.show(each)

    def show(self, held: HeldStore) -> None:
        """Let a store happen, after its party's earlier ones at its places."""
        for each in tuple(self.held):
            if each is held:
                break
            if each.party == held.party and each.places.meeting(held.places).any():
                self.show(each)
        self.held.remove(held)
        self._shown[self._log.count] = held.made, held.store
        self._show(held)

    def settle(self) -> bool:
        """From here on everything is seen as it is: nothing stays late or old for ever. Return whether anything was."""
        some = bool(self.held or self._old)
        while self.held:
            self.show(self.held[0])
        self._old = {}
        return some

    def wrote(self, places: Places, before: Bytes, held: HeldStore | None) -> None:
        """A write has happened: of the party that goes, or one that was held back."""
        party, store = (held.party, held.store) if held is not None else (self.party, self.knowledge.store(self.party))
        if self._old:
            self._writes.append(_Write(party, store, self._log.count - 1, places, before))

    # ------------------------------------------------------------ loads

    def old(self, site: Site) -> Old | None:
        """Why a load, or an atomic of the block's scope, finds an old value, if it does."""
        if site.volatile or site.operation == "store" or (site.operation == "atomic" and site.scope is not ThreadScope.BLOCK):
            return None
        return next((each for each in self._old.get(self.party, ()) if _at(site, each)), None)

    def saw(self, key: object, places: Places) -> None:
        """The party that goes has read what is in memory."""
        if self.party in self._old:
            self._seen[self.party][key] = places, np.full(len(places.first), len(self._writes))

    def older(self, places: Places, found: Bytes, old: Old, *, excluding: bool) -> Ints | None:
        """Put into `found`, which memory holds, the oldest values that the party that goes may read. `excluding`: by an atomic, which sees
        what its block did. Return the row of the first write that each lane does not see, -1 where it finds what memory holds; None where
        all do."""
        lanes = len(places.first)
        least = self._least(places)
        going, undone, missed = np.ones(lanes, np.bool_), np.zeros(lanes, np.int64), np.full(lanes, -1)
        seen, was = np.full(lanes, len(self._writes)), found.copy()
        for number in range(len(self._writes) - 1, int(least.min(initial=0)) - 1, -1):
            write = self._writes[number]
            meeting = places.meeting(write.places)
            going &= ~meeting.any(axis=1) | (number >= least)
            if old.most is not None:
                going &= ~meeting.any(axis=1) | (undone < old.most)
            if self._must_see(write, excluding=excluding):
                going &= ~meeting.any(axis=1)
            for lane, other in np.argwhere(meeting & going[:, None])[::-1].tolist():
                shift = int(write.places.first[other] - places.first[lane])
                begin, end = max(shift, 0), min(shift + write.places.size, places.size)
                found[lane, begin:end] = write.before[other, begin - shift : end - shift]
            changed = meeting.any(axis=1) & going
            undone[changed] += 1
            seen[changed], missed[changed] = number, write.row
        self._seen[self.party][len(self._seen[self.party])] = places, seen
        differs = (found != was).any(axis=1)
        return np.where(differs, missed, -1) if differs.any() else None

    def read(self, row: int, found: Bytes, missed: Ints) -> None:
        """A row has read this instead of what memory holds: its lanes did not see what these rows wrote."""
        self._read.add(row, [found])
        self._missed.extend(missed.tolist())

    def _must_see(self, write: _Write, *, excluding: bool) -> bool:
        blocks = self.knowledge.blocks
        near = excluding and blocks[write.party] == blocks[self.party]
        return near or self.knowledge.must_see(self.party, write.party, write.store)

    def _least(self, places: Places) -> Ints:
        """How many of all writes the party that goes has seen at least, for each lane."""
        least = np.zeros(len(places.first), np.int64)
        for other, counts in self._seen[self.party].values():
            meeting = places.meeting(other)
            least = np.maximum(least, np.where(meeting, counts, 0).max(axis=1, initial=0))
        return least

    # ------------------------------------------------------------ order

    def fence(self, reach: ThreadScope, order: MemoryOrder) -> None:
        """The party that goes executes a fence: what it has stored is seen by all within reach."""
        self.knowledge.fence(self.party, reach, order)
        if order in (MemoryOrder.RELEASE, MemoryOrder.ACQ_REL):
            self.show_own([self.party], wide=reach is not ThreadScope.BLOCK)

    def show_own(self, parties: Collection[int], *, wide: bool) -> None:
        """Let the stores of some parties happen that others of their block may see, or (`wide`) all."""
        for each in tuple(self.held):
            if each in self.held and each.party in parties and (wide or (each.places.first >= SHARED_WINDOW).all()):
                self.show(each)

    def synchronised(self, site: Site, places: Places) -> None:
        """An atomic or volatile access passes on what was released for it, and hears what was."""
        at, wide = places.first.tolist(), site.scope is not ThreadScope.BLOCK
        if site.operation != "store":
            self.knowledge.heard(self.party, at, wide=wide)
        if site.operation != "load":
            self.knowledge.told(self.party, at, wide=wide)

    def places(self, site: Site, addresses: Ints) -> Places:
        """The places of addresses that the party that goes accesses."""
        shared = addresses >= SHARED_WINDOW
        inside = np.where(shared, addresses - SHARED_WINDOW, 0)
        above = np.clip(inside >> RANK_SHIFT, 0, self._homes.shape[1] - 1)
        home = self._homes[self.knowledge.blocks[self.party], above]
        own = SHARED_WINDOW + (home + 1 << _BLOCK) + (inside & OWN_ADDRESS)
        return Places(np.where(shared, own, addresses), site.bytes)

    def finish(self) -> Unordered | None:
        """What has happened that way."""
        read = self._read.finish()
        if not self._shown and not len(read.row):
            return None
        order = sorted(self._shown.items(), key=lambda each: each[1])
        rows = (np.array([row for row, _ in order], np.int64), np.array([made for _, (made, _) in order], np.int64))
        return Unordered(*rows, read, np.array(self._missed, np.int64))


def _at(site: Site, chosen: Late | Old) -> bool:
    return (site.location.file, site.location.line) == (chosen.file, chosen.line)
