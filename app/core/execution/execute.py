"""Executes what the stage shows, in the tracing process, and counts the whole cost of a launch from few blocks and without history."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.core.execution.questions import CostQuestion, LaunchCost, RaceQuestion, RaceSchedules
from app.core.execution.schedule_sentences import chain_text
from app.core.gpu_view.counters import coverage
from app.core.gpu_view.record import LaunchRecord, record
from app.core.gpu_view.subject import Subject, block_of_each_kind, iterations
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.counts import warp_costs
from kernels.exploration.breaking_schedules import schedules_of_race
from kernels.simt.base.launch import Keep
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import Trace


def execute(subject: Subject) -> LaunchRecord | NotTraced:
    """The record of a subject's launch, or why there is none. Never raises for what the subject holds."""
    outcome = trace_job(subject)
    if isinstance(outcome, NotTraced):
        return outcome
    return record(outcome.trace, subject.matrices, outcome.diagnostics, outcome.kernels, subject.text, outcome.flows)


def answer_race(question: RaceQuestion) -> RaceSchedules | NotTraced:
    """The two schedules of a race as the stage shows them, or why there are none. Runs in the tracing process."""
    subject = question.subject
    found = schedules_of_race(subject, question.finding)
    if isinstance(found, NotTraced):
        return found
    works = record(found.works.trace, subject.matrices, text=subject.text)
    breaks = None
    if found.breaks is not None:
        broken = record(found.breaks.trace, subject.matrices, text=subject.text)
        breaks = replace(broken, roles=works.roles, letters=works.letters, wrong=found.wrong)
    return RaceSchedules(question.finding, found.sentence, chain_text(found), works, breaks)


MOST_ITERATIONS = 4096
"""Blocks times iterations of the inner loop up to which a block of each kind is executed, else one."""


def answer_cost(question: CostQuestion) -> LaunchCost | NotTraced:
    """The cost, or why there is none. Runs in the tracing process."""
    subject = question.subject
    launch = replace(subject.launch, blocks=_blocks(subject), keep=Keep.RESULTS)
    outcome = trace_job(replace(subject, launch=launch))
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
