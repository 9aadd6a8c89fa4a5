"""The distinct warp instructions of a trace: what an analysis of addresses needs to look at once, however often it was executed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP, Trace

LANES_AT_ONCE = 1 << 20
"""Bounds the memory that an analysis takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Instructions:
    """Warp instructions of one site, each with at least one active lane.

    `address` and `active` are n x 32; addresses differ from the true ones by a multiple of the period asked for, the same in all
    lanes. Each of them was executed `count` times.
    """

    site: int
    address: Ints
    active: Bools
    count: Ints


def distinct_instructions(trace: Trace, chosen: Bools, period: int) -> Iterator[Instructions]:
    """The warp instructions of the chosen rows, in order of their site; several parts of one site may follow each other.

    Instructions that differ only by a multiple of `period` bytes in all lanes count as alike.
    """
    rows, (bases, lanes) = trace.rows, trace.bases.shape
    site, mask = rows.site[chosen].astype(np.int64), rows.mask[chosen]
    key = ((site * len(trace.masks) + mask) * bases + rows.base[chosen]) * period + rows.offset[chosen] % period
    distinct, count = np.unique(key, return_counts=True)
    key, offset = np.divmod(distinct, period)
    key, base = np.divmod(key, max(bases, 1))
    site, mask = np.divmod(key, max(len(trace.masks), 1))
    for number in np.unique(site).tolist():
        first, last = np.searchsorted(site, [number, number + 1])
        step = max(1, LANES_AT_ONCE // lanes)
        for start in range(first, last, step):
            part = slice(start, min(start + step, last))
            address = (trace.bases[base[part]] + offset[part, None]).reshape(-1, WARP)
            active = trace.masks[mask[part]].reshape(-1, WARP)
            request = active.any(axis=1)
            if request.any():
                yield Instructions(number, address[request], active[request], np.repeat(count[part], lanes // WARP)[request])
