"""Workload of the parts of a GPU for a launch, as numbers that add up over blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, fields

import numpy as np

from kernels.analysis.banks import shared_accesses, takes_wavefronts
from kernels.analysis.coalescing import LINE_BYTES, SECTOR_BYTES, global_accesses
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Scope, Space
from kernels.simt.trace.trace import WARP, Trace

_ROWS_AT_ONCE = 1024
_ASYNCHRONOUS = "memcpy_async"
"""Part of the names of CUDA's functions that copy while the thread goes on."""
_PAST_REGISTERS = 16
"""Bytes a lane of those copies that go past the registers and the first-level cache."""
_COPIED_AT_ONCE = 64
"""Bytes of shared memory, aligned, that such a copy writes at once."""
_MATRIX_LOAD = "ldmatrix"
_BULK_LOADS = ("cp.async.bulk.shared", "cp.async.bulk.tensor.shared")
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
    global_lookups: float = 0
    """Cycles in which the first-level cache looks up the 128-byte lines that requests touch."""
    global_load_lookups: float = 0
    """Those of them that are of loads."""
    global_store_lookups: float = 0
    stored_sectors: float = 0
    """Sectors that stores hand on to the second-level cache: those of a block behind the same barrier come together, and count once."""
    stored_lines: float = 0
    """Lines that these sectors are handed on in."""
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
    matrix_load_requests: float = 0
    """Of the loads above those by ldmatrix."""
    copied_sectors: float = 0
    parted_sectors: float = 0
    """How often these count again because their halves go to two aligned 64-byte parts of shared memory: inferred from the counters of
    the rungs with padded rows, and of random places at most two of 32 too many."""
    copied_wavefronts: float = 0
    operand_requests: float = 0
    """Of the loads above what tensor cores read by descriptors (wgmma), as are these wavefronts."""
    operand_wavefronts: float = 0
    bulk_load_sectors: float = 0
    """Of the sectors above those that copies in bulk read."""
    bulk_store_sectors: float = 0
    bulk_received_sectors: float = 0
    """What copies in bulk bring to shared memory, in sectors: where one is for several blocks of a cluster, for each of them."""
    tile_operations: float = 0
    """Of fragments whose addresses are not specified (wmma): how a profiler counts their accesses is not, either."""
    engine_operations: float = 0
    """Of tensor cores that read by descriptors, and of copies in bulk."""
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
    _add_global(found, trace)
    _add_shared(found, trace)
    found["sectors_read_once"] = _pieces(trace, "load", SECTOR_BYTES, trace.rows.block.astype(np.int64)[:, None])
    came = _came_together(trace)
    found["stored_sectors"], found["stored_lines"] = (_pieces(trace, "store", size, came) for size in (SECTOR_BYTES, LINE_BYTES))
    times, warps = np.bincount(trace.rows.site, minlength=len(trace.sites)), trace.masks.shape[1] // WARP
    for site, executed in zip(trace.sites, times.tolist(), strict=True):
        name = f"{site.space}_{site.operation}_at_most"
        if name in found and takes_wavefronts(site) and not site.operand:
            found[name] += executed * warps
        if site.operation == "store" and site.function.startswith(_BULK_LOADS):  # one lane asks for each piece
            found["bulk_received_sectors"] += executed * site.bytes / SECTOR_BYTES
    found["tile_operations"] = int(_of_sites(trace, [site.tile for site in trace.sites]).sum())
    found["engine_operations"] = int(_of_sites(trace, [site.engine for site in trace.sites]).sum())
    found["parted_sectors"] = _parted_sectors(trace)
    found["barriers"] = sum(event.scope is Scope.BLOCK for event in trace.barriers)
    found["flops"] = trace.flops
    return Workload(**found)


def _add_global(found: dict[str, float], trace: Trace) -> None:
    for to_global in global_accesses(trace):
        operation = trace.sites[to_global.site].operation
        found[f"global_{operation}_requests"] += to_global.requests
        found["global_lookups"] += to_global.lookups
        if operation != "atomic":
            found[f"global_{operation}_sectors"] += to_global.sectors
            found[f"global_{operation}_lookups"] += to_global.lookups
            if trace.sites[to_global.site].copied:
                found[f"bulk_{operation}_sectors"] += to_global.sectors
        if _ASYNCHRONOUS in trace.sites[to_global.site].function:
            found["copied_sectors"] += to_global.sectors


