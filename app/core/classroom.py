"""Lessons in the running program: the player, joined to the stage and to what finds its numbers."""

from __future__ import annotations

from functools import partial

from app.core.compare.comparison import Comparison
from app.core.facts.finder import FactFinder
from app.core.launch.subject import Subject
from app.core.lessons.lesson import Action
from app.core.lessons.player import Player
from app.core.lessons.stage_scene import is_over, show_scene
from app.core.playground.draft import Draft
from app.core.playground.subject import subject_of_draft
from app.core.session import Session
from app.core.stage_model import StageModel
from app.core.stage_tracer import StageTracer
from app.core.state.states import States


class Classroom:
    """`tick` never waits."""

    def __init__(self, session: Session, stage: StageModel, comparison: Comparison, states: States, tracer: StageTracer) -> None:
        self.facts = FactFinder(tracer)
        self._session, self._stage, self._states = session, stage, states
        show = partial(show_scene, states=states, stage=stage, comparison=comparison)
        self.player = Player(self.facts, show, self._subject, self._done)

    def tick(self) -> None:
        """Take over what was found, and ask for what is missing."""
        self.player.tick()
        self.facts.tick()

    def _subject(self, draft: Draft) -> Subject:
        return subject_of_draft(draft, self._session.profile.value)

    def _done(self, action: Action) -> bool:
        """Whether the student has done what a step waits for."""
        if self._states.arrival.pending:  # the scene itself is still being set
            return False
        shown = self._session.stage.value
        if action.at_end:
            return is_over(self._stage.timeline)
        if action.variant:
            return shown.variant.id == action.variant
        return shown.parameters.get(action.parameter) == action.value
