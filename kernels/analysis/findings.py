"""All that is wrong with a launch, in one list."""

from __future__ import annotations

from dataclasses import replace

from kernels.analysis.asynchronous import asynchronous
from kernels.analysis.cluster_memory import blocks_not_there
from kernels.analysis.races import merged, races
from kernels.base.messages import Message, message
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Finding, Trace

THREADS_SHOWN = 4


def findings(trace: Trace) -> tuple[Finding, ...]:
    """What showed while executing, the data races, what engines access too early or too late, and blocks that need not be there: one for
    each kind and line (pair of lines), with its count, the first to show first.

    Those that stand at no access row come last, in the order found.
    """
    shown = (each for each in trace.findings if each.kind is not FindingKind.ENDS_LAUNCH)
    return merged((*shown, *found_afterwards(trace)))


def found_afterwards(trace: Trace) -> tuple[Finding, ...]:
    """Those of `findings` that did not show while executing."""
    return merged((*races(trace), *asynchronous(trace), *blocks_not_there(trace)))


def ends(trace: Trace) -> tuple[Finding, ...]:
    """Where threads would end the launch on a GPU, in their own words: what the kernel demands does not hold. Their kind is ENDS_LAUNCH."""
    return tuple(replace(each, message=_with_threads(each)) for each in trace.findings if each.kind is FindingKind.ENDS_LAUNCH)


def _with_threads(finding: Finding) -> Message:
    shown = ", ".join(str(thread) for thread in finding.threads[:THREADS_SHOWN])
    if len(finding.threads) > THREADS_SHOWN:
        shown += " …"
    return message("{reason} Block {block}, threads: {threads}.", reason=finding.message, block=str(finding.block), threads=shown)
