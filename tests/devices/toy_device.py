"""What a device's process does, done by NumPy: right for most sizes, a fault for some. A module that another process imports."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.catalogue.case import Case
from kernels.measure.device_process import DeviceProcess, DeviceService
from kernels.measure.disturbance_watch import Watch
from kernels.measure.sampler import Sampler
from tests.devices.poisoned_output import poisoned_output

CRASHES, HANGS, RAISES = 29, 31, 37
"""Sizes n at which a run goes wrong."""


class ToyRun:
    """A point's matrices."""

    def __init__(self, point: Case, inputs: Mapping[str, Matrix]) -> None:
        self._n, self._inputs, self._output = point.problem.n, inputs, poisoned_output(point.problem)

    def poison(self) -> None:
        self._output.fill(np.nan)

    def sample(self, check: CancelCheck) -> float:
        check()
        if self._n == CRASHES:
            os.kill(os.getpid(), signal.SIGSEGV)
        if self._n == HANGS:
            time.sleep(600)
        if self._n == RAISES:
            raise ValueError("not today")
        self._output[:] = self._inputs["A"] @ self._inputs["B"]
        return 1.0

    def output(self) -> Matrix:
        return self._output

    def conditions(self) -> Mapping[str, str | int | float]:
        return {"threads": 1, "process": os.getpid()}


class ToyRunner:
    """Runs with NumPy."""

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[ToyRun]:
        check()
        yield ToyRun(point, inputs)


def toy_sampler() -> Sampler:
    """Measures with NumPy, and asks for stillness."""
    return Sampler(ToyRunner(), Watch())


def toy_process() -> DeviceProcess:
    """The process of a device that is called CPU."""
    return DeviceProcess("CPU", DeviceService(toy_sampler))
