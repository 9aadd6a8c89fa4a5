"""All that is wrong with a launch, in one list."""

from __future__ import annotations

from kernels.analysis.merge import merged
from kernels.analysis.races import races
from kernels.simt.trace import Finding, Trace


def findings(trace: Trace) -> tuple[Finding, ...]:
    """What showed while executing, and the data races: one for each kind and line (pair of lines), with its count, the first to show first.

    Those that stand at no access row come last, in the order found.
    """
    return merged((*trace.findings, *races(trace).findings))
