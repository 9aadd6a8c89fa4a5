"""Questions for the edges of a launch: which sizes and indices can be tried, and what becomes of one of them."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.base.question import Answer, Question
from app.core.gpu_view.subject import Subject
from kernels.exploration.edge_cases import Edge, Plan, Tried


@dataclass(frozen=True, slots=True, eq=False)
class EdgesQuestion(Question):
    """Asks which launches are to be tried beside a subject's own."""

    subject: Subject


@dataclass(frozen=True, slots=True, eq=False)
class EdgeQuestion(Question):
    """Asks what becomes of a subject with one of them."""

    subject: Subject
    edge: Edge


@dataclass(frozen=True, slots=True, eq=False)
class PlannedEdges(Answer):
    """Launches that are to be tried. `compared`: whether the results can be compared with right ones."""

    plan: Plan
    compared: bool


@dataclass(frozen=True, slots=True, eq=False)
class TriedEdge(Answer):
    """One launch that was tried."""

    tried: Tried
