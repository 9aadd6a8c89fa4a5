"""What goes with changing by hand what is executed: undo, what the caches do, what other settings would cost, what is
compiled and predicted."""

from __future__ import annotations

from app.core.base.background import BackgroundTasks
from app.core.session.session import Session
from app.core.session.undo import ChoiceHistory
from app.core.stage.compiled import Compiled
from app.core.stage.model import StageModel
from app.core.stage.predictions import Predictions
from app.core.stage.studies import CacheStudy, StopCosts
from app.core.tracing.stage_tracer import StageTracer


class IdleWork:
    """Work for idle time. Everything in it is slow, and done when nothing else is."""

    def __init__(self, session: Session, stage: StageModel, tracer: StageTracer, background_tasks: BackgroundTasks) -> None:
        self.history = ChoiceHistory(session)
        self.caches = CacheStudy(session, stage, tracer)
        self.stop_costs = StopCosts(session, tracer)
        self.compiled = Compiled(stage, background_tasks)
        self.predictions = Predictions(session, tracer)

    def tick(self) -> None:
        """Ask for what is missing. Never waits."""
        self.caches.tick()
        self.stop_costs.tick()
        self.compiled.tick()
        self.predictions.tick()

    def shutdown(self) -> None:
        """Give up what is under way."""
        self.compiled.shutdown()
