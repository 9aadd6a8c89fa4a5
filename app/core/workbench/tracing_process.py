"""The tracing process as the workbench uses it: its answers are imported where they are found, not where they are asked for."""

from __future__ import annotations

from app.core.base.question import Question
from app.core.tracing.service import DEADLINE_S, TracingService
from app.core.tracing.work import Outcome, Work


def new_tracing(deadline_s: float = DEADLINE_S) -> TracingService:
    """A service whose process answers all that is asked."""
    return TracingService(answer, deadline_s)


def answer(work: Work | Question) -> Outcome:
    """The outcome of anything that can be asked. Imports interpreters and models: to be called in the tracing process alone."""
    from app.core.workbench.trace_handlers import outcome_of

    return outcome_of(work)
