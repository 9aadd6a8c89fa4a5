"""Launches with more blocks and more warps than the one at hand: one block hides what happens between blocks, one warp what between warps.

Only what the text reads is taken for what it is written for: a kernel that never asks for its block may be one for a single block, and one
that counts its blocks' threads in numbers, or exchanges values within a warp, one for blocks as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import log, prod

from kernels.analysis.footprint import Footprint
from kernels.exploration.edge_cases import Edge
from kernels.exploration.scheme import Scheme
from kernels.exploration.sizes import Execute
from kernels.simt import ir
from kernels.simt.base.launch import Argument, Filled, LaunchRequest
from kernels.simt.generate.walk import descendants
from kernels.simt.trace.finding_kinds import FindingKind

WARP = 32
BLOCKS, THREADS = 2, 2 * WARP
"""The fewest that hide nothing."""
MOST_LONG = 1 << 20
"""Elements of an array that is tried in place of a short one."""
BLOCKS_NAME, THREADS_NAME = "gridDim.x", "blockDim.x"
NOT_KNOWN = (FindingKind.OUT_OF_BOUNDS, FindingKind.UNINITIALISED_READ, FindingKind.DEADLOCK)
"""What is no fault of a kernel with more threads than were launched: they may be too many for its arrays, or too few still."""


def wider_launches(kernel: ir.Kernel, scheme: Scheme, execute: Execute) -> Iterator[Edge]:
    """Launches with two blocks, with two warps and with both, where there was one and no size says how many there are."""
    base, read = scheme.base, {each.name for each in descendants(kernel.body) if isinstance(each, ir.Special | ir.Call)}
    more_blocks = base.grid == (1, 1, 1) and not scheme.grid[0].each and bool({"blockIdx.x", BLOCKS_NAME} & read)
    of_one_warp = any(name.endswith("_sync") or name == "laneid" for name in read)
    any_block = THREADS_NAME in read or not ("blockIdx.x" in read or of_one_warp)
    more_threads = prod(base.block) == base.block[0] <= WARP and "threadIdx.x" in read and any_block
    for blocks, threads in product((False, True) if more_blocks else (False,), (False, True) if more_threads else (False,)):
        if blocks or threads:
            grid, block = BLOCKS if blocks else base.grid[0], THREADS if threads else base.block[0]
            launch = _fitted(replace(base, grid=(grid, *base.grid[1:]), block=(block, 1, 1)), base, execute)
            if launch is not None:
                sizes = {**scheme.values, **({BLOCKS_NAME: grid} if blocks else {}), **({THREADS_NAME: block} if threads else {})}
                yield Edge(sizes, launch, _unchanged(scheme, launch), wider=True)


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
