"""Grids that cover too little: launches whose blocks leave elements of the output unwritten that other blocks, or other sizes, write.

Nothing is known of what a kernel is to write but by comparison: an array is written wholly in one launch, and in part in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np

from kernels.analysis.footprint import written
from kernels.base.messages import Message, message
from kernels.exploration.edge_cases import Edge
from kernels.exploration.larger_launches import BLOCKS_NAME
from kernels.exploration.scheme import Formula, Scheme
from kernels.exploration.sizes import Execute
from kernels.simt import ir
from kernels.simt.base.launch import Dim3, Filled, LaunchRequest
from kernels.simt.generate.walk import descendants
from kernels.simt.trace.trace import Trace

MOST_BLOCKS = 4096
"""Blocks of a grid that is tried because it would cover a number."""
MOST_NUMBERS = 3


def whole(request: LaunchRequest, execute: Execute) -> frozenset[str]:
    """The arrays among the arguments that a launch writes wholly."""
    found = execute(request)
    return (
        frozenset()
        if found is None
        else frozenset(name for name in _filled(request) if name in found.written and bool(found.written[name].all()))
    )


def covering(kernel: ir.Kernel, base: LaunchRequest, execute: Execute) -> tuple[LaunchRequest, frozenset[str]]:
    """The launch, or where it writes an array in part, one that covers a number among its arguments and writes it wholly; which arrays
    these are."""
    found = execute(base)
    if found is None:
        return base, frozenset()
    before = whole(base, execute)
    partly = {name for name in _filled(base) if name in found.written and found.written[name].any()} - before
    if partly:
        for grid in _larger(kernel, base):
            more = replace(base, grid=grid)
            if gained := (whole(more, execute) - before) & partly:
                return more, gained
    return base, frozenset()


def _filled(request: LaunchRequest) -> dict[str, Filled]:
    return {name: given for name, given in request.arguments.items() if isinstance(given, Filled) and given.count}


def _larger(kernel: ir.Kernel, base: LaunchRequest) -> Iterator[Dim3]:
    """Grids of more blocks along x, y or both, as the kernel asks for them, whose threads cover one of the numbers."""
    read = {each.name for each in descendants(kernel.body) if isinstance(each, ir.Special)}
    numbers = {given for given in base.arguments.values() if isinstance(given, int) and not isinstance(given, bool) and given > 1}
    axes = [
        [blocks, *sorted({-(-each // threads) for each in numbers if each > blocks * threads and name in read})[:MOST_NUMBERS]]
        for blocks, threads, name in zip(base.grid[:2], base.block[:2], ("blockIdx.x", "blockIdx.y"), strict=True)
    ]
    for x, y in product(*axes):
        if (x, y) != base.grid[:2] and x * y * base.grid[2] <= MOST_BLOCKS:
            yield x, y, base.grid[2]


def following(scheme: Scheme, arrays: Set[str]) -> frozenset[str]:
    """Those among the arrays that follow a size, not the blocks, and are written at places that no data choose."""
    return frozenset(
        name
        for name in arrays - {each for targets in scheme.indices.values() for each in targets}
        if any(each.factors for each in scheme.extents.get(name, ())) and all(isinstance(each, Formula) for each in scheme.extents[name])
    )


def reached(scheme: Scheme, array: str, sizes: Mapping[str, int]) -> bool:
    """Whether the blocks follow what an array follows, or it is no larger than it was: else they may be too few for it."""
    followed = {name for axis in scheme.grid if axis.each for name in axis.factors}
    return all(
        size <= scheme.values[name] or name in followed
        for name, size in sizes.items()
        if any(name in each.factors for each in scheme.extents[array])
    )


def fewer_blocks(kernel: ir.Kernel, scheme: Scheme, execute: Execute) -> Iterator[Edge]:
    """Launches with fewer blocks along x of a kernel that spreads its work over as many as there are: these have to do it, too."""
    base, blocks = scheme.base, scheme.base.grid[0]
    asked = any(isinstance(each, ir.Special) and each.name == BLOCKS_NAME for each in descendants(kernel.body))
    if blocks == 1 or prod(base.grid[1:]) > 1 or not asked:
        return
    found, alone = execute(base), execute(replace(base, grid=(1, 1, 1)))
    if found is None or alone is None:
        return
    spread = frozenset(name for name in whole(base, execute) if np.count_nonzero(alone.written[name]) > np.count_nonzero(found.first[name]))
    for fewer in dict.fromkeys((1, blocks // 2, blocks - 1)) if spread else ():
        launch = replace(base, grid=(fewer, *base.grid[1:]))
        yield Edge({**scheme.values, BLOCKS_NAME: fewer}, launch, scheme.shapes({}), wider=True, whole=spread)


def left_unwritten(trace: Trace, edge: Edge) -> Message | None:
    """Say which element of an array is not written that is to be written wholly."""
    flags = written(trace) if edge.whole else {}
    for name in sorted(edge.whole & flags.keys()):
        if not flags[name].all():
            return message(
                "{count} of {all} elements of {array} are written, not element {first}: with other sizes, or more blocks, all are.",
                count=int(np.count_nonzero(flags[name])), all=len(flags[name]), array=name, first=int(np.flatnonzero(~flags[name])[0]),
            )  # fmt: skip
    return None
