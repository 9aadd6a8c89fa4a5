"""Launches with more blocks and more warps than the one at hand: one block hides what happens between blocks, one warp what between warps.

Only what the text reads is taken for what it is written for: a kernel that never asks for its block may be one for a single block, and one
that exchanges values within a warp, one for blocks as they are. One that counts its blocks' threads in numbers is for so many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import product
from math import log, prod

from kernels.analysis.footprint import Footprint
from kernels.base.architectures import THREADS_PER_BLOCK, WARP
from kernels.exploration.edge_cases import Edge
from kernels.exploration.scheme import Scheme
from kernels.exploration.sizes import Execute
from kernels.simt import ir
from kernels.simt.base.launch import Argument, Filled, LaunchRequest
from kernels.simt.base.types import Space
from kernels.simt.generate.walk import Node, descendants
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Finding, Trace

BLOCKS, THREADS = 2, 2 * WARP
"""The fewest that hide nothing."""
MOST_LONG = 1 << 20
"""Elements of an array that is tried in place of a short one."""
BLOCK_NAME, BLOCKS_NAME, THREADS_NAME = "blockIdx.x", "gridDim.x", "blockDim.x"
COMPARISONS = frozenset(ir.Binary(each) for each in ("<", "<=", ">", ">=", "==", "!="))
MOST_BLOCKS = 16
"""Blocks that are tried because the text names one."""
NOT_KNOWN = (FindingKind.OUT_OF_BOUNDS, FindingKind.UNINITIALISED_READ, FindingKind.DEADLOCK)
"""What is no fault of a kernel with more threads than were launched: they may be too many for its arrays, or too few still."""


def wider_launches(kernel: ir.Kernel, scheme: Scheme, execute: Execute) -> Iterator[Edge]:
    """Launches with more blocks, with more warps and with both, where there was one and no size says how many there are."""
    base, nodes = scheme.base, list(descendants(kernel.body))
    read = {each.name for each in nodes if isinstance(each, ir.Special | ir.Call)}
    more_blocks = base.grid == (1, 1, 1) and not scheme.grid[0].each and bool({BLOCK_NAME, BLOCKS_NAME} & read)
    threads = _more_threads(base, nodes, read)
    counts = (base.grid[0], *([_most_blocks(nodes)] if more_blocks else []))
    for grid, block in product(counts, (base.block[0], *([threads] if threads else []))):
        if (grid, block) != (base.grid[0], base.block[0]):
            yield from _edge(scheme, grid, block, execute)


def _edge(scheme: Scheme, grid: int, block: int, execute: Execute) -> Iterator[Edge]:
    base = scheme.base
    launch = _fitted(replace(base, grid=(grid, *base.grid[1:]), block=(block, 1, 1)), base, execute)
    if launch is not None:
        blocks = {BLOCKS_NAME: grid} if grid != base.grid[0] else {}
        threads = {THREADS_NAME: block} if block != base.block[0] else {}
        yield Edge({**scheme.values, **blocks, **threads}, launch, _unchanged(scheme, launch), wider=True)


def _more_threads(base: LaunchRequest, nodes: Sequence[Node], read: Set[str]) -> int:
    """How many threads a block may have, more than it has; 0 where it is for as many as it has."""
    if prod(base.block) != base.block[0] or base.block[0] > WARP or "threadIdx.x" not in read:
        return 0
    of_one_warp = any(name.endswith("_sync") or name == "laneid" for name in read)
    if THREADS_NAME in read or not (BLOCK_NAME in read or of_one_warp):
        return THREADS
    return next(filter(None, map(_threads_counted, nodes)), 0) if base.block[0] == 1 else 0


def _threads_counted(node: Node) -> int:
    """How many threads a block has by `blockIdx.x * 32 + threadIdx.x`; 0 where that is not what stands here."""
    match node:
        case ir.BinaryOp(
            ir.Binary.ADD,
            ir.BinaryOp(ir.Binary.MULTIPLY, ir.Special("blockIdx.x"), ir.Const(int(threads))),
            ir.Special("threadIdx.x"),
        ) if 1 < threads <= THREADS_PER_BLOCK:
            return threads
    return 0


def _most_blocks(nodes: Sequence[Node]) -> int:
    """As many blocks as there are up to the last one that the text compares with, two at least."""
    named = [
        int(node.right.value)
        for node in nodes
        if isinstance(node, ir.BinaryOp) and node.left == ir.Special(BLOCK_NAME) and isinstance(node.right, ir.Const)
        and node.operator in COMPARISONS
    ]  # fmt: skip
    return max(BLOCKS, *(each + 1 for each in named if each < MOST_BLOCKS), BLOCKS)


def not_known(trace: Trace, found: Finding) -> bool:
    """Whether a finding is no fault of a kernel with more threads than were launched: arrays that threads share may be for fewer."""
    if found.kind is not FindingKind.OUT_OF_BOUNDS:
        return found.kind in NOT_KNOWN
    return any(site.location == found.location and site.space is not Space.REGISTER for site in trace.sites)


def _unchanged(scheme: Scheme, launch: LaunchRequest) -> dict[str, tuple[int, ...]]:
    """The extents of the arrays that are as long as before."""
    given = launch.arguments.items()
    grown = {name for name, value in given if isinstance(value, Filled) and value != scheme.base.arguments[name]}
    return {name: shape for name, shape in scheme.shapes({}).items() if name not in grown}


def _fitted(launch: LaunchRequest, base: LaunchRequest, execute: Execute) -> LaunchRequest | None:
    """The launch with arrays as long as its threads reach, and with as much more dynamic shared memory as a block has more threads."""
    times = prod(launch.grid) * prod(launch.block) // (prod(base.grid) * prod(base.block))
    shared = base.shared_bytes * launch.block[0] // base.block[0]
    long = {name: _longer(given, times) for name, given in base.arguments.items()}
    launch = replace(launch, shared_bytes=shared, arguments=long)
    found = execute(launch)
    if found is None:
        return None
    return replace(launch, arguments={name: _reached(name, given, base.arguments[name], found) for name, given in long.items()})


def _longer(given: Argument, times: int) -> Argument:
    return replace(given, count=given.count * times) if isinstance(given, Filled) else given


def _reached(name: str, given: Argument, before: Argument, found: Footprint) -> Argument:
    if not isinstance(given, Filled) or not isinstance(before, Filled):
        return given
    return replace(given, count=max(before.count, min(given.count, found.extent(name))))


def from_one(base: LaunchRequest, execute: Execute) -> LaunchRequest:
    """The launch with numbers of 1 as large as a block is wide, where none is larger: of 1 there is nothing less to be tried.

    Arrays grow by the power of it that comes nearest to what is touched then; a number that changes nothing that is touched stays.
    """
    numbers = {name: given for name, given in base.arguments.items() if isinstance(given, int) and not isinstance(given, bool)}
    size = base.block[0] if base.block[0] > 1 else WARP
    if 1 not in numbers.values() or max(numbers.values()) > 1:
        return base
    arrays = {name: given for name, given in base.arguments.items() if isinstance(given, Filled) and given.count * size**2 <= MOST_LONG}
    long = {**base.arguments, **{name: replace(given, count=given.count * size**2) for name, given in arrays.items()}}
    before = execute(replace(base, arguments=long))
    tried = {name: execute(replace(base, arguments={**long, name: size})) for name, value in numbers.items() if value == 1}
    larger = {name: size for name, found in tried.items() if before is not None and found is not None and not found.alike(before)}
    reached = execute(replace(base, arguments={**long, **larger})) if larger else None
    if reached is None:
        return base
    grown = {name: replace(given, count=given.count * size ** _power(given, reached.extent(name), size)) for name, given in arrays.items()}
    return replace(base, arguments={**base.arguments, **grown, **larger})


def _power(given: Filled, touched: int, size: int) -> int:
    return max(0, round(log(touched / given.count, size))) if touched and given.count else 0
