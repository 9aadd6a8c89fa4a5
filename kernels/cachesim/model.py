"""The cache model: accesses go in as chunks, numbers come out. Compiled by numba.

An access that lies across two lines looks both up, and is one access: a miss where either is missing. What misses goes to the level
below as it came, with both lines. That is what cachegrind counts. A line that is written stays dirty until it leaves; leaving, it marks
the same line below, or passes on to memory, without being an access there. A streaming write goes past all levels: it is counted at the
first, misses nowhere, and a level that holds its line lets go of it.

Why an access missed is known from a second cache, its shadow (`caches.Shadow`), that the same accesses go through. What was never there
before had to be fetched (compulsory). What the shadow lacks as well did not fit (capacity). What it holds left the level only because
its set was full (conflict).
"""

from __future__ import annotations

from kernels.base.compiled_functions import compiled
from kernels.cachesim import stream
from kernels.cachesim.caches import (
    BELOW,
    COUNT,
    DIRTIES,
    DIRTY,
    ENDS,
    GONE,
    LINE_SHIFT,
    MASK,
    NEVER,
    NEXT,
    ORDER,
    PLRU,
    PREVIOUS,
    ROOM,
    SHADOW,
    SHIFT,
    THROUGH,
    WAYS,
    Numbers,
)
from kernels.cachesim.memory import data_address, field, inlined, set_field
from kernels.cachesim.sets import drop, look_up
from kernels.cachesim.stream import BYTES

CONFLICT, CAPACITY, COMPULSORY = range(3)
"""The kinds of misses. What misses for several lines counts as the last of theirs."""
READS, WRITES, READ_MISSES, WRITE_MISSES, MISSES = range(5)
"""What is counted of each level, array and place; from MISSES on the misses of each kind."""
KINDS = 7
HIT = -1


@inlined
def touch(level: int, address: int, size: int, is_write: int) -> int:
    """One access at one level: HIT, where all of its lines were there, else the kind of miss, where there is a shadow that knows it."""
    shift = field(level, SHIFT)
    result = HIT
    for line in range(address >> shift, ((address + size - 1) >> shift) + 1):
        result = max(result, touch_line(level, line, is_write))
    return result


@inlined
def touch_line(level: int, line: int, is_write: int) -> int:
    """The same for one of its lines."""
    shadow = field(level, SHADOW)
    kind = CONFLICT if shadow == 0 else _kind_of_miss(shadow, line, not (is_write and field(level, THROUGH)))
    return HIT if look_up(level, line, is_write) else kind


@inlined
def drop_everywhere(level: int, address: int, size: int) -> None:
    """A streaming write goes past this level and all below it."""
    while level != 0:
        shift = field(level, SHIFT)
        for line in range(address >> shift, ((address + size - 1) >> shift) + 1):
            drop(level, line)
        level = field(level, BELOW)


@inlined
def add_one(array_counts: int, kind: int) -> None:
    """Count something of one level, array and place."""
    set_field(array_counts, kind, field(array_counts, kind) + 1)


@compiled
def simulate(entries: Numbers, levels: Numbers, depth: int, counts: Numbers) -> None:
    """Let packed accesses go through the first `depth` levels, each as far as it misses, and through the others, each on its own.

    `counts[level, array and place, kind]` grows.
    """
    first = data_address(levels)
    row = levels.shape[1] * BYTES
    table = counts.shape[1] * KINDS * BYTES
    shift, mask, ways, width = field(first, SHIFT), field(first, MASK), field(first, WAYS), field(first, COUNT) * BYTES
    dirties = field(first, DIRTIES)
    is_usual = mask >= 0 and field(first, ORDER) != PLRU and field(first, THROUGH) == 0 and field(first, SHADOW) == 0
    for entry in entries:
        address = entry & stream.ADDRESS_MASK
        size = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
        is_write = (entry >> stream.WRITE_SHIFT) & 1
        array_counts = data_address(counts) + (entry >> stream.ARRAY_SHIFT) * (KINDS * BYTES)
        number = 0
        line = address >> shift
        newest = ways + (line & mask) * width
        if (entry >> stream.STREAM_SHIFT) & 1:
            add_one(array_counts, WRITES)
            drop_everywhere(first, address, size)
            number = depth
        elif is_usual and (address + size - 1) >> shift == line and field(newest, 0) >> LINE_SHIFT == line:
            add_one(array_counts, READS + is_write)  # what most accesses are, in few instructions
            if is_write & dirties:
                set_field(newest, 0, field(newest, 0) | DIRTY)
            number = depth
        while number < len(levels):
            level = first + number * row
            add_one(array_counts + number * table, READS + is_write)
            result = touch(level, address, size, is_write)
            if result != HIT:
                add_one(array_counts + number * table, READ_MISSES + is_write)
                add_one(array_counts + number * table, MISSES + result)
            goes_on = number >= depth or result != HIT or (is_write and field(level, THROUGH))
            number = number + 1 if goes_on else depth


@inlined
def _kind_of_miss(shadow: int, line: int, is_kept: bool) -> int:
    """The kind that this is if the level misses it. The line is the last used one then, unless it is neither there nor kept."""
    node = line + 1
    following = field(shadow, NEXT)
    if field(following, ENDS) == node:
        return CONFLICT
    state = field(following, node)
    if state >= 0:
        _unlink(shadow, node)
        _link(shadow, node)
        return CONFLICT
    if is_kept:
        _make_room(shadow)
        _link(shadow, node)
    else:
        set_field(following, node, GONE)
    return COMPULSORY if state == NEVER else CAPACITY


@inlined
def _make_room(shadow: int) -> None:
    """Let the line go that was used longest ago, where there is no room."""
    room = field(shadow, ROOM)
    if room > 0:
        set_field(shadow, ROOM, room - 1)
        return
    last = field(field(shadow, PREVIOUS), ENDS)
    _unlink(shadow, last)
    set_field(field(shadow, NEXT), last, GONE)


@inlined
def _unlink(shadow: int, node: int) -> None:
    """Take a node out of the list."""
    following, previous = field(shadow, NEXT), field(shadow, PREVIOUS)
    before, after = field(previous, node), field(following, node)
    set_field(following, before, after)
    set_field(previous, after, before)


@inlined
def _link(shadow: int, node: int) -> None:
    """Put a node to the front of the list."""
    following, previous = field(shadow, NEXT), field(shadow, PREVIOUS)
    first = field(following, ENDS)
    set_field(following, node, first)
    set_field(previous, node, ENDS)
    set_field(following, ENDS, node)
    set_field(previous, first, node)
