"""Workload of the parts of a GPU for a launch, as numbers that add up over blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

import numpy as np

from kernels.analysis.banks import shared_accesses
from kernels.analysis.coalescing import SECTOR_BYTES, global_accesses
from kernels.analysis.columns import Bools
from kernels.simt.base.types import Scope, Space
from kernels.simt.trace.trace import WARP, Trace

_ROWS_AT_ONCE = 1024
_ASYNCHRONOUS = "memcpy_async"
"""Part of the names of CUDA's functions that copy while the thread goes on."""
_ADDRESS_BITS = 43
"""Of the number of a sector."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Sums over blocks. Requests are warp instructions with an active lane; wavefronts are those of the hardware counters, but for
    `shared_wavefronts_by_line`, which are those that the profiler attributes to lines."""

    global_load_requests: float = 0
    global_load_sectors: float = 0
    global_store_requests: float = 0
    global_store_sectors: float = 0
    global_atomic_requests: float = 0
    global_lines: float = 0
    """128-byte lines that requests touch, each looked up by itself."""
    global_store_lines: float = 0
    """Those of them that are stored to."""
    sectors_read_once: float = 0
    """Sectors that are loaded, each counted once a block: what a perfect first-level cache would still fetch."""
    shared_load_requests: float = 0
    shared_store_requests: float = 0
    shared_atomic_requests: float = 0
    shared_load_wavefronts: float = 0
    shared_store_wavefronts: float = 0
    shared_atomic_wavefronts: float = 0
    shared_wavefronts_by_line: float = 0
    global_load_at_most: float = 0
    """Requests if every warp of a block took part in each access: so the profiler counts instructions with a predicate."""
    global_store_at_most: float = 0
    shared_load_at_most: float = 0
    shared_store_at_most: float = 0
    copied_requests: float = 0
    """Asynchronous copies to shared memory: among the loads and the stores above, as are their sectors and wavefronts."""
    copied_sectors: float = 0
    copied_wavefronts: float = 0
    tile_operations: float = 0
    """Of tensor cores and of engines that copy in bulk: how a profiler counts their accesses is not specified."""
    barriers: float = 0
    flops: float = 0

    def times(self, factor: float) -> Workload:
        """Return the workload of `factor` times as many executions."""
        return Workload(*(value * factor for value in astuple(self)))

    @property
    def shared_wavefronts(self) -> float:
        return self.shared_load_wavefronts + self.shared_store_wavefronts + self.shared_atomic_wavefronts

    @property
    def requests(self) -> float:
        """Warp instructions that access memory."""
        to_global = self.global_load_requests + self.global_store_requests + self.global_atomic_requests
        return to_global + self.shared_load_requests + self.shared_store_requests + self.shared_atomic_requests


def total(parts: Iterable[Workload]) -> Workload:
    """The sum."""
    columns = zip(*map(astuple, parts), strict=True)
    return Workload(*map(sum, columns))


def workload(trace: Trace) -> Workload:
    """The workload of the blocks that a trace has executed."""
    found = dict.fromkeys((field.name for field in fields(Workload)), 0.0)
    for to_global in global_accesses(trace):
        operation = trace.sites[to_global.site].operation
        found[f"global_{operation}_requests"] += to_global.requests
        found["global_lines"] += to_global.lines
        if operation == "store":
            found["global_store_lines"] += to_global.lines
        if operation != "atomic":
            found[f"global_{operation}_sectors"] += to_global.sectors
        if _ASYNCHRONOUS in trace.sites[to_global.site].function:
            found["copied_sectors"] += to_global.sectors
    for to_shared in shared_accesses(trace):
        operation = trace.sites[to_shared.site].operation
        found[f"shared_{operation}_requests"] += to_shared.requests
        found[f"shared_{operation}_wavefronts"] += to_shared.hardware
        found["shared_wavefronts_by_line"] += to_shared.source
        if _ASYNCHRONOUS in trace.sites[to_shared.site].function:
            found["copied_requests"] += to_shared.requests
            found["copied_wavefronts"] += to_shared.hardware
    found["sectors_read_once"] = _read_once(trace)
    times = np.bincount(trace.rows.site, minlength=len(trace.sites)) * (trace.masks.shape[1] // WARP)
    for site, executed in zip(trace.sites, times.tolist(), strict=True):
        name = f"{site.space}_{site.operation}_at_most"
        if name in found and not site.tile:
            found[name] += executed
    found["tile_operations"] = int(_of_sites(trace, [site.tile or site.engine for site in trace.sites]).sum())
    found["barriers"] = sum(event.scope is Scope.BLOCK for event in trace.barriers)
    found["flops"] = trace.flops
    return Workload(**found)


def _read_once(trace: Trace) -> int:
    """Distinct sectors that loads of global memory touch, block by block."""
    rows = trace.rows
    loads = [site.space is Space.GLOBAL and site.operation == "load" and not site.tile for site in trace.sites]
    last = np.array([site.bytes - 1 for site in trace.sites], np.int64)
    found = [np.zeros(0, np.int64)]
    chosen = np.flatnonzero(_of_sites(trace, loads))
    for part in np.array_split(chosen, len(chosen) // _ROWS_AT_ONCE + 1):
        active = trace.masks[rows.mask[part]]
        first = (trace.bases[rows.base[part]] + rows.offset[part, None]) // SECTOR_BYTES
        end = (trace.bases[rows.base[part]] + (rows.offset[part] + last[rows.site[part]])[:, None]) // SECTOR_BYTES
        of_block = rows.block[part].astype(np.int64)[:, None] << _ADDRESS_BITS
        found.append(np.unique(np.concatenate([(of_block | first)[active], (of_block | end)[active]])))
    return len(np.unique(np.concatenate(found)))


def _of_sites(trace: Trace, wanted: list[bool]) -> Bools:
    return np.asarray(np.array(wanted, np.bool_)[trace.rows.site])
