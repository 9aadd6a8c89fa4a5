"""A runner that computes with NumPy and takes as long as it is told, on a clock that only moves when it is moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.spec import Operation
from kernels.catalogue.case import Case
from tests.devices.poisoned_output import poisoned_output

Compute = Callable[[Mapping[str, Matrix], Matrix], None]
"""A kernel: reads the inputs, writes the output."""
Cost = Callable[[Case, int], float]
"""Milliseconds of the run with this number (from 0) of a point."""


class FakeClock:
    """Seconds that pass only when `advance` is called."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def advance(self, seconds: float) -> None:
        self.seconds += seconds


def right(inputs: Mapping[str, Matrix], output: Matrix) -> None:
    """The right answer, as float32 arithmetic gives it."""
    output[...] = inputs["A"] @ inputs["B"] if "B" in inputs else inputs["A"].T


def copies_half(inputs: Mapping[str, Matrix], output: Matrix) -> None:
    """A transposition that forgets the lower half of its output."""
    half = len(output) // 2
    output[:half] = inputs["A"].T[:half]


class FakeRun:
    """A prepared run of `FakeRunner`."""

    def __init__(self, point: Case, inputs: Mapping[str, Matrix], runner: FakeRunner) -> None:
        self._point, self._inputs, self._runner = point, inputs, runner
        # The answer of an earlier run, as memory that is used again would hold.
        self._output = poisoned_output(point.problem)
        right(inputs, self._output)
        self._runs = 0

    def poison(self) -> None:
        self._output.fill(np.nan)

    def sample(self, check: CancelCheck) -> float:
        check()
        time_ms = self._runner.cost(self._point, self._runs)
        self._runs += 1
        self._runner.compute(self._inputs, self._output)
        self._runner.clock.advance(time_ms / 1000)
        self._runner.samples += 1
        return time_ms

    def output(self) -> Matrix:
        return self._output

    def conditions(self) -> Mapping[str, str | int | float]:
        return {"threads": 1, "device_name": "Fake", "runs_so_far": self._runs}


class FakeRunner:
    """Offers what `kernels.measure.runner.Runner` asks for and records what was prepared."""

    def __init__(self, clock: FakeClock, cost: Cost = lambda _point, _run: 1.0, compute: Compute = right) -> None:
        self.clock, self.cost, self.compute = clock, cost, compute
        self.prepared: list[Case] = []
        self.samples = 0
        self.open = 0

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[FakeRun]:
        check()
        self.prepared.append(point)
        self.open += 1
        try:
            yield FakeRun(point, inputs, self)
        finally:
            self.open -= 1


def per_flop(gflops: float) -> Cost:
    """The cost of a kernel with this constant rate (for a transposition GB/s)."""

    def cost(point: Case, _run: int) -> float:
        problem = point.problem
        return (problem.flops if problem.operation is Operation.MATMUL else problem.bytes) / gflops / 1e6

    return cost
