"""What a block has to wait for: loads of global memory whose values it needs at once, and those that it lets come while it works."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernels.simt.trace import Trace
from kernels.simt.types import Scope, Space


@dataclass(frozen=True, slots=True)
class Chain:
    """Of one block, between its barriers."""

    exposed: int
    """Intervals that load from global memory and have nothing else to do until the values are there."""
    overlapped: int
    """Intervals that read shared memory after the last load of global memory was issued."""
    shared_intervals: int
    """Intervals that read shared memory."""
    loads: int
    """Loads of global memory one after the other in each thread, joined loads once."""
    barriers: int


def chain(trace: Trace) -> Chain:
    """The chain of the first block of a trace."""
    own = trace.rows.block == 0
    site, epoch = trace.rows.site[own], trace.rows.epoch[own]
    loads = _of_kind(trace, Space.GLOBAL)[site]
    reads = _of_kind(trace, Space.SHARED)[site]
    exposed = overlapped = shared = 0
    for here in np.split(np.arange(len(epoch)), np.flatnonzero(np.diff(epoch)) + 1):
        load, read = (np.flatnonzero(kind[here]) for kind in (loads, reads))
        shared += len(read) > 0
        if len(load):
            beside = len(read) > 0 and bool(read[-1] > load[-1])
            overlapped += beside
            exposed += not beside
    barriers = sum(event.scope is Scope.BLOCK and event.block == 0 for event in trace.barriers)
    return Chain(exposed, overlapped, shared, int(loads.sum()), barriers)


def _of_kind(trace: Trace, space: Space) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([site.space is space and site.operation == "load" for site in trace.sites], np.bool_)
