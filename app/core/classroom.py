"""Lessons in the running program: the player, joined to the stage and to what finds its numbers; what there is to play, how far it was."""

from __future__ import annotations

from pathlib import Path

from app.core.compare.comparison import Comparison
from app.core.errands import Errands
from app.core.facts.finder import FactFinder
from app.core.launch.selection import Selection
from app.core.launch.subject import Subject
from app.core.lessons.asked import sources_asked
from app.core.lessons.lesson import Action, Lesson, QuestionKind
from app.core.lessons.player import Player
from app.core.lessons.playing import Playing, Stage
from app.core.lessons.progress import Progress
from app.core.lessons.scene import Scene
from app.core.lessons.shelf import Shelf
from app.core.lessons.stage_scene import is_over, show_scene
from app.core.playground.draft import Draft
from app.core.playground.subject import subject_of_draft
from app.core.session import Session
from app.core.stage_model import StageModel
from app.core.stage_tracer import StageTracer
from app.core.state.states import States
from kernels.simt.trace import WARP


class Classroom:
    """`tick` never waits."""

    def __init__(
        self, session: Session, stage: StageModel, comparison: Comparison, states: States, tracer: StageTracer,
        errands: Errands, progress: Path | None,
    ) -> None:  # fmt: skip
        """`progress` is the file that tells how far each lesson was; None: that is not kept."""
        self.facts, self.shelf, self.progress = FactFinder(tracer), Shelf(errands), Progress(progress, errands)
        self._session, self._stage, self._states, self._comparison = session, stage, states, comparison
        self.player = Player(self.facts, self)
        self._set_aside: Draft | None = None
        """The text that the user was editing when a lesson put one of its own in its place."""
        self._own_text = False
        self.player.playing.subscribe(self._played)
        stage.pinned.subscribe(self._pinned)

    def tick(self) -> None:
        """Take over what was found, and ask for what is missing."""
        self.player.tick()
        self.facts.tick()
        self.progress.tick()

    def resume(self, lesson: Lesson) -> None:
        """Play a lesson from the step at which it was left; one that was played to its end from its beginning."""
        self.player.open(lesson, self.progress.place_of(lesson))

    def finish(self) -> None:
        """The program ends: leave the lesson, and write what is not written yet."""
        self.player.close()
        self.progress.finish()

    def show(self, scene: Scene, *, before: bool) -> None:
        if scene.snapshot.draft is not None and not self._own_text:
            self._own_text, self._set_aside = True, self._session.desk.draft.value
        show_scene(scene, self._states, self._stage, self._comparison, before=before)

    def subject(self, draft: Draft) -> Subject:
        return subject_of_draft(draft, self._session.profile.value)

    def done(self, action: Action) -> bool:
        if self._states.arrival.pending:  # the scene itself is still being set
            return False
        shown = self._session.stage.value
        if action.at_end:
            return is_over(self._stage.timeline)
        if action.variant is not None:
            return shown.variant is action.variant
        return shown.parameters.get(action.parameter) == action.value

    def do(self, action: Action) -> None:
        if action.at_end:
            self._stage.timeline.to_end()
        elif action.variant is not None:
            self._session.choose_variant(action.variant)
        else:
            self._session.set_stage_parameter(action.parameter, action.value)

    def _played(self, playing: Playing | None) -> None:
        self._stage.asking.value = sources_asked(playing)
        if playing is not None:
            self.progress.note(playing)
        elif self._own_text:
            kept, self._own_text, self._set_aside = self._set_aside, False, None
            if kept is not None:
                self._session.desk.take(kept)
                self._session.desk.set_aside()

    def _pinned(self, selection: Selection) -> None:
        """A click on a lane answers a question for one. The keyboard pins what the pointer is not on: that only chooses."""
        playing = self.player.playing.value
        if playing is None or playing.stage is not Stage.ASKING or playing.step.question is None:
            return
        if playing.step.question.kind is QuestionKind.LANE and selection.thread is not None and selection == self._stage.hovered.value:
            self.player.answer(float(selection.thread % WARP))
