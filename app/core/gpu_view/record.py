"""Record of a launch: its trace with all that the stage asks of it, computed once, in the process that executed it.

Shared memory that the launch never uses is padding. Which matrix's values an array holds is read from where its elements come from, or else
from its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.base.timeline import Unit
from app.core.gpu_view.phases import Band, Order, bands, order_of, phases_of_sites, starts, tile_starts
from app.core.gpu_view.print_rows import with_prints
from kernels.analysis.banks import WORD_BYTES
from kernels.analysis.cases import Bools, Ints, distinct_instructions
from kernels.analysis.counts import Counts, WarpCosts, counts, warp_costs
from kernels.analysis.findings import ends, findings
from kernels.analysis.reuse import Mode
from kernels.simt.base.signature import KernelSignature
from kernels.simt.base.types import Space
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.trace.contents import Contents
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


def letters_of(trace: Trace, arguments: Mapping[str, str]) -> tuple[str, ...]:
    """Return for each allocation the name of its matrix, "A", "B" or "C", or "" where that is not known.

    `arguments` gives those of the arguments.
    """
    letters = [arguments.get(each.name, "") if each.space is Space.GLOBAL else "" for each in trace.allocations]
    known = set(arguments.values())
    for number, allocation in enumerate(trace.allocations):
        if allocation.space is Space.SHARED:
            letters[number] = _source(trace, number, letters) or _of_name(allocation.name, known)
    return tuple(letters)


def _source(trace: Trace, number: int, letters: list[str]) -> str:
    """The matrix that is loaded on a line that stores to the array."""
    stores = [site for site in trace.sites if site.operation == "store" and site.space is Space.SHARED and site.allocation == number]
    lines = {_place(site) for site in stores}
    loads = [site for site in trace.sites if site.operation == "load" and site.space is Space.GLOBAL and _place(site) in lines]
    return next((letters[site.allocation] for site in loads if site.allocation >= 0 and letters[site.allocation]), "")


def _place(site: Site) -> tuple[str, int]:
    return site.location.file, site.location.line


def _of_name(name: str, known: set[str]) -> str:
    """Return the matrix that an array's name speaks of: As, A_tile, sA and tileB have its capital at an end of a word. "" for none."""
    for letter in sorted(known):
        for position, character in enumerate(name):
            after = name[position + 1 : position + 2]
            if character == letter and (not after.isalpha() or after.islower()) and not name[:position].endswith(tuple(known)):
                return letter
    return ""


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
    """Work out the record of a trace with history; `letters` are the names of the arguments that are matrices, `text` is what was executed.

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
