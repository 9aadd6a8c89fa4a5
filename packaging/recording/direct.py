"""The GPU used in this very process, for long recordings: matrices are copied once from here, not sent to another process first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.devices import DeviceStatus
from kernels.base.machine_conditions import usable_cores
from kernels.base.reference import verified_rows
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.gpu.execution import Executor
from kernels.gpu.process import OwnRun, OwnRunner
from kernels.measure.runner import RunFailed

PINNED_BYTES = 64 << 20
"""A matrix of this size or more is pinned, which makes its copies several times as fast."""


class DirectRunner:
    """Runs variants on the GPU that `status`, a ready one, describes. `seed` is that of the inputs."""

    def __init__(self, status: DeviceStatus, seed: int) -> None:
        self._executor = Executor(status)
        self._runner = OwnRunner(self._executor)
        self._seed = seed
        self._inputs: Mapping[str, Matrix] = {}

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[DirectRun]:
        """Compile, allocate, copy the inputs. Leaving the context frees the matrices. Raises `RunFailed`."""
        from cupy.cuda import runtime

        check()
        self._pin(inputs)
        with self._runner.prepare(point, inputs, check) as run:
            runtime.deviceSynchronize()  # copies of pinned memory go on by themselves
            yield DirectRun(run.execution, run.rows, point, self._seed)

    def compile(self, points: Sequence[Case]) -> None:
        """Compile the kernels of the points by all cores, to have them when they are run. What fails does so again then."""
        from cupy.cuda import Device

        with ThreadPoolExecutor(usable_cores(), initializer=lambda: Device(0).use()) as pool:
            list(pool.map(self._compile, points))

    def _compile(self, point: Case) -> None:
        with suppress(RunFailed):
            self._executor.launcher(point)

    def _pin(self, inputs: Mapping[str, Matrix]) -> None:
        from cupy.cuda import runtime

        if inputs is self._inputs:
            return
        for register, matrices in ((False, self._inputs), (True, inputs)):
            for matrix in (each for each in matrices.values() if each.nbytes >= PINNED_BYTES):
                with suppress(runtime.CUDARuntimeError):  # it is only slower where the system does not allow it
                    runtime.hostRegister(matrix.ctypes.data, matrix.nbytes, 0) if register else runtime.hostUnregister(matrix.ctypes.data)
        self._inputs = inputs


@dataclass(frozen=True, slots=True)
class DirectRun(OwnRun):
    """A kernel with its matrices on the GPU. `seed` is that of the inputs, which says which rows are verified."""

    point: Case
    seed: int

    def output(self) -> Matrix:
        """The output; where some of its rows are verified, these alone are brought here, and the others are left undefined."""
        some = verified_rows(self.point.problem, self.seed)
        if some is None:
            return self.execution.output(0, self.rows)
        output = np.empty(self.point.problem.shapes["C"], np.float32)
        for row in some.tolist():
            output[row] = self.execution.output(row, row + 1)[0]
        return output
