"""Record of a launch: its trace with all that the stage asks of it, computed once, in the process that executed it.

Shared memory that the launch never uses is padding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import MatrixRole
from app.core.base.timeline import Unit
from app.core.gpu_view.phases import Band, Order, bands, order_of, phases_of_sites, starts, tile_starts
from app.core.gpu_view.print_rows import with_prints
from app.core.gpu_view.roles import Roles, letters_of, roles_of_arrays
from kernels.analysis.banks import WORD_BYTES
from kernels.analysis.cases import Bools, Ints, distinct_instructions
from kernels.analysis.counts import Counts, WarpCosts, counts, warp_costs
from kernels.analysis.findings import ends, findings
from kernels.analysis.reuse import Mode
from kernels.analysis.trust import Trust, trust
from kernels.analysis.value_chains import Wrong
from kernels.simt.base.signature import KernelSignature
from kernels.simt.base.types import Space
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.trace.contents import Contents
from kernels.simt.trace.flows import NO_FLOWS, Flows
from kernels.simt.trace.trace import Finding, Site, Trace

_PERIOD = 1 << 30
"""More bytes than a block's shared memory has."""


def touched_words(trace: Trace) -> Bools:
    """For each word of a block's shared memory whether any lane of the trace touches any of its bytes."""
    size = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0)
    found = np.zeros(-(-size // WORD_BYTES), np.bool_)
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    for part in distinct_instructions(trace, shared[trace.rows.site], _PERIOD) if shared.any() else ():
        first = part.address[part.active] % _PERIOD
        last = first + trace.sites[part.site].bytes - 1
        for word in range(int((last // WORD_BYTES - first // WORD_BYTES).max(initial=0)) + 1):
            reached = np.minimum(first // WORD_BYTES + word, last // WORD_BYTES)
            found[reached[reached < len(found)]] = True
    return found


COLUMNS = ("sectors", "sectors_ideal", "bytes_used", "wavefronts", "wavefronts_ideal")


@dataclass(frozen=True, slots=True, eq=False)
class LaunchRecord:
    """Everything about one execution. Immutable; pictures are functions of it."""

    trace: Trace
    order: Order
    costs: WarpCosts
    phases: Ints
    """The phase of each site."""
    bands: tuple[Band, ...]
    bounds: Mapping[Unit, tuple[int, ...]]
    """The first steps of the units of the timeline."""
    roles: Roles
    """The matrices among the arrays, by allocation."""
    letters: tuple[str, ...]
    """For each allocation the matrix whose values it holds ("A", "B" or "C"), "" where that is not known."""
    contents: Contents
    """Moments are steps."""
    findings: tuple[Finding, ...]
    counts: Mapping[Mode, Counts]
    diagnostics: tuple[Diagnostic, ...]
    kernels: tuple[KernelSignature, ...]
    """All kernels of the text."""
    sums: Mapping[str, npt.NDArray[np.integer[Any]]]
    """For each of COLUMNS, and for requests by "global_load" and so on, the sum over the steps before each step (steps + 1 entries)."""
    touched: Bools
    """For each word of a block's shared memory whether the launch uses it."""
    trust: Trust
    wrong: tuple[Wrong, ...] = ()
    """Accesses that move wrong values, where the trace is of a schedule that breaks a race."""


def record(
    executed: Trace,
    declared: tuple[MatrixRole, ...],
    diagnostics: tuple[Diagnostic, ...] = (),
    kernels: tuple[KernelSignature, ...] = (),
    text: str = "",
    flows: Flows = NO_FLOWS,
) -> LaunchRecord:
    """Work out the record of a trace with history; `declared` are the arguments that are matrices, `text` is what was executed.

    Where no memory is touched, what the threads printed are the rows of the record's trace.
    """
    trace = with_prints(executed, text)
    costs = warp_costs(trace)
    order = order_of(trace, costs.active[costs.case])
    contents = _contents(trace, order)
    roles = roles_of_arrays(trace, contents, declared)
    tiled = any(role.letter for role in roles.values())
    phases = phases_of_sites(trace, tiled=tiled)
    found = bands(trace, order, phases, tiled=tiled)
    bounds = {
        Unit.BARRIER: tuple(band.start for band in found),
        Unit.TILE: tile_starts(found),
        Unit.BLOCK: starts(order, trace.rows.block),
    }
    if trace is not executed:
        bounds = {Unit.BLOCK: bounds[Unit.BLOCK]}
    wrong = findings(executed)
    return LaunchRecord(
        trace, order, costs, phases, found, bounds, roles,
        letters_of(trace, contents, roles, declared=any(role.letter for role in declared)), contents,
        (*wrong, *ends(executed)),
        {mode: counts(executed, mode) for mode in Mode}, diagnostics, kernels,
        _sums(trace, order, costs), touched_words(trace),
        trust(executed, flows, wrong),
    )  # fmt: skip


def _contents(trace: Trace, order: Order) -> Contents:
    """Make the contents of memory ready here, so that the first picture need not wait for them."""
    contents = Contents(trace, order.rank)
    contents.prepare()
    return contents


def _sums(trace: Trace, order: Order, costs: WarpCosts) -> dict[str, npt.NDArray[np.integer[Any]]]:
    case = costs.case[order.row]
    columns = {name: getattr(costs, name)[case, order.warp] for name in COLUMNS}
    site = trace.rows.site[order.row]
    kinds = np.array([_kind(each) for each in trace.sites])
    for kind in dict.fromkeys(kinds.tolist()):
        columns[kind] = (kinds == kind)[site]
    return {name: _running(column) for name, column in columns.items()}


def _kind(site: Site) -> str:
    """What the accesses of a site count as. Those of a fragment are no requests that could be counted: its addresses are not specified."""
    return f"{site.space}_{site.operation}{'_of_tile' if site.tile else ''}"


def _running(column: npt.NDArray[np.generic]) -> npt.NDArray[np.integer[Any]]:
    """The sum before each entry, and of all; in 32 bits where they suffice."""
    sums = np.concatenate(([0], np.cumsum(column, dtype=np.int64)))
    return sums if sums[-1] >= 1 << 31 else sums.astype(np.int32)
