"""Devices and whether they can be used: asked once each, away from the interface, because finding a GPU loads heavy libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device

Probe = Callable[[], DeviceStatus]


class Devices:
    """The status of each device: `statuses` for the interface, `wait` for the measuring threads."""

    def __init__(self, probes: Mapping[Device, Probe], background_tasks: BackgroundTasks) -> None:
        self._probes = probes
        self._background_tasks = background_tasks
        self._asked: dict[Device, Future[DeviceStatus]] = {device: Future() for device in probes}
        self.statuses: Field[Mapping[Device, DeviceStatus]] = Field(
            {device: DeviceStatus(device, Availability.PROBING, "") for device in probes}
        )

    def start(self) -> None:
        """Ask every device."""
        for device, probe in self._probes.items():
            self._background_tasks.send(f"probe {device}", partial(self._ask, device, probe), self._show)

    def wait(self, device: Device) -> DeviceStatus:
        """The device's status, as soon as it is known. Not for the interface thread."""
        return self._asked[device].result()

    def _ask(self, device: Device, probe: Probe) -> DeviceStatus:
        try:
            status = probe()
        except Exception as error:  # whoever waits must get an answer, whatever a driver does
            reason = message("Looking for it failed: {error}", error=str(error) or type(error).__name__)
            status = DeviceStatus(device, Availability.FAILED, "", reason=reason)
        self._asked[device].set_result(status)
        return status

    def _show(self, status: DeviceStatus) -> None:
        self.statuses.value = {**self.statuses.value, status.device: status}
