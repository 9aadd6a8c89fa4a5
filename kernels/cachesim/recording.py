"""What instrumented source calls in place of reading, writing and allocating: each notes what it touches, then does it.

The last two arguments of each are the recorder and the place in the source. A recorder is the address of a block of fields (`RECORDER`).
"""

# ruff: noqa: ARG001, ARG005 - numba wants the same names where types and where values are given

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from kernels.base.compiled_functions import compiled
from kernels.cachesim import stream
from kernels.cachesim.arena import BASE, CAPACITY, CONSUMER, ENTRIES, OWNERS, SIZE, USED, WEIGHT, OutsideMemory, Stopped
from kernels.cachesim.memory import byte, call, compiles_as, data_address, field, inlined, set_field
from kernels.cachesim.stream import BYTES, READ, RUN, RUN_FIELDS, RUN_STRIDE, WRITE
from kernels.cpu.matrix import ALIGNMENT

RUN_FROM, TOGETHER = 4, 1 << 11
"""The fewest accesses that are noted as a run, which has as many numbers itself, and the most of one: more are several."""


@compiled
def hand_on(recorder: int) -> None:
    """Hand on what is there."""
    if call(field(recorder, CONSUMER), field(recorder, USED)) != 0:
        raise Stopped
    set_field(recorder, USED, 0)
    set_field(recorder, WEIGHT, 0)


