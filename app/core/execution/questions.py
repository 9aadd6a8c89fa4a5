"""Questions about a launch that the tracing process executes, with their answers: its whole cost, a race's two schedules, its edges."""

from __future__ import annotations

from app.core.base.question import Answer, Question
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.exploration.edge_cases import Edge, Plan, Tried
from kernels.simt.trace.trace import Finding


@dataclass(frozen=True, slots=True, eq=False)
class CostQuestion(Question):
    """Asks for the cost of a subject's launch."""

    subject: Subject


@dataclass(frozen=True, slots=True)
class LaunchCost(Answer):
    """Bytes that the sectors of the whole launch move, estimated from some of its blocks."""

    bytes_moved: float


@dataclass(frozen=True, slots=True, eq=False)
class RaceQuestion(Question):
    """Asks for a schedule that breaks a subject's launch through a race, and for one that works."""

    subject: Subject
    finding: Finding


@dataclass(frozen=True, slots=True, eq=False)
class RaceSchedules(Answer):
    """The records of both, and what came of looking for them. `breaks` is None where no schedule changes the result."""

    sentence: Message
    chain: Message | None
    works: LaunchRecord
    breaks: LaunchRecord | None


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