def _add_shared(found: dict[str, float], trace: Trace) -> None:
    for to_shared in shared_accesses(trace):
        operation, function = trace.sites[to_shared.site].operation, trace.sites[to_shared.site].function
        found[f"shared_{operation}_requests"] += to_shared.requests
        found[f"shared_{operation}_wavefronts"] += to_shared.hardware
        found["shared_wavefronts_by_line"] += to_shared.source
        if function.startswith(_MATRIX_LOAD):
            found["matrix_load_requests"] += to_shared.requests
        if trace.sites[to_shared.site].operand:
            found["operand_requests"] += to_shared.requests
            found["operand_wavefronts"] += to_shared.hardware
        if _ASYNCHRONOUS in function:
            found["copied_requests"] += to_shared.requests
            found["copied_wavefronts"] += to_shared.hardware


def _parted_sectors(trace: Trace) -> int:
    rows, parted = trace.rows, 0
    if rows.issued is None:
        return 0
    wanted = [_ASYNCHRONOUS in each.function and each.space is Space.SHARED and each.bytes == _PAST_REGISTERS for each in trace.sites]
    stores = np.flatnonzero(_of_sites(trace, wanted) & (rows.issued >= 0))
    for part in np.array_split(stores, len(stores) // _ROWS_AT_ONCE + 1):
        active, loads = trace.masks[rows.mask[part]], rows.issued[part]
        sector, to = (
            (trace.bases[rows.base[row]] + rows.offset[row, None]) // size for row, size in ((loads, SECTOR_BYTES), (part, _COPIED_AT_ONCE))
        )
        warp = np.arange(active.size).reshape(active.shape) // WARP
        parts = np.unique(np.stack([warp[active], sector[active], to[active]]), axis=1)
        parted += parts.shape[1] - np.unique(parts[:2], axis=1).shape[1]
    return parted


def _came_together(trace: Trace) -> Ints:
    """A number for each warp of each row of a trace: the same for all of a block between the same two barriers, of its own before the
    first, where each warp goes on when its values are there."""
    block, epoch = trace.rows.block.astype(np.int64), trace.rows.epoch.astype(np.int64)
    first = np.full(int(block.max(initial=0)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, block, epoch)
    together = block * (int(epoch.max(initial=0)) + 1) + epoch
    warps = trace.masks.shape[1] // WARP
    alone = int(together.max(initial=0)) + 1 + np.arange(len(epoch) * warps).reshape(len(epoch), warps)
    return np.where((epoch > first[block])[:, None], together[:, None], alone)


def _pieces(trace: Trace, operation: str, size: int, together: Ints) -> int:
    """Distinct aligned pieces of so many bytes that loads or stores of global memory touch, each once for all with the same number."""
    rows = trace.rows
    wanted = [site.space is Space.GLOBAL and site.operation == operation and not site.tile for site in trace.sites]
    last = np.array([site.bytes - 1 for site in trace.sites], np.int64)
    found = [np.zeros(0, np.int64)]
    chosen = np.flatnonzero(_of_sites(trace, wanted))
    for part in np.array_split(chosen, len(chosen) // _ROWS_AT_ONCE + 1):
        active = trace.masks[rows.mask[part]]
        first = (trace.bases[rows.base[part]] + rows.offset[part, None]) // size
        end = (trace.bases[rows.base[part]] + (rows.offset[part] + last[rows.site[part]])[:, None]) // size
        of_group = np.repeat(together[part], active.shape[1] // together.shape[1], axis=1) << _ADDRESS_BITS
        found.append(np.unique(np.concatenate([(of_group | first)[active], (of_group | end)[active]])))
    return len(np.unique(np.concatenate(found)))


def _of_sites(trace: Trace, wanted: list[bool]) -> Bools:
    return np.asarray(np.array(wanted, np.bool_)[trace.rows.site])