@compiled
def note(recorder: int, address: int, size: int, kind: int, place: int) -> None:
    """Note one access."""
    offset = address - field(recorder, BASE)
    if offset < 0 or offset >= field(recorder, SIZE):
        raise OutsideMemory
    used = field(recorder, USED)
    if used == field(recorder, CAPACITY):
        hand_on(recorder)
        used = 0
    owner = byte(field(recorder, OWNERS), offset // ALIGNMENT)
    set_field(field(recorder, ENTRIES), used, offset | tag(size, kind, owner, place))
    set_field(recorder, USED, used + 1)


@inlined
def tag(size: int, kind: int, owner: int, place: int) -> int:
    """An access but for its address."""
    return (size << stream.SIZE_SHIFT) | (kind << stream.STREAM_SHIFT) | (owner << stream.ARRAY_SHIFT) | (place << stream.PLACE_SHIFT)


@compiled
def note_strided(recorder: int, address: int, stride: int, count: int, size: int, kind: int, place: int) -> None:
    """Note `count` accesses, each `stride` bytes after the one before: as a run, for the model skips those that stay in a line."""
    offset, owners = address - field(recorder, BASE), field(recorder, OWNERS)
    last = offset + (count - 1) * stride
    inside = RUN_FROM <= count <= TOGETHER and min(offset, last) >= 0 and max(offset, last) < field(recorder, SIZE)
    if not inside or byte(owners, offset // ALIGNMENT) != byte(owners, last // ALIGNMENT):
        for number in range(count):
            note(recorder, address + number * stride, size, kind, place)
        return
    capacity = field(recorder, CAPACITY)
    if field(recorder, USED) + 1 + RUN_FIELDS > capacity or field(recorder, WEIGHT) + count > capacity:
        hand_on(recorder)
    run = field(recorder, ENTRIES) + field(recorder, USED) * BYTES
    set_field(run, 0, count | (1 << stream.SIZE_SHIFT) | (RUN << stream.STREAM_SHIFT))
    set_field(run, 1, offset | tag(size, kind, byte(owners, offset // ALIGNMENT), place))
    set_field(run, 1 + RUN_STRIDE, stride)
    set_field(recorder, USED, field(recorder, USED) + 1 + RUN_FIELDS)
    set_field(recorder, WEIGHT, field(recorder, WEIGHT) + count)


def read(_array: Any, _index: Any, _recorder: Any, _place: Any) -> Any:
    """`array[index]`: an element is read; a view touches nothing."""


@compiles_as(read)
def _read(array: Any, index: Any, recorder: Any, place: Any) -> Any:
    if not is_element(array, index):
        return lambda array, index, recorder, place: array[index]
    size = array.dtype.bitwidth // 8

    def element(array: Any, index: Any, recorder: int, place: int) -> Any:
        note(recorder, address_of(array, index), size, READ, place)
        return array[index]

    return element


def write(_value: Any, _array: Any, _index: Any, _recorder: Any, _place: Any) -> None:
    """`array[index] = value`, where the value is computed: an element is written, or every element of a view."""


@compiles_as(write)
def _write(value: Any, array: Any, index: Any, recorder: Any, place: Any) -> Any:
    if not is_element(array, index):

        def whole(value: Any, array: Any, index: Any, recorder: int, place: int) -> Any:
            array[index] = value
            touch_whole(array[index], recorder, WRITE, place)

        return whole
    size = array.dtype.bitwidth // 8

    def element(value: Any, array: Any, index: Any, recorder: int, place: int) -> Any:
        array[index] = value
        note(recorder, address_of(array, index), size, WRITE, place)

    return element


def write_noted(_value: Any, _array: Any, _index: Any, _recorder: Any, _place: Any) -> None:
    """The same without the writing."""


@compiles_as(write_noted)
def _write_noted(value: Any, array: Any, index: Any, recorder: Any, place: Any) -> Any:
    if not is_element(array, index):
        return lambda value, array, index, recorder, place: touch_whole(array[index], recorder, WRITE, place)
    size = array.dtype.bitwidth // 8
    return lambda value, array, index, recorder, place: note(recorder, address_of(array, index), size, WRITE, place)


def copy_to(_value: Any, _array: Any, _index: Any, _recorder: Any, _place: Any) -> None:
    """`array[index] = value`, where the value has a name: if it is an array, each of its elements is read and goes to its place."""


@compiles_as(copy_to)
def _copy_to(value: Any, array: Any, index: Any, recorder: Any, place: Any) -> Any:
    if not isinstance(value, types.Array):
        return lambda value, array, index, recorder, place: write(value, array, index, recorder, place)

    def whole(value: Any, array: Any, index: Any, recorder: int, place: int) -> Any:
        view = array[index]
        touch_pairs(value, view, recorder, place)
        array[index] = value

    return whole


def copy_noted(_value: Any, _array: Any, _index: Any, _recorder: Any, _place: Any) -> None:
    """The same without the copying."""


@compiles_as(copy_noted)
def _copy_noted(value: Any, array: Any, index: Any, recorder: Any, place: Any) -> Any:
    if not isinstance(value, types.Array):
        return lambda value, array, index, recorder, place: write_noted(value, array, index, recorder, place)
    return lambda value, array, index, recorder, place: touch_pairs(value, array[index], recorder, place)


@inlined
def nothing(array: Any, row: Any, column: Any, value: Any = 0, rows: Any = 0, columns: Any = 0) -> None:
    """Change nothing."""


def used(_value: Any, _recorder: Any, _place: Any) -> Any:
    """`value` where it is computed with: of an array every element is read."""


@compiles_as(used)
def _used(value: Any, recorder: Any, place: Any) -> Any:
    if not isinstance(value, types.Array):
        return lambda value, recorder, place: value

    def whole(value: Any, recorder: int, place: int) -> Any:
        touch_whole(value, recorder, READ, place)
        return value

    return whole


def modified(_value: Any, _recorder: Any, _place: Any) -> None:
    """What `value += ...` does to an array beside adding: every element is read and written."""


@compiles_as(modified)
def _modified(value: Any, recorder: Any, place: Any) -> Any:
    if not isinstance(value, types.Array):
        return lambda value, recorder, place: None
    return lambda value, recorder, place: touch_pairs(value, value, recorder, place)


def filled(_value: Any, _recorder: Any, _place: Any) -> Any:
    """`value`, every element of which a function has written."""


@compiles_as(filled)
def _filled(value: Any, recorder: Any, place: Any) -> Any:
    def whole(value: Any, recorder: int, place: int) -> Any:
        touch_whole(value, recorder, WRITE, place)
        return value

    return whole


@inlined
def touch_whole(array: Any, recorder: int, kind: int, place: int) -> None:
    """Note every element of an array, row by row."""
    for index in np.ndindex(array.shape):
        note(recorder, address_of(array, index), array.itemsize, kind, place)


@inlined
def touch_pairs(source: Any, target: Any, recorder: int, place: int) -> None:
    """Note that each element of one array is read, and the one at its place in the other, of the same shape, is written."""
    for index in np.ndindex(target.shape):
        note(recorder, address_of(source, index), source.itemsize, READ, place)
        note(recorder, address_of(target, index), target.itemsize, WRITE, place)


def address_of(_array: Any, _index: Any) -> Any:
    """Where an element is; indices below 0 count from the end."""


@compiles_as(address_of)
def _address_of(array: Any, index: Any) -> Any:
    if isinstance(index, types.Integer):
        return lambda array, index: data_address(array) + from_start(index, array.shape[0]) * array.strides[0]
    if array.ndim == 2:
        return lambda array, index: (
            data_address(array)
            + from_start(index[0], array.shape[0]) * array.strides[0]
            + from_start(index[1], array.shape[1]) * array.strides[1]
        )

    def any_axes(array: Any, index: Any) -> Any:
        address = data_address(array)
        for axis in range(array.ndim):
            address += from_start(index[axis], array.shape[axis]) * array.strides[axis]
        return address

    return any_axes


@inlined
def from_start(index: int, length: int) -> int:
    """An index as counted from the first element."""
    return index + length if index < 0 else index


def is_element(array: Any, index: Any) -> bool:
    """Whether these are the types of an array and of an index that is that of one element."""
    if not isinstance(array, types.Array):
        return False
    if isinstance(index, types.Integer):
        return bool(array.ndim == 1)
    parts: Any = index if isinstance(index, types.BaseTuple) else ()
    return len(parts) == array.ndim and all(isinstance(part, types.Integer) for part in parts)
