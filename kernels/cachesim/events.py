"""The model once more, writing down every line that is looked up: the level, which access it was, and what became of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.base.compiled_functions import compiled
from kernels.cachesim import stream
from kernels.cachesim.caches import COUNT, SHIFT, THROUGH, WAY_BITS, WAYS
from kernels.cachesim.memory import data_address, field, inlined
from kernels.cachesim.sets import drop, leaving_rank, line_in, look_up, rank_of, set_of, write_back
from kernels.cachesim.stream import BYTES

Numbers = npt.NDArray[np.int64]
LEVEL, ACCESS, LINE, SET, WAY, FOUND, LEFT = range(7)
"""Columns of an event. WAY is -1 where the line was not there and is not fetched; LEFT is the line that left, or -1. Where a streaming
write made a line leave, LINE is -1."""
COLUMNS = 7
NONE = -1


@inlined
def describe(level: int, line: int, is_write: int, event: Numbers) -> None:
    """Fill in what looking this line up will do."""
    count = field(level, COUNT)
    place = set_of(level, line)
    ways = field(level, WAYS) + place * count * BYTES
    rank = rank_of(ways, count, line)
    event[LINE], event[SET], event[WAY], event[FOUND], event[LEFT] = line, place, NONE, rank >= 0, NONE
    if rank < 0 and is_write and field(level, THROUGH):
        return
    if rank < 0:
        rank = leaving_rank(level, place, ways)
        event[LEFT] = line_in(field(ways, rank))
    event[WAY] = (field(ways, rank) >> 1) & ((1 << WAY_BITS) - 1)


@inlined
def drop_noting(level: int, number: int, access: int, entry: int, events: Numbers, used: int) -> int:
    """A streaming write goes past a level, noted where that held a line of its: how many events there are now."""
    shift = field(level, SHIFT)
    address = entry & stream.ADDRESS_MASK
    size = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
    for line in range(address >> shift, ((address + size - 1) >> shift) + 1):
        event = events[used]
        describe(level, line, 0, event)
        if event[FOUND]:
            event[LEVEL], event[ACCESS], event[LINE], event[FOUND], event[LEFT] = number, access, NONE, 0, line
            used += 1
        if drop(level, line):
            write_back(level, line)
    return used


@inlined
def touch_noting(level: int, number: int, access: int, entry: int, events: Numbers, used: int) -> int:
    """One access at one level, noted from `events[used]` on: how many events there are now."""
    shift = field(level, SHIFT)
    address = entry & stream.ADDRESS_MASK
    size = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
    is_write = (entry >> stream.WRITE_SHIFT) & 1
    for line in range(address >> shift, ((address + size - 1) >> shift) + 1):
        events[used, LEVEL], events[used, ACCESS] = number, access
        describe(level, line, is_write, events[used])
        left = look_up(level, line, is_write)
        if left >= 0:
            write_back(level, left)
        used += 1
    return used


@compiled
def simulate_noting(entries: Numbers, levels: Numbers, depth: int, before: int, events: Numbers) -> int:
    """Simulate as `simulate` does, accesses of which the first has the number `before`; return how many rows of `events` were filled."""
    first = data_address(levels)
    row = levels.shape[1] * BYTES
    used = 0
    for number in range(len(entries)):
        is_write = (entries[number] >> stream.WRITE_SHIFT) & 1
        level = 0
        if (entries[number] >> stream.STREAM_SHIFT) & 1:
            for past in range(depth):
                used = drop_noting(first + past * row, past, before + number, entries[number], events, used)
            level = depth
        while level < len(levels):
            begin = used
            used = touch_noting(first + level * row, level, before + number, entries[number], events, used)
            stays_here = events[begin:used, FOUND].all() and not (is_write and field(first + level * row, THROUGH))
            level = depth if level < depth and stays_here else level + 1
    return used
