"""Global memory: how many 32-byte sectors the requests of a kernel move, and how much of them is used.

One request per executed warp instruction. A sector is an aligned 32 bytes, a line four sectors.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import Instructions, distinct_instructions
from kernels.analysis.reuse import Mode, executed
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Trace

SECTOR_BYTES = 32
LINE_BYTES = 128


@dataclass(frozen=True, slots=True, eq=False)
class SectorCost:
    """Costs of n requests to global memory, as columns of length n."""

    sectors: Ints
    ideal: Ints
    """Sectors that the distinct bytes which the active lanes want would fill if they lay side by side."""
    lines: Ints
    """128-byte lines touched."""
    lookups: Ints
    """Cycles in which the first-level cache looks these lines up: an even and an odd one in each."""
    bytes_requested: Ints
    """Bytes a lane times active lanes."""
    bytes_used: Ints
    """Distinct bytes among them."""


@dataclass(frozen=True, slots=True)
class GlobalAccess:
    """Costs of all executions of one site, an index into `Trace.sites`, that accesses global memory.

    The columns are those of `SectorCost`, summed.
    """

    site: int
    requests: int
    """Warp instructions with an active lane."""
    sectors: int
    ideal: int
    lines: int
    lookups: int
    bytes_requested: int
    bytes_used: int

    @property
    def bytes_moved(self) -> int:
        return self.sectors * SECTOR_BYTES


def cost(address: Ints, active: Bools, bytes_per_lane: int) -> SectorCost:
    """What n requests move: `address` (the first byte of each lane) and `active` are n x 32. Addresses need not be aligned."""
    last = address.max(axis=1, initial=np.iinfo(np.int64).min, where=active, keepdims=True)
    first = np.sort(np.where(active, address, last), axis=1)
    lanes = active.sum(axis=1)
    used = np.minimum(np.diff(first, axis=1), bytes_per_lane).sum(axis=1) + bytes_per_lane * (lanes > 0)
    sectors = _distinct(first, bytes_per_lane, SECTOR_BYTES) * (lanes > 0)
    lines = _distinct(first, bytes_per_lane, LINE_BYTES) * (lanes > 0)
    requested = lanes * bytes_per_lane
    return SectorCost(sectors, -(-used // SECTOR_BYTES), lines, _lookups(first) * (lanes > 0), requested, used)


def global_accesses(trace: Trace, mode: Mode = Mode.AS_WRITTEN) -> tuple[GlobalAccess, ...]:
    """The sites that access global memory, in order of their index, with what they moved.

    Tile operations are left out: their addresses are not specified.
    """
    wanted = np.array([site.space is Space.GLOBAL and not site.tile for site in trace.sites], np.bool_)
    parts = distinct_instructions(trace, wanted[trace.rows.site] & executed(trace, mode), LINE_BYTES)
    return tuple(_global_access(trace, site, list(group)) for site, group in groupby(parts, key=lambda part: part.site))


def _distinct(first: Ints, size: int, unit: int) -> Ints:
    """How many aligned pieces of `unit` bytes each row touches: its accesses are `size` bytes from `first` (ascending) on."""
    begin, end = first // unit, (first + size - 1) // unit
    new = np.maximum(end[:, 1:] - np.maximum(end[:, :-1], begin[:, 1:] - 1), 0)
    return np.asarray(new.sum(axis=1) + end[:, 0] - begin[:, 0] + 1)


def _lookups(first: Ints) -> Ints:
    """How many even lines each row touches, or odd ones, whichever are more: its accesses, ascending, lie within lines."""
    line = first // LINE_BYTES
    new = np.diff(line, axis=1, prepend=line[:, :1] - 1) > 0
    odd = (new & (line % 2 == 1)).sum(axis=1)
    return np.asarray(np.maximum(odd, new.sum(axis=1) - odd))


def _global_access(trace: Trace, number: int, parts: list[Instructions]) -> GlobalAccess:
    costs = [cost(part.address, part.active, trace.sites[number].bytes) for part in parts]
    count = np.concatenate([part.count for part in parts])
    columns = (np.concatenate([getattr(each, name) for each in costs]) for name in SectorCost.__dataclass_fields__)
    requests = 0 if trace.sites[number].copied else int(count.sum())
    return GlobalAccess(number, requests, *(int((column * count).sum()) for column in columns))
