"""What a launch costs in all, worked out from few blocks and without its history: for charts over many settings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.core.launch.cost_question import CostQuestion, LaunchCost
from app.core.launch.coverage import coverage
from app.core.launch.execute import job_of
from app.core.launch.sketch import iterations
from app.core.launch.subject import Subject, block_of_each_kind
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.warp_costs import warp_costs
from kernels.simt.launch import Keep
from kernels.simt.trace import Trace
from kernels.simt.worker import NotTraced, trace_job

MOST_ITERATIONS = 4096
"""Blocks times iterations of the inner loop up to which a block of each kind is executed, else one."""


def answer(question: CostQuestion) -> LaunchCost | NotTraced:
    """The cost, or why there is none. Runs in the tracing process."""
    subject = question.subject
    launch = replace(subject.launch, blocks=_blocks(subject), keep=Keep.RESULTS)
    outcome = trace_job(job_of(replace(subject, launch=launch)))
    return outcome if isinstance(outcome, NotTraced) else cost_of(outcome.trace)


def cost_of(trace: Trace) -> LaunchCost:
    """The cost of the launch whose blocks, or some of them, a trace is of."""
    covered, costs = coverage(trace), warp_costs(trace)
    weights = np.asarray(covered.weights)[trace.rows.block]
    sectors, wavefronts = (float((each.sum(axis=1)[costs.case] * weights).sum()) for each in (costs.sectors, costs.wavefronts))
    return LaunchCost(sectors * SECTOR_BYTES, wavefronts, covered.traced, covered.blocks)


def _blocks(subject: Subject) -> tuple[int, ...]:
    """A block of each kind, or one where even that is much."""
    blocks = block_of_each_kind(subject.launch.grid)
    return blocks if iterations(subject, len(blocks)) <= MOST_ITERATIONS else blocks[:1]
