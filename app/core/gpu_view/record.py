"""Record of a launch: its trace with all that the stage asks of it, computed once, in the process that executed it.

What its arrays are, matrices that were declared, else what its accesses show, is part of it. Shared memory that the launch never uses
is padding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import MatrixRole
from app.core.base.timeline import Unit
from app.core.frames.matrix import OUTPUT
from app.core.gpu_view.output_tiles import Output, OutputTile, output_tiles
from app.core.gpu_view.phases import PERIOD, BarrierInterval, StepOrder, TileStep, bands, order_of, phases_of_sites, starts, tile_steps
from app.core.gpu_view.print_rows import with_prints
from app.core.gpu_view.tensor_core_steps import Multiplied, steps_multiplied
from kernels.analysis.banks import WORD_BYTES
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.counts import BARRIER, OPERAND, Counts, WarpCosts, counts, warp_costs
from kernels.analysis.distinct_instructions import distinct_instructions
from kernels.analysis.missed_products import missed_product
from kernels.analysis.operands import operands
from kernels.analysis.reuse import Mode
from kernels.analysis.trust import Trust, trust
from kernels.analysis.value_chains import WrongAccess
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.signature import KernelSignature
from kernels.simt.base.types import Space
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.trace.contents import INITIAL, WRITTEN, Contents
from kernels.simt.trace.flows import NO_FLOWS, Flows
from kernels.simt.trace.trace import Finding, Site, Trace

Roles = Mapping[int, MatrixRole]
"""By allocation. A letter is that of an operand; a matrix of which only the shape is known has none."""
_RIGHT = 0.9
_MOST = 1 << 20
"""Elements of an array whose values are looked through."""


def touched_words(trace: Trace) -> Bools:
    """For each word of a block's shared memory whether any lane of the trace touches any of its bytes."""
    size = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0)
    found = np.zeros(-(-size // WORD_BYTES), np.bool_)
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    for part in distinct_instructions(trace, shared[trace.rows.site], PERIOD) if shared.any() else ():
        first = part.address[part.active] % PERIOD
        last = first + trace.sites[part.site].bytes - 1
        for word in range(int((last // WORD_BYTES - first // WORD_BYTES).max(initial=0)) + 1):
            reached = np.minimum(first // WORD_BYTES + word, last // WORD_BYTES)
            found[reached[reached < len(found)]] = True
    return found


COPIED_BYTES = "copied_bytes"
"""The sum of what is read and written in shared memory by no warp instruction."""
OPERAND_WAVEFRONTS = "operand_wavefronts"
"""The sum of the wavefronts in which tensor cores read by descriptors."""
COLUMNS = ("sectors", "sectors_ideal", "bytes_used", "wavefronts", "wavefronts_ideal")


@dataclass(frozen=True, slots=True, eq=False)
class LaunchRecord:
    """Record of a launch: everything about one execution. Immutable; pictures are functions of it."""

    trace: Trace
    order: StepOrder
    costs: WarpCosts
    phases: Ints
    """The phase of each site."""
    bands: tuple[BarrierInterval, ...]
    tiles: tuple[TileStep, ...]
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
    wrong: tuple[WrongAccess, ...] = ()
    """Accesses that move wrong values, where the trace is of a schedule that breaks a race."""
    flows: Flows = NO_FLOWS
    """Where the kernel's values go."""
    multiplied: Mapping[int, tuple[Multiplied, ...]] = field(default_factory=dict)
    """The tile steps of each block whose tensor cores read shared memory themselves, none where they cannot be told."""
    missed: Message | None = None
    """Why matrices that come near a product are not drawn as one."""
    outputs: Mapping[int, tuple[OutputTile, ...]] = field(default_factory=dict)
    """The tiles of C of each block that computes several, one after the other; none where they cannot be told."""


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
    from kernels.analysis.findings import ends, findings  # a record is made in the tracing process

    trace = with_prints(executed, text)
    costs = warp_costs(trace)
    order = order_of(trace, costs.active[costs.case])
    contents = _contents(trace, order)
    roles = _roles_of_arrays(trace, contents, declared)
    tiled = any(role.letter for role in roles.values())
    phases = phases_of_sites(trace, tiled=tiled)
    found = bands(trace, order, phases)
    multiplied = steps_multiplied(trace, order.rank) if tiled else {}
    tiles = tile_steps(trace, order, phases, found, multiplied, tiled=tiled)
    bounds = _bounds(trace, order, found, tiles) if trace is executed else {Unit.BLOCK: starts(order, trace.rows.block)}
    wrong = findings(executed)
    return LaunchRecord(
        trace, order, costs, phases, found, tiles, bounds, roles,
        _letters_of(trace, contents, roles, declared=any(role.letter for role in declared)), contents,
        (*wrong, *ends(executed)),
        {mode: counts(executed, mode) for mode in Mode}, diagnostics, kernels,
        _sums(trace, order, costs), touched_words(trace),
        trust(executed, flows, wrong),
        flows=flows, multiplied=multiplied,
        outputs=_outputs(trace, order, phases, tiles, roles),
        missed=None if tiled else missed_product(trace, contents, {number: role.columns for number, role in roles.items()}),
    )  # fmt: skip


def _bounds(
    trace: Trace, order: StepOrder, intervals: Sequence[BarrierInterval], tiles: Sequence[TileStep]
) -> dict[Unit, tuple[int, ...]]:  # fmt: skip
    return {
        Unit.BARRIER: tuple(each.start for each in intervals),
        Unit.TILE: tuple(each.start for each in tiles),
        Unit.BLOCK: starts(order, trace.rows.block),
    }


def _outputs(
    trace: Trace, order: StepOrder, phases: Ints, tiles: Sequence[TileStep], roles: Roles
) -> dict[int, tuple[OutputTile, ...]]:  # fmt: skip
    """The tiles of C that blocks compute one after the other."""
    matrices = (Output(number, role.columns) for number, role in roles.items() if role.letter == OUTPUT)
    output = next(matrices, None)
    return {} if output is None or not tiles else output_tiles(trace, order, phases, tiles, output)


def _contents(trace: Trace, order: StepOrder) -> Contents:
    """Make the contents of memory ready here, so that the first picture need not wait for them."""
    contents = Contents(trace, order.rank)
    contents.prepare()
    return contents


def _sums(trace: Trace, order: StepOrder, costs: WarpCosts) -> dict[str, npt.NDArray[np.integer[Any]]]:
    case = costs.case[order.row]
    columns = {name: getattr(costs, name)[case, order.warp] for name in COLUMNS}
    site = trace.rows.site[order.row]
    kinds = np.array([_kind(each) for each in trace.sites])
    for kind in dict.fromkeys(kinds.tolist()):
        columns[kind] = (kinds == kind)[site]
    operands_of = np.array([each.operand for each in trace.sites], np.bool_)
    if operands_of.any():
        columns[OPERAND_WAVEFRONTS] = columns["wavefronts"] * operands_of[site]
    copied = [each.bytes * (each.copied and each.space is Space.SHARED) for each in trace.sites]
    if any(copied):
        columns[COPIED_BYTES] = np.array(copied)[site]  # one lane asks for each piece
    return {name: _running(column) for name, column in columns.items()}


def _kind(site: Site) -> str:
    """What the accesses of a site count as. Those of a fragment are no requests that could be counted: its addresses are not specified.
    Nor are those by a descriptor: no warp instruction makes them.
    """
    if site.barrier:
        return f"{site.space}_{BARRIER}" if site.barrier_in_memory else "barrier_of_a_unit"
    if site.operand:
        return f"{site.space}_{OPERAND}"
    return f"{site.space}_{site.operation}{'_of_tile' if site.tile else '_copied' if site.copied else ''}"


def _running(column: npt.NDArray[np.generic]) -> npt.NDArray[np.integer[Any]]:
    """The sum before each entry, and of all; in 32 bits where they suffice."""
    sums = np.concatenate(([0], np.cumsum(column, dtype=np.int64)))
    return sums if sums[-1] >= 1 << 31 else sums.astype(np.int32)


def _roles_of_arrays(trace: Trace, contents: Contents, declared: tuple[MatrixRole, ...]) -> Roles:
    """The declared roles; where these are but shapes that a user has said, those that the accesses show as well."""
    names = {each.name: number for number, each in reversed(list(enumerate(trace.allocations)))}
    said = {names[role.name]: role for role in declared if role.name in names}
    if any(role.letter for role in said.values()):
        return said
    shown = operands(trace, contents, {number: role.columns for number, role in said.items()})
    found = {each.allocation: MatrixRole(trace.allocations[each.allocation].name, each.letter, each.rows, each.columns) for each in shown}
    return {**found, **{number: role for number, role in said.items() if number not in found or not found[number].letter}}


def _letters_of(trace: Trace, contents: Contents, roles: Roles, *, declared: bool) -> tuple[str, ...]:
    """For each allocation "A", "B" or "C", or "" where that is not known. `declared`: the text names its tiles as the catalogue does."""
    letters = [roles[number].letter if number in roles else "" for number in range(len(trace.allocations))]
    known = {letter for letter in letters if letter}
    for number, allocation in enumerate(trace.allocations):
        if allocation.space is Space.SHARED and known:
            by_line = _sources(trace, number, letters)
            if declared:
                letters[number] = next(iter(by_line), "") or _of_name(allocation.name, known)
            else:
                letters[number] = _of_values(contents, number, roles) or (by_line[0] if len(set(by_line)) == 1 else "")
    return tuple(letters)


def _sources(trace: Trace, number: int, letters: list[str]) -> list[str]:
    """The matrices that are loaded on lines that store to the array."""
    stores = [site for site in trace.sites if site.operation == "store" and site.space is Space.SHARED and site.allocation == number]
    lines = {_place(site) for site in stores}
    loads = [site for site in trace.sites if site.operation == "load" and site.space is Space.GLOBAL and _place(site) in lines]
    return [letters[site.allocation] for site in loads if site.allocation >= 0 and letters[site.allocation]]


def _place(site: Site) -> tuple[str, int]:
    return site.location.file, site.location.line


def _of_values(contents: Contents, number: int, roles: Roles) -> str:
    """The only matrix that holds the values which a block leaves in a shared array."""
    held = contents.window(number, np.arange(contents.scalars(number)), contents.end)
    values = np.unique(held.values[held.state == WRITTEN])
    values = values[values != 0]
    fitting = [
        role.letter
        for source, role in roles.items()
        if role.letter and len(values) and contents.scalars(source) <= _MOST and np.isin(values, _begun(contents, source)).mean() >= _RIGHT
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _begun(contents: Contents, allocation: int) -> npt.NDArray[Any]:
    """The values of an array before the launch."""
    seen = contents.window(allocation, np.arange(contents.scalars(allocation)), 0)
    values: npt.NDArray[Any] = seen.values[seen.state == INITIAL]
    return values


def _of_name(name: str, known: set[str]) -> str:
    """As, A_tile, sA and tileB, as the catalogue's texts call them: by a capital that stands at an end of a word."""
    for letter in sorted(known):
        for position, character in enumerate(name):
            after = name[position + 1 : position + 2]
            if character == letter and (not after.isalpha() or after.islower()) and not name[:position].endswith(tuple(known)):
                return letter
    return ""
