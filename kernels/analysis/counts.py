"""Counters of a launch in all and line by line, and the cost of every warp instruction in sectors and wavefronts.

A trace repeats itself: its rows are of few cases, which differ in their site, their lanes, or where in a line of 128 bytes they begin. A
case is looked at once; `WarpCosts.case` says which case each row is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter

import numpy as np

from kernels.analysis import banks, coalescing
from kernels.analysis.banks import SharedAccess, shared_accesses
from kernels.analysis.coalescing import GlobalAccess, global_accesses
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import distinct_instructions
from kernels.analysis.reuse import Mode, executed
from kernels.base.values import dataclass
from kernels.simt.base.types import Scope, Space
from kernels.simt.trace.trace import WARP, Site, Trace

BARRIER = "barrier"
"""What is counted of operations on barriers, whatever they do with its word."""
COPY = "copy"
"""What is counted of shared memory that is read or written by no warp instruction: bytes."""
OPERAND = "operand"
"""What is counted of shared memory that tensor cores read by descriptors (wgmma): wavefronts."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over all blocks traced. Requests are warp instructions with an active lane; wavefronts are by the profiler's source rule.

    Atomics count as written: `banks` says where a compiler makes something else of them. Operations on barriers in memory count apart,
    those on others do not. Copies in bulk and values sent out of registers are no requests and take no wavefronts: of global memory their
    sectors count, of shared memory their bytes. What tensor cores read by descriptors is no request of a warp either: its wavefronts count
    apart from those of loads, as the profiler's do.
    """

    global_load_requests: int
    global_load_sectors: int
    global_store_requests: int
    global_store_sectors: int
    global_atomic_requests: int
    shared_load_requests: int
    shared_store_requests: int
    shared_atomic_requests: int
    shared_barrier_requests: int
    shared_load_wavefronts: int
    shared_store_wavefronts: int
    shared_atomic_wavefronts: int
    shared_operand_wavefronts: int
    shared_wavefronts_ideal: int
    shared_copied_bytes: int
    barriers: int
    """`__syncthreads` of all blocks; each block counts its own."""
    flops: int


@dataclass(frozen=True, slots=True)
class LineCount:
    """The accesses of one kind on one line. What does not apply is None: sectors and bytes to shared memory, wavefronts to global memory,
    and all of them to constant memory, to tile operations, whose addresses are not specified, and to barriers. A copy has the bytes that
    it reads or writes in shared memory, an operand of wgmma the wavefronts; neither makes requests."""

    file: str
    line: int
    operation: str
    space: str
    requests: int
    sectors: int | None = None
    bytes_used: int | None = None
    bytes_moved: int | None = None
    wavefronts: int | None = None
    wavefronts_hardware: int | None = None
    ideal: int | None = None
    """Sectors or wavefronts that the same bytes, each once, would take side by side and without bank conflicts."""

    def as_object(self) -> dict[str, str | int]:
        """The fields that apply, by name; the file only where it is not the kernel's own."""
        return {name: value for name, value in asdict(self).items() if value is not None and value != ""}


@dataclass(frozen=True, slots=True)
class Counts:
    """Totals and lines of a launch. `mode` says whether accesses count as written or after register reuse."""

    mode: Mode
    totals: Totals
    lines: tuple[LineCount, ...]
    """In order of file and line."""
    global_bytes_requested: int
    """Bytes that active lanes asked of global memory."""
    global_bytes_moved: int
    """Bytes of the sectors that this took."""

    @property
    def flops_per_byte_moved(self) -> float | None:
        """Arithmetic intensity at the sectors that move; None without global accesses."""
        return self.totals.flops / self.global_bytes_moved if self.global_bytes_moved else None


def counts(trace: Trace, mode: Mode = Mode.AS_WRITTEN) -> Counts:
    """Count a launch's requests, sectors, wavefronts and operations."""
    shared, moved, others = shared_accesses(trace, mode), global_accesses(trace, mode), list(_other_lines(trace, mode))
    return Counts(
        mode,
        _totals(trace, shared, moved, others),
        _lines([*_site_lines(trace, shared, moved), *others]),
        sum(access.bytes_requested for access in moved),
        sum(access.bytes_moved for access in moved),
    )


def _totals(trace: Trace, shared: tuple[SharedAccess, ...], moved: tuple[GlobalAccess, ...], others: list[LineCount]) -> Totals:
    totals = dict.fromkeys(Totals.__dataclass_fields__, 0)
    for to_global in moved:
        operation = trace.sites[to_global.site].operation
        totals[f"global_{operation}_requests"] += to_global.requests
        if operation != "atomic":
            totals[f"global_{operation}_sectors"] += to_global.sectors
    for to_shared in shared:
        kind = _kind_of(trace.sites[to_shared.site])
        if kind != OPERAND:
            totals[f"shared_{kind}_requests"] += to_shared.requests
        totals[f"shared_{kind}_wavefronts"] += to_shared.source
        totals["shared_wavefronts_ideal"] += to_shared.ideal
    totals["shared_barrier_requests"] = sum(line.requests for line in others if line.operation == BARRIER)
    totals["shared_copied_bytes"] = sum(line.bytes_moved or 0 for line in others if line.operation == COPY)
    return Totals(**{**totals, "barriers": _barriers(trace), "flops": trace.flops})


def _barriers(trace: Trace) -> int:
    """Where warps run by turns, each comes to a block's barrier by itself: those of the warp that comes most often are the block's."""
    warps = trace.masks.argmax(axis=1) // WARP if trace.mode == "warp" else np.zeros(len(trace.masks), np.int64)
    came = Counter((event.block, int(warps[event.mask])) for event in trace.barriers if event.scope is Scope.BLOCK)
    return sum(max(came[key] for key in keys) for _, keys in groupby(sorted(came), key=itemgetter(0)))


