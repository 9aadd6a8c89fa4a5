"""Plays a race: the schedule that works beside the one that breaks it, on one clock, until one launch is shown again."""

from __future__ import annotations

from dataclasses import replace

from app.core.base.observable import Field
from app.core.compare.comparison import Comparison
from app.core.execution.questions import RaceQuestion, RaceSchedules
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.stage.model import Shown, StageModel
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import Finding

LOOKING = message("Looking for a schedule that breaks it …")
PLAY = message("Play the schedule that breaks it")
WORKS, BREAKS = message("A schedule that works"), message("A schedule that breaks it")


@dataclass(frozen=True, slots=True)
class Told:
    """Account of a race that was to be played."""

    finding: Finding
    sentence: Message
    chain: Message | None = None


class RaceComparison:
    """Comparison of a race's two schedules. `told` is what came of the last race that was to be played; None: none was, or another launch
    is shown."""

    def __init__(self, stage: StageModel, comparison: Comparison, tracer: StageTracer) -> None:
        self.told: Field[Told | None] = Field(None)
        self._stage, self._comparison, self._tracer = stage, comparison, tracer
        self._wanted: RaceQuestion | None = None
        self._before: LaunchIndex | None = None
        """What the stage showed."""
        self._playing: LaunchIndex | None = None
        """What it shows now, where it plays a race."""
        stage.shown.subscribe(self._shown_changed)
        comparison.pinned.subscribe(lambda pinned: self._left() if pinned is None else None)

    @property
    def playing(self) -> bool:
        return self._playing is not None

    @property
    def settled(self) -> bool:
        """Whether no schedules are being looked for."""
        return self.told.value is None or self.told.value.sentence is not LOOKING

    def play(self, finding: Finding) -> None:
        """Look for the schedules of a race of the shown launch, then show them."""
        shown = self._before if self._playing is not None else self._stage.shown.value
        if isinstance(shown, LaunchIndex):
            self._wanted = RaceQuestion(shown.subject, finding)
            self.told.value = Told(finding, LOOKING)
            self.tick()

    def play_first(self) -> Message | None:
        """Play the first race of the shown launch. Returns why there is nothing to play."""
        shown = self._stage.shown.value
        found = shown.record.findings if isinstance(shown, LaunchIndex) else ()
        race = next((each for each in found if each.kind is FindingKind.DATA_RACE), None)
        if race is None:
            return message("No data race was found in what the stage shows.")
        self.play(race)
        return None

    def tick(self) -> None:
        """Ask for what is wanted, once the tracing process has time. Never waits."""
        if self._wanted is not None and self._tracer.free:
            wanted, self._wanted = self._wanted, None
            self._tracer.ask(wanted, lambda outcome: self._answered(wanted, outcome))

    def _answered(self, asked: RaceQuestion, outcome: Outcome) -> None:
        shown = self._before if self._playing is not None else self._stage.shown.value
        if not isinstance(shown, LaunchIndex) or shown.subject is not asked.subject:
            return
        if isinstance(outcome, NotTraced):
            self.told.value = Told(asked.finding, outcome.reason)
        elif isinstance(outcome, RaceSchedules):
            if outcome.breaks is not None:
                self._show(asked, outcome, shown)
            self.told.value = Told(asked.finding, outcome.sentence, outcome.chain)

    def _show(self, asked: RaceQuestion, found: RaceSchedules, before: LaunchIndex) -> None:
        assert found.breaks is not None
        works = LaunchIndex(replace(asked.subject, schedule=WORKS), found.works)
        outcome = tuple(each for each in (found.sentence, found.chain) if each is not None)
        breaks = LaunchIndex(replace(asked.subject, schedule=BREAKS, outcome=outcome), found.breaks)
        self._before, self._playing = before, breaks
        self._stage.shown.value = breaks
        self._comparison.pinned.value = works
        if not found.breaks.wrong:  # threads wait for ever, and all that was stored is right
            self._comparison.choose(View.MEMORY_ORDER)
            return
        first = found.breaks.wrong[0]
        shared = breaks.trace.sites[breaks.trace.rows.site[first.row]].space is Space.SHARED
        self._comparison.choose(View.SHARED_MEMORY if shared else View.MATRICES)
        step = found.breaks.order.step_of(first.row, first.lanes[0] // 32)
        if step is not None:
            self._stage.timeline.scrub(step)

    def _left(self) -> None:
        """One launch is shown again: the one that was shown before."""
        before, self._playing = self._before if self._playing is not None else None, None
        if before is not None:
            self._before = None
            self.told.value = None
            self._stage.shown.value = before

    def _shown_changed(self, shown: Shown | None) -> None:
        """Another launch was executed: the race was that of the one before."""
        if self._playing is not None and shown is not self._playing:
            self._playing = self._before = None
            self._comparison.leave()
        if self._playing is None:
            self._wanted = None
            self.told.value = None
