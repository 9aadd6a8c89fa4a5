"""Question for the cost of a launch in all, and its answer: for charts over many settings."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.base.question import Answer, Question
from app.core.gpu_view.subject import Subject


@dataclass(frozen=True, slots=True, eq=False)
class CostQuestion(Question):
    """Asks for the cost of a subject's launch."""

    subject: Subject


@dataclass(frozen=True, slots=True)
class LaunchCost(Answer):
    """Bytes that the sectors of the whole launch move, and wavefronts of shared memory. An estimate from `traced` of `blocks`."""

    bytes_moved: float
    wavefronts: float
    traced: int
    blocks: int
