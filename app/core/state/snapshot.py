"""Snapshot of what the program shows: choices, the edited text, the place in time. Results are not in it."""

from __future__ import annotations

from dataclasses import field

from app.core.base.timeline import Timeline, Unit
from app.core.compare.comparison import Comparison
from app.core.frames.views import CpuView, View
from app.core.ladder.model import LadderChoice, LadderModel
from app.core.results.curves import Provenance
from app.core.results.labels import name_of
from app.core.session.choices import CacheChoice
from app.core.session.draft import Draft
from app.core.session.session import DEFAULT_PROFILE, Session, TimingChoice, Workspace, profile_named
from app.core.stage.model import StageModel
from app.core.timelines.model import ExecutionTimelines
from app.core.timing.model import TimingModel, TimingPage
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case


@dataclass(frozen=True, slots=True)
class TimelinePosition:
    """Position of the timeline, in steps, and how it moves."""

    time: float = 0.0
    unit: Unit = Unit.STEP
    speed: float = 1.0

    @staticmethod
    def of(timeline: Timeline) -> TimelinePosition:
        """Where a timeline stands now."""
        return TimelinePosition(timeline.position.value.time, timeline.unit.value, timeline.speed.value)

    def go(self, timeline: Timeline) -> None:
        """Stand there; beyond the ends of the trace is at its ends."""
        if self.unit in timeline.extent.value.units:
            timeline.unit.value = self.unit
        timeline.set_speed(self.speed)
        timeline.scrub(self.time)


@dataclass(frozen=True, slots=True)
class Pinned:
    """Launch that what is shown is compared with: a rung's, or that of an edited text."""

    stage: Case
    draft: Draft | None = None
    view: int = 0
    """The number of the view on both sides; 0: the one in which they differ most."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Snapshot of what the program shows. `draft` is the edited text; `edited` says whether the stage shows it."""

    stage: Case
    profile: str = DEFAULT_PROFILE
    caches: CacheChoice = field(default_factory=CacheChoice)
    draft: Draft | None = None
    edited: bool = False
    place: TimelinePosition = TimelinePosition()
    view: int = 0
    """The number of the view that is alone; 0: none is."""
    workspace: Workspace = Workspace.STAGE
    timing: TimingChoice | None = None
    page: TimingPage = TimingPage.CURVES
    """Of the timing workspace."""
    ladder_n: int = 0
    """Of the ladder page; 0: the n with most times."""
    published: bool = False
    """Whether published points are laid over the curves."""
    run: int = 0
    """The n of the real run that the stage shows in place of an animation; 0: it shows none."""
    seen: float = 0.0
    """When it was looked at, in seconds of the system's clock; 0 where nobody has noted it."""
    beside: Pinned | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """Models that a snapshot is taken of, and put back into."""

    session: Session
    stage: StageModel
    timing: TimingModel
    ladder: LadderModel
    runs: ExecutionTimelines
    comparison: Comparison


def views_of(stage: Case, *, edited: bool) -> type[View] | type[CpuView]:
    """The views of what the stage shows: of a launch where that is an edited text or a kernel of the GPU, else of a CPU kernel."""
    return View if edited or stage.variant.device is Device.GPU else CpuView


def take(models: Models) -> Snapshot:
    """Take a snapshot of what is shown now."""
    session, stage, timing, runs = models.session, models.stage, models.timing, models.runs
    draft = session.draft_editor.draft.value
    return Snapshot(
        session.stage.value, session.profile.value.id, session.caches.value, draft, session.draft_editor.on_stage.value,
        TimelinePosition.of(stage.timeline), stage.alone.value, session.workspace.value, session.timing.value, timing.page.value,
        models.ladder.choice.value.n, Provenance.PUBLISHED in timing.shown.value, runs.n.value if runs.watched.value else 0,
    )  # fmt: skip


def put_back(snapshot: Snapshot, models: Models) -> None:
    """Show what a snapshot says, but for its place in time: that can be gone to when its trace is there.

    What it does not speak of stays as it is: a draft that is being edited is kept where the snapshot has none.
    """
    session, stage, timing = models.session, models.stage, models.timing
    session.profile.value = profile_named(snapshot.profile)
    session.caches.value = snapshot.caches
    session.choose_variant(snapshot.stage.variant)
    session.stage.value = snapshot.stage
    if snapshot.draft is not None:
        session.draft_editor.take(snapshot.draft)
        if not snapshot.edited:
            session.draft_editor.set_aside()
    if snapshot.timing is not None:
        session.timing.value = snapshot.timing
        published = frozenset({Provenance.PUBLISHED})
        timing.shown.value = timing.shown.value | published if snapshot.published else timing.shown.value - published
    if snapshot.page is TimingPage.LADDER:
        models.ladder.choice.value = LadderChoice(n=snapshot.ladder_n)
    models.runs.show(snapshot.run)
    timing.page.value = snapshot.page
    stage.alone.value = snapshot.view
    session.show_workspace(snapshot.workspace)


def title_of(snapshot: Snapshot) -> Message:
    """The rung with its parameters and size; of a text its name, and of a file no more than that: it says its sizes itself."""
    stage, draft = snapshot.stage, snapshot.draft if snapshot.edited and snapshot.workspace is Workspace.STAGE else None
    name = name_of(stage.variant, stage.parameters) if draft is None else draft.title
    if draft is not None and draft.changed:
        name = message("{title}, edited", title=name)
    if not stage.problem.shapes or (draft is not None and not draft.variant_id):
        return name
    m, n, k = stage.problem.m, stage.problem.n, stage.problem.k
    sizes = (
        message("n = {n}", n=n)
        if m == n and k in (0, n)
        else message("{m} × {n} × {k}", m=m, n=n, k=k)
        if k
        else message("{m} × {n}", m=m, n=n)
    )
    if snapshot.workspace is Workspace.TIMING:
        return message("Timing: {name}, {sizes}", name=name, sizes=sizes)
    return message("{name}, {sizes}", name=name, sizes=sizes)
