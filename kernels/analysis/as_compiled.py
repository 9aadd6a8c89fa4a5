"""What is left of a trace's accesses where the compiler joins those that lie side by side into wider ones.

The machine code tells the widths of the accesses on each line; the trace tells which of the line's places go through memory element
by element, so that their neighbours can have been joined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from kernels.analysis.cases import Bools
from kernels.simt.trace import Rows, Trace

Place = tuple[int, str, str]
"""Line, operation and memory."""
_MOSTLY = 0.5
"""Of pairs joined at least every other access follows its neighbour."""


def joined(trace: Trace, widest: Mapping[Place, int]) -> Trace:
    """The trace with as few accesses as the machine code has. `widest` has the bytes of the widest access at each place of the text.

    Only what counting looks at is kept true: sites and rows.
    """
    sites, keep = list(trace.sites), np.ones(len(trace.rows.site), np.bool_)
    for number, site in enumerate(trace.sites):
        width = widest.get((site.location.line, site.operation, str(site.space)), site.bytes)
        if site.tile or site.location.file or width <= site.bytes:
            continue
        own = trace.rows.site == number
        if _side_by_side(trace, own, site.bytes):
            keep &= ~own | _begins(trace, own, width)
            sites[number] = replace(site, bytes=width)
    return replace(trace, sites=tuple(sites), rows=_chosen(trace.rows, keep))


def _side_by_side(trace: Trace, own: Bools, size: int) -> bool:
    """Whether most executions of a site are followed by one of the same threads, one element further."""
    rows = np.flatnonzero(own)
    order = rows[np.lexsort((rows, trace.rows.base[rows], trace.rows.mask[rows], trace.rows.block[rows]))]
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for column in (trace.rows.base, trace.rows.mask, trace.rows.block):
        same &= column[order[1:]] == column[order[:-1]]
    steps = np.diff(trace.rows.offset[order])
    return bool(len(order) > 1 and (same & (steps == size)).sum() >= _MOSTLY * (len(order) - 1))


def _begins(trace: Trace, own: Bools, width: int) -> Bools:
    """For each row whether an access of `width` bytes can begin there: its first active lane is aligned to that."""
    rows = np.flatnonzero(own)
    lane = trace.masks.argmax(axis=1)[trace.rows.mask[rows]]
    address = trace.bases[trace.rows.base[rows], lane] + trace.rows.offset[rows]
    found = np.zeros(len(own), np.bool_)
    found[rows[address % width == 0]] = True
    return found


def _chosen(rows: Rows, keep: Bools) -> Rows:
    return Rows(
        rows.site[keep], rows.mask[keep], rows.base[keep], rows.offset[keep], rows.epoch[keep], rows.warp_epoch[keep], rows.block[keep]
    )  # fmt: skip
