"""A timer of uses of the GPU that only remembers what it was asked for, and says what it is told to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.core.base.observable import Field
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.use_timer import Use, UseModel, UseProgress
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.measure.gpu_use_times import UseTimes

READY = DeviceStatus(Device.GPU, Availability.READY, "Toy GPU")
ABSENT = DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", message("No NVIDIA GPU found."))


class NoActions:
    """Stands in for `app.qt.timing.actions.TimingActions`."""

    def measure(self) -> None:
        """Nothing is measured."""

    def cancel(self) -> None:
        """Nothing runs."""

    def export(self, _path: object) -> None:
        """Nothing is written."""


@dataclass
class IdleUseTimer:
    """Stands in for `app.core.timing.use_timer.UseTimer`."""

    asked: list[tuple[Use, ...]] = field(default_factory=list)
    cancelled: int = 0
    told: UseProgress | None = None
    found: tuple[UseTimes, ...] = ()

    def start(self, uses: Sequence[Use]) -> None:
        self.asked.append(tuple(uses))

    def cancel(self) -> None:
        self.cancelled += 1

    def progress(self) -> UseProgress | None:
        return self.told

    def drain(self) -> tuple[UseTimes, ...]:
        found, self.found = self.found, ()
        return found


def idle_uses(session: Session, timing: TimingModel, timer: IdleUseTimer | None = None, status: DeviceStatus = READY) -> UseModel:
    """The model of the page on a machine with this GPU."""
    statuses: Field[Mapping[Device, DeviceStatus]] = Field({Device.GPU: status})
    return UseModel(session, timing, statuses, timer or IdleUseTimer())
