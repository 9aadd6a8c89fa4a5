"""A tuner that only remembers what it was asked for, and says what it is told to."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.observable import Field
from app.core.session import Session
from app.core.timing import TimingModel
from app.core.tuning.model import Statuses, TuningModel
from app.core.tuning.service import TuningProgress, Wish
from kernels.devices import Availability, DeviceStatus
from kernels.measure.results import Result
from kernels.spec import Device


@dataclass
class IdleTuner:
    """Stands in for `app.core.tuning.service.Tuner`."""

    wishes: list[Wish] = field(default_factory=list)
    cancelled: int = 0
    told: TuningProgress | None = None
    found: tuple[Result, ...] = ()

    def start(self, wish: Wish) -> None:
        self.wishes.append(wish)

    def cancel(self) -> None:
        self.cancelled += 1

    def progress(self) -> TuningProgress | None:
        return self.told

    def drain(self) -> tuple[Result, ...]:
        found, self.found = self.found, ()
        return found


def idle_tuning(session: Session, timing: TimingModel, tuner: IdleTuner | None = None) -> TuningModel:
    """The model of the tuning page on a machine whose devices are all ready."""
    statuses: Field[Statuses] = Field({device: DeviceStatus(device, Availability.READY, "Test") for device in Device})
    return TuningModel(session, timing, statuses, tuner or IdleTuner())
