"""The caches themselves: sets of ways, compiled by numba, which take accesses in chunks and count.

An access that lies across two lines looks both up, and is one access: a miss where either is missing. What misses goes to the level
below as it came, with both lines. That is what cachegrind counts. A line that is written stays dirty until it leaves; leaving, it marks
the same line below, or passes on to memory, without being an access there.

A set is a list of ways with the one in front that was used last (LRU) or came last (FIFO), so that the one at the end leaves. With a tree
of bits (PLRU) the ways keep their order. A way is one number: its line, its own number, and whether it is dirty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.cachesim import stream
from kernels.cachesim.classify import CONFLICT, Shadow, kind_of_miss
from kernels.cachesim.geometry import Hierarchy, Level, Replacement, Writing
from kernels.cachesim.memory import BYTES, compiled, data_address, field, inlined, set_field

Numbers = npt.NDArray[np.int64]

READS, WRITES, READ_MISSES, WRITE_MISSES, MISSES = range(5)
"""What is counted of each level, array and place; from MISSES on the misses of each kind of `classify`."""
KINDS = 7
HIT = -1
DIRTY = 1
WAY_BITS = 16
LINE_SHIFT = 1 + WAY_BITS
OTHERS = (1 << LINE_SHIFT) - 1
"""What of a way is not its line."""
EMPTY = -1 << LINE_SHIFT
"""The line of a way that holds none."""
_ORDER = {Replacement.LRU: 0, Replacement.FIFO: 1, Replacement.PLRU: 2}
LRU, FIFO, PLRU = range(3)
(SHIFT, SETS, MASK, COUNT, WAYS, TREES, ORDER, THROUGH, DIRTIES, BELOW, WRITE_BACKS, SHADOW) = range(12)
"""Fields of a level: the line size as a power of two; the number of sets, and that less one where it is a power of two, else -1; the
number of ways; the addresses of its ways and of its trees; its replacement; whether it is written through; whether a write that arrives
makes a line dirty, and does not only fetch it for the level above; the address of the level below, or 0; how many lines were written
from it to the one below; the address of its shadow, or 0."""
FIELDS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Caches:
    """Levels with their content, in memory that compiled code knows by its address. The last of them may be a TLB."""

    levels: Numbers
    """One row of fields for each level."""
    ways: Numbers
    """All ways of all sets of all levels."""
    trees: Numbers
    """For each set the bits of its tree, where it has one: bit i is node i, from 1 on; 1 points to the right."""

    @staticmethod
    def empty(hierarchy: Hierarchy) -> Caches:
        """Caches that hold nothing."""
        levels = hierarchy.all_levels
        ways = np.concatenate([np.tile(_empty_set(level), level.sets) for level in levels])
        caches = Caches(np.zeros((len(levels), FIELDS), np.int64), ways, np.zeros(sum(level.sets for level in levels), np.int64))
        way, tree = ways.ctypes.data, caches.trees.ctypes.data
        for number, level in enumerate(levels):
            fields = caches.levels[number]
            fields[[SHIFT, SETS, COUNT]] = level.line.bit_length() - 1, level.sets, level.ways
            fields[MASK] = level.sets - 1 if level.sets & (level.sets - 1) == 0 else -1
            fields[[WAYS, TREES]] = way, tree
            fields[ORDER] = _ORDER[level.replacement]
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
    return EMPTY | ((numbers if level.replacement is Replacement.PLRU else numbers[::-1]) << 1)


@inlined
def set_of(level: int, line: int) -> int:
    """The number of the set that a line belongs to."""
    mask = field(level, MASK)
    return line & mask if mask >= 0 else line % field(level, SETS)


@inlined
def rank_of(ways: int, count: int, line: int) -> int:
    """Where in a set of `count` ways the line is, or -1."""
    for rank in range(count):
        if field(ways, rank) >> LINE_SHIFT == line:
            return rank
    return -1


@inlined
def to_front(ways: int, rank: int, way: int) -> None:
    """Put a way to the front of its set; those before `rank` move back by one."""
    for place in range(rank, 0, -1):
        set_field(ways, place, field(ways, place - 1))
    set_field(ways, 0, way)


@inlined
def turn_away(trees: int, tree: int, count: int, rank: int) -> None:
    """Let every node above a way point to its other side."""
    node = rank + count
    bits = field(trees, tree)
    while node > 1:
        if node & 1:
            bits &= ~(1 << (node >> 1))
        else:
            bits |= 1 << (node >> 1)
        node >>= 1
    set_field(trees, tree, bits)


@inlined
def pointed_at(bits: int, count: int) -> int:
    """The way that a tree points at."""
    node = 1
    while node < count:
        node = 2 * node + ((bits >> node) & 1)
    return node - count


@compiled
def write_back(level: int, line: int) -> None:
    """A dirty line leaves a level: it goes to the nearest one below that holds it, or to memory."""
    address = line << field(level, SHIFT)
    while level != 0:
        set_field(level, WRITE_BACKS, field(level, WRITE_BACKS) + 1)
        level = field(level, BELOW)
        if level != 0 and field(level, THROUGH) == 0:
            line = address >> field(level, SHIFT)
            count = field(level, COUNT)
            ways = field(level, WAYS) + set_of(level, line) * count * BYTES
            rank = rank_of(ways, count, line)
            if rank >= 0:
                set_field(ways, rank, field(ways, rank) | DIRTY)
                return


@inlined
def leaving_rank(level: int, place: int, ways: int) -> int:
    """Where in a set the way is that takes the next line: one that is empty, else the one that the policy gives up."""
    count = field(level, COUNT)
    if field(level, ORDER) != PLRU:
        return count - 1
    rank = rank_of(ways, count, -1)
    return rank if rank >= 0 else pointed_at(field(field(level, TREES), place), count)


@inlined
def look_up(level: int, line: int, is_write: int) -> bool:
    """One line of an access at one level: whether it was there. It is there afterwards, unless the level does not fetch what is written."""
    place = set_of(level, line)
    count = field(level, COUNT)
    ways = field(level, WAYS) + place * count * BYTES
    order = field(level, ORDER)
    front = field(ways, 0)
    if front >> LINE_SHIFT == line and order != PLRU:
        set_field(ways, 0, front | (is_write & field(level, DIRTIES)))
        return True
    rank = rank_of(ways, count, line)
    if rank >= 0:
        renew(level, place, ways, rank, field(ways, rank) | (is_write & field(level, DIRTIES)), is_newest=order != FIFO)
        return True
    if is_write and field(level, THROUGH):
        return False
    rank = leaving_rank(level, place, ways)
    leaving = field(ways, rank)
    if leaving & DIRTY:
        write_back(level, leaving >> LINE_SHIFT)
    way = (line << LINE_SHIFT) | (leaving & (OTHERS - DIRTY)) | (is_write & field(level, DIRTIES))
    renew(level, place, ways, rank, way, is_newest=True)
    return False


@inlined
def renew(level: int, place: int, ways: int, rank: int, way: int, is_newest: bool) -> None:
    """Put a way in its place again: to the front where it counts as the newest, or, with a tree, where it was."""
    if field(level, ORDER) == PLRU:
        turn_away(field(level, TREES), place, field(level, COUNT), rank)
        set_field(ways, rank, way)
    elif is_newest:
        to_front(ways, rank, way)
    else:
        set_field(ways, rank, way)


@inlined
def touch(level: int, address: int, size: int, is_write: int) -> int:
    """One access at one level: HIT, where all of its lines were there, else the kind of miss, where there is a shadow that knows it."""
    shift = field(level, SHIFT)
    line, last = address >> shift, (address + size - 1) >> shift
    result = touch_line(level, line, is_write)
    while line < last:
        line += 1
        result = max(result, touch_line(level, line, is_write))
    return result


@inlined
def touch_line(level: int, line: int, is_write: int) -> int:
    """The same for one of its lines."""
    shadow = field(level, SHADOW)
    kind = CONFLICT if shadow == 0 else kind_of_miss(shadow, line, not (is_write and field(level, THROUGH)))
    return HIT if look_up(level, line, is_write) else kind


@compiled
def simulate(entries: Numbers, levels: Numbers, depth: int, counts: Numbers) -> None:
    """Let packed accesses go through the first `depth` levels, each as far as it misses, and through the others, each on its own.

    `counts[level, array and place, kind]` grows.
    """
    first = data_address(levels)
    row = levels.shape[1] * BYTES
    for entry in entries:
        address = entry & stream.ADDRESS_MASK
        size = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
        is_write = (entry >> stream.WRITE_SHIFT) & 1
        key = entry >> stream.ARRAY_SHIFT
        for number in range(depth):
            level = first + number * row
            counts[number, key, READS + is_write] += 1
            result = touch(level, address, size, is_write)
            if result != HIT:
                counts[number, key, READ_MISSES + is_write] += 1
                counts[number, key, MISSES + result] += 1
            elif not (is_write and field(level, THROUGH)):
                break
        for number in range(depth, len(levels)):
            counts[number, key, READS + is_write] += 1
            result = touch(first + number * row, address, size, is_write)
            if result != HIT:
                counts[number, key, READ_MISSES + is_write] += 1
                counts[number, key, MISSES + result] += 1
