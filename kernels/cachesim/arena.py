"""The memory that an instrumented kernel works in: what a recorder knows of it, and how new arrays come from it.

A recorder is the address of a block of fields.
"""

# ruff: noqa: ARG001 - numba wants the same names where types and where values are given

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, types  # type: ignore[attr-defined]

from kernels.base.compiled_functions import compiled
from kernels.cachesim.memory import compiles_as, field, pointer, set_field
from kernels.cpu.matrix import ALIGNMENT

(BASE, SIZE, TOP, OWNERS, ENTRIES, CAPACITY, USED, CONSUMER, WANTED, ADDED, WEIGHT) = range(11)
"""The fields of a recorder: where the memory begins, its bytes, how many of them are taken, whose each `ALIGNMENT` bytes are; where
accesses are put, how many fit, how many are there; the function that takes them; the bytes that an allocation lacked; how many accesses the
run that is being noted has, and how many the runs that are there have in all their iterations."""
FIELDS = 11


class Stopped(Exception):
    """The function that takes the accesses wants no more."""


class OutsideMemory(Exception):
    """Access outside memory: the kernel touches memory that it was not given."""


class MemoryFull(Exception):
    """Lack of memory: the kernel allocates more than there is."""


@compiled
def allocate(size: int, owner: int, recorder: int) -> int:
    """The address of `size` new bytes that belong to the array with the number `owner`."""
    top = field(recorder, TOP)
    end = top + (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    if end > field(recorder, SIZE):
        set_field(recorder, WANTED, end)
        raise MemoryFull
    set_field(recorder, TOP, end)
    carray(pointer(field(recorder, OWNERS)), field(recorder, SIZE) // ALIGNMENT, np.uint8)[top // ALIGNMENT : end // ALIGNMENT] = owner
    return field(recorder, BASE) + top


def empty(_shape: Any, _dtype: Any, _owner: Any, _recorder: Any) -> Any:
    """A new array of this shape, in the memory after the matrices."""


@compiles_as(empty)
def _empty(shape: Any, dtype: Any, owner: Any, recorder: Any) -> Any:
    size = dtype.dtype.bitwidth // 8

    def new(shape: Any, dtype: Any, owner: int, recorder: int) -> Any:
        return carray(pointer(allocate(elements(shape) * size, owner, recorder)), shape, dtype)

    return new


def elements(_shape: Any) -> Any:
    """How many an array of this shape has."""


@compiles_as(elements)
def _elements(shape: Any) -> Any:
    if isinstance(shape, types.Integer):
        return lambda shape: shape

    def product(shape: Any) -> Any:
        count = 1
        for length in shape:
            count *= length
        return count

    return product


@compiled
def taken(recorder: int) -> int:
    """How many bytes are taken: what `released` goes back to."""
    return field(recorder, TOP)


@compiled
def released(mark: int, recorder: int) -> None:
    """Give back what was allocated since `taken` said `mark`."""
    set_field(recorder, TOP, mark)
