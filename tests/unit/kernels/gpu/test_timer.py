"""The timer against a stand-in for CUDA whose clock advances with each launch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from kernels.gpu.execution import MOST_LAUNCHES, SHORTEST_SAMPLE_MS, Timer, launches_per_sample


class Gpu:
    """Runs what is enqueued at once; a host function is kept to see when its gate opens."""

    def __init__(self, launch_ms: float) -> None:
        self.now_ms = 0.0
        self.launch_ms = launch_ms
        self.launches = 0
        self.held: list[bool] = []
        self.holder: Callable[[None], bool] = lambda _: True

    def launch(self) -> None:
        self.launches += 1
        self.now_ms += self.launch_ms


class Stream:
    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def launch_host_func(self, function: Callable[[None], bool], _: None) -> None:
        self.gpu.holder = function


class Event:
    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu

    def record(self, _: Stream) -> None:
        self.ms = self.gpu.now_ms

    def synchronize(self) -> None:
        self.gpu.held.append(not self.gpu.holder(None))


@pytest.fixture
def timer_for(monkeypatch: pytest.MonkeyPatch) -> Callable[[Gpu], Timer]:
    def make(gpu: Gpu) -> Timer:
        cuda: Any = SimpleNamespace(
            Stream=lambda **_: Stream(gpu),
            Event=lambda: Event(gpu),
            get_elapsed_time=lambda start, stop: stop.ms - start.ms,
        )
        monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda))
        monkeypatch.setitem(sys.modules, "cupy.cuda", cuda)
        return Timer(gpu.launch)

    return make


def test_a_short_launch_is_timed_several_at_once_and_told_for_one(timer_for: Callable[[Gpu], Timer]) -> None:
    gpu = Gpu(0.1)
    timer = timer_for(gpu)
    assert timer.sample() == pytest.approx(0.1)
    assert timer.sample() == pytest.approx(0.1)
    assert timer.launches == 10
    before = gpu.launches
    assert timer.sample() == pytest.approx(0.1)
    assert gpu.launches - before == 10


@pytest.mark.parametrize("launch_ms", [0.001, 0.1, 5000.0])
def test_the_first_sample_is_one_launch(timer_for: Callable[[Gpu], Timer], launch_ms: float) -> None:
    gpu = Gpu(launch_ms)
    timer_for(gpu).sample()
    assert gpu.launches == 1


def test_a_slow_start_does_not_make_the_samples_short(timer_for: Callable[[Gpu], Timer]) -> None:
    gpu = Gpu(80.0)
    timer = timer_for(gpu)
    launch = timer._launch

    def first_is_slow() -> None:
        launch()
        gpu.launch_ms = 0.01

    timer._launch = first_is_slow
    assert timer.sample() == 80.0
    timer.sample()
    assert timer.launches == 100


def test_a_long_launch_runs_once_for_a_sample(timer_for: Callable[[Gpu], Timer]) -> None:
    gpu = Gpu(5000.0)
    timer = timer_for(gpu)
    assert timer.sample() == 5000.0
    assert timer.sample() == 5000.0
    assert gpu.launches == 2
    assert timer.launches == 1


def test_the_gate_is_open_when_the_result_is_waited_for(timer_for: Callable[[Gpu], Timer]) -> None:
    gpu = Gpu(0.1)
    timer = timer_for(gpu)
    timer.sample()
    timer.sample()
    assert gpu.held == [False, False, False]


def test_a_launch_that_fails_opens_the_gate(timer_for: Callable[[Gpu], Timer]) -> None:
    gpu = Gpu(0.1)
    timer = timer_for(gpu)
    timer.sample()

    def fail() -> None:
        raise RuntimeError("CUDA_ERROR_INVALID_VALUE")

    timer._launch = fail
    with pytest.raises(RuntimeError):
        timer.sample()
    assert gpu.holder(None)


@pytest.mark.parametrize("one_ms", [0.0, 0.001, 0.004, 0.3, 0.999, 1.0, 1.5, 1000.0])
def test_a_sample_is_long_enough_or_holds_the_most_launches(one_ms: float) -> None:
    launches = launches_per_sample(one_ms)
    assert 1 <= launches <= MOST_LAUNCHES
    assert launches * one_ms >= SHORTEST_SAMPLE_MS or launches == MOST_LAUNCHES
    assert launches == 1 or (launches - 1) * one_ms < SHORTEST_SAMPLE_MS
