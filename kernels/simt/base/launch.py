"""A launch as a value; `launchable` says what about it cannot work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kernels.base.architectures import H100, SHARED_BYTES, Gpu
from kernels.base.values import dataclass

MIB = 1 << 20
BLOCK_LIMITS = (1024, 1024, 64)
GRID_LIMITS = (2**31 - 1, 65535, 65535)

Dim3 = tuple[int, int, int]


def index_in(size: Dim3, number: int) -> Dim3:
    """The index of a thread in its block, or of a block in its grid, by its number."""
    x, y, _ = size
    return number % x, number // x % y, number // (x * y)


class Mode(StrEnum):
    """Mode in which warps take turns: all of a block in lock step, or one after the other from barrier to barrier, in an order chosen by a
    seed."""

    BLOCK = "block"
    WARP = "warp"


class Keep(StrEnum):
    """Content of memory that a trace keeps: the arguments' arrays after the launch, or all that memory ever held."""

    RESULTS = "results"
    """`Trace.values`."""
    HISTORY = "history"
    """`Trace.initial` and `Trace.written`, which `kernels.simt.trace.contents` reads."""


class Fill(StrEnum):
    """Fill of an array before the launch. `RANDOM`: floats in [-1, 1), integers from 0 to 255 (127 in a signed char), from a seed."""

    ZEROS = "zeros"
    RANDOM = "random"
    ARANGE = "arange"


class IndexArrangement(StrEnum):
    """Arrangement of whole numbers before the launch: what an array of indices may hold, too. Other values stay as they are."""

    EQUAL = "equal"
    """All are the largest of them."""
    ZERO = "zero"
    SORTED = "sorted"
    REVERSED = "reversed"
    """Sorted, from the largest on."""
    BELOW = "below"
    """The first is -1, or where there is no sign, the largest that there is."""
    BEYOND = "beyond"
    """The first is far behind the end of any array: 2**28, or the largest that there is."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An array of `count` elements of the pointed-to type; without `fill`, to read one before it is written is a finding.

    Whole numbers are taken modulo `limit` where one is given, then brought into an `order`.
    """

    count: int
    fill: Fill | None = None
    limit: int | None = None
    order: IndexArrangement | None = None


Argument = bool | int | float | Filled | npt.NDArray[np.generic]
"""A number for a scalar; for a pointer an array to be made, or one whose bytes are copied."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Budget of an execution: seconds by the clock, access rows, and bytes of memory (arguments included)."""

    seconds: float = 5.0
    rows: int = 2_000_000
    bytes: int = 256 * MIB


@dataclass(frozen=True, slots=True, eq=False)
class LaunchRequest:
    """One launch. `blocks` are the blocks to execute, counted along x, then y, then z; None is the whole grid.

    `shared_bytes` is dynamic shared memory; `shared_limit` what a block may have in all. `seed` is for the order of warps, random fills.
    """

    grid: Dim3
    block: Dim3
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    """By parameter; a struct's members by path, such as "A.width"."""
    shared_bytes: int = 0
    mode: Mode = Mode.BLOCK
    blocks: tuple[int, ...] | None = None
    seed: int = 0
    contract_fma: bool = False
    budget: Budget = field(default_factory=Budget)
    shared_limit: int = SHARED_BYTES
    gpu: Gpu = H100
    """Where it runs: how many blocks can be there at once, to wait for each other."""
    keep: Keep = Keep.RESULTS
    variables: Mapping[str, npt.NDArray[np.uint8]] = field(default_factory=dict)
    """Bytes of `__constant__` and `__device__` variables that begin otherwise than the text says, by `variable_key`."""