def _site_lines(trace: Trace, shared: tuple[SharedAccess, ...], moved: tuple[GlobalAccess, ...]) -> Iterable[LineCount]:
    for to_shared in shared:
        line = _line(trace, to_shared.site, 0 if trace.sites[to_shared.site].operand else to_shared.requests)
        yield LineCount(*line, wavefronts=to_shared.source, wavefronts_hardware=to_shared.hardware, ideal=to_shared.ideal)
    for to_global in moved:
        line = _line(trace, to_global.site, to_global.requests)
        yield LineCount(*line, to_global.sectors, to_global.bytes_used, to_global.bytes_moved, ideal=to_global.ideal)


def _other_lines(trace: Trace, mode: Mode) -> Iterable[LineCount]:
    """Lines of which only the requests can be counted, or only the bytes."""
    wanted = np.array([_only_one_number(site) for site in trace.sites], np.bool_)
    for part in distinct_instructions(trace, wanted[trace.rows.site] & executed(trace, mode), 1):
        site, times = trace.sites[part.site], int(part.count.sum())
        if site.copied:
            moved = int((part.active.sum(axis=1) * part.count).sum()) * site.bytes
            yield LineCount(*_line(trace, part.site, 0), bytes_moved=moved)
        else:
            yield LineCount(*_line(trace, part.site, times))


def _only_one_number(site: Site) -> bool:
    copied = site.copied and site.space is Space.SHARED
    return site.tile or site.barrier_in_memory or copied or site.space not in (Space.SHARED, Space.GLOBAL)


def _kind_of(site: Site) -> str:
    """What an access of a site counts as."""
    if site.barrier:
        return BARRIER
    if site.operand:
        return OPERAND
    return COPY if site.copied and site.space is Space.SHARED else site.operation


def _line(trace: Trace, number: int, requests: int) -> tuple[str, int, str, str, int]:
    site = trace.sites[number]
    return site.location.file, site.location.line, _kind_of(site), str(site.space), requests


def _lines(found: list[LineCount]) -> tuple[LineCount, ...]:
    """Sites that stand on one line as one."""

    def place(line: LineCount) -> tuple[str, int, str, str, bool, bool]:
        return line.file, line.line, line.operation, line.space, line.sectors is None, line.wavefronts is None

    return tuple(_sum(list(group)) for _, group in groupby(sorted(found, key=place), key=place))


def _sum(lines: list[LineCount]) -> LineCount:
    first = asdict(lines[0])
    numbers = [name for name, value in first.items() if isinstance(value, int) and name != "line"]
    return LineCount(**{**first, **{name: sum(getattr(line, name) for line in lines) for name in numbers}})


@dataclass(frozen=True, slots=True, eq=False)
class WarpCosts:
    """Costs of the warp instructions of a trace.

    All but `case` are cases x warps, 0 where nothing of the kind is accessed or no lane is active.
    """

    case: Ints
    """For each row its case."""
    active: Bools
    """Whether the warp takes part: whether there is a warp instruction."""
    sectors: Ints
    sectors_ideal: Ints
    bytes_used: Ints
    """Distinct bytes of global memory that its lanes ask for."""
    wavefronts: Ints
    """By the profiler's source rule."""
    wavefronts_ideal: Ints
    degree: Ints
    """The most turns that one bank of shared memory takes."""


def warp_costs(trace: Trace) -> WarpCosts:
    """The costs of all rows."""
    rows, (bases, lanes) = trace.rows, trace.bases.shape
    warps, period = lanes // WARP, coalescing.LINE_BYTES
    key = ((rows.site.astype(np.int64) * len(trace.masks) + rows.mask) * max(bases, 1) + rows.base) * period + rows.offset % period
    distinct, case = np.unique(key, return_inverse=True)
    key, offset = np.divmod(distinct, period)
    key, base = np.divmod(key, max(bases, 1))
    site, mask = np.divmod(key, max(len(trace.masks), 1))
    active = trace.masks[mask].reshape(-1, warps, WARP)
    found = WarpCosts(case.reshape(-1), np.any(active, axis=2), *(np.zeros((len(distinct), warps), np.int64) for _ in range(6)))
    for number in np.unique(site).tolist():
        chosen = np.flatnonzero(site == number)
        address = (trace.bases[base[chosen]] + offset[chosen, None]).reshape(-1, WARP)
        _add(found, trace.sites[number], chosen, address, active[chosen].reshape(-1, WARP))
    return found


def _add(found: WarpCosts, site: Site, cases: Ints, address: Ints, active: Bools) -> None:
    """The costs of the cases of one site, whose warp instructions are `address` and `active`."""
    if site.tile or site.barrier:
        return
    shape = (len(cases), -1)
    if site.space is Space.GLOBAL:
        moved = coalescing.cost(address, active, site.bytes)
        found.sectors[cases] = moved.sectors.reshape(shape)
        found.sectors_ideal[cases] = moved.ideal.reshape(shape)
        found.bytes_used[cases] = (moved.bytes_used * active.any(axis=1)).reshape(shape)
    elif site.space is Space.SHARED and not site.copied:
        served = banks.cost(address // banks.WORD_BYTES, active, site.bytes, banks.operation_of(site))
        found.wavefronts[cases] = served.source.reshape(shape)
        found.wavefronts_ideal[cases] = served.ideal.reshape(shape)
        found.degree[cases] = served.degree.reshape(shape)
