"""Running variants on the GPU, which another process does: here the inputs are and the output comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix, never
from kernels.base.devices import DeviceStatus
from kernels.base.spec import FLOAT32_BYTES
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.gpu.process import GpuProcess
from kernels.measure.runner import RunFailed

PANEL_BYTES = 16 << 20
"""Matrices go from process to process in panels of about this size, so that neither side holds another one as a whole."""


class GpuRunner:
    """Runs variants on the GPU that `status`, a ready one, describes, in `process`. To be used in one thread at a time."""

    def __init__(self, status: DeviceStatus, process: GpuProcess) -> None:
        self._status = status
        self._process = process

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[GpuRun]:
        """Compile, allocate, copy the inputs. Leaving the context frees the matrices. Raises `RunFailed`.

        The inputs are sent, not made again there from their seed: that would take as long, and what is verified is what was sent.
        """
        check()
        gpu = self._process
        gpu.start()
        try:
            gpu.ask(check, "prepare", self._status, point)
            for name, matrix in inputs.items():
                for rows in _panels(matrix.shape):
                    gpu.ask(check, "fill", name, rows.start, np.ascontiguousarray(matrix[rows]))
            yield GpuRun(gpu, point, check)
        finally:
            if gpu.alive:
                with suppress(RunFailed):  # then the process is gone, and the memory with it
                    gpu.ask(never, "release")


@dataclass(frozen=True, slots=True)
class GpuRun:
    """A kernel with its matrices on the GPU. What is not interrupted by a check of its own uses that of the preparation.

    A running kernel cannot be interrupted: cancelling it ends the process.
    """

    gpu: GpuProcess
    point: Case
    check: CancelCheck

    def poison(self) -> None:
        """Fill the output with bytes of ones, as float32 NaN; for a kernel that works in place, with the input."""
        self.gpu.ask(self.check, "poison")

    def sample(self, check: CancelCheck) -> float:
        """The time of one launch in milliseconds, taken in the process: the way there and back is not in it."""
        check()
        time_ms: float = self.gpu.ask(check, "sample")
        return time_ms

    def output(self) -> Matrix:
        """The output, brought here."""
        output = np.empty(self.point.problem.shapes["C"], np.float32)
        for rows in _panels(output.shape):
            output[rows] = self.gpu.ask(self.check, "output", rows.start, rows.stop)
        return output

    def conditions(self) -> Mapping[str, str | int | float]:
        """GPU, versions, launch, compiler's findings, and how many launches a sample times; complete after the second sample."""
        conditions: Mapping[str, str | int | float] = self.gpu.ask(self.check, "conditions")
        return conditions


def _panels(shape: tuple[int, ...]) -> Iterator[slice]:
    """Slices of whole rows, each about `PANEL_BYTES`."""
    rows, columns = shape
    step = max(1, PANEL_BYTES // (FLOAT32_BYTES * max(columns, 1)))
    return (slice(first, min(first + step, rows)) for first in range(0, rows, step))
