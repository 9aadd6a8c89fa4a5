"""What instrumented source calls to note the accesses of a loop together (`loops`), and how such a run is taken apart again.

Between `run_begins` and `run_ends` each access of the body is added. Adding gives False where it cannot be: then nothing was noted.
"""

# ruff: noqa: ARG001, ARG005 - numba wants the same names where types and where values are given

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from kernels.base.compiled_functions import compiled
from kernels.base.spec import FLOAT32_BYTES
from kernels.cachesim import stream
from kernels.cachesim.arena import ADDED, BASE, CAPACITY, ENTRIES, OWNERS, SIZE, USED, WEIGHT
from kernels.cachesim.memory import byte, compiles_as, field, inlined, set_field
from kernels.cachesim.recording import TOGETHER, address_of, hand_on, is_element, tag
from kernels.cachesim.stream import BYTES, READ, RUN, RUN_FIELDS, RUN_STRIDE, WRITE, Entries
from kernels.cpu.matrix import ALIGNMENT
from kernels.cpu.simd import LANES

MOST = 64
"""Accesses of one iteration."""


@compiled
def run_begins(recorder: int) -> None:
    """Make room for a run."""
    if field(recorder, USED) + 1 + MOST * RUN_FIELDS > field(recorder, CAPACITY):
        hand_on(recorder)
    set_field(recorder, ADDED, 0)


