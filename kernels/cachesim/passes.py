"""Accesses on their way through one level: which of them go on to the level below, and what is written back. Compiled by numba.

A block of accesses goes through a level before any of it reaches the next: a level knows nothing of those below, so the order in which each
sees its accesses is what counts. What goes on are the accesses that missed, as they came, and before each the lines that left for it: a
write-back is an entry of the kind `WRITE_BACK` without a size.

Of a run (`stream`) iterations are skipped: as long as none of its accesses comes to another line, an iteration changes nothing that the one
before it has not done, if that one found all of its lines, or if with LRU it has no more accesses than a set has ways. Where some come to
another line each time, the others are skipped as long as these do not come to their sets.
"""

from __future__ import annotations

from kernels.base.compiled_functions import compiled
from kernels.cachesim import stream
from kernels.cachesim.caches import (
    COUNT,
    DIRTIES,
    DIRTY,
    LRU,
    MASK,
    ORDER,
    OUT,
    SHADOW,
    SHIFT,
    THROUGH,
    WAYS,
    WRITE_BACKS,
)  # fmt: skip
from kernels.cachesim.memory import field, inlined, prefetched, set_field
from kernels.cachesim.sets import HIT, drop, line_in, look_up, mark_dirty, set_of, use
from kernels.cachesim.shadows import CONFLICT, kind_of_miss
from kernels.cachesim.stream import BYTES, RUN, RUN_CHANGE, RUN_FIELDS, RUN_STRIDE, STREAM, WRITE_BACK

READS, WRITES, READ_MISSES, WRITE_MISSES, MISSES = range(5)
"""What is counted of each level, array and place; from MISSES on the misses of each kind."""
KINDS = 7
NEAREST, LOWER, ALONE = range(3)
"""Which accesses a level sees: all; those that come from the level above; all, as a TLB, which knows no streaming."""
AHEAD = 12
"""Accesses between the one that is looked up and the one whose set is fetched for it: those of a large level are far away."""
NEVER_CHANGES = 1 << 40
WORTH_SKIPPING = 3
"""Accesses of a run that stay in their lines while others move on: fewer are looked up sooner than it is found that they need not be."""


@compiled
def pass_level(level: int, entries: int, count: int, table: int, role: int) -> int:
    """Let `count` entries from the address `entries` on go through a level, and return how many it has put to its `OUT`.

    `table` is where its counts begin.
    """
    usual = usual_fields(level)
    used = number = 0
    while number < count:
        entry = field(entries, number)
        if role == LOWER:
            fetch_set(usual, field(entries, min(number + AHEAD, count - 1)))
        number += 1
        kind = (entry >> stream.STREAM_SHIFT) & stream.KIND_MASK
        if kind == STREAM and role == ALONE:
            entry ^= 1 << stream.STREAM_SHIFT
            kind = stream.WRITE
        if kind == RUN and role != LOWER:
            many = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
            used = pass_run(level, usual, entries + number * BYTES, many, entry & stream.ADDRESS_MASK, table, used)
            number += many * RUN_FIELDS
        elif kind in (STREAM, WRITE_BACK):
            used = pass_special(level, entry, kind, role, table, used)
        else:
            add(counts_of(table, entry), READS + ((entry >> stream.WRITE_SHIFT) & 1), 1)
            used = access(level, usual, entry, table, used)
    return used


@compiled
def pass_run(level: int, usual: tuple[int, ...], accesses: int, many: int, times: int, table: int, used: int) -> int:
    """Let a run of `times` iterations of `many` accesses go through a level."""
    for number in range(many):
        entry = field(accesses, number * RUN_FIELDS)
        add(counts_of(table, entry), READS + ((entry >> stream.WRITE_SHIFT) & 1), times)
    moving = find_moving(accesses, many, usual[0])
    if moving == 0:
        return pass_lines(level, usual, accesses, many, times, table, used)
    if usual[-1] and many - moving >= WORTH_SKIPPING:
        return pass_moving(level, usual, accesses, many, moving, times, table, used)
    for done in range(times):
        for number in range(many):
            used = access(level, usual, entry_of(accesses, number, done), table, used)
    return used


@compiled
def find_moving(accesses: int, many: int, shift: int) -> int:
    """Which accesses of a run come to another line each time: how many, and their numbers, in order, in the fields of change."""
    moving = 0
    for number in range(many):
        if abs(field(accesses, number * RUN_FIELDS + RUN_STRIDE)) >= 1 << shift:
            set_field(accesses, moving * RUN_FIELDS + RUN_CHANGE, number)
            moving += 1
    return moving


