"""Which words of shared memory a launch uses at all. What it never uses is padding."""

from __future__ import annotations

import numpy as np

from kernels.analysis.banks import WORD_BYTES
from kernels.analysis.cases import Bools, distinct_instructions
from kernels.simt.trace import Trace
from kernels.simt.types import Space

_PERIOD = 1 << 30
"""More bytes than a block's shared memory has."""


def touched_words(trace: Trace) -> Bools:
    """For each word of a block's shared memory whether any lane of the trace touches any of its bytes."""
    size = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0)
    found = np.zeros(-(-size // WORD_BYTES), np.bool_)
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    for part in distinct_instructions(trace, shared[trace.rows.site], _PERIOD) if shared.any() else ():
        first = part.address[part.active] % _PERIOD
        last = first + trace.sites[part.site].bytes - 1
        for word in range(int((last // WORD_BYTES - first // WORD_BYTES).max(initial=0)) + 1):
            reached = np.minimum(first // WORD_BYTES + word, last // WORD_BYTES)
            found[reached[reached < len(found)]] = True
    return found
