"""What becomes of one line at one level: looked up in its set, fetched, written back. Compiled by numba.

`level` is the address of a level's fields, `ways` that of the ways of one set, `rank` a place in that set's list.
"""

from __future__ import annotations

from kernels.cachesim.caches import (
    BELOW,
    COUNT,
    DIRTIES,
    DIRTY,
    FIFO,
    LINE_SHIFT,
    LRU,
    MASK,
    ORDER,
    OTHERS,
    PLRU,
    SETS,
    SHIFT,
    THROUGH,
    TREES,
    WAYS,
    WRITE_BACKS,
)  # fmt: skip
from kernels.cachesim.memory import LANES, field, first_match, inlined, mark, set_field, shift_in
from kernels.cachesim.stream import BYTES

HIT, CLEAN = -1, -2
"""What looking a line up gives where no dirty line leaves for it."""


@inlined
def set_of(level: int, line: int) -> int:
    """The number of the set that a line belongs to."""
    mask = field(level, MASK)
    return line & mask if mask >= 0 else line % field(level, SETS)


@inlined
def kept(line: int) -> int:
    """A line as a way keeps it: -1, which is none, as 0."""
    return (line + 1) << LINE_SHIFT


@inlined
def line_in(way: int) -> int:
    """The line that a way holds, or -1."""
    return (way >> LINE_SHIFT) - 1


@inlined
def rank_of(ways: int, count: int, line: int) -> int:
    """Where in a set of `count` ways the line is, or -1."""
    first = 0
    while first + LANES <= count:
        rank = first + first_match(ways + first * BYTES, kept(line), ~OTHERS)
        first += LANES
        if rank < first:
            return rank
    for rank in range(first, count):
        if line_in(field(ways, rank)) == line:
            return rank
    return -1


@inlined
def mark_dirty(ways: int, count: int, line: int) -> bool:
    """Mark the line in a set of `count` ways as dirty: whether it is there."""
    first = 0
    while first + LANES <= count:
        if mark(ways + first * BYTES, kept(line), ~OTHERS) != 0:
            return True
        first += LANES
    for rank in range(first, count):
        if line_in(field(ways, rank)) == line:
            set_field(ways, rank, field(ways, rank) | DIRTY)
            return True
    return False


@inlined
def to_front(ways: int, count: int, rank: int, way: int) -> None:
    """Put a way to the front of its set of `count`; those before `rank` move back by one."""
    first = 0
    while first + LANES <= count and first <= rank:
        way = shift_in(ways + first * BYTES, min(rank - first, LANES - 1), way)
        first += LANES
    for place in range(first, rank + 1):
        passed = field(ways, place)
        set_field(ways, place, way)
        way = passed


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


@inlined
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
            if mark_dirty(ways, count, line):
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
def look_up(level: int, line: int, is_write: int) -> int:
    """One line of an access at one level: `HIT` where it was there, else the dirty line that leaves for it, or `CLEAN`.

    It is there afterwards, unless the level does not fetch what is written.
    """
    place = set_of(level, line)
    count = field(level, COUNT)
    ways = field(level, WAYS) + place * count * BYTES
    order = field(level, ORDER)
    front = field(ways, 0)
    if line_in(front) == line and order != PLRU:
        set_field(ways, 0, front | (is_write & field(level, DIRTIES)))
        return HIT
    if order == LRU and not field(level, THROUGH):
        return use(ways, count, line, is_write & field(level, DIRTIES))
    rank = rank_of(ways, count, line)
    if rank >= 0:
        renew(level, place, ways, rank, field(ways, rank) | (is_write & field(level, DIRTIES)), is_newest=order != FIFO)
        return HIT
    if is_write and field(level, THROUGH):
        return CLEAN
    rank = leaving_rank(level, place, ways)
    leaving = field(ways, rank)
    way = kept(line) | (leaving & (OTHERS - DIRTY)) | (is_write & field(level, DIRTIES))
    renew(level, place, ways, rank, way, is_newest=True)
    return line_in(leaving) if leaving & DIRTY else CLEAN


@inlined
def use(ways: int, count: int, line: int, dirty: int) -> int:
    """Look a line up as `look_up` does, at the most usual kind of level: LRU, written back."""
    rank = rank_of(ways, count, line)
    if rank >= 0:
        to_front(ways, count, rank, field(ways, rank) | dirty)
        return HIT
    leaving = field(ways, count - 1)
    to_front(ways, count, count - 1, kept(line) | (leaving & (OTHERS - DIRTY)) | dirty)
    return line_in(leaving) if leaving & DIRTY else CLEAN


@inlined
def drop(level: int, line: int) -> bool:
    """A streaming write goes past this level: if it holds the line, that leaves; whether it was dirty."""
    count = field(level, COUNT)
    ways = field(level, WAYS) + set_of(level, line) * count * BYTES
    rank = rank_of(ways, count, line)
    if rank < 0:
        return False
    way = field(ways, rank)
    empty = way & (OTHERS - DIRTY)
    if field(level, ORDER) != PLRU:
        while rank + 1 < count and not 0 <= field(ways, rank + 1) < empty:  # empty ways are at the end, the first one last
            set_field(ways, rank, field(ways, rank + 1))
            rank += 1
    set_field(ways, rank, empty)
    return way & DIRTY != 0


@inlined
def renew(level: int, place: int, ways: int, rank: int, way: int, is_newest: bool) -> None:
    """Put a way in its place again: to the front where it counts as the newest, or, with a tree, where it was."""
    if field(level, ORDER) == PLRU:
        turn_away(field(level, TREES), place, field(level, COUNT), rank)
        set_field(ways, rank, way)
    elif is_newest:
        to_front(ways, field(level, COUNT), rank, way)
    else:
        set_field(ways, rank, way)
