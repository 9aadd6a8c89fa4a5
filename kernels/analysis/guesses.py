"""Plain loads that only begin a compare-and-swap.

`old = *p; do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (assumed != old);` reads without order what other threads
update. Whatever it reads is a guess: the atomic compares it with what is there. NVIDIA's guide writes atomics of other types so.
"""

from __future__ import annotations

import numpy as np

from kernels.analysis.accesses import LOAD, Accesses, operation_of_rows
from kernels.simt.trace import Trace

COMPARE_AND_SWAP = "atomicCAS"


def without_guesses(trace: Trace, accesses: Accesses) -> Accesses:
    """The accesses, less the loads after which their thread's next access to the same piece is a compare-and-swap in the same interval.

    No race is lost: plain stores that would meet such a load meet its compare-and-swap.
    """
    swaps = np.array([site.function.startswith(COMPARE_AND_SWAP) for site in trace.sites], np.bool_)
    if not swaps.any():
        return accesses
    rows = trace.rows
    order = np.lexsort((accesses.row, accesses.lane, rows.block[accesses.row], accesses.piece))
    row, lane, piece = accesses.row[order], accesses.lane[order], accesses.piece[order]
    this, following = row[:-1], row[1:]
    same = (piece[:-1] == piece[1:]) & (lane[:-1] == lane[1:])
    same &= (rows.block[this] == rows.block[following]) & (rows.epoch[this] == rows.epoch[following])
    kept = np.ones(len(row), np.bool_)
    kept[order[:-1]] = ~(same & (operation_of_rows(trace)[this] == LOAD) & swaps[rows.site[following]])
    return accesses.only(kept)
