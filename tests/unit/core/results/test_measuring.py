"""The measuring service: queues, progress, cancelling, and closing in the middle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from app.core.base.job_queues import JobState
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.measuring import MeasuringService, Progress, QueueProgress
from app.core.session.session import Session
from app.core.timing.model import about_seconds
from kernels.base.arrays import Matrix
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Measurer, Sampler, SamplingState
from kernels.measure.store import ResultStore
from kernels.measure.sweep import plan
from tests.devices.fake_runner import FakeClock, FakeRunner, right

PATIENCE_S = 15.0
STUBBORN_S = 3 * PATIENCE_S
"""How long a closed gate holds: longer than anyone waits, so that nothing passes a test by waiting for the gate to give up."""
POINTS = plan([("cpu.naive", {})], [Problem.square(Operation.MATMUL, n) for n in (4, 8, 12, 16)])
GPU_POINTS = plan([("gpu.naive", {"tile": 8, "rows": 0})], [Problem.square(Operation.MATMUL, n) for n in (4, 8)])


class Gate:
    """A kernel that waits before its answer, from the point of the given size on, until it is opened."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.reached, self.opened = threading.Event(), threading.Event()

    def __call__(self, inputs: Mapping[str, Matrix], output: Matrix) -> None:
        if len(output) >= self.size:
            self.reached.set()
            assert self.opened.wait(STUBBORN_S)
        right(inputs, output)


def ready(device: Device) -> DeviceStatus:
    return DeviceStatus(device, Availability.READY, "Fake")


def without_gpu(device: Device) -> DeviceStatus:
    if device is Device.GPU:
        return DeviceStatus(device, Availability.NO_DRIVER, "", message("No NVIDIA GPU found."))
    return ready(device)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def collect(service: MeasuringService) -> list[Result]:
    until(lambda: not service.progress().busy)
    return service.drain()


def queue(progress: Progress, device: Device = Device.CPU) -> QueueProgress:
    return next(queue for queue in progress.queues if queue.device is device)


class House:
    """A service over fake runners, closed at the end of a test."""

    def __init__(self) -> None:
        self.store = ResultStore.in_memory()
        self.clock = FakeClock()
        self.services: list[MeasuringService] = []

    def serve(
        self, kernel: Callable[[Mapping[str, Matrix], Matrix], None] = right, status: Callable[[Device], DeviceStatus] = ready
    ) -> MeasuringService:
        def make() -> Measurer:
            return Sampler(FakeRunner(self.clock, compute=kernel), clock=self.clock)

        return self.over({Device.CPU: make, Device.GPU: make}, status)

    def over(self, runners: Mapping[Device, Callable[[], Measurer]], status: Callable[[Device], DeviceStatus] = ready) -> MeasuringService:
        self.services.append(MeasuringService(self.store, runners, status, lambda: {"processor": "P"}, self.clock))
        return self.services[-1]


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    assert [stuck for service in house.services for stuck in service.shutdown(PATIENCE_S)] == []
    house.store.close()


def test_points_are_measured_stored_and_drained_once(house: House) -> None:
    service = house.serve()
    assert service.progress() == Progress()
    service.start(POINTS)
    results = collect(service)
    assert [result.point for result in results] == list(POINTS)
    assert all(result.status is Status.MEASURED for result in results)
    assert results == house.store.results()
    assert service.drain() == []
    assert queue(service.progress()) == QueueProgress(Device.CPU, 1, total=4, state=JobState.DONE, done=4)


def test_what_points_take_beside_their_runs_is_known_to_the_next_sweep(house: House) -> None:
    def waiting(inputs: Mapping[str, Matrix], output: Matrix) -> None:
        house.clock.advance(3.0)  # beside the runs, whose time the runner tells
        right(inputs, output)

    service = house.serve(waiting)
    service.start(POINTS)
    known = Results({Provenance.MEASURED: collect(service)})
    before = service.progress()
    assert min(beside for _, beside in before.overheads[Device.CPU].last) > 3
    service.forget_ended()
    assert service.progress() == Progress((), before.overheads), "also where nothing of the sweep is told any more"
    choice = replace(Session().timing.value, ticked=frozenset({"cpu.naive"}), sizes=(8, 16))
    more = about_seconds(choice, known, service.progress()) - about_seconds(choice, known)
    assert more == pytest.approx(before.overheads[Device.CPU].of(POINTS[1::2]))


