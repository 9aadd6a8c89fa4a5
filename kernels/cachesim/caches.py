"""Levels of caches with their content, as memory that compiled code knows by its address.

A set is a list of ways with the one in front that was used last (LRU) or came last (FIFO), so that the one at the end leaves. With a tree
of bits (PLRU) the ways keep their order. A way is one number: its line, its own number, and whether it is dirty.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.cachesim.geometry import Hierarchy, Level, Replacement, Writing
from kernels.cachesim.stream import BYTES, SIZE_MASK
from kernels.cpu.matrix import ALIGNMENT

Numbers = npt.NDArray[np.int64]

DIRTY = 1
WAY_BITS = 16
LINE_SHIFT = 1 + WAY_BITS
OTHERS = (1 << LINE_SHIFT) - 1
"""What of a way is not its line: its number, and whether it is dirty. A line is kept as one more, so that zeros are an empty cache."""
_ORDER = {Replacement.LRU: 0, Replacement.FIFO: 1, Replacement.PLRU: 2}
LRU, FIFO, PLRU = range(3)
(SHIFT, SETS, MASK, COUNT, WAYS, TREES, ORDER, THROUGH, DIRTIES, BELOW, WRITE_BACKS, SHADOW, OUT) = range(13)
"""Fields of a level: the line size as a power of two; the number of sets, and that less one where it is a power of two, else -1; the
number of ways; the addresses of its ways and of its trees; its replacement; whether it is written through; whether a write that arrives
makes a line dirty, and does not only fetch it for the level above; the address of the level below, or 0; how many lines were written
from it to the one below; the address of its shadow, or 0; where it puts what goes on to the level below."""
FIELDS = 13
BLOCK = 1 << 12
"""Accesses that go through a level before any of them goes through the next."""


NEXT, PREVIOUS, ROOM = range(3)
"""Fields of a shadow: the addresses of its two arrays, and how many lines it may yet take before one has to leave."""
SHADOW_FIELDS = 3
NEVER, GONE = -1, -2
"""In place of the next line: this one has not been here, or is here no longer."""
ENDS = 0
"""The list is a ring through this node; line n is node n + 1."""


class Shadow:
    """A second cache beside a level: as large, but one set with LRU; it tells why an access missed (`model`).

    A list of lines in the order of their last use, linked through two arrays that are indexed by line: as quick with half a million ways
    as with eight. The arrays grow with the addresses that it sees.
    """

    def __init__(self, level: Level) -> None:
        self._line = level.line
        self._next = np.zeros(1, np.int64)
        self._previous = np.zeros(1, np.int64)
        self.fields = np.zeros(SHADOW_FIELDS, np.int64)
        self.fields[ROOM] = level.lines

    def reach(self, end: int) -> None:
        """Make room for lines of addresses below `end`."""
        nodes = -(-end // self._line) + 1
        if nodes > len(self._next):
            more = max(nodes, 2 * len(self._next)) - len(self._next)
            self._next = np.concatenate([self._next, np.full(more, NEVER, np.int64)])
            self._previous = np.concatenate([self._previous, np.zeros(more, np.int64)])
        self.fields[[NEXT, PREVIOUS]] = self._next.ctypes.data, self._previous.ctypes.data


@dataclass(frozen=True, slots=True, eq=False)
class Caches:
    """Levels with their content, in memory that compiled code knows by its address. The last of them may be a TLB."""

    levels: Numbers
    """One row of fields for each level."""
    ways: Numbers
    """All ways of all sets of all levels."""
    trees: Numbers
    """For each set the bits of its tree, where it has one: bit i is node i, from 1 on; 1 points to the right."""
    out: list[Numbers]
    """For each level room for what goes on of a block: each access, and for each of its lines a write-back of every level so far."""

    @staticmethod
    def empty(hierarchy: Hierarchy, *, numbered: bool = True) -> Caches:
        """Caches that hold nothing. Where ways have no numbers, which only a history asks for, memory is not touched before it is used."""
        levels = hierarchy.all_levels
        ways = _aligned(sum(level.lines for level in levels))
        trees = np.zeros(sum(level.sets for level in levels), np.int64)
        lines = SIZE_MASK // levels[0].line + 2  # of one access, no more at the levels below
        out = [np.empty(BLOCK * (1 + (number + 1) * lines), np.int64) for number in range(len(levels))]
        caches = Caches(np.zeros((len(levels), FIELDS), np.int64), ways, trees, out)
        way, tree, filled = ways.ctypes.data, caches.trees.ctypes.data, 0
        for number, level in enumerate(levels):
            fields = caches.levels[number]
            fields[[SHIFT, SETS, COUNT]] = level.line.bit_length() - 1, level.sets, level.ways
            fields[MASK] = level.sets - 1 if level.sets & (level.sets - 1) == 0 else -1
            fields[[WAYS, TREES]] = way, tree
            if numbered:
                ways[filled : filled + level.lines].reshape(level.sets, level.ways)[...] = _empty_set(level)
            filled += level.lines
            fields[[ORDER, OUT]] = _ORDER[level.replacement], out[number].ctypes.data
            way, tree = way + level.lines * BYTES, tree + level.sets * BYTES
        caches._connect(hierarchy)
        return caches

    def shadowed(self, hierarchy: Hierarchy) -> list[Shadow]:
        """A shadow beside each level: misses are classified from now on."""
        shadows = [Shadow(level) for level in hierarchy.all_levels]
        self.levels[:, SHADOW] = [shadow.fields.ctypes.data for shadow in shadows]
        return shadows

    def _connect(self, hierarchy: Hierarchy) -> None:
        """Say what writes do, and which level is below which; a TLB stands for itself and is never written."""
        arrives = True
        for number, level in enumerate(hierarchy.levels):
            through = level.writing is Writing.THROUGH
            self.levels[number, THROUGH] = through
            self.levels[number, DIRTIES] = arrives and not through
            arrives = arrives and through
            if number + 1 < len(hierarchy.levels):
                self.levels[number, BELOW] = self.levels[number + 1].ctypes.data


def _empty_set(level: Level) -> Numbers:
    """A set without lines, in the order in which way 0 is filled first."""
    numbers = np.arange(level.ways, dtype=np.int64)
    return (numbers if level.replacement is Replacement.PLRU else numbers[::-1]) << 1


def _aligned(count: int) -> Numbers:
    """Room for so many ways from the start of a cache line on, so that the ways of a set that are taken at once lie in one."""
    memory = np.zeros(count + ALIGNMENT // BYTES, np.int64)
    start = -memory.ctypes.data % ALIGNMENT // BYTES
    return memory[start : start + count]
