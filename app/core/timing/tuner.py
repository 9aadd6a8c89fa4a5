"""Has settings tried in the background: one tuning at a time, its progress and results polled."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.core.base.job_queues import Job, JobClient
from app.core.results.measuring import Lent, Loan, PointsProgress, PointsRequest
from kernels.base.arrays import CancelCheck
from kernels.base.devices import DeviceStatus
from kernels.base.machine_conditions import free_memory_bytes
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.store import ResultStore
from kernels.measure.sweep import Bench
from kernels.measure.tuning import Round, Tuning, TuningPlan, remembered

Conditions = Mapping[str, str | int | float]
DEFAULT_BUDGET_S = 60.0


@dataclass(frozen=True, slots=True)
class MeasuringSetup:
    """Parts of the program that tuning needs: a device's queue, what the device is, the machine's conditions, the history."""

    lend: Callable[[Device, Loan], Job]
    status: Callable[[Device], DeviceStatus]
    """Called in the device's queue, where it may take its time."""
    conditions: Callable[[], Conditions]
    store: ResultStore


@dataclass(frozen=True, slots=True)
class Wish:
    """Request for a tuning. `afresh`: also what the history has is measured."""

    plan: TuningPlan
    budget_s: float = DEFAULT_BUDGET_S
    afresh: bool = False


@dataclass(frozen=True, slots=True)
class TuningProgress(PointsProgress):
    """Progress of a tuning. Counts are points of the present round."""

    part: Round = Round.LOOK


class Tuner(JobClient[TuningProgress, Result]):
    """Client of the queue of the variant's device. Each result is in the history when it is found."""

    def __init__(self, around: MeasuringSetup) -> None:
        super().__init__()
        self._around = around

    def start(self, wish: Wish) -> None:
        """Begin; an earlier tuning is cancelled."""
        watch = _Watch(TuningProgress(), self._found)
        device = wish.plan.variant.device
        self.submit(watch, lambda _: self._around.lend(device, lambda lent, check: self._tune(wish, watch, lent, check)))

    def _tune(self, wish: Wish, watch: _Watch, lent: Lent, check: CancelCheck) -> None:
        """Tune in the queue's thread."""
        device, around = wish.plan.variant.device, self._around
        status, conditions = around.status(device), dict(around.conditions())
        history = around.store.results(wish.plan.problem.operation, str(conditions.get("processor", "")), wish.plan.variant.id)
        bench = Bench(lent.measurer, status.limits, Protocol(), Estimator(history), conditions, free_memory_bytes(), lent.cores)
        watch.keep_still = lambda: lent.still(check)
        named = {"gpu": status.name} if device is Device.GPU else {}
        known = {} if wish.afresh else remembered(history, wish.plan, {**conditions, **named})
        Tuning(wish.plan, bench, around.store, wish.budget_s, known).run(check, watch)


class _Watch(PointsRequest[TuningProgress]):
    """Request that is told of rounds too."""

    def began(self, part: Round, total: int) -> None:
        self.tell(part=part, total=total, done=0)
