"""Executes what the stage shows, in the tracing process; counts the whole cost of a launch from few blocks and without history; and plans
and tries its edges.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from app.core.execution.questions import (
    CostQuestion,
    EdgeQuestion,
    EdgesQuestion,
    LaunchCost,
    PlannedEdges,
    RaceQuestion,
    RaceSchedules,
    TriedEdge,
)
from app.core.execution.schedule_sentences import chain_text
from app.core.gpu_view.counters import coverage
from app.core.gpu_view.record import LaunchRecord, record
from app.core.gpu_view.subject import Subject, block_of_each_kind, iterations
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.counts import warp_costs
from kernels.base.arrays import never
from kernels.base.messages import Message, message
from kernels.base.reference import compute_reference
from kernels.base.spec import Operation, Output, Problem, Variant
from kernels.catalogue.catalogue import find
from kernels.exploration.breaking_schedules import schedules_of_race
from kernels.exploration.edge_search import Check, plan_edges, try_edge
from kernels.simt.base.launch import Keep, LaunchRequest
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
    return RaceSchedules(found.sentence, chain_text(found), works, breaks)


MOST_COSTED_ITERATIONS = 4096
"""Blocks times iterations of the inner loop up to which a block of each kind is executed, else one."""


def answer_cost(question: CostQuestion) -> LaunchCost | NotTraced:
    """The cost, or why there is none. Runs in the tracing process."""
    subject = question.subject
    launch = replace(subject.launch, blocks=_blocks(subject), keep=Keep.RESULTS)
    outcome = trace_job(replace(subject, launch=launch))
    return outcome if isinstance(outcome, NotTraced) else cost_of(outcome.trace)


def cost_of(trace: Trace) -> LaunchCost:
    """The cost of the launch whose blocks, or some of them, a trace is of."""
    costs, weights = warp_costs(trace), np.asarray(coverage(trace).weights)[trace.rows.block]
    return LaunchCost(float((costs.sectors.sum(axis=1)[costs.case] * weights).sum()) * SECTOR_BYTES)


def _blocks(subject: Subject) -> tuple[int, ...]:
    """A block of each kind, or one where even that is much."""
    blocks = block_of_each_kind(subject.launch.grid)
    return blocks if iterations(subject, len(blocks)) <= MOST_COSTED_ITERATIONS else blocks[:1]


def answer_plan(question: EdgesQuestion) -> PlannedEdges | NotTraced:
    """Plan the launches, or say why nothing can be varied."""
    subject = question.subject
    shapes = {role.name: (role.rows, role.columns) for role in subject.matrices if role.rows}
    plan = plan_edges(subject, shapes)
    return plan if isinstance(plan, NotTraced) else PlannedEdges(plan, check_of(subject) is not None)


def answer_edge(question: EdgeQuestion) -> TriedEdge:
    """Try one launch."""
    return TriedEdge(try_edge(question.subject, question.edge, check_of(question.subject)))


def check_of(subject: Subject) -> Check | None:
    """How the results of a copy of a variant are compared, where it is launched with the arguments of that; else None."""
    variant = find(subject.variant_id)
    if variant is None or variant.output is Output.IN_PLACE or variant.operation is Operation.HELLO:
        return None
    wanted = {"A", "C", "M", "N"} | ({"B", "K"} if variant.operation is Operation.MATMUL else set())
    given = {*subject.texts, *subject.launch.arguments}
    return partial(_differs, variant, subject) if given == wanted else None


def _differs(variant: Variant, subject: Subject, launch: LaunchRequest, trace: Trace) -> Message | None:
    """Where C is not what the operation makes of A and B."""
    m, n, k = (int(launch.arguments.get(name, 0)) for name in ("M", "N", "K"))  # type: ignore[arg-type]
    problem = Problem(variant.operation, m, n, k)
    shapes = problem.shapes
    if any(trace.values[name].dtype != np.float32 or trace.values[name].size != prod(shape) for name, shape in shapes.items()):
        return None
    values = {name: trace.values[name].astype(np.float32, copy=False).reshape(shape) for name, shape in shapes.items()}
    expected: np.ndarray[Any, Any]
    scale: np.ndarray[Any, Any]
    if variant.output is Output.COPY:
        expected, scale, allowed = values["A"].reshape(shapes["C"]), np.abs(values["A"]).reshape(shapes["C"]), 0.0
    else:
        reference = compute_reference(problem, values, never).judging(variant, problem, subject.parameters)
        expected, scale, allowed = reference.expected, reference.scale, reference.allowed_error
    found = values["C"]
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(found.astype(np.float64) - expected) <= allowed * scale)
    if not wrong.any():
        return None
    row, column = np.argwhere(wrong)[0].tolist()
    return message(
        "C[{row}][{column}] is {found}, expected {wanted}; {count} of {all} elements are wrong.", row=row, column=column,
        found=float(found[row, column]), wanted=float(expected[row, column]), count=int(wrong.sum()), all=wrong.size,
    )  # fmt: skip
