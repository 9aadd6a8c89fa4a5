"""Where the tiles lie at a step: pure functions of a trace."""

from __future__ import annotations

import numpy as np

from kernels.cpusim.trace import Ints, Trace


def region_depth(trace: Trace) -> int:
    """How many of the outer loops say where in the matrices the kernel works: the loops over tiles; without any, all but the inner one.

    Where a kernel calls itself, its calls say that.
    """
    tile_loops = sum(loop.tile_loop for loop in trace.loops)
    if trace.chains:
        return tile_loops
    depth = max((loop.depth + 1 for loop in trace.loops), default=0)
    return tile_loops or min(depth, max(depth - 1, 1))


def groups(trace: Trace, depth: int) -> Ints:
    """For each step its group's number, from 0 on: consecutive steps in the same iteration of all loops less than `depth` deep.

    Where a kernel calls itself they are in the same call too.
    """
    outer = [number for number, loop in enumerate(trace.loops) if loop.depth < depth]
    indices = trace.indices[:, outer]
    if not trace.steps:
        return np.zeros(0, np.int32)
    changes = (indices[1:] != indices[:-1]).any(axis=1)
    if trace.chains:
        changes |= trace.chain[1:] != trace.chain[:-1]
    return np.concatenate(([0], np.cumsum(changes))).astype(np.int32)