def test_the_protocol_of_the_request_is_used(house: House) -> None:
    service = house.serve()
    service.start(POINTS[:1], Protocol(min_samples=3, max_samples=3))
    assert len(collect(service)[0].times_ms) == 3


def test_progress_names_the_point_and_its_phase(house: House) -> None:
    gate = Gate(12)
    service = house.serve(gate)
    first = service.start(POINTS)
    assert gate.reached.wait(PATIENCE_S)
    before = queue(service.progress())
    assert (before.request, before.state, before.total, before.done) == (first, JobState.RUNNING, 4, 2)
    assert before.point == POINTS[2]
    assert before.phase is SamplingState.RUNNING
    assert before.seconds_left is not None
    house.clock.advance(before.seconds_left / 2)
    assert queue(service.progress()).seconds_left == pytest.approx(before.seconds_left / 2)
    assert [result.point for result in service.drain()] == list(POINTS[:2])
    gate.opened.set()


def test_samples_are_counted_slice_by_slice(house: House) -> None:
    seen: list[tuple[int, int]] = []

    def watch(inputs: Mapping[str, Matrix], output: Matrix) -> None:
        now = queue(service.progress())
        if now.phase is SamplingState.SAMPLING:
            seen.append((now.samples, now.samples_at_most))
        right(inputs, output)

    measurer = Sampler(FakeRunner(house.clock, lambda _point, _run: 100.0, watch), clock=house.clock)
    service = house.over({Device.CPU: lambda: measurer})
    service.start(POINTS[:1])
    collect(service)
    # The warm-up and the first slice, of three samples of 100 ms, see none; after it up to 21 are announced.
    assert seen == [(0, 0), (0, 0), (0, 0), (0, 0), (3, 21), (3, 21)]


def test_a_cancelled_request_keeps_its_points_and_the_next_one_runs(house: House) -> None:
    gate = Gate(12)
    service = house.serve(gate)
    request = service.start(POINTS)
    assert gate.reached.wait(PATIENCE_S)
    service.cancel(request)
    assert queue(service.progress()).state is JobState.CANCELLING
    gate.opened.set()
    assert [result.point for result in collect(service)] == list(POINTS[:2])
    assert queue(service.progress()) == QueueProgress(Device.CPU, request, total=4, state=JobState.CANCELLED, done=2)
    service.start(POINTS[:1])
    assert len(collect(service)) == 1
    assert len(house.store.results()) == 3


def test_a_waiting_request_can_be_cancelled_alone(house: House) -> None:
    gate = Gate(4)
    service = house.serve(gate)
    service.start(POINTS[:2])
    assert gate.reached.wait(PATIENCE_S)
    service.cancel(service.start(POINTS))
    gate.opened.set()
    assert len(collect(service)) == 2


def test_requests_that_waited_for_one_another_count_together(house: House) -> None:
    """Cancelled, the second one hid what the first had kept."""
    gate = Gate(8)
    service = house.serve(gate)
    first = service.start(POINTS[:2])
    assert gate.reached.wait(PATIENCE_S)
    second = service.start(POINTS)
    now = queue(service.progress())
    assert (now.done, now.total, now.seconds_left) == (1, 6, None)
    service.cancel(second)
    service.cancel(first)
    gate.opened.set()
    assert len(collect(service)) == 1
    now = queue(service.progress())
    assert (now.state, now.done, now.total) == (JobState.CANCELLED, 1, 6)


def test_one_device_measures_at_a_time(house: House) -> None:
    gate = Gate(4)
    service = house.over(
        {
            Device.CPU: lambda: Sampler(FakeRunner(house.clock, compute=gate), clock=house.clock),
            Device.GPU: lambda: Sampler(FakeRunner(FakeClock()), clock=house.clock),
        }
    )
    service.start(POINTS[:1])
    assert gate.reached.wait(PATIENCE_S)
    service.start(GPU_POINTS)
    # What the GPU's point needs of the host, its inputs and its reference, would be under the other's clock.
    until(lambda: queue(service.progress(), Device.GPU).phase is SamplingState.WAITING)
    assert queue(service.progress(), Device.GPU).point == GPU_POINTS[0]
    gate.opened.set()
    assert {result.point.variant.device for result in collect(service)} == {Device.CPU, Device.GPU}
    assert [entry.done for entry in service.progress().queues] == [1, 2]


