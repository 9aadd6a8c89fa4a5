"""Model of the tuning page: its choice, and the picture that follows from the choice and the known results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.base.job_queues import Client
from app.core.base.observable import Field
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session, Workspace
from app.core.timing.model import TimingModel
from app.core.timing.tuner import DEFAULT_BUDGET_S, TuningProgress, Wish
from app.core.tuning.heat_map import HeatMap, heat_map, known_results, library_result, refusals
from kernels.base.devices import DeviceStatus
from kernels.base.limits import Limits, refuse_size
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.results import Result
from kernels.measure.rows import row_of
from kernels.measure.tuning import TuningPlan, combinations, plan_tuning, refuse_tuning, untried

DEFAULT_SIZES = {Device.CPU: 512, Device.GPU: 4096, Device.MPI: 512}
MOST_AT_FIRST = 400
"""With more combinations than this the parameters beside the axes are left alone until they are chosen."""

Statuses = Mapping[Device, DeviceStatus]


AnyTuner = Client[Wish, TuningProgress, Result]


@dataclass(frozen=True, slots=True)
class TuningChoice:
    """Choice of what is tuned.

    `axes` are the one or two parameters of the picture, `also` the others that vary. `n` 0: where most is known.
    """

    variant: Variant
    axes: tuple[str, ...]
    also: frozenset[str] = frozenset()
    n: int = 0

    @property
    def over(self) -> tuple[str, ...]:
        """The parameters that vary, those of the picture first."""
        return *self.axes, *(each.name for each in self.variant.parameters if each.name in self.also and each.name not in self.axes)


@dataclass(frozen=True, slots=True)
class TuningPicture:
    """Picture of the tuning page: all that it shows of results."""

    plan: TuningPlan
    map: HeatMap
    axes: tuple[str, ...]
    library: Result | None
    refusals: tuple[tuple[Message, int], ...]
    untried: int
    machine: str
    """Where the times were taken, and `day` when the last of them was."""
    day: str


class TuningModel:
    """Follows the rung on the stage. `tick` takes over what the tuner has found, and never waits."""

    def __init__(self, session: Session, timing: TimingModel, devices: Field[Statuses], tuner: AnyTuner) -> None:
        self._session, self._timing, self._devices, self._tuner = session, timing, devices, tuner
        self._plans: dict[object, TuningPlan] = {}
        self._sizes: dict[Device, int] = {}
        self.choice = Field(first_choice(session.stage.value.variant))
        self.budget_s = Field(DEFAULT_BUDGET_S)
        self.progress: Field[TuningProgress | None] = Field(None)
        session.stage.subscribe(self._follow)

    @property
    def session(self) -> Session:
        """The choices that are shared with the rest of the window."""
        return self._session

    @property
    def revision(self) -> Field[int]:
        """Changes with what the picture is made of, besides `statuses` and the choices."""
        return self._timing.revision

    @property
    def statuses(self) -> Field[Statuses]:
        """What can be measured here."""
        return self._devices

    @property
    def offered(self) -> tuple[Variant, ...]:
        """The variants of the shown operation that have parameters."""
        return tuple(variant for variant in catalogue.of(self._session.operation) if refuse_tuning(variant, ()) is None)

    def refusal(self) -> Message | None:
        """Why nothing can be tuned, or tuned here; None where it can."""
        choice, status = self.choice.value, self._devices.value.get(self.choice.value.variant.device)
        reason = refuse_tuning(choice.variant, choice.over)
        if reason is None and status is not None and not status.ready:
            return status.reason or message("The device is not ready.")
        return reason

    def choose_axis(self, place: int, name: str) -> None:
        """Lay a parameter along an axis; where the other axis has it, the two change places."""
        axes = list(self.choice.value.axes)
        if name in axes:
            other = axes.index(name)
            axes[place], axes[other] = axes[other], axes[place]
        else:
            axes[place] = name
        self.choice.value = replace(self.choice.value, axes=tuple(axes))

    def vary(self, name: str, varies: bool) -> None:
        """Try also other values of a parameter beside the axes, or leave it."""
        also = self.choice.value.also
        self.choice.value = replace(self.choice.value, also=also | {name} if varies else also - {name})

    def choose_size(self, n: int) -> Message | None:
        """Tune on n x n matrices; returns why that cannot be."""
        variant = self.choice.value.variant
        status = self._devices.value.get(variant.device)
        reason = None if status is None else refuse_size(Problem.square(variant.operation, n), status.limits)
        if reason is None:
            self._sizes[variant.device] = n
            self.choice.value = replace(self.choice.value, n=n)
        return reason

    def start(self) -> None:
        """Try the settings."""
        if self.refusal() is None and (plan := self.plan()) is not None:
            self._tuner.start(Wish(plan, self.budget_s.value))

    def cancel(self) -> None:
        """Stop; what was measured is kept."""
        self._tuner.cancel()

    def take_over(self, point: Case) -> Message | None:
        """Show the settings on the stage; returns why they cannot be shown."""
        reason = self._session.show_settings(point.variant, point.parameters)
        if reason is None:
            self._session.show_workspace(Workspace.STAGE)
        return reason

    def tick(self) -> None:
        """Take over what was found."""
        self._timing.add(Provenance.MEASURED, self._tuner.drain())
        self.progress.value = self._tuner.progress()

    def n(self) -> int:
        """The size that is tuned on: the chosen one, else where most of the settings are known."""
        choice = self.choice.value
        return choice.n or _best_known(choice.variant, self._timing.results) or DEFAULT_SIZES[choice.variant.device]

    def plan(self) -> TuningPlan | None:
        """What would be tried; None where the variant cannot be tuned."""
        choice = self.choice.value
        if not choice.axes or refuse_tuning(choice.variant, choice.over) is not None:
            return None
        status = self._devices.value.get(choice.variant.device)
        start, problem = self._session.timing.value.parameters[choice.variant.id], Problem.square(choice.variant.operation, self.n())
        limits = Limits() if status is None else status.limits
        asked = (choice.variant.id, choice.over, problem, tuple(start.items()), limits)
        if asked not in self._plans:
            self._plans = {asked: plan_tuning(choice.variant, problem, choice.over, start, limits)}
        return self._plans[asked]

    def picture(self) -> TuningPicture | None:
        """What is known of the plan's settings."""
        plan = self.plan()
        if plan is None:
            return None
        provenance, results = known_results(plan, self._timing.results)
        own = [result for result in results if result.point.variant_id == plan.variant.id]
        machine = next((row.machine for row in map(row_of, own) if row.machine), "")
        day = max((result.created[:10] for result in own), default="")
        return TuningPicture(
            plan, heat_map(plan, results, provenance), self.choice.value.axes, library_result(plan, results), refusals(plan),
            sum(1 for _ in untried(plan, results)), machine, day,
        )  # fmt: skip

    def _follow(self, stage: Case) -> None:
        if stage.variant is not self.choice.value.variant:
            self.choice.value = replace(first_choice(stage.variant), n=self._sizes.get(stage.variant.device, 0))


def first_choice(variant: Variant) -> TuningChoice:
    """The first two parameters that have several values as axes; the others vary too where that is not too much."""
    names = [each.name for each in variant.parameters if len(each.stops) > 1] if variant.operation is not Operation.HELLO else []
    also = frozenset(names[2:]) if combinations(variant, names) <= MOST_AT_FIRST else frozenset()
    return TuningChoice(variant, tuple(names[:2]), also)


def _best_known(variant: Variant, results: Results) -> int:
    """The size at which most settings have a time, the largest of several; 0 where there is none."""
    both = [results.of(provenance, variant.id) for provenance in (Provenance.MEASURED, Provenance.RECORDED)]
    known = {
        n: {row.setting for own in both for row in own.at(Problem.square(variant.operation, n)) if row.verified}
        for n in {n for own in both for n in own.sizes}
    }
    return max((n for n in known if known[n]), key=lambda n: (len(known[n]), n), default=0)
