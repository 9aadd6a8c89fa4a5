"""The cache model: accesses go in as chunks, numbers come out. Compiled by numba.

An access that lies across two lines looks both up, and is one access: a miss where either is missing. What misses goes to the level
below as it came, with both lines. That is what cachegrind counts. A line that is written stays dirty until it leaves; leaving, it marks
the same line below, or passes on to memory, without being an access there. A streaming write goes past all levels: it is counted at the
first, misses nowhere, and a level that holds its line lets go of it.
"""

from __future__ import annotations

from kernels.base.compiled_functions import compiled
from kernels.cachesim import stream
from kernels.cachesim.caches import BELOW, COUNT, DIRTIES, DIRTY, LINE_SHIFT, MASK, ORDER, PLRU, SHADOW, SHIFT, THROUGH, WAYS, Numbers
from kernels.cachesim.classify import CONFLICT, kind_of_miss
from kernels.cachesim.memory import data_address, field, inlined, set_field
from kernels.cachesim.sets import drop, look_up
from kernels.cachesim.stream import BYTES

READS, WRITES, READ_MISSES, WRITE_MISSES, MISSES = range(5)
"""What is counted of each level, array and place; from MISSES on the misses of each kind of `classify`."""
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
    kind = CONFLICT if shadow == 0 else kind_of_miss(shadow, line, not (is_write and field(level, THROUGH)))
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
