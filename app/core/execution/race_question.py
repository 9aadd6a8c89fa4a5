"""Question for the two schedules of a race, and its answer: what the stage shows side by side."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.base.question import Answer, Question
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from kernels.base.messages import Message
from kernels.simt.trace.trace import Finding


@dataclass(frozen=True, slots=True, eq=False)
class RaceQuestion(Question):
    """Asks for a schedule that breaks a subject's launch through a race, and for one that works."""

    subject: Subject
    finding: Finding


@dataclass(frozen=True, slots=True, eq=False)
class RaceSchedules(Answer):
    """The records of both, and what came of looking for them. `breaks` is None where no schedule changes the result."""

    finding: Finding
    sentence: Message
    chain: Message | None
    works: LaunchRecord
    breaks: LaunchRecord | None