def test_waiting_for_the_cores_can_be_cancelled(house: House) -> None:
    gate = Gate(4)
    service = house.over(
        {
            Device.CPU: lambda: Sampler(FakeRunner(house.clock, compute=gate), clock=house.clock),
            Device.GPU: lambda: Sampler(FakeRunner(FakeClock()), clock=house.clock),
        }
    )
    service.start(POINTS[:1])
    assert gate.reached.wait(PATIENCE_S)
    request = service.start(GPU_POINTS)
    until(lambda: queue(service.progress(), Device.GPU).phase is SamplingState.WAITING)
    service.cancel(request)
    until(lambda: queue(service.progress(), Device.GPU).state is JobState.CANCELLED)
    gate.opened.set()
    assert len(collect(service)) == 1


def test_a_missing_device_skips_its_points_with_its_reason(house: House) -> None:
    service = house.serve(status=without_gpu)
    service.start(GPU_POINTS)
    results = collect(service)
    assert [(result.status, str(result.reason)) for result in results] == [(Status.SKIPPED, "No NVIDIA GPU found.")] * 2
    assert queue(service.progress(), Device.GPU).not_possible == 2
    assert house.store.results() == results


def test_a_runner_that_cannot_be_made_fails_its_points(house: House) -> None:
    def broken() -> Measurer:
        raise OSError("library not found")

    service = house.over({Device.CPU: broken})
    service.start(POINTS[:2])
    assert [(result.status, str(result.reason)) for result in collect(service)] == [
        (Status.FAILED, "The run failed: library not found")
    ] * 2


def test_a_request_that_breaks_down_says_why_and_the_queue_goes_on(house: House) -> None:
    crash_reports = iter([RuntimeError("no conditions")])

    def conditions() -> dict[str, str | int | float]:
        for trouble in crash_reports:
            raise trouble
        return {}

    house.services.append(MeasuringService(house.store, {Device.CPU: lambda: Sampler(FakeRunner(house.clock))}, ready, conditions))
    service = house.services[0]
    service.start(POINTS)
    assert collect(service) == []
    assert str(queue(service.progress()).failure) == "The run failed: no conditions"
    service.start(POINTS[:1])
    assert len(collect(service)) == 1


def test_a_device_without_a_runner_is_refused_at_once(house: House) -> None:
    service = house.over({Device.CPU: lambda: Sampler(FakeRunner(house.clock))})
    with pytest.raises(KeyError):
        service.start(GPU_POINTS)


def test_closing_in_the_middle_stops_everything_and_keeps_what_is_done(house: House) -> None:
    gate = Gate(12)
    service = house.serve(gate)
    service.start(POINTS)
    service.start(POINTS)
    assert gate.reached.wait(PATIENCE_S)
    assert [str(stuck) for stuck in service.shutdown(0.01)] == ["cpu.naive at n = 12 could not be interrupted."]
    gate.opened.set()
    assert service.shutdown(PATIENCE_S) == ()
    assert len(house.store.results()) == 2


def test_earlier_results_of_this_machine_predict(house: House) -> None:
    slow = Case("cpu.naive", Problem.square(Operation.MATMUL, 64), {})
    house.store.append(Result(slow, Status.SINGLE, "2026", (1e6,), 0.0, 1e-5, None, {"processor": "P"}))
    house.store.append(Result(slow, Status.SINGLE, "2026", (1.0,), 0.0, 1e-5, None, {"processor": "another"}))
    service = house.serve()
    service.start([slow])
    assert collect(service)[0].status is Status.SKIPPED


def test_progress_and_drain_answer_at_once_while_a_kernel_runs(house: House) -> None:
    gate = Gate(4)
    service = house.serve(gate)
    service.start(POINTS)
    assert gate.reached.wait(PATIENCE_S)
    for _ in range(100):  # the kernel runs until the gate is opened: who waits for it waits for ever
        assert service.progress() is not None
        service.drain()
    gate.opened.set()
