"""Controller of lessons: joins the player to the stage and to what finds its numbers.

It shows the scene of a step, knows which sources answer an open question, which lessons there are and how far each was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.base.timeline import Timeline
from app.core.compare.comparison import Comparison
from app.core.compare.race_comparison import RaceComparison
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.subject import Subject, subject_of_draft
from app.core.lesson_metrics.expression import Expression
from app.core.lesson_metrics.metric import Metric, Source
from app.core.lesson_metrics.records import COUNTERS
from app.core.lessons.current_lesson import CurrentLesson, LessonMoment, StepState
from app.core.lessons.lesson import Action, Lesson, Question, QuestionKind, Scene, Step
from app.core.lessons.metric_finder import MetricFinder
from app.core.lessons.progress import LessonProgress
from app.core.lessons.user_lessons import UserLessons
from app.core.programs.page import ProgramPage, event_at
from app.core.results.curves import Provenance
from app.core.session.draft import Draft
from app.core.session.session import SIZE_AXIS, LeftOperation, Session, TimingChoice, Workspace
from app.core.stage.model import Shown, StageModel
from app.core.state.snapshot import Pinned
from app.core.state.states import States
from app.core.tracing.stage_tracer import StageTracer
from kernels.base.spec import Operation
from kernels.base.values import dataclass
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.simt.host.result import ProgramRun
from kernels.simt.trace.trace import WARP

PREDICTED = frozenset({Source.LAUNCH, Source.SETTING})
"""Where what a profiler counted is predicted from."""


def sources_asked(playing: LessonMoment | None) -> frozenset[Source]:
    """Return, while an answer is awaited, the sources of the numbers that decide it, all where they stand in the lesson alone.

    None are asked of a step whose scene is meant to be looked at beforehand.
    """
    if playing is None or playing.state is not StepState.ASKING or playing.step.question is None:
        return frozenset()
    step, scene = playing.step, playing.step.scene
    if scene is not None and not scene.before:
        return frozenset()
    metrics = tuple(_metrics(step, _names(playing.step.question)))
    sources = {metric.source for metric in metrics}
    if any(metric.count in COUNTERS for metric in metrics):
        sources |= PREDICTED
    return frozenset(sources or Source)


def _names(question: Question) -> set[str]:
    """The numbers that the right answer is worked out from."""
    calculations = [question.answer, *(choice.holds for choice in question.choices)]
    names = {name for each in calculations if each is not None for name in each.names}
    return names | ({question.lanes} if question.lanes else set())


def _metrics(step: Step, names: Iterable[str]) -> Iterable[Metric]:
    """Yield the lesson metrics that must be found for numbers of these names.

    A calculation uses only what stands above it, so that this ends.
    """
    for name in names:
        value = step.values.get(name)
        if isinstance(value, Expression):
            yield from _metrics(step, value.names)
        elif value is not None:
            yield value


def show_scene(scene: Scene, states: States, stage: StageModel, comparison: Comparison, page: ProgramPage, *, before: bool) -> None:
    """Set the state; the stage goes to the moment that is meant, or `before` it, when its trace is there.

    Before a page of times, which would tell them, stands the stage; before a real run its animation.
    """
    if scene.program is not None:
        comparison.leave()
        _show_program(scene, states, stage, page, before=before)
        return
    if _are_there(scene, states, comparison):
        stage.alone.value = scene.snapshot.view  # as it is set with a state
        comparison.choose(scene.snapshot.view)
        arrive(scene, stage, before=before)
        return
    if scene.beside is not None:
        snapshot = replace(scene.snapshot, beside=Pinned(scene.beside, view=scene.snapshot.view))
    else:
        snapshot = replace(scene.snapshot, workspace=Workspace.STAGE, run=0) if before else scene.snapshot
    states.show_compared(snapshot, lambda: arrive(scene, stage, before=before))


def _show_program(scene: Scene, states: States, stage: StageModel, page: ProgramPage, *, before: bool) -> None:
    """Run the scene's program; then show its page at the event that is meant, or the launch that is meant at its step."""
    program, text = page.program, scene.snapshot.draft.text if scene.snapshot.draft is not None else ""

    def ran() -> None:
        if program.running.value:
            states.arrival.then(ran)
        elif scene.launch:
            page.open_launch(scene.launch - 1)
            states.arrival.then(lambda: arrive(scene, stage, before=before))
        else:
            page.open_page()
            run = program.outcome.value
            event = event_at(run, text, scene.line, scene.occurrence) if scene.line and isinstance(run, ProgramRun) else 0
            page.select((event or 0) - before)

    program.arguments.value = "" if scene.program is None else scene.program.arguments
    states.show_and_then(scene.snapshot, ran)


