"""The GPU used in this very process, for long recordings: matrices are copied once from here, not sent to another process first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np

from kernels.devices import DeviceStatus
from kernels.gpu.execution import Execution, Executor
from kernels.measure.environment import usable_cores
from kernels.measure.results import Point
from kernels.measure.runner import CancelCheck, Matrix, RunFailed
from kernels.verified_rows import verified_rows

PINNED_BYTES = 64 << 20
"""A matrix of this size or more is pinned, which makes its copies several times as fast."""


class DirectRunner:
    """Runs variants on the GPU that `status`, a ready one, describes. `seed` is that of the inputs."""

    def __init__(self, status: DeviceStatus, seed: int) -> None:
        self._executor = Executor(status)
        self._seed = seed
        self._inputs: Mapping[str, Matrix] = {}

    @contextmanager
    def prepare(self, point: Point, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[DirectRun]:
        """Compile, allocate, copy the inputs. Leaving the context frees the matrices. Raises `RunFailed`."""
        from cupy.cuda import runtime

        check()
        self._pin(inputs)
        with self._executor.prepare(point) as execution:
            for name, matrix in inputs.items():
                execution.fill(name, 0, matrix)
            runtime.deviceSynchronize()  # copies of pinned memory go on by themselves
            yield DirectRun(execution, point, self._seed)

    def compile(self, points: Sequence[Point]) -> None:
        """Compile the kernels of the points by all cores, to have them when they are run. What fails does so again then."""
        from cupy.cuda import Device

        with ThreadPoolExecutor(usable_cores(), initializer=lambda: Device(0).use()) as pool:
            list(pool.map(self._compile, points))

    def _compile(self, point: Point) -> None:
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
class DirectRun:
    """A kernel with its matrices on the GPU."""

    execution: Execution
    point: Point
    seed: int

    def poison(self) -> None:
        """Fill the output with NaN."""
        self.execution.poison()

    def sample(self, check: CancelCheck) -> float:
        """The time of one launch in milliseconds."""
        check()
        return self.execution.sample()

    def output(self) -> Matrix:
        """The output; where some of its rows are verified, these alone are brought here, and the others are left undefined."""
        rows, columns = self.point.problem.shapes["C"]
        some = verified_rows(self.point.problem, self.seed)
        if some is None:
            return self.execution.output(0, rows)
        output = np.empty((rows, columns), np.float32)
        for row in some.tolist():
            output[row] = self.execution.output(row, row + 1)[0]
        return output

    def conditions(self) -> Mapping[str, str | int | float]:
        """GPU, versions, launch, compiler's findings, and how many launches a sample times."""
        return self.execution.conditions()


def usable() -> bool:
    """Whether the GPU still takes work from this process: after an illegal access it does not."""
    from cupy.cuda import runtime

    with suppress(runtime.CUDARuntimeError):
        runtime.deviceSynchronize()
        return True
    return False
