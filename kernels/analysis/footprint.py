"""Footprint of a launch: which elements of which arrays it touches, how often each site runs, and how far its blocks reach.

Two executions that differ in one argument tell by their footprints what follows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import LANES_AT_ONCE
from kernels.analysis.operands import pitch
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Allocation, Trace

Key = tuple[str, int, int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """Footprint of a launch in memory. `touched` has for each array of memory that is shared by threads a flag for each element; `lanes`
    counts accesses by site; `blocks` is how many blocks along x, y and z there are up to the last one that writes to global memory."""

    touched: Mapping[str, Bools]
    loaded: frozenset[str]
    """Arrays that are read by plain loads."""
    pitch: Mapping[str, int]
    """For each array the distance between the rows of what the first block touches; 0 where that has no rows."""
    lanes: Mapping[Key, int]
    blocks: tuple[int, int, int]
    rows: int
    places: Mapping[tuple[Key, str], Ints]
    """The addresses that are touched, by site and array: one array is often touched whole at one site, and by indices at another."""
    written: Mapping[str, Bools]
    """As `touched`, of stores and atomics alone."""
    first: Mapping[str, Bools]
    """As `written`, of the first block alone."""

    def extent(self, array: str) -> int:
        """How many elements there are up to the last one that is touched."""
        flags = self.touched.get(array)
        found = np.flatnonzero(flags) if flags is not None else np.zeros(0, np.int64)
        return int(found[-1]) + 1 if len(found) else 0

    def alike(self, other: Footprint) -> bool:
        """Whether the same elements are touched by as many accesses at each site."""
        same = self.lanes == other.lanes and self.touched.keys() == other.touched.keys()
        return same and all(np.array_equal(flags, other.touched[name]) for name, flags in self.touched.items())


def footprint(trace: Trace) -> Footprint:
    """Find the footprint of a trace. Accesses outside of every array leave none."""
    active = trace.masks.sum(axis=1)[trace.rows.mask]
    counts = np.bincount(trace.rows.site, active, len(trace.sites)).astype(np.int64).tolist()
    lanes: dict[Key, int] = {}
    for site, count in zip(trace.sites, counts, strict=True):
        key = site.operation, site.location.line, site.location.column, site.text
        lanes[key] = lanes.get(key, 0) + count
    touched, loaded = _touched(trace, np.arange(len(trace.rows.site)))
    of_first, _ = _touched(trace, np.flatnonzero(trace.rows.block == 0))
    pitches = {name: pitch(np.flatnonzero(flags)) for name, flags in of_first.items()}
    rows, first = len(trace.rows.site), written(trace, first_block=True)
    return Footprint(touched, loaded, pitches, lanes, _blocks(trace, active), rows, _places(trace), written(trace), first)


def written(trace: Trace, *, first_block: bool = False) -> dict[str, Bools]:
    """For each array a flag for each element that a store or an atomic reaches."""
    stores = np.array([site.operation != "load" for site in trace.sites], np.bool_)
    chosen = stores[trace.rows.site] if len(trace.sites) else np.zeros(0, np.bool_)
    if first_block:
        chosen &= trace.rows.block == 0
    return _touched(trace, np.flatnonzero(chosen))[0]


def _places(trace: Trace) -> dict[tuple[Key, str], Ints]:
    found: dict[tuple[Key, str], Ints] = {}
    for number, site in enumerate(trace.sites):
        if site.allocation < 0:
            continue
        key = (site.operation, site.location.line, site.location.column, site.text), trace.allocations[site.allocation].name
        rows = np.flatnonzero(trace.rows.site == number)
        parts = [np.unique(each) for _, each in _accesses(trace, rows, shared=site.space is Space.SHARED)]
        found[key] = np.unique(np.concatenate([found.get(key, np.zeros(0, np.int64)), *parts]))
    return found


def _blocks(trace: Trace, active: Ints) -> tuple[int, int, int]:
    writes = np.array([site.operation != "load" and site.space is Space.GLOBAL for site in trace.sites], np.bool_)
    able = writes[trace.rows.site] & (active > 0) if len(trace.sites) else np.zeros(0, np.bool_)
    if not able.any():
        able = active > 0
    found = np.array(trace.blocks, np.int64).reshape(-1, 3)[np.unique(trace.rows.block[able])]
    x, y, z = (found.max(axis=0) + 1).tolist() if len(found) else (0, 0, 0)
    return x, y, z


def _touched(trace: Trace, rows: Ints) -> tuple[dict[str, Bools], frozenset[str]]:
    """The elements that some rows touch, by array, and the arrays that are read by plain loads."""
    found: dict[str, Bools] = {}
    loaded: set[str] = set()
    for shared in (False, True):
        arrays = sorted((each for each in trace.allocations if (each.space is Space.SHARED) is shared), key=lambda each: each.address)
        flags = [np.zeros(-(-each.bytes // max(each.element_bytes, 1)), np.bool_) for each in arrays]
        for accesses in _accesses(trace, rows, shared=shared) if arrays else ():
            loaded |= {arrays[number].name for number in _mark(trace, arrays, flags, accesses)}
        found |= {each.name: flag for each, flag in zip(arrays, flags, strict=True)}
    return found, frozenset(loaded)


def _accesses(trace: Trace, rows: Ints, *, shared: bool) -> Iterator[tuple[Ints, Ints]]:
    """Row and address of each access to one memory, in parts."""
    chosen = np.array([(site.space is Space.SHARED) is shared for site in trace.sites], np.bool_)
    rows = rows[chosen[trace.rows.site[rows]]] if len(rows) else rows
    step = max(1, LANES_AT_ONCE // max(trace.masks.shape[1], 1))
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        order, lane = np.nonzero(trace.masks[trace.rows.mask[part]])
        row = part[order]
        yield row, trace.bases[trace.rows.base[row], lane] + trace.rows.offset[row]


def _mark(trace: Trace, arrays: Sequence[Allocation], flags: Sequence[Bools], accesses: tuple[Ints, Ints]) -> Iterator[int]:
    """Flag the elements that are touched; yields the numbers of the arrays that are read."""
    row, address = accesses
    site = trace.rows.site[row]
    size = np.array([each.bytes for each in trace.sites], np.int64)[site]
    load = np.array([each.operation == "load" for each in trace.sites], np.bool_)[site]
    which = np.searchsorted(np.array([each.address for each in arrays], np.int64), address, "right") - 1
    for number in np.unique(which[which >= 0]).tolist():
        flag, element, of = flags[number], max(arrays[number].element_bytes, 1), which == number
        first = (address[of] - arrays[number].address) // element
        for further in range(max(int(size[of].max()) // element, 1)):
            covers = (further * element < size[of]) & (first + further < len(flag))
            flag[first[covers] + further] = True
        if (load[of] & (first < len(flag))).any():
            yield number
