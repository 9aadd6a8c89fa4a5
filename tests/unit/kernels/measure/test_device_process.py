"""A device is measured in a process of its own: nothing of it is lost on the way, and no fault in it goes further."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from app.core.results.measuring import MeasuringService
from app.core.results.stillness import LONGEST_WAIT_S, Stillness
from kernels.base.arrays import Cancelled, never
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.file_lock import FileLock
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure import device_process
from kernels.measure.cores import HostCores
from kernels.measure.device_process import DeviceProcess
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.sampler import MeasureRequest, SamplingState
from kernels.measure.store import ResultStore
from tests.devices.toy_device import CRASHES, HANGS, RAISES, toy_process

PATIENCE_S = 60.0
READY = DeviceStatus(Device.CPU, Availability.READY, "Toy")


def point(n: int) -> Case:
    return Case("cpu.naive", Problem.square(Operation.MATMUL, n), {})


def order(n: int, protocol: Protocol | None = None) -> MeasureRequest:
    return MeasureRequest(point(n), protocol or Protocol(), {"processor": "Toy"}, predicted_ms=1.0)


class Log:
    """Remembers what it is told, and when the rest was to keep still."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def entered(self, _point: Case, phase: SamplingState) -> None:
        self.heard.append(phase.value)

    def sampled(self, _point: Case, taken: int, _at_most: int) -> None:
        self.heard.append(f"{taken} samples")

    def still(self) -> AbstractContextManager[None]:
        return self._still()

    @contextmanager
    def _still(self) -> Iterator[None]:
        self.heard.append("still")
        yield
        self.heard.append("moving")


@pytest.fixture
def process() -> Iterator[DeviceProcess]:
    made = toy_process()
    yield made
    made.close()


def test_a_point_is_measured_there_and_told_of_here(process: DeviceProcess) -> None:
    log = Log()
    result = process.measure(order(16), never, log)
    assert result.status is Status.MEASURED
    assert result.conditions["process"] == process.pid != os.getpid()
    assert result.conditions["processor"] == "Toy"
    began = log.heard.index("still")
    assert log.heard[:began] == ["compiling", "running", "verifying", "sampling"]
    assert log.heard[began + 1] == "moving", "all is still while samples are taken, and nothing is told meanwhile"
    assert log.heard[-1].endswith("samples")
    assert log.heard.count("still") == log.heard.count("moving")


def test_a_kernel_that_crashes_ends_its_process_and_is_said_to_have(process: DeviceProcess) -> None:
    process.measure(order(16), never, Log())
    first = process.pid
    result = process.measure(order(CRASHES), never, Log())
    assert result.status is Status.FAILED
    assert str(result.reason).startswith("The CPU's process ended unexpectedly (SIGSEGV): a kernel took it down")
    assert result.conditions["processor"] == "Toy"
    assert not process.alive
    assert process.measure(order(16), never, Log()).verified
    assert process.pid != first


def test_what_a_kernel_raises_is_its_results_reason(process: DeviceProcess) -> None:
    result = process.measure(order(RAISES), never, Log())
    assert (result.status, str(result.reason)) == (Status.FAILED, "The run failed: not today")
    assert process.alive


def test_a_run_without_end_is_ended_by_the_clock(process: DeviceProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_process, "LEAST_S", 0.3)
    result = process.measure(order(HANGS, Protocol(budget_s=0.1)), never, Log())
    assert "not done after 0.3 s" in str(result.reason)
    assert not process.alive


def test_cancelling_ends_a_run_in_the_middle_of_a_call(process: DeviceProcess) -> None:
    log = Log()

    def cancel() -> None:
        if "running" in log.heard:
            raise Cancelled

    begin = time.monotonic()
    with pytest.raises(Cancelled):
        process.measure(order(HANGS), cancel, log)
    assert time.monotonic() - begin < PATIENCE_S
    assert not process.alive


def test_a_sweep_goes_on_after_a_crash_and_the_process_ends_with_the_service() -> None:
    store, process = ResultStore.in_memory(), toy_process()
    service = MeasuringService(store, {Device.CPU: lambda: process}, lambda _device: READY, dict)
    service.start([point(n) for n in (8, CRASHES, 9)])
    results: list[Result] = []
    end = time.monotonic() + PATIENCE_S
    while service.progress().busy:
        assert time.monotonic() < end
        results += service.drain()
        time.sleep(0.01)
    results += service.drain()
    assert [result.status for result in results] == [Status.MEASURED, Status.FAILED, Status.MEASURED]
    assert store.results() == results
    assert service.shutdown(PATIENCE_S) == ()
    assert not process.alive
    store.close()


def test_programs_that_measure_take_turns_and_say_so(tmp_path: Path) -> None:
    ours, theirs = HostCores(FileLock(tmp_path / "lock")), HostCores(FileLock(tmp_path / "lock"))
    told, entered = threading.Event(), threading.Event()

    def measure() -> None:
        with ours.hold(never, told.set):
            entered.set()

    with theirs.hold(never):
        thread = threading.Thread(target=measure)
        thread.start()
        assert told.wait(PATIENCE_S)
        assert not entered.is_set()
    thread.join(PATIENCE_S)
    assert entered.is_set()
    with theirs.hold(never, told.clear):
        assert told.is_set(), "nobody is told where the turn comes at once"


def test_waiting_for_another_program_can_be_cancelled(tmp_path: Path) -> None:
    ours, theirs = HostCores(FileLock(tmp_path / "lock")), HostCores(FileLock(tmp_path / "lock"))

    def cancel() -> None:
        if waits:
            raise Cancelled

    waits: list[None] = []
    with theirs.hold(never), pytest.raises(Cancelled), ours.hold(cancel, lambda: waits.append(None)):
        pytest.fail("it is not its turn")
    with ours.hold(never):
        pass


def test_stillness_is_asked_for_granted_and_given_back() -> None:
    stillness, inside, done = Stillness(), threading.Event(), threading.Event()

    def sample() -> None:
        with stillness.hold(never):
            inside.set()
            done.wait(PATIENCE_S)

    stillness.grant()
    before = stillness.active
    assert not before, "nobody has asked"
    thread = threading.Thread(target=sample)
    thread.start()
    while not inside.wait(0.001):
        stillness.grant()
    assert stillness.active
    done.set()
    thread.join(PATIENCE_S)
    assert (stillness.active, stillness.asked) == (False, False)


def test_an_interface_that_never_rests_holds_nobody_up() -> None:
    stillness, begin = Stillness(), time.monotonic()
    with stillness.hold(never):
        assert stillness.active
    assert time.monotonic() - begin >= LONGEST_WAIT_S / 2
