"""The cache model: accesses go in as chunks, numbers come out. Compiled by numba.

An access that lies across two lines looks both up, and is one access: a miss where either is missing. What misses goes to the level
below as it came, with both lines. That is what cachegrind counts. A line that is written stays dirty until it leaves; leaving, it marks
the same line below, or passes on to memory, without being an access there. A streaming write goes past all levels: it is counted at the
first, misses nowhere, and a level that holds its line lets go of it.
"""

from __future__ import annotations

from kernels.base.compiled_functions import compiled
from kernels.cachesim import stream
from kernels.cachesim.caches import BLOCK, OUT, Numbers
from kernels.cachesim.memory import data_address, field
from kernels.cachesim.passes import ALONE, KINDS, LOWER, NEAREST, pass_level
from kernels.cachesim.stream import BYTES, RUN, RUN_FIELDS


@compiled
def simulate(entries: Numbers, levels: Numbers, depth: int, counts: Numbers) -> int:
    """Let packed accesses go through the first `depth` levels, each as far as it misses, and through the others, each on its own.

    `counts[level, array and place, kind]` grows. Returns how many accesses they were.
    """
    first, row = data_address(levels), levels.shape[1] * BYTES
    table = counts.shape[1] * KINDS * BYTES
    start, end, accesses = data_address(entries), len(entries), 0
    while end > 0:
        block, taken = block_of(start, end)
        put = pass_level(first, start, block, data_address(counts), NEAREST)
        for number in range(1, depth):
            put = pass_level(
                first + number * row, field(first + (number - 1) * row, OUT), put, data_address(counts) + number * table, LOWER
            )
        for number in range(depth, len(levels)):
            pass_level(first + number * row, start, block, data_address(counts) + number * table, ALONE)
        start, end, accesses = start + block * BYTES, end - block, accesses + taken
    return accesses


@compiled
def block_of(start: int, count: int) -> tuple[int, int]:
    """How many of the entries from an address on have at most `BLOCK` accesses together, and how many accesses they are."""
    number = accesses = 0
    while number < count:
        entry = field(start, number)
        is_run = (entry >> stream.STREAM_SHIFT) & stream.KIND_MASK == RUN
        many = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK if is_run else 1
        times = entry & stream.ADDRESS_MASK if is_run else 1
        if accesses + many * times > BLOCK:
            break
        accesses += many * times
        number += 1 + many * RUN_FIELDS if is_run else 1
    return number, accesses
