"""Knowledge of stores: which stores each of several parties must see, because something orders them before what it does now.

Barriers join what their threads know. A fence that releases tells what its thread knows, one that acquires takes up what was told: fences
of sequential consistency, as `__threadfence()` is one, in the order of time, whoever executes them (PTX: Fence-SC); the release of one
atomic only through the place that it writes. Scopes must hold both: a fence of the block tells its block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.types import MemoryOrder, ThreadScope

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """What a party of `block` knew when it released; `wide`: to other blocks, too."""

    block: int
    wide: bool
    known: Ints


class Knowledge:
    """For each party how many stores of each other it must see. `blocks` are those of the parties."""

    def __init__(self, blocks: Sequence[int]) -> None:
        count = len(blocks)
        self.blocks = tuple(blocks)
        self._made = np.zeros(count, np.int64)
        self._known = np.zeros((count, count), np.int64)
        self._fenced = np.zeros(count, np.int64)
        self._fenced_in = defaultdict[int, Ints](lambda: np.zeros(count, np.int64))
        self._released: dict[int, _Told] = {}
        """By party, for its next atomic."""
        self._told = defaultdict[int, list[_Told]](list)
        """By place."""
        self._heard = defaultdict[int, list[_Told]](list)
        """By party: what it takes up at its next fence that acquires."""

    def store(self, party: int) -> int:
        """Number a party's next store."""
        self._made[party] += 1
        return int(self._made[party])

    def must_see(self, party: int, other: int, store: int) -> bool:
        """Whether a store of another comes before what a party does now."""
        return party == other or bool(self._known[party, other] >= store)

    def join(self, parties: Iterable[int]) -> None:
        """These have met at a barrier."""
        chosen = list(parties)
        if chosen:
            self._known[chosen] = np.max([self._all(each) for each in chosen], axis=0)

    def fence(self, party: int, reach: ThreadScope, order: MemoryOrder) -> None:
        """Execute a fence, or what orders one atomic."""
        wide, block = reach is not ThreadScope.BLOCK, self.blocks[party]
        if order in (MemoryOrder.ACQUIRE, MemoryOrder.ACQ_REL):
            self._take(party, self._fenced_in[block])
            if wide:
                self._take(party, self._fenced)
            for told in self._heard[party]:
                if told.block == block or wide:
                    self._take(party, told.known)
        if order is MemoryOrder.RELEASE:
            self._released[party] = _Told(block, wide, self._all(party))
        if order is MemoryOrder.ACQ_REL:
            known = self._all(party)
            self._fenced_in[block] = np.maximum(self._fenced_in[block], known)
            if wide:
                self._fenced = np.maximum(self._fenced, known)

    def told(self, party: int, places: Iterable[int], *, wide: bool) -> None:
        """An atomic or volatile access has written to places: it tells what was released for it."""
        released = self._released.pop(party, None)
        if released is not None:
            for place in places:
                self._told[place].append(_Told(released.block, released.wide and wide, released.known))

    def heard(self, party: int, places: Iterable[int], *, wide: bool) -> None:
        """An atomic or volatile access has read places."""
        if self._told:
            for place in places:
                for told in self._told.get(place, ()):
                    if told.block == self.blocks[party] or (told.wide and wide):
                        self._heard[party].append(told)

    def _all(self, party: int) -> Ints:
        known: Ints = self._known[party].copy()
        known[party] = self._made[party]
        return known

    def _take(self, party: int, known: Ints) -> None:
        np.maximum(self._known[party], known, out=self._known[party])
