"""Plans and tries the edges of a launch, in the tracing process. A variant's results are compared with right ones."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np

from app.core.execution.questions import EdgeQuestion, EdgesQuestion, PlannedEdges, TriedEdge
from app.core.gpu_view.subject import Subject
from kernels.base.messages import Message, message
from kernels.base.reference import compute_reference
from kernels.base.spec import Operation, Output, Problem, Variant
from kernels.catalogue.catalogue import find
from kernels.exploration.edge_search import Check, plan_edges, try_edge
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import Trace


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
        reference = compute_reference(problem, values, lambda: None).judging(variant, problem, subject.parameters)
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