@compiled
def pass_moving(level: int, usual: tuple[int, ...], accesses: int, many: int, moving: int, times: int, table: int, used: int) -> int:
    """A run of which some accesses come to another line each time, through a level of the usual kind.

    Those that stay in their lines change nothing that they have not done the time before, where nothing else came to their sets, then
    and now, and all of them were found, or are no more than a set has ways.
    """
    shift, mask, is_kept = usual[0], usual[1], many <= usual[3]
    sets = change = 0
    is_calm = False
    for done in range(times):
        if done == change:
            is_calm = False
            sets, change = sets_that_stay(usual, accesses, many, done, times)
        meets = 0
        for index in range(moving):
            entry = entry_of(accesses, field(accesses, index * RUN_FIELDS + RUN_CHANGE), done)
            first = (entry & stream.ADDRESS_MASK) >> shift
            last = ((entry & stream.ADDRESS_MASK) + ((entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK) - 1) >> shift
            for line in range(first, last + 1):
                meets |= sets & bit_of(line & mask)
        if is_calm and meets == 0:
            for index in range(moving):
                used = access(level, usual, entry_of(accesses, field(accesses, index * RUN_FIELDS + RUN_CHANGE), done), table, used)
            continue
        missed = 0
        for number in range(many):
            before = used
            used = access(level, usual, entry_of(accesses, number, done), table, used)
            missed += int(used != before and abs(field(accesses, number * RUN_FIELDS + RUN_STRIDE)) < 1 << shift)
        is_calm = meets == 0 and (is_kept or missed == 0)
    return used


@compiled
def sets_that_stay(usual: tuple[int, ...], accesses: int, many: int, done: int, times: int) -> tuple[int, int]:
    """The sets of those accesses of a run that stay in their lines for a while, as bits, and when the first of them leaves its line."""
    sets, change = 0, times
    for number in range(many):
        stride = field(accesses, number * RUN_FIELDS + RUN_STRIDE)
        if abs(stride) < 1 << usual[0]:
            entry = entry_of(accesses, number, done)
            sets |= bit_of(((entry & stream.ADDRESS_MASK) >> usual[0]) & usual[1])
            change = min(change, done + in_this_line(entry, stride, usual[0]))
    return sets, change


@inlined
def bit_of(number: int) -> int:
    """One of so few bits that several sets share one."""
    return 1 << (number & 31)


@inlined
def entry_of(accesses: int, number: int, done: int) -> int:
    """An access of a run, after `done` iterations."""
    return field(accesses, number * RUN_FIELDS) + done * field(accesses, number * RUN_FIELDS + RUN_STRIDE)


@compiled
def pass_lines(level: int, usual: tuple[int, ...], accesses: int, many: int, times: int, table: int, used: int) -> int:
    """A run of which all accesses stay in their lines for a while: iterations that change nothing are skipped."""
    for number in range(many):
        set_field(accesses, number * RUN_FIELDS + RUN_CHANGE, 0)
    is_through = field(level, THROUGH) != 0
    is_kept = field(level, ORDER) == LRU and many <= field(level, COUNT)
    done = 0
    while done < times:
        before, change = used, times
        for number in range(many):
            place = accesses + number * (RUN_FIELDS * BYTES)
            entry = field(place, 0) + done * field(place, RUN_STRIDE)
            if field(place, RUN_CHANGE) <= done:
                set_field(place, RUN_CHANGE, done + in_this_line(entry, field(place, RUN_STRIDE), usual[0]))
            change = min(change, field(place, RUN_CHANGE))
            used = access(level, usual, entry, table, used)
        done += 1
        if change > done and not is_through and (is_kept or used == before):
            done = change
    return used


@inlined
def in_this_line(entry: int, stride: int, shift: int) -> int:
    """How many accesses of a run, this one included, touch the line of this one and no other: 1 also where this one touches two."""
    size = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
    within = entry & ((1 << shift) - 1)
    room = (1 << shift) - within - size
    if room < 0 or abs(stride) >= 1 << shift:
        return 1
    if stride == 0:
        return NEVER_CHANGES
    ahead, step = (room, stride) if stride > 0 else (within, -stride)
    if ahead >= 4 * step:
        return ahead // step + 1
    return 1 + int(ahead >= step) + int(ahead >= 2 * step) + int(ahead >= 3 * step)  # neither divides nor guesses


@inlined
def usual_fields(level: int) -> tuple[int, ...]:
    """Fields of a level that every access asks for; the last says whether it is of the usual kind: `access` has a short way for that."""
    is_usual = field(level, MASK) >= 0 and field(level, ORDER) == LRU and field(level, THROUGH) == 0 and field(level, SHADOW) == 0
    ways, count, dirties, out = field(level, WAYS), field(level, COUNT), field(level, DIRTIES), field(level, OUT)
    return field(level, SHIFT), field(level, MASK), ways, count, dirties, out, 1 if is_usual else 0


@inlined
def access(level: int, usual: tuple[int, ...], entry: int, table: int, used: int) -> int:
    """One access at one level, counted where it misses: how much is put now."""
    shift, mask, ways, count, dirties, out, is_usual = usual
    address = entry & stream.ADDRESS_MASK
    line = address >> shift
    is_write = (entry >> stream.WRITE_SHIFT) & 1
    kind = CONFLICT
    if is_usual and (address + ((entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK) - 1) >> shift == line:
        here = ways + (line & mask) * (count * BYTES)
        front = field(here, 0)
        if line_in(front) == line:
            if is_write & dirties:
                set_field(here, 0, front | DIRTY)
            return used
        left = use(here, count, line, is_write & dirties)
        if left == HIT:
            return used
        used = write_back(level, left, used)
    else:
        kind, used = touch(level, entry, used)
        if kind == HIT:
            if is_write and field(level, THROUGH):
                used = put(out, entry, used)
            return used
    add(counts_of(table, entry), READ_MISSES + is_write, 1)
    add(counts_of(table, entry), MISSES + kind, 1)
    return put(out, entry, used)


@inlined
def touch(level: int, entry: int, used: int) -> tuple[int, int]:
    """One access at any level, line by line: `HIT`, where all of its lines were there, else the kind of miss; and how much is put."""
    shift, shadow = field(level, SHIFT), field(level, SHADOW)
    address = entry & stream.ADDRESS_MASK
    is_write = (entry >> stream.WRITE_SHIFT) & 1
    result = HIT
    for line in range(address >> shift, ((address + ((entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK) - 1) >> shift) + 1):
        kind = CONFLICT if shadow == 0 else kind_of_miss(shadow, line, not (is_write and field(level, THROUGH)))
        left = look_up(level, line, is_write)
        if left != HIT:
            result = max(result, kind)
            used = write_back(level, left, used)
    return result, used


@inlined
def pass_special(level: int, entry: int, kind: int, role: int, table: int, used: int) -> int:
    """A write-back, which marks its line where that is held, or a streaming write, which makes its lines leave."""
    address, shift = entry & stream.ADDRESS_MASK, field(level, SHIFT)
    if kind == WRITE_BACK:
        line = address >> shift
        ways = field(level, WAYS) + set_of(level, line) * field(level, COUNT) * BYTES
        if field(level, THROUGH) == 0 and mark_dirty(ways, field(level, COUNT), line):
            return used
        return write_back(level, line, used)
    if role == NEAREST:
        add(counts_of(table, entry), WRITES, 1)
    for line in range(address >> shift, ((address + ((entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK) - 1) >> shift) + 1):
        if drop(level, line):
            used = write_back(level, line, used)
    return put(field(level, OUT), entry, used)


@inlined
def write_back(level: int, line: int, used: int) -> int:
    """A line goes from a level to those below, where it is dirty."""
    if line < 0:
        return used
    set_field(level, WRITE_BACKS, field(level, WRITE_BACKS) + 1)
    return put(field(level, OUT), (line << field(level, SHIFT)) | (WRITE_BACK << stream.STREAM_SHIFT), used)


@inlined
def put(out: int, entry: int, used: int) -> int:
    """Let an entry go on to the next level."""
    set_field(out, used, entry)
    return used + 1


@inlined
def fetch_set(usual: tuple[int, ...], entry: int) -> None:
    """Ask for the set of an access that is looked up soon."""
    shift, mask, ways, count, _dirties, _out, is_usual = usual
    if is_usual:
        place = ways + (((entry & stream.ADDRESS_MASK) >> shift) & mask) * (count * BYTES)
        prefetched(place)
        prefetched(place + (count - 1) * BYTES)


@inlined
def counts_of(table: int, entry: int) -> int:
    """Where what an access is counted as stands, by its array and place."""
    return table + (entry >> stream.ARRAY_SHIFT) * (KINDS * BYTES)


@inlined
def add(array_counts: int, kind: int, times: int) -> None:
    """Count something of one level, array and place."""
    set_field(array_counts, kind, field(array_counts, kind) + times)