def _are_there(scene: Scene, states: States, comparison: Comparison) -> bool:
    """Whether the two launches that the scene compares are beside each other already."""
    pair = comparison.pair.value
    if scene.beside is None or pair is None or states.now().stage != scene.snapshot.stage:
        return False
    return pair.left.subject.variant_id == scene.beside.variant.id


def arrive(scene: Scene, stage: StageModel, *, before: bool) -> None:
    """Go to the moment, and begin to move where the scene says so."""
    timeline = stage.timeline
    if scene.unit in timeline.extent.value.units:
        timeline.unit.value = scene.unit
    shown = stage.shown.value
    step = None if shown is None or not scene.line else step_at(shown, scene.line, scene.occurrence, before=before)
    stage.ahead.value = step if before else None
    timeline.scrub(scene.snapshot.place.time if step is None else max(step, 0))
    stage.unbegun.value = step == BEFORE_ALL
    if scene.play and not before and not stage.still.value:
        timeline.play()


BEFORE_ALL = -1
"""In place of a step: before the first one."""


def step_at(shown: Shown, text: str, occurrence: int, *, before: bool = False) -> int | None:
    """The step, of those on lines that hold a piece of text, that comes after `occurrence` others; the last where there are fewer.

    `before`: the last one before it on another line, `BEFORE_ALL` where there is none. The same line just before, of another thread or
    iteration, may tell as much.
    """
    if isinstance(shown, LaunchIndex):
        lines = _lines(shown.subject.text, text)
        steps = sorted(step for line in lines for step in shown.steps_of_line(line).tolist())
    else:
        variant = catalogue.by_id(shown.trace.variant_id)
        lines = _lines(variant.source_text, text)
        steps = [step for step, line in enumerate(shown.trace.lines.tolist()) if line in lines]
    step = steps[min(occurrence, len(steps) - 1)] if steps else None
    if step is not None and before:
        on_line = set(steps)
        while step in on_line:
            step -= 1
    return step


def is_over(timeline: Timeline) -> bool:
    """Whether the animation was watched to its end."""
    return timeline.extent.value.steps > 0 and timeline.at_end


def _lines(whole: str, text: str) -> set[int]:
    return {number for number, line in enumerate(whole.splitlines(), start=1) if text in line}


@dataclass(frozen=True, slots=True)
class LentTiming:
    """Choice of what is timed that a lesson has put in place of the user's, with what other operations were left at by the user."""

    own: TimingChoice
    left: Mapping[Operation, LeftOperation]
    lent: TimingChoice

    def given_back(self, now: TimingChoice, ticked: frozenset[str]) -> TimingChoice:
        """Return the user's choice, but what was chosen since; `ticked` are the user's rungs of the operation that is shown now."""
        own = replace(self.own, operation=now.operation, ticked=ticked)
        kept = {name: getattr(now, name) for name in ("ticked", "parameters", "sizes", "swept", "axis")
                if getattr(now, name) != getattr(self.lent, name)}  # fmt: skip
        given = replace(own, **kept)
        return given if given.axis in given.axes else replace(given, axis=SIZE_AXIS)


