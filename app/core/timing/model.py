"""Model of the timing workspace: what its panels draw, what measuring its choice means, and the shares of the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from app.core.base.background import BackgroundTasks, Latest
from app.core.base.observable import Field
from app.core.results.curves import Provenance
from app.core.results.gpu_uses import Uses, UseScope
from app.core.results.known_results import Results
from app.core.results.library_percent import library_shares
from app.core.results.measuring import Progress
from app.core.results.quantities import Baseline, Quantity, Rung, Share, Smallest
from app.core.results.relative_times import Lines
from app.core.session.session import SIZE_AXIS, Session, TimingChoice
from kernels.base.messages import Message, message
from kernels.base.spec import Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.estimate import seconds_left
from kernels.measure.protocol import Protocol
from kernels.measure.rows import AnyResult, items_of
from kernels.measure.sweep import plan

if TYPE_CHECKING:
    from app.core.insights.rules import Insight
    from app.core.results.library_percent import PercentGroup


class Scales(StrEnum):
    """Scales of the two axes of a chart."""

    LOG_LOG = "log-log"
    LOG_LINEAR = "log-linear"
    LINEAR = "linear"

    @property
    def log_x(self) -> bool:
        return self is not Scales.LINEAR

    @property
    def log_y(self) -> bool:
        return self is Scales.LOG_LOG


class TimingPage(StrEnum):
    """Page of the timing workspace."""

    CURVES = "curves"
    USES = "uses"
    """Where the time of one use of the GPU goes."""
    TUNING = "tuning"
    """Which settings are the fastest."""
    LADDER = "ladder"
    """All rungs at one n."""

    @property
    def page_title(self) -> Message:
        """Title of the page."""
        return _TITLES[self]

    @property
    def alone(self) -> bool:
        """Whether it has choices and a side of its own."""
        return self in (TimingPage.TUNING, TimingPage.LADDER)


_TITLES = {
    TimingPage.CURVES: message("Curves"),
    TimingPage.LADDER: message("Ladder"),
    TimingPage.USES: message("One use of the GPU"),
    TimingPage.TUNING: message("Tuning"),
}


class TimingModel:
    """Model of the timing workspace: all known results and how they are shown. The user's choice of what to measure is the session's.

    `staged` is the id of the variant on the stage, "" where there is none. `background_tasks` make sentences, else it is done at once.
    """

    def __init__(self, staged: str = "", background_tasks: BackgroundTasks | None = None) -> None:
        self.staged = Field(staged)
        self.results = Results()
        self.revision = Field(0)
        """Another number whenever the results have changed."""
        self.lines = Lines()
        self.insights: Field[tuple[Insight, ...]] = Field(())
        self.shares: Field[tuple[PercentGroup, ...]] = Field(())
        self._insights: Latest[tuple[Insight, ...]] = Latest(background_tasks, lambda found: setattr(self.insights, "value", found))
        self._shares: Latest[tuple[PercentGroup, ...]] = Latest(background_tasks, lambda found: setattr(self.shares, "value", found))
        self.progress: Field[Progress | None] = Field(None)
        self.under_way: Field[tuple[Case | None, ...]] = Field(())
        """What each busy device measures now, None: nothing yet. It changes with the point, `progress` with each sample."""
        self.progress.subscribe(lambda progress: setattr(self.under_way, "value", _under_way(progress)))
        self.quantity = Field(Quantity.RATE)
        self.baseline = Field("")
        """The id of the variant that speed-ups are over; "" for what `baseline_of` takes then."""
        self.scales = Field(Scales.LOG_LOG)
        self.page = Field(TimingPage.CURVES)
        self.uses = Field(Uses())
        self.counted = Field(UseScope.EACH_TIME)
        """What of a use is drawn."""
        self.pointed: Field[str] = Field("")
        """The id of the variant that the mouse or the keyboard points at, anywhere; "" for none."""
        self.standing_in = Field(value=True)
        """Whether curves of rungs that are not ticked are drawn where times are missing."""
        self.shown: Field[frozenset[Provenance]] = Field(frozenset((Provenance.MEASURED, Provenance.RECORDED)))

    def add(self, provenance: Provenance, results: Iterable[AnyResult]) -> None:
        """Take further results in; of each point the newest stays."""
        if self.results.add(provenance, results):
            self.revision.value += 1

    def take(self, known: Results) -> None:
        """Show what has been read in the background, with what is known already."""
        for provenance in Provenance:
            known.add(provenance, self.results.rows(provenance))
        self.show(known)

    def ask_insights(self, choice: TimingChoice) -> None:
        """Have the sentences about the choice made; a later tick of the background tasks shows them."""
        self._insights.ask(partial(_insights_of, self.results, choice, self.staged.value, self.shown.value))

    def ask_shares(self, choice: TimingChoice) -> None:
        """Have the shares of the library worked out; a later tick of the background tasks shows them."""
        self._shares.ask(partial(_shares_of, self.results, choice, self.staged.value, self.shown.value))

    def show(self, results: Results) -> None:
        """Show another table in the place of this one."""
        self.results = results
        self.revision.value += 1


def _under_way(progress: Progress | None) -> tuple[Case | None, ...]:
    return () if progress is None else tuple(queue.point for queue in progress.queues if not queue.state.ended)


def _insights_of(results: Results, choice: TimingChoice, staged: str, shown: frozenset[Provenance]) -> tuple[Insight, ...]:
    from app.core.insights.rules import insights

    return insights(results, choice, staged, shown)


def _shares_of(results: Results, choice: TimingChoice, staged: str, shown: frozenset[Provenance]) -> tuple[PercentGroup, ...]:
    from app.core.results.library_percent import shares_of

    return shares_of(results, choice, staged, shown)


def points_of(choice: TimingChoice) -> tuple[Case, ...]:
    """What measuring the choice means: its ticked variants over its sizes, or over a parameter's values at the largest size."""
    ticked = [(variant.id, choice.parameters[variant.id]) for variant in choice.variants]
    sizes = choice.sizes if choice.axis == SIZE_AXIS else choice.sizes[-1:]
    return plan(ticked, [Problem.square(choice.operation, n) for n in sizes], choice.axis, choice.values(choice.axis))