@compiled
def add_to_run(recorder: int, first: int, last: int, size: int, kind: int, place: int) -> bool:
    """Add an access by its address in the first and in the last iteration; the bytes between them are divided by `run_ends`."""
    offset, end, added = first - field(recorder, BASE), last - field(recorder, BASE), field(recorder, ADDED)
    if min(offset, end) < 0 or max(offset, end) >= field(recorder, SIZE) or added == MOST:
        return False
    owner = byte(field(recorder, OWNERS), offset // ALIGNMENT)
    if byte(field(recorder, OWNERS), end // ALIGNMENT) != owner:
        return False
    access = field(recorder, ENTRIES) + (field(recorder, USED) + 1 + added * RUN_FIELDS) * BYTES
    set_field(access, 0, offset | tag(size, kind, owner, place))
    set_field(access, RUN_STRIDE, end - offset)
    set_field(recorder, ADDED, added + 1)
    return True


@compiled
def run_ends(times: int, recorder: int) -> None:
    """Hand on what was added, `times` iterations of it."""
    many = field(recorder, ADDED)
    if many == 0:
        return
    run = field(recorder, ENTRIES) + field(recorder, USED) * BYTES
    for number in range(many):
        place = 1 + number * RUN_FIELDS + RUN_STRIDE
        set_field(run, place, field(run, place) // (times - 1))
    most = TOGETHER // many
    for done in range(0, times, most):
        if done > 0:
            run_begins(recorder)
            here = field(recorder, ENTRIES) + field(recorder, USED) * BYTES
            for number in range(many):
                place = 1 + number * RUN_FIELDS
                set_field(here, place + RUN_STRIDE, field(run, place + RUN_STRIDE))
                set_field(here, place, field(run, place) + most * field(run, place + RUN_STRIDE))
            run = here
        part = min(most, times - done)
        set_field(run, 0, part | (many << stream.SIZE_SHIFT) | (RUN << stream.STREAM_SHIFT))
        set_field(recorder, USED, field(recorder, USED) + 1 + many * RUN_FIELDS)
        set_field(recorder, WEIGHT, field(recorder, WEIGHT) + many * part)
        if field(recorder, WEIGHT) > field(recorder, CAPACITY):
            hand_on(recorder)


def run_read(_array: Any, _first: Any, _last: Any, _recorder: Any, _place: Any) -> Any:
    """Add an element that is read; a view touches nothing."""


@compiles_as(run_read)
def _run_read(array: Any, first: Any, last: Any, recorder: Any, place: Any) -> Any:
    if not is_element(array, first):
        return lambda array, first, last, recorder, place: True
    return _element(array, READ)


def run_write(_array: Any, _first: Any, _last: Any, _recorder: Any, _place: Any) -> Any:
    """Add an element that is written; numba knows nothing of a view that is."""


@compiles_as(run_write)
def _run_write(array: Any, first: Any, last: Any, recorder: Any, place: Any) -> Any:
    return _element(array, WRITE) if is_element(array, first) else None


def _element(array: Any, kind: int) -> Any:
    size = array.dtype.bitwidth // 8

    def element(array: Any, first: Any, last: Any, recorder: int, place: int) -> bool:
        if not same_signs(first, last):
            return False
        return add_to_run(recorder, int(address_of(array, first)), int(address_of(array, last)), size, kind, place)

    return element


def same_signs(_first: Any, _last: Any) -> Any:
    """Whether both indices count from the same end of each axis."""


@compiles_as(same_signs)
def _same_signs(first: Any, last: Any) -> Any:
    if isinstance(first, types.Integer):
        return lambda first, last: (first < 0) == (last < 0)

    def every(first: Any, last: Any) -> bool:
        same = True
        for axis in range(len(first)):
            same = same and (first[axis] < 0) == (last[axis] < 0)
        return same

    return every


@inlined
def add_row(array: Any, first: Any, last: Any, columns: int, kind: int, recorder: int, place: int) -> bool:
    """Add what `vectors.note_row` notes of a row."""
    begin, end = address_of(array, first), address_of(array, last)
    added: bool = same_signs(first, last)
    for column in range(0, columns, LANES):
        size, ahead = min(LANES, columns - column) * FLOAT32_BYTES, column * FLOAT32_BYTES
        added = added and add_to_run(recorder, begin + ahead, end + ahead, size, kind, place)
    return added


def _block(kinds: tuple[int, ...]) -> Any:
    last_kind = kinds[-1]
    is_update = len(kinds) > 1

    def block(array: Any, first: Any, last: Any, rows: int, columns: int, recorder: int, place: int) -> bool:
        added = True
        for down in range(rows):
            top, bottom = (first[0] + down, first[1]), (last[0] + down, last[1])
            if is_update:
                added = added and add_row(array, top, bottom, columns, READ, recorder, place)
            added = added and add_row(array, top, bottom, columns, last_kind, recorder, place)
        return added

    return block


def run_read_block(_array: Any, _first: Any, _last: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> Any:
    """Add a rectangle that is read."""


def run_write_block(_array: Any, _first: Any, _last: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> Any:
    """Add a rectangle that is written."""


def run_update_block(_array: Any, _first: Any, _last: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> Any:
    """Add a rectangle that is read and written, a row after the other."""


compiles_as(run_read_block)(lambda array, first, last, rows, columns, recorder, place: _block((READ,)))
compiles_as(run_write_block)(lambda array, first, last, rows, columns, recorder, place: _block((WRITE,)))
compiles_as(run_update_block)(lambda array, first, last, rows, columns, recorder, place: _block((READ, WRITE)))


def run_read_floats(_array: Any, _first: Any, _last: Any, _recorder: Any, _place: Any) -> Any:
    """Add a row that is read float by float."""


@compiles_as(run_read_floats)
def _run_read_floats(array: Any, first: Any, last: Any, recorder: Any, place: Any) -> Any:
    def floats(array: Any, first: int, last: int, recorder: int, place: int) -> bool:
        added: bool = same_signs(first, last)
        for column in range(array.shape[1]):
            begin, end = address_of(array, (first, column)), address_of(array, (last, column))
            added = added and add_to_run(recorder, begin, end, FLOAT32_BYTES, READ, place)
        return added

    return floats


def run_read_vectors(_array: Any, _first: Any, _last: Any, _recorder: Any, _place: Any) -> Any:
    """Add a row that is read vector by vector."""


@compiles_as(run_read_vectors)
def _run_read_vectors(array: Any, first: Any, last: Any, recorder: Any, place: Any) -> Any:
    return lambda array, first, last, recorder, place: add_row(array, (first, 0), (last, 0), array.shape[1], READ, recorder, place)


def bare_value(_value: Any) -> Any:
    """`value` where it is computed with, in a loop whose accesses are noted: numba knows nothing of an array there."""


@compiles_as(bare_value)
def _bare_value(value: Any) -> Any:
    return None if isinstance(value, types.Array) else lambda value: value


def bare_write(_value: Any, _array: Any, _index: Any) -> None:
    """`array[index] = value` of an element, which is noted already."""


@compiles_as(bare_write)
def _bare_write(value: Any, array: Any, index: Any) -> Any:
    if not is_element(array, index):
        return None

    def element(value: Any, array: Any, index: Any) -> None:
        array[index] = value

    return element


@compiled
def taken_apart(entries: Entries) -> Entries:
    """The accesses of all runs, and what is between them, one by one in order of time."""
    made = np.empty(accesses_in(entries), np.int64)
    used = number = 0
    while number < len(entries):
        entry = entries[number]
        number += 1
        if (entry >> stream.STREAM_SHIFT) & stream.KIND_MASK != RUN:
            made[used] = entry
            used += 1
            continue
        many = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK
        for done in range(entry & stream.ADDRESS_MASK):
            for place in range(number, number + many * RUN_FIELDS, RUN_FIELDS):
                made[used] = entries[place] + done * entries[place + RUN_STRIDE]
                used += 1
        number += many * RUN_FIELDS
    return made


@compiled
def accesses_in(entries: Entries) -> int:
    """How many accesses these are."""
    accesses = number = 0
    while number < len(entries):
        entry = entries[number]
        is_run = (entry >> stream.STREAM_SHIFT) & stream.KIND_MASK == RUN
        many = (entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK if is_run else 1
        accesses += many * (entry & stream.ADDRESS_MASK) if is_run else 1
        number += 1 + many * RUN_FIELDS if is_run else 1
    return accesses


@compiled
def end_of(entries: Entries) -> int:
    """The highest address that these accesses begin at."""
    end = number = 0
    while number < len(entries):
        entry = entries[number]
        number += 1
        if (entry >> stream.STREAM_SHIFT) & stream.KIND_MASK != RUN:
            end = max(end, entry & stream.ADDRESS_MASK)
            continue
        further = (entry & stream.ADDRESS_MASK) - 1
        for _access in range((entry >> stream.SIZE_SHIFT) & stream.SIZE_MASK):
            first = entries[number] & stream.ADDRESS_MASK
            end = max(end, first, first + further * entries[number + RUN_STRIDE])
            number += RUN_FIELDS
    return end