class LessonController:
    """Controller of the lesson that is played. `tick` never waits."""

    def __init__(
        self, session: Session, stage: StageModel, comparison: Comparison, states: States, tracer: StageTracer,
        background_tasks: BackgroundTasks, progress: Path | None, page: ProgramPage, races: RaceComparison,
        results_shown: Field[frozenset[Provenance]],
    ) -> None:  # fmt: skip
        """`progress` is the file that tells how far each lesson was; None: that is not kept. `results_shown` are those that curves show."""
        self.metrics, self.user_lessons, self.progress = (
            MetricFinder(tracer, background_tasks),
            UserLessons(background_tasks),
            LessonProgress(progress, background_tasks),
        )
        self._session, self._stage, self._states, self._comparison = session, stage, states, comparison
        self._page, self._races, self._results_shown = page, races, results_shown
        self.player = CurrentLesson(self.metrics, self)
        self._set_aside: Draft | None = None
        """The text that the user was editing when a lesson put one of its own in its place."""
        self._given: set[str] = set()
        """The texts of its own that the lesson has shown."""
        self._staged: Case | None = None
        """What the stage showed before the lesson; None before its first scene."""
        self._timing: LentTiming | None = None
        self._views: tuple[int, int] | None = None
        """The view that was alone before the lesson, 0: none, and that which its scene shows; None before a first scene."""
        self._results: tuple[frozenset[Provenance], frozenset[Provenance]] | None = None
        """The results that curves showed before the lesson, and those that its scene shows; None before a first scene."""
        self.player.playing.subscribe(self._played)
        stage.pinned.subscribe(self._pinned)

    def tick(self) -> None:
        """Take over what was found, and ask for what is missing."""
        self.player.tick()
        self.metrics.tick()
        self.progress.tick()

    def resume(self, lesson: Lesson) -> None:
        """Play a lesson from the step at which it was left; one that was played to its end from its beginning."""
        self.player.open(lesson, self.progress.place_of(lesson))

    def finish(self) -> None:
        """Tilescope ends: leave the lesson, and write what is not written yet."""
        self.player.close()
        self.progress.finish()

    def show(self, scene: Scene, *, before: bool) -> None:
        if scene.snapshot.draft is not None:
            if not self._given:
                self._set_aside = self._session.draft_editor.draft.value
            self._given.add(scene.snapshot.draft.original)
        if self._staged is None:
            self._staged = self._session.stage.value
        if before and scene.view_before:
            scene = replace(scene, snapshot=replace(scene.snapshot, view=scene.view_before))
        self._views = (self._stage.alone.value if self._views is None else self._views[0]), scene.snapshot.view
        own, left, results = self._session.timing.value, self._session.left, self._results_shown.value
        self._stage.pinned.value = NOTHING
        show_scene(scene, self._states, self._stage, self._comparison, self._page, before=before)
        self._results = (results if self._results is None else self._results[0]), self._results_shown.value
        if (now := self._session.timing.value) != own:
            first = self._timing
            self._timing = LentTiming(own, left, now) if first is None else replace(first, lent=now)

    def subject(self, draft: Draft) -> Subject:
        return subject_of_draft(draft, self._session.profile.value)

    def done(self, action: Action) -> bool:
        if self._states.arrival.pending:  # the scene itself is still being set
            return False
        shown = self._session.stage.value
        if action.at_end:
            return is_over(self._stage.timeline)
        if action.play_race:
            return self._races.playing
        if action.variant is not None:
            return shown.variant is action.variant
        return shown.parameters.get(action.parameter) == action.value

    def do(self, action: Action) -> None:
        if action.at_end:
            self._stage.timeline.to_end()
        elif action.play_race:
            self._races.play_first()
        elif action.variant is not None:
            self._session.choose_variant(action.variant)
        else:
            self._session.set_stage_parameter(action.parameter, action.value)

    def _played(self, playing: LessonMoment | None) -> None:
        self._stage.asking.value = sources_asked(playing)
        if playing is None or playing.state is not StepState.ASKING:
            self._stage.unbegun.value, self._stage.ahead.value = False, None
        if playing is not None:
            self.progress.note(playing)
            return
        self._give_back_views()
        results, self._results = self._results, None
        if results is not None and self._results_shown.value == results[1]:
            self._results_shown.value = results[0]
        if self._staged is not None:
            staged, self._staged = self._staged, None
            shown = self._session.stage.value.parameters
            self._session.lent = {name: value for name, value in shown.items() if staged.parameters.get(name) != value}
            self._give_back_timing(staged)
        if self._given:
            given, kept, self._given, self._set_aside = self._given, self._set_aside, set(), None
            self._page.program.arguments.value = ""
            if kept is not None and not self._opened_since(given):
                self._session.draft_editor.take(kept)
                self._session.draft_editor.set_aside()

    def _opened_since(self, given: Collection[str]) -> bool:
        """Whether the user has opened a text over those that the lesson has given, which is no challenge's."""
        draft = self._session.draft_editor.draft.value
        return draft is not None and not draft.lent and (draft.path is not None or draft.original not in given)

    def _give_back_views(self) -> None:
        """Show the views of before the lesson, unless others were chosen than those of its scene."""
        views, self._views = self._views, None
        if views is not None and self._stage.alone.value == views[1]:
            self._stage.alone.value = views[0]

    def _give_back_timing(self, staged: Case) -> None:
        """Tick the rungs of before the lesson, with the sizes and settings that they had; so too where its operation is chosen again."""
        timing, self._timing = self._timing, None
        if timing is None:
            return
        session, now, own = self._session, self._session.timing.value, timing.own
        same = now.operation is own.operation
        session.left = timing.left if same else {**timing.left, own.operation: LeftOperation(staged, own.ticked)}
        session.timing.value = timing.given_back(now, own.ticked if same else session.last_ticked(now.operation))

    def _pinned(self, selection: Selection) -> None:
        """A click on a lane answers a question for one. The keyboard pins what the pointer is not on: that only chooses."""
        playing = self.player.playing.value
        if playing is None or playing.state is not StepState.ASKING or playing.step.question is None:
            return
        if playing.step.question.kind is QuestionKind.LANE and selection.thread is not None and selection == self._stage.hovered.value:
            self.player.answer(float(selection.thread % WARP))
