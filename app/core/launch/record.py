"""The record of a launch: its trace with all that the stage asks of it, worked out once, in the process that executed it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.launch.letters import letters_of
from app.core.launch.order import Order, order_of, starts
from app.core.launch.phases import Band, bands, phases_of_sites, tile_starts
from app.core.launch.print_rows import with_prints
from app.core.launch.touched import touched_words
from app.core.timeline import Unit
from kernels.analysis.cases import Bools, Ints
from kernels.analysis.counts import Counts, counts
from kernels.analysis.findings import ends, findings
from kernels.analysis.reuse import Mode
from kernels.analysis.warp_costs import WarpCosts, warp_costs
from kernels.simt.contents import Contents
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.signature import KernelSignature
from kernels.simt.trace import Finding, Site, Trace

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


def record(
    executed: Trace,
    letters: Mapping[str, str],
    diagnostics: tuple[Diagnostic, ...] = (),
    kernels: tuple[KernelSignature, ...] = (),
    text: str = "",
) -> LaunchRecord:
    """Work out the record of a trace with history; `letters` are those of the arguments that are matrices, `text` is what was executed.

    Where no memory is touched, what the threads printed are the rows of the record's trace.
    """
    trace = with_prints(executed, text)
    costs = warp_costs(trace)
    order = order_of(trace, costs.active[costs.case])
    phases = phases_of_sites(trace)
    found = bands(trace, order, phases)
    bounds = {
        Unit.BARRIER: tuple(band.start for band in found),
        Unit.TILE: tile_starts(found),
        Unit.BLOCK: starts(order, trace.rows.block),
    }
    if trace is not executed:
        bounds = {Unit.BLOCK: bounds[Unit.BLOCK]}
    return LaunchRecord(
        trace, order, costs, phases, found, bounds, letters_of(trace, letters), _contents(trace, order),
        (*findings(executed), *ends(executed)),
        {mode: counts(executed, mode) for mode in Mode}, diagnostics, kernels,
        _sums(trace, order, costs), touched_words(trace),
    )  # fmt: skip


def _contents(trace: Trace, order: Order) -> Contents:
    """Made ready here, so that the first picture need not wait for it."""
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
