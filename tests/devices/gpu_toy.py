"""What the GPU's process does, done by NumPy: right for most sizes, and a fault for some."""

from __future__ import annotations

import os
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType

import numpy as np

from kernels.base.arrays import Matrix
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.base.worker_process import WorkerChannel
from kernels.catalogue.case import Case
from kernels.gpu.execution import Conditions
from kernels.gpu.process import GpuService
from kernels.measure.device_process import Call, CallResult, Failed
from kernels.measure.runner import RunFailed
from tests.devices.fake_runner import right
from tests.devices.poisoned_output import poisoned_output

READY = DeviceStatus(Device.GPU, Availability.READY, "Toy GPU", details={"compute_capability": "9.0"})
REFUSED, ILLEGAL_ADDRESS, DIES, HANGS = 23, 29, 31, 37
"""Sizes n at which a run goes wrong; all else is computed."""


class ToyExecution:
    """A point's matrices on the toy GPU."""

    def __init__(self, point: Case, driver: ModuleType) -> None:
        self._n = point.problem.n
        self._driver = driver
        self._inputs = {name: np.full(shape, np.nan, np.float32) for name, shape in point.problem.shapes.items() if name != "C"}
        self._output = poisoned_output(point.problem)

    def fill(self, name: str, first: int, rows: Matrix) -> None:
        self._inputs[name][first : first + len(rows)] = rows

    def poison(self) -> None:
        self._output.fill(np.nan)

    def sample(self) -> float:
        if self._n == ILLEGAL_ADDRESS:
            self._driver.lost = True  # type: ignore[attr-defined]
            raise RuntimeError("cudaErrorIllegalAddress: an illegal memory access was encountered")
        if self._n == DIES:
            os._exit(139)
        if self._n == HANGS:
            time.sleep(60)
        right(self._inputs, self._output)
        return 0.25

    def output(self, first: int, last: int) -> Matrix:
        return self._output[first:last]

    def conditions(self) -> Conditions:
        return {"gpu": "Toy GPU", "process": os.getpid()}


class ToyExecutor:
    """Executes with NumPy, on a driver that says whether it still takes work."""

    def __init__(self) -> None:
        self._driver = _driver()

    def prepare(self, point: Case) -> AbstractContextManager[ToyExecution]:
        if point.problem.n == REFUSED:
            raise RunFailed(message("Refused."))
        return nullcontext(ToyExecution(point, self._driver))


class ToyService(GpuService):
    """The service with its GPU replaced."""

    def __call__(self, call: Call, channel: WorkerChannel) -> CallResult | Failed:
        if self._executor is None:
            self._executor = ToyExecutor()  # type: ignore[assignment]
        return super().__call__(call, channel)

    def status(self) -> DeviceStatus:
        return READY


class MortalService(ToyService):
    """Looking for the GPU ends the process."""

    def status(self) -> DeviceStatus:
        os._exit(139)


def _driver() -> ModuleType:
    """What stands in for CuPy's runtime: its errors stay, as those of CUDA do."""
    driver = ModuleType("cupy.cuda.runtime")

    def synchronize() -> None:
        if driver.lost:
            raise RuntimeError("cudaErrorIllegalAddress: an illegal memory access was encountered")

    driver.lost, driver.deviceSynchronize = False, synchronize  # type: ignore[attr-defined]
    cuda = ModuleType("cupy.cuda")
    cuda.runtime = driver  # type: ignore[attr-defined]
    sys.modules |= {"cupy": ModuleType("cupy"), "cupy.cuda": cuda, "cupy.cuda.runtime": driver}
    return driver
