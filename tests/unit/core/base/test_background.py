from __future__ import annotations

import threading

from app.core.base.background import BackgroundTasks
from app.core.results.device_detection import Devices
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.spec import Device


def test_work_is_done_elsewhere_and_delivered_by_tick() -> None:
    background_tasks = BackgroundTasks()
    delivered: list[str] = []
    background_tasks.send("where", lambda: threading.current_thread().name, delivered.append)
    background_tasks.join(5)
    assert delivered == []
    background_tasks.send("again", lambda: threading.current_thread().name, delivered.append)
    while not delivered:
        background_tasks.tick()
    assert delivered == ["again"]


def test_devices_are_looked_for_in_the_background_and_shown_by_tick() -> None:
    background_tasks = BackgroundTasks()
    answer = threading.Event()

    def probe() -> DeviceStatus:
        answer.wait(5)
        return DeviceStatus(Device.CPU, Availability.READY, "a processor")

    devices = Devices({Device.CPU: probe}, background_tasks)
    devices.start()
    background_tasks.tick()
    assert devices.statuses.value[Device.CPU].availability is Availability.PROBING
    answer.set()
    assert devices.wait(Device.CPU).name == "a processor"
    background_done = False
    while not background_done:
        background_tasks.tick()
        background_done = devices.statuses.value[Device.CPU].ready
    background_tasks.join(5)


def test_a_probe_that_breaks_is_an_answer_too() -> None:
    background_tasks = BackgroundTasks()

    def probe() -> DeviceStatus:
        raise RuntimeError("the driver went away")

    devices = Devices({Device.GPU: probe}, background_tasks)
    devices.start()
    assert str(devices.wait(Device.GPU).reason) == "Looking for it failed: the driver went away"
    background_tasks.join(5)
