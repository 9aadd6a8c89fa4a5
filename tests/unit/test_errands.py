from __future__ import annotations

import threading

from app.core.base.background import Errands
from app.core.results.devices import Devices
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.spec import Device


def test_work_is_done_elsewhere_and_delivered_by_tick() -> None:
    errands = Errands()
    delivered: list[str] = []
    errands.send("where", lambda: threading.current_thread().name, delivered.append)
    errands.join(5)
    assert delivered == []
    errands.send("again", lambda: threading.current_thread().name, delivered.append)
    while not delivered:
        errands.tick()
    assert delivered == ["again"]


def test_devices_are_looked_for_in_the_background_and_shown_by_tick() -> None:
    errands = Errands()
    answer = threading.Event()

    def probe() -> DeviceStatus:
        answer.wait(5)
        return DeviceStatus(Device.CPU, Availability.READY, "a processor")

    devices = Devices({Device.CPU: probe}, errands)
    devices.start()
    errands.tick()
    assert devices.statuses.value[Device.CPU].availability is Availability.PROBING
    answer.set()
    assert devices.wait(Device.CPU).name == "a processor"
    errands_done = False
    while not errands_done:
        errands.tick()
        errands_done = devices.statuses.value[Device.CPU].ready
    errands.join(5)


def test_a_probe_that_breaks_is_an_answer_too() -> None:
    errands = Errands()

    def probe() -> DeviceStatus:
        raise RuntimeError("the driver went away")

    devices = Devices({Device.GPU: probe}, errands)
    devices.start()
    assert str(devices.wait(Device.GPU).reason) == "Looking for it failed: the driver went away"
    errands.join(5)
