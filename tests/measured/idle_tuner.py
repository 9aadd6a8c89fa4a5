"""A tuner that only remembers what it was asked for, and says what it is told to."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.base.observable import Field
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.tuner import TuningProgress, Wish
from app.core.tuning.model import Statuses, TuningModel
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.spec import Device
from kernels.measure.results import Result


@dataclass
class IdleTuner:
    """Stands in for `app.core.timing.tuner.Tuner`."""

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
