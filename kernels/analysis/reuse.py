"""Register reuse: which accesses remain when values are kept in registers.

A trace holds the accesses as written. A compiler keeps what it has loaded: a second load of the same address, with no store to the array
and no barrier in between, becomes a register. `Mode.REGISTER_REUSE` is a model of that, and only of that: neither vectorised loads nor dead
code are in it. Every result says which mode it is for.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Trace


class Mode(StrEnum):
    """Mode of counting: which accesses count."""

    AS_WRITTEN = "as-written"
    REGISTER_REUSE = "after-register-reuse"


def executed(trace: Trace, mode: Mode) -> Bools:
    """For each row whether it counts in this mode."""
    return np.ones(len(trace.rows.site), np.bool_) if mode is Mode.AS_WRITTEN else ~_reused(trace)


def array_of_rows(trace: Trace) -> Ints:
    """For each row the allocation that its first active lane reaches: an index into `Trace.allocations`, -1 for none."""
    rows = trace.rows
    array = np.array([site.allocation for site in trace.sites], np.int64)[rows.site]
    lane = trace.masks.argmax(axis=1)[rows.mask]
    address = trace.bases[rows.base, lane] + rows.offset
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)[rows.site]
    for number, allocation in enumerate(trace.allocations):
        inside = (address >= allocation.address) & (address < allocation.address + allocation.bytes)
        array[(array < 0) & inside & (shared == (allocation.space is Space.SHARED))] = number
    return array


def _reused(trace: Trace) -> Bools:
    """Loads of what the same threads have loaded before, since the last store to the array and the last barrier."""
    rows = trace.rows
    array = array_of_rows(trace)
    loads = np.array([site.operation == "load" for site in trace.sites], np.bool_)[rows.site]
    stored = np.zeros(len(trace.allocations) + 1, np.bool_)
    stored[array[~loads]] = True
    shared = np.array([allocation.space is Space.SHARED for allocation in trace.allocations] + [False], np.bool_)
    candidates = np.flatnonzero(loads & (array >= 0) & (shared | ~stored)[array])
    size = np.array([site.bytes for site in trace.sites], np.int64)[rows.site]
    columns = [column[candidates] for column in (_segments(trace, array, ~loads), rows.mask, rows.base, rows.offset, size)]
    order = np.lexsort(columns)
    again = np.ones(len(order), np.bool_)
    again[:1] = False
    for column in columns:
        again[1:] &= column[order[1:]] == column[order[:-1]]
    reused = np.zeros(len(array), np.bool_)
    reused[candidates[order[again]]] = True
    return reused


def _segments(trace: Trace, array: Ints, stores: Bools) -> Ints:
    """A number for each row, equal where the same threads access the same array with neither a store to it nor a barrier in between."""
    rows = trace.rows
    warp = trace.masks.argmax(axis=1)[rows.mask] // WARP if trace.mode == "warp" else np.zeros(len(array), np.int64)
    order = np.lexsort((warp, rows.block, array))
    new = stores[order]
    for column in (array, rows.block, warp, rows.epoch, rows.warp_epoch):
        new[1:] |= column[order[1:]] != column[order[:-1]]
    segment = np.empty(len(array), np.int64)
    segment[order] = np.cumsum(new)
    return segment
