"""The GPU's process: what is measured through it, and that no fault in it goes further."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import numpy as np
import pytest

from app.core.base.job_queues import JobState
from app.core.results.measuring import MeasuringService
from kernels.base.arrays import Cancelled, Matrix, never
from kernels.base.devices import Availability
from kernels.base.reference import random_inputs
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.gpu import process, runner
from kernels.gpu.process import GpuProcess
from kernels.gpu.runner import GpuRunner
from kernels.measure import device_process
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.measure.store import ResultStore
from tests.devices.gpu_toy import DIES, HANGS, ILLEGAL_ADDRESS, READY, REFUSED, MortalService, ToyService

PATIENCE_S = 30.0


@pytest.fixture
def gpu() -> Iterator[GpuProcess]:
    made = GpuProcess(answer=ToyService())
    yield made
    made.close()


def point(n: int, m: int | None = None, k: int | None = None) -> Case:
    return Case("gpu.naive", Problem.of(Operation.MATMUL, m or n, n, n if k is None else k), {"tile": 8, "rows": 0})


def run(gpu: GpuProcess, at: Case) -> Matrix:
    """The output of one run."""
    with GpuRunner(READY, gpu).prepare(at, random_inputs(at.problem, 3), never) as prepared:
        prepared.poison()
        assert prepared.sample(never) == 0.25
        return prepared.output()


def expected(at: Case) -> Matrix:
    inputs = random_inputs(at.problem, 3)
    product: Matrix = inputs["A"] @ inputs["B"]
    return product


def failure(gpu: GpuProcess, n: int) -> str:
    with pytest.raises(RunFailed) as raised:
        run(gpu, point(n))
    return str(raised.value.reason)


@pytest.mark.parametrize("at", [point(16), point(5, 70, 33), point(1), point(7, 5, 0)])
def test_matrices_go_there_and_back_in_panels_of_whole_rows(gpu: GpuProcess, monkeypatch: pytest.MonkeyPatch, at: Case) -> None:
    monkeypatch.setattr(runner, "PANEL_BYTES", 100)
    np.testing.assert_array_equal(run(gpu, at), expected(at))


def test_one_process_does_all_also_after_a_refusal(gpu: GpuProcess) -> None:
    run(gpu, point(8))
    first = gpu.pid
    assert failure(gpu, REFUSED) == "Refused."
    run(gpu, point(8))
    assert gpu.pid == first
    assert first != os.getpid()


@pytest.mark.parametrize(
    ("n", "words"),
    [(ILLEGAL_ADDRESS, "The kernel read or wrote outside its matrices."), (DIES, "The GPU's process ended unexpectedly")],
)
def test_a_fault_ends_the_process_and_the_next_run_has_another(gpu: GpuProcess, n: int, words: str) -> None:
    run(gpu, point(8))
    first = gpu.pid
    assert failure(gpu, n).startswith(words)
    assert not gpu.alive
    np.testing.assert_array_equal(run(gpu, point(8)), expected(point(8)))
    assert gpu.pid != first


def test_a_process_that_ends_between_two_runs_is_replaced_unnoticed(gpu: GpuProcess) -> None:
    run(gpu, point(8))
    assert gpu.pid is not None
    os.kill(gpu.pid, signal.SIGTERM)
    end = time.monotonic() + PATIENCE_S
    while gpu.alive:
        assert time.monotonic() < end
    np.testing.assert_array_equal(run(gpu, point(8)), expected(point(8)))


def test_a_run_without_end_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_process, "LEAST_S", 0.3)
    gpu = GpuProcess(0.1, ToyService())
    begin = time.monotonic()
    assert "not done after 0.3 s" in failure(gpu, HANGS)
    assert time.monotonic() - begin < PATIENCE_S
    np.testing.assert_array_equal(run(gpu, point(8)), expected(point(8)))
    gpu.close()


def test_a_run_without_end_can_be_cancelled(gpu: GpuProcess) -> None:
    def cancelled() -> None:
        if gpu_waited.pop():
            raise Cancelled

    gpu_waited = [True, False]  # the first check comes before the launch
    at = point(HANGS)
    with GpuRunner(READY, gpu).prepare(at, random_inputs(at.problem, 3), never) as prepared, pytest.raises(Cancelled):
        prepared.sample(cancelled)
    assert not gpu.alive
    np.testing.assert_array_equal(run(gpu, point(8)), expected(point(8)))


def test_a_gpu_that_ends_whoever_looks_for_it_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "find_spec", lambda _name: object())
    mortal = GpuProcess(answer=MortalService())
    status = mortal.status()
    assert status.availability is Availability.FAILED
    assert "ended unexpectedly" in str(status.reason)
    assert "nvidia-smi" in str(status.remedy)
    well = GpuProcess(answer=ToyService())
    assert well.status() == READY
    well.close()


def test_without_cupy_no_process_is_started(gpu: GpuProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "find_spec", lambda _name: None)
    monkeypatch.setattr("kernels.gpu.detect.find_spec", lambda _name: None)
    assert gpu.status().availability is Availability.NO_PACKAGE
    assert not gpu.alive


def measured(service: MeasuringService) -> list[Result]:
    end = time.monotonic() + PATIENCE_S
    while service.progress().busy:
        assert time.monotonic() < end
        time.sleep(0.01)
    return service.drain()


def test_a_sweep_goes_on_after_every_fault_and_the_process_ends_with_the_service(gpu: GpuProcess) -> None:
    store = ResultStore.in_memory()
    service = MeasuringService(store, {Device.GPU: lambda: gpu}, lambda _: READY, lambda: {}, at_end=gpu.close)
    service.start([point(n) for n in (8, ILLEGAL_ADDRESS, 9, DIES, 10, REFUSED, 11)])
    ok, failed = Status.MEASURED, Status.FAILED
    assert [result.status for result in measured(service)] == [ok, failed, ok, failed, ok, failed, ok]
    hanging = service.start([point(HANGS), point(12)])
    end = time.monotonic() + PATIENCE_S
    while service.progress().queues[0].state is not JobState.RUNNING:
        assert time.monotonic() < end
    service.cancel(hanging)
    assert measured(service) == []
    assert service.progress().queues[0].state is JobState.CANCELLED
    assert service.shutdown(PATIENCE_S) == ()
    assert not gpu.alive
    store.close()
