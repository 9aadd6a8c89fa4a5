"""Service of one warp instruction on shared memory: which lane's word is served in which wavefront.

Banks serve their words in the order of the lanes that need them. The hardware does not say in which order it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kernels.analysis.banks import BANKS, COMPARE_AND_SWAP, INACTIVE, Phase, phases, words_per_lane
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass

_ONCE = (1,) * BANKS
TAKES_TURNS = ("atomic", COMPARE_AND_SWAP)
"""Operations of which lanes at one word are served one after the other."""


class Touch(NamedTuple):
    """Word that a lane touches. `first` to `last` are the wavefronts, counted from 0 through all phases, that serve it."""

    lane: int
    word: int
    phase: int
    first: int
    last: int

    @property
    def bank(self) -> int:
        return self.word % BANKS


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """Warp instruction on shared memory, by phases and wavefronts. `touches` are in order of phases, then of lanes, then of words."""

    operation: str
    bytes: int
    """What a lane moves."""
    words: Ints
    """The first word of each of the 32 lanes."""
    active: Bools
    touches: tuple[Touch, ...]
    phases: tuple[Phase, ...]

    @property
    def wavefronts(self) -> int:
        return sum(phase.wavefronts for phase in self.phases)

    @property
    def turns(self) -> int:
        """The most turns that one bank takes in one phase."""
        return max((phase.wavefronts for phase in self.phases), default=0)

    @property
    def operands(self) -> int:
        """Turns that a lane alone takes."""
        return 2 if self.operation == COMPARE_AND_SWAP else 1

    @property
    def degree(self) -> int:
        """How many accesses wait for one bank: 1 is free of conflicts."""
        return self.turns // self.operands

    @property
    def takes_turns(self) -> bool:
        return self.operation in TAKES_TURNS

    @property
    def shares(self) -> bool:
        """Whether lanes share a word, and so a wavefront."""
        words = [(touch.phase, touch.word) for touch in self.touches]
        return not self.takes_turns and len(set(words)) < len(words)


def serve(words: Ints, active: Bools, bytes_per_lane: int, operation: str) -> Access:
    """The access whose `active` lanes begin at `words` (32), counted by the source rule of `kernels.analysis.banks`."""
    row = int(words[active].min()) // BANKS * BANKS if active.any() else 0
    touches, found = _served(tuple(np.where(active, words - row, INACTIVE).tolist()), bytes_per_lane, operation)
    there = tuple(Touch(lane, row + word, *turns) for lane, word, *turns in touches)
    return Access(operation, bytes_per_lane, words, active, there, found)


@lru_cache(maxsize=64)
def _served(words: tuple[int, ...], bytes_per_lane: int, operation: str) -> tuple[tuple[Touch, ...], tuple[Phase, ...]]:
    """The same for words counted from a row of banks: loops come by with the same ones, further on."""
    found = _phases(words, bytes_per_lane, operation)
    return tuple(_touches(words, found, bytes_per_lane, operation)), found


def _phases(words: tuple[int, ...], bytes_per_lane: int, operation: str) -> tuple[Phase, ...]:
    """A load's phases merge only where that leaves no conflict; those of a store, otherwise served alike, never merge. A line that a copy
    in bulk moves for a lane has all banks once."""
    if words_per_lane(bytes_per_lane) == BANKS:
        return tuple(Phase((lane,), _ONCE, _ONCE, 1) for lane, word in enumerate(words) if word != INACTIVE)
    found = phases(words, bytes_per_lane, operation)
    conflict = operation == "load" and any(phase.wavefronts > 1 for phase in found)
    return phases(words, bytes_per_lane, "store") if conflict else found


def _touches(words: tuple[int, ...], found: tuple[Phase, ...], bytes_per_lane: int, operation: str) -> Iterator[Touch]:
    begin, operands = 0, 2 if operation == COMPARE_AND_SWAP else 1
    for number, phase in enumerate(found):
        taken, turn_of = [0] * BANKS, dict[int, int]()
        for lane in phase.lanes:
            first = words[lane]
            for word in range(first, first + words_per_lane(bytes_per_lane)):
                turn = turn_of.get(word)
                if turn is None or operation in TAKES_TURNS:
                    turn = turn_of[word] = taken[word % BANKS]
                    taken[word % BANKS] += operands
                yield Touch(lane, word, number, begin + turn, begin + turn + operands - 1)
        begin += phase.wavefronts
