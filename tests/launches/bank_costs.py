"""Costs of one warp instruction on shared memory, as the analysis counts them for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from kernels.analysis.banks import INACTIVE, BankCost, cost
from kernels.analysis.counts import warp_costs
from kernels.simt.trace.trace import Trace

Rule = Literal["hardware", "source"]


def wavefronts(word_index: Sequence[int], bytes_per_lane: int, operation: str, rule: Rule) -> int:
    """Wavefronts of one warp instruction: as the hardware counts them, or as the profiler shows them beside a source line.

    `word_index` is the first 4-byte word of each of the 32 lanes, -1 for an inactive one.
    """
    found = _cost(word_index, bytes_per_lane, operation)
    return int(found.hardware[0] if rule == "hardware" else found.source[0])


def ideal(word_index: Sequence[int], bytes_per_lane: int, operation: str) -> int:
    """Wavefronts that the same lanes would take without a bank conflict."""
    return int(_cost(word_index, bytes_per_lane, operation).ideal[0])


def conflict_degree(word_index: Sequence[int], bytes_per_lane: int, operation: str) -> int:
    """The most turns that one bank takes in one phase, 0 without an active lane."""
    return int(_cost(word_index, bytes_per_lane, operation).degree[0])


def most_wavefronts(trace: Trace, site: int) -> int:
    """The most that one warp instruction of a site takes, as the profiler shows them beside a source line."""
    costs = warp_costs(trace)
    return int(costs.wavefronts[costs.case[trace.rows.site == site]].max(initial=0))


def _cost(word_index: Sequence[int], bytes_per_lane: int, operation: str) -> BankCost:
    words = np.asarray(word_index, np.int64)[None, :]
    return cost(words, words != INACTIVE, bytes_per_lane, operation)
