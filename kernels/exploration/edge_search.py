"""Edges of a launch: the sizes and the indices with which kernels fail that work otherwise, planned and tried one after the other.

Sizes are 0, 1, one less and one more than a tile, primes, what is no multiple, and the largest that is executed here; indices are equal,
all 0, sorted, reversed, outside of every array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from kernels.analysis.findings import ends, findings
from kernels.analysis.footprint import Footprint, footprint
from kernels.analysis.trust import trust
from kernels.base.messages import Message, message
from kernels.exploration.coverage import covering, fewer_blocks, following, left_unwritten, reached, whole
from kernels.exploration.device_variables import among_arguments, settled
from kernels.exploration.edge_cases import Edge, Plan, Tried
from kernels.exploration.larger_launches import from_one, not_known, wider_launches
from kernels.exploration.scheme import Scheme
from kernels.exploration.sizes import scheme_of
from kernels.simt import ir
from kernels.simt.base.launch import MIB, Budget, Filled, IndexArrangement, Keep, LaunchRequest, Mode
from kernels.simt.base.types import Location, Space
from kernels.simt.generate.walk import Node, descendants
from kernels.simt.run.arguments import arranged, with_arguments
from kernels.simt.run.reading import read
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from kernels.simt.trace.trace import WARP, Finding, Trace

BUDGET = Budget(seconds=10.0, rows=60_000, bytes=256 * MIB)
"""Of one launch."""
MOST_ROWS, MOST_ELEMENTS = 3_000, 1 << 20
"""Access rows and elements of an array that the largest size may come to."""
MOST_INDICES = 3
MOST_TURNED = 4096
"""Blocks of a grid that is executed the other way round."""
NO_BLOCKS = message("Size 0 is not tried where the grid follows it: a GPU refuses a grid of 0 blocks.")
Check = Callable[[LaunchRequest, Trace], Message | None]
"""Compares what a launch left with what is right; says what differs."""


def plan_edges(spec: LaunchSpec, shapes: Mapping[str, tuple[int, ...]] | None = None) -> Plan | NotTraced:
    """Find what can be varied and plan the launches. `shapes` are the extents of arrays that are known to be matrices."""
    if spec.before is not None:
        return NotTraced(message("A launch before it prepares what it reads, for one size: nothing is varied."))
    found = read(spec)
    if isinstance(found, NotTraced):
        return found
    base = with_arguments(found.kernel, replace(spec.launch, budget=BUDGET, keep=Keep.RESULTS, blocks=None, mode=Mode.BLOCK), spec.texts)
    if isinstance(base, Message):
        return NotTraced(base)
    base, execute = among_arguments(found.kernel, base), _Executed(spec, found.kernel)
    covered, gained = covering(found.kernel, base, execute)
    scheme = scheme_of(found.kernel, covered if shapes or gained else from_one(base, execute), execute, shapes or {})
    if isinstance(scheme, Message):
        return NotTraced(scheme)
    wider = list(wider_launches(found.kernel, scheme, execute))
    fewer = [*([replace(_as_launched(scheme, base), whole=gained)] if gained else []), *fewer_blocks(found.kernel, scheme, execute)]
    written = following(scheme, whole(scheme.base, execute) & (gained or whole(base, execute)))
    sizes = (replace(edge, whole=frozenset(name for name in written if reached(scheme, name, edge.sizes))) for edge in _sizes(scheme))
    edges = sorted((*sizes, *_orders(scheme), *wider, *fewer, *_turned(found.kernel, scheme)), key=lambda edge: edge.work)
    edges = [replace(edge, launch=launch, variables=given) for edge in edges for launch, given in [settled(found.kernel, edge.launch)]]
    return Plan(tuple(edges), (*_varied(scheme), *_widened(wider)), (*scheme.kept, *_unvaried(scheme, wider)))


def try_edge(spec: LaunchSpec, edge: Edge, check: Check | None = None) -> Tried:
    """Execute one launch and judge it."""
    outcome = trace_job(replace(spec, launch=edge.launch, texts={}))
    if isinstance(outcome, NotTraced):
        return Tried(edge, reason=outcome.reason)
    trace = outcome.trace
    found = tuple(each for each in (*findings(trace), *ends(trace)) if each.kind is not FindingKind.BUDGET_EXCEEDED)
    unfit = next((each.message for each in found if not_known(trace, each)), None) if edge.wider else None
    if unfit is not None:
        return Tried(
            edge,
            reason=message(
                "For so many threads it is not known how long arrays are to be, or who is still missing: {problem}", problem=unfit
            ),
        )
    stopped = next((each.message for each in trace.findings if each.kind is FindingKind.BUDGET_EXCEEDED), None)
    trusted = trust(trace, outcome.flows, found)
    if found or stopped is not None:
        return Tried(edge, found, stopped, trusted)
    wrong = left_unwritten(trace, edge) or (None if check is None or edge.wider else check(edge.launch, trace))
    return Tried(edge, () if wrong is None else (_as_finding(wrong, trace),), trust=trusted)


def _as_finding(wrong: Message, trace: Trace) -> Finding:
    """A wrong result as a finding at the last line that stores to global memory."""
    stores = [site.location for site in trace.sites if site.operation != "load" and site.space is Space.GLOBAL]
    return Finding(FindingKind.WRONG_RESULT, stores[-1] if stores else Location(0, 0), (0, 0, 0), (), wrong)


class _Executed:
    """Executes launches of a text and remembers what they touch: some are asked for again."""

    def __init__(self, spec: LaunchSpec, kernel: ir.Kernel) -> None:
        self._spec, self._kernel = spec, kernel
        self._known: dict[int, tuple[LaunchRequest, Footprint | None]] = {}

    def __call__(self, request: LaunchRequest) -> Footprint | None:
        """What it touches; None where it came to no end."""
        if id(request) not in self._known:
            self._known[id(request)] = request, self._footprint(request)
        return self._known[id(request)][1]

    def _footprint(self, request: LaunchRequest) -> Footprint | None:
        outcome = trace_job(replace(self._spec, launch=settled(self._kernel, request)[0], texts={}))
        if isinstance(outcome, NotTraced) or any(each.kind is FindingKind.BUDGET_EXCEEDED for each in outcome.trace.findings):
            return None
        return footprint(outcome.trace)


# ------------------------------------------------------------ which launches


def _sizes(scheme: Scheme) -> Iterator[Edge]:
    """All sizes alike, then one after the other at the edges of its tile, then what was launched, and the largest."""
    values, tiles = scheme.values, _tiles(scheme)
    widest = max(tiles.values(), default=1)
    chosen = [dict.fromkeys(values, size) for size in around(widest)]
    if not scheme.tied and len(values) > 1:
        chosen += [{**tiles, name: size} for name in values for size in (0, 1, tiles[name] - 1, tiles[name] + 1)]
    seen = set()
    for sizes in (*chosen, dict(values), _largest(scheme)):
        fitted = {name: min(size, values[name]) if name in scheme.capped else size for name, size in sizes.items()}
        key = tuple(fitted.values())
        if key not in seen and min(key, default=0) >= 0 and scheme.has_blocks(fitted):
            seen.add(key)
            yield Edge(fitted, scheme.at(fitted), scheme.shapes(fitted))


def _as_launched(scheme: Scheme, base: LaunchRequest) -> Edge:
    """The launch that was given, of which the scheme is not: its blocks are too few."""
    axes = {f"gridDim.{letter}": blocks for letter, blocks, more in zip("xyz", base.grid, scheme.base.grid, strict=True) if blocks != more}
    return Edge({**scheme.values, **axes}, base, scheme.shapes({}))


def _turned(kernel: ir.Kernel, scheme: Scheme) -> Iterator[Edge]:
    """The launch with its blocks and warps the other way round, where threads look at what others have done: atomics, volatile places."""
    blocks, warps = prod(scheme.base.grid), prod(scheme.base.block) > WARP
    if (warps or 1 < blocks <= MOST_TURNED) and any(_looks_at_others(each) for each in descendants(kernel.body)):
        launch = replace(scheme.base, mode=Mode.WARP, blocks=tuple(reversed(range(blocks))))
        yield Edge(scheme.values, launch, scheme.shapes({}), turned=True)


def _looks_at_others(node: Node) -> bool:
    return (isinstance(node, ir.Call) and "atomic" in node.name) or getattr(node, "volatile", False) is True


def _tiles(scheme: Scheme) -> dict[str, int]:
    """What one block covers of each size; of one that the grid does not follow as much as of the others, or as the block has threads."""
    axes = {name: axis.each for axis in scheme.grid for name in axis.factors if axis.each > 1 and len(axis.factors) == 1}
    usual = max(axes.values(), default=max(scheme.base.block))
    return {name: axes.get(name, usual) for name in scheme.values}


def around(tile: int) -> tuple[int, ...]:
    """Sizes at which kernels fail: none, one, around a tile and two, primes, what is no multiple."""
    found = (
        0,
        1,
        _prime(tile // 2),
        tile - 1,
        tile,
        tile + 1,
        _prime(tile + 1),
        2 * tile - 1,
        2 * tile,
        2 * tile + 1,
        _prime(2 * tile + 1),
    )
    return tuple(dict.fromkeys(found))


def _prime(above: int) -> int:
    """The first prime above a number."""
    number = above + 1
    while number < 2 or any(number % divisor == 0 for divisor in range(2, int(number**0.5) + 1)):
        number += 1
    return number


def _largest(scheme: Scheme) -> dict[str, int]:
    """The launched sizes, all as many times as large as what is executed here allows, and odd."""
    growing = {name: value for name, value in scheme.values.items() if name not in scheme.capped}
    if not growing:
        return dict(scheme.values)
    times = (MOST_ROWS / max(scheme.rows, 1)) ** (1 / len(growing))
    if times <= 1:
        return dict(scheme.values)
    while times > 1:
        sizes = {**scheme.values, **{name: int(value * times) | 1 for name, value in growing.items()}}
        given = scheme.at(sizes).arguments.values()
        if all(each.count <= MOST_ELEMENTS for each in given if isinstance(each, Filled)):
            return sizes
        times *= 0.9
    return dict(scheme.values)


def _orders(scheme: Scheme) -> Iterator[Edge]:
    """Other values in the arrays of indices, as launched and with one tile of everything."""
    small = {name: min(size, scheme.values[name]) for name, size in _tiles(scheme).items()}
    for name in list(scheme.indices)[:MOST_INDICES]:
        for sizes in [dict(scheme.values), *([small] if small != dict(scheme.values) else [])]:
            launch = scheme.at(sizes)
            for order in IndexArrangement:
                given = launch.arguments[name]
                assert isinstance(given, Filled | np.ndarray), name
                values = replace(given, order=order) if isinstance(given, Filled) else arranged(given, order)
                yield Edge(sizes, replace(launch, arguments={**launch.arguments, name: values}), scheme.shapes(sizes), name, order)


# ------------------------------------------------------------ in words


def _varied(scheme: Scheme) -> Iterator[Message]:
    """What follows each size, and which indices are rearranged."""
    for name in scheme.values:
        following = {array: extent for array, extent in scheme.extents.items() if any(name in each.factors for each in extent)}
        arrays = [f"{array} ({' × '.join(map(str, extent))})" for array, extent in following.items()]
        axes = [f"grid.{letter} = {axis}" for letter, axis in zip("xyz", scheme.grid, strict=True) if name in axis.factors]
        yield message("{name} is varied; with it: {following}", name=name, following=", ".join((*arrays, *axes)))
    for name, targets in list(scheme.indices.items())[:MOST_INDICES]:
        yield message("{name} holds indices of {targets}: its values are varied.", name=name, targets=", ".join(targets))


def _widened(wider: Sequence[Edge]) -> Iterator[Message]:
    """What more is launched than one block, or one warp."""
    if wider:
        most = wider[-1].launch
        yield message(
            "One block, or one warp, hides what happens between several: tried with up to gridDim.x = {blocks}, blockDim.x = {threads}.",
            blocks=most.grid[0], threads=most.block[0],
        )  # fmt: skip


def _unvaried(scheme: Scheme, wider: Sequence[Edge]) -> Iterator[Message]:
    """What of the grid and of the block stays."""
    if all(edge.launch.block == scheme.base.block for edge in wider):
        yield message("The block stays as it is: {block}.", block=" × ".join(map(str, scheme.base.block)))
    if any(axis.each for axis in scheme.grid):
        yield NO_BLOCKS
