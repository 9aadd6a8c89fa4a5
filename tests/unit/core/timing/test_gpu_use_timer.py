"""Uses of the GPU timed in the background: in its queue, kept, cancelled, and what fails told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest

from app.core.base.job_queues import Job, JobQueue, JobState
from app.core.results.measuring import Lent
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.core.timing.tuner import MeasuringSetup
from app.core.timing.use_timer import Use, UseModel, UseProgress, UseTimer, failure_text, progress_text
from kernels.base.arrays import CancelCheck
from kernels.base.devices import DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.cores import HostCores
from kernels.measure.gpu_use_times import UsePart, UseTimes
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from tests.devices.fake_runner import FakeClock, FakeRunner
from tests.measured.idle_use_timer import ABSENT, READY, IdleUseTimer, idle_uses

PATIENCE_S = 15.0


def use(n: int, tile: int = 16) -> Use:
    return Use(Case("gpu.tiled", Problem.square(Operation.MATMUL, n), {"tile": tile}), pinned=n % 2 == 1)


def timed(status: DeviceStatus, point: Case, check: CancelCheck, *, pinned: bool) -> UseTimes:
    """What the GPU would say; 13 brings bad luck, and 64 is not over before somebody cancels."""
    assert status is READY
    if point.problem.n == 13:
        raise RunFailed(message("Bad luck."))
    while point.problem.n == 64:
        check()
        time.sleep(0.005)
    return UseTimes(point, pinned, "2026", {UsePart.KERNEL: (1.0,)}, {"gpu": "Toy GPU"})


@pytest.fixture
def queue() -> Iterator[JobQueue]:
    queue = JobQueue("test")
    yield queue
    queue.close()
    assert queue.join(PATIENCE_S)


@pytest.fixture
def store() -> Iterator[ResultStore]:
    store = ResultStore.in_memory()
    yield store
    store.close()


@pytest.fixture
def timer(queue: JobQueue, store: ResultStore) -> UseTimer:
    def lend(device: Device, work: Callable[..., None]) -> Job:
        assert device is Device.GPU
        lent = Lent(Sampler(FakeRunner(FakeClock())), HostCores(), lambda _check: nullcontext())
        return queue.submit(lambda check: work(lent, check))

    return UseTimer(MeasuringSetup(lend, lambda _device: READY, lambda: {"processor": "P"}, store), timed)


def progress_when(timer: UseTimer, reached: Callable[[UseProgress], bool]) -> UseProgress:
    end = time.monotonic() + PATIENCE_S
    while (progress := timer.progress()) is None or not reached(progress):
        assert time.monotonic() < end
        time.sleep(0.005)
    return progress


def test_uses_are_timed_kept_and_delivered_once(timer: UseTimer, store: ResultStore) -> None:
    assert timer.progress() is None
    timer.start([use(8), use(9)])
    progress = progress_when(timer, lambda each: each.state.ended)
    assert (progress.state, progress.done, progress.total, progress.use) == (JobState.DONE, 2, 2, None)
    found = timer.drain()
    assert [(each.point.problem.n, each.pinned) for each in found] == [(8, False), (9, True)]
    assert [dict(each.conditions) for each in found] == [{"processor": "P", "gpu": "Toy GPU"}] * 2
    assert store.uses() == list(found)
    assert timer.drain() == ()


def test_what_fails_or_cannot_be_is_told_and_the_others_go_on(timer: UseTimer) -> None:
    impossible = use(8, tile=64)
    timer.start([use(13), impossible, use(16)])
    progress = progress_when(timer, lambda each: each.state.ended)
    assert [failed for failed, _ in progress.failed] == [use(13), impossible]
    assert progress.failed[0][1] == message("Bad luck.")
    assert "threads a block" in str(progress.failed[1][1])
    assert [each.point.problem.n for each in timer.drain()] == [16]
    assert str(progress_text(progress)) == "Done: 3 of 3 points."
    assert str(failure_text(progress)).startswith("n = 8: ")


def test_cancelling_ends_the_use_under_way_and_keeps_those_before(timer: UseTimer, store: ResultStore) -> None:
    timer.start([use(8), use(64), use(16)])
    progress_when(timer, lambda each: each.use == use(64))
    timer.cancel()
    progress = progress_when(timer, lambda each: each.state.ended)
    assert (progress.state, progress.done) == (JobState.CANCELLED, 1)
    assert [each.point.problem.n for each in store.uses()] == [8]


def test_a_new_request_ends_the_one_before(timer: UseTimer) -> None:
    timer.start([use(64)])
    progress_when(timer, lambda each: each.use is not None)
    timer.start([use(16)])
    assert progress_when(timer, lambda each: each.state.ended).state is JobState.DONE
    assert [each.point.problem.n for each in timer.drain()] == [16]


def ticked(variant_id: str | None, status: DeviceStatus = READY) -> tuple[UseModel, IdleUseTimer]:
    session, timer = Session("cpu.naive"), IdleUseTimer()
    for variant in session.timing.value.variants:
        session.tick(variant, ticked=False)
    if variant_id is not None:
        session.tick(Case(variant_id, Problem.square(Operation.MATMUL, 8), {}).variant, ticked=True)
    return idle_uses(session, TimingModel(), timer, status), timer


@pytest.mark.parametrize(("variant_id", "status", "reason"), [
    ("gpu.tiled", ABSENT, "No NVIDIA GPU found."),
    ("cpu.blocked", READY, "Tick a rung of the GPU in the ladder."),
    (None, READY, "Tick a rung of the GPU in the ladder."),
])  # fmt: skip
def test_nothing_is_measured_without_a_gpu_or_a_rung_of_it(variant_id: str | None, status: DeviceStatus, reason: str) -> None:
    model, timer = ticked(variant_id, status)
    assert str(model.refusal()) == reason
    model.start()
    assert timer.asked == []


def test_a_ticked_rung_is_measured_with_its_chosen_settings() -> None:
    model, timer = ticked("gpu.tiled")
    assert model.refusal() is None
    model.start()
    (asked,) = timer.asked
    assert {each.point.variant_id for each in asked} == {"gpu.tiled"}
    assert {tuple(each.point.parameters.items()) for each in asked} == {(("tile", 16),)}