def other_axis(choice: TimingChoice) -> str | None:
    """What the small chart shows beside the axis that is chosen: n, or a parameter; None where no ticked variant has one."""
    if choice.axis != SIZE_AXIS:
        return SIZE_AXIS
    return "tile" if "tile" in choice.axes else next(iter(choice.axes[1:]), None)


def baseline_of(choice: TimingChoice, axis: str, chosen: str) -> Baseline:
    """What speed-ups are over: the variant that was chosen; else along n the first ticked one, along a parameter its smallest value."""
    known = find(chosen)
    variant = known if known is not None and known.operation is choice.operation else None
    if variant is None and axis == SIZE_AXIS and choice.variants:
        variant = choice.variants[0]
    return Smallest(axis) if variant is None else Rung(variant.id, items_of(choice.parameters[variant.id]))


def quantities_of(choice: TimingChoice, axis: str, chosen: str) -> tuple[Quantity, ...]:
    """Return what can be told along an axis. No speed-up over the smallest n: another amount of work is no baseline."""
    apart = baseline_of(choice, axis, chosen) == Smallest(SIZE_AXIS)
    return tuple(each for each in Quantity if not (apart and each is Quantity.SPEED_UP))


def quantity_of(model: TimingModel, choice: TimingChoice) -> Quantity:
    """The quantity of the main chart: the chosen one, or rates where that cannot be told."""
    chosen = model.quantity.value
    return chosen if chosen in quantities_of(choice, choice.axis, model.baseline.value) else Quantity.RATE


def about_seconds(choice: TimingChoice, results: Results, before: Progress | None = None) -> float:
    """About how long measuring the choice takes, judged by what was measured here of its variants, and by what points took beside their
    runs when it was measured `before`."""
    points = points_of(choice)
    overheads = {} if before is None else before.overheads
    beside = sum(each.of([point for point in points if point.variant.device is device]) for device, each in overheads.items())
    return seconds_left(points, results.estimator, Protocol()) + beside


class LibraryPercentages:
    """The `library_shares` of the shown operation. Found beside the interface, anew for other results or another operation."""

    def __init__(self, session: Session, timing: TimingModel, background_tasks: BackgroundTasks | None = None) -> None:
        self._session, self._timing = session, timing
        self._operation = session.operation
        self.by_variant: Field[Mapping[str, Share]] = Field({})
        self._asked: Latest[Mapping[str, Share]] = Latest(background_tasks, lambda shares: setattr(self.by_variant, "value", shares))
        session.stage.subscribe(lambda _choice: self._operation_chosen())
        timing.revision.subscribe(lambda _revision: self._ask())

    def _operation_chosen(self) -> None:
        if self._session.operation is not self._operation:
            self._operation = self._session.operation
            self._ask()

    def _ask(self) -> None:
        self._asked.ask(partial(library_shares, self._timing.results, self._operation))
