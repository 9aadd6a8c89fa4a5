"""What every warp instruction of a trace costs: sectors of global memory, wavefronts of shared memory.

A trace repeats itself: its rows are of few cases, which differ in their site, their lanes, or where in a line of 128 bytes they begin. A
case is looked at once; `WarpCosts.case` says which case each row is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernels.analysis import banks, coalescing
from kernels.analysis.cases import Bools, Ints
from kernels.simt.trace import WARP, Site, Trace
from kernels.simt.types import Space


@dataclass(frozen=True, slots=True, eq=False)
class WarpCosts:
    """All but `case` are cases x warps, 0 where nothing of the kind is accessed or no lane is active."""

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
    if site.tile:
        return
    shape = (len(cases), -1)
    if site.space is Space.GLOBAL:
        moved = coalescing.cost(address, active, site.bytes)
        found.sectors[cases] = moved.sectors.reshape(shape)
        found.sectors_ideal[cases] = moved.ideal.reshape(shape)
        found.bytes_used[cases] = (moved.bytes_used * active.any(axis=1)).reshape(shape)
    elif site.space is Space.SHARED:
        served = banks.cost(address // banks.WORD_BYTES, active, site.bytes, banks.operation_of(site))
        found.wavefronts[cases] = served.source.reshape(shape)
        found.wavefronts_ideal[cases] = served.ideal.reshape(shape)
        found.degree[cases] = served.degree.reshape(shape)
